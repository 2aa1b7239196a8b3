// Launches of streams.cuh and matrices.cuh, and what their results are.
#pragma once

#include <algorithm>

#include "list.h"
#include "matrices.cuh"
#include "streams.cuh"

namespace frozen {

inline void addStreams(Arrays& a, List& list) {
  const size_t n = a.n;
  const float *const x = a.x.data(), *const y = a.y.data();
  float* const out = a.out.data();
  const Check copied = resultsAre(out, n, valueX);
  list.add({"streams", "copy: a float each", n}, {n, 256}, copied, copyEach, x, out, n);
  list.add({"streams", "copy: a float each, blocks of 32", n}, {n, 32}, copied, copyEach, x, out,
           n);
  list.add({"streams", "copy: 16 bytes each", n}, {n / 4, 256}, copied, copySixteenBytes,
           reinterpret_cast<const float4*>(x), reinterpret_cast<float4*>(out), n / 4);
  list.add({"streams", "saxpy in place", n, [&a] { a.out.copyFromDevice(a.y); }}, {n, 512},
           resultsAre(
               out, n, [](size_t i) { return valueY(i) + 2.0 * valueX(i); }, 1e-6),
           saxpyInPlace, 2.0f, x, out, n);
  list.add({"streams", "triad, grid stride", n}, {dim3(1056), dim3(256)},
           resultsAre(
               out, n, [](size_t i) { return valueX(i) + 3.0 * valueY(i); }, 1e-6),
           triadGridStride, x, y, out, n);
  list.add({"streams", "backwards", n}, {n, 256},
           resultsAre(out, n, [n](size_t i) { return valueX(n - 1 - i); }), reverseWhole, x, out,
           n);
}

inline void addPlacesOfMemory(Arrays& a, List& list) {
  const size_t n = a.n, few = n / 32, some = n / 4;
  const float* const x = a.x.data();
  float* const out = a.out.data();
  const unsigned mask = unsigned(n - 1), someMask = unsigned(some - 1);
  for (const unsigned stride : {1, 2, 8, 32}) {
    const auto name = [&](const char* what) { return fmt::format("{}: every {}", what, stride); };
    list.add({"strides", name("gather"), few}, {few, 256},
             resultsAre(out, few, [=](size_t i) { return valueX(i * stride); }), gatherEvery, x,
             out, stride, few);
    list.add(
        {"strides", name("scatter"), few}, {few, 256},
        [=, sample = uint64_t(0)](StepResult& step) mutable {
          const size_t i = randomBits(++sample, 0) % few;
          resultsAre(out + i * stride, 1, [i](size_t) { return valueX(i); })(step);
        },
        scatterEvery, x, out, stride, few);
  }
  list.add({"random places", "gather by a list of places", some}, {some, 256},
           resultsAre(out, some, [=](size_t i) { return valueX(integerAt(i) & mask); }),
           gatherPlaces, x, static_cast<const unsigned*>(a.integers.data()), out, mask, some);
  list.add(
      {"random places", "scatter by a permutation", some}, {some, 256},
      [=, sample = uint64_t(0)](StepResult& step) mutable {
        for (unsigned k = 0; k < 16; ++k) {
          const unsigned i = unsigned(randomBits(++sample, 0) % some);
          resultsAre(out + (i * 0x9e3779b1u & someMask), 1,
                     [i](size_t) { return valueX(i); })(step);
        }
      },
      scatterPlaces, x, out, 0x9e3779b1u, someMask);
  list.add({"random places", "eight places from a hash", n / 16}, {n / 16, 256},
           resultsAre(
               out, n / 16,
               [=](size_t i) {
                 unsigned h = unsigned(i);
                 double sum = 0;
                 for (unsigned k = 0; k < 8; ++k) sum += valueX(((h = nextPlace(h)) >> 5) & mask);
                 return sum;
               },
               1e-5),
           eightHashedPlaces, x, out, mask, n / 16);
  unsigned* const found = reinterpret_cast<unsigned*>(out);
  list.add({"random places", "a list that the caches hold", n / 512}, {n / 512, 128},
           resultsAre(found, n / 512,
                      [](size_t i) {
                        unsigned at = unsigned(i) & 2047;
                        for (unsigned k = 0; k < 64; ++k) at = integerAt(at) & 2047;
                        return at;
                      }),
           chaseSmallList, static_cast<const unsigned*>(a.integers.data()), found, 64u);
}

inline void addStencils(Arrays& a, List& list) {
  const size_t n = a.n;
  const float* const x = a.x.data();
  float* const out = a.out.data();
  // Elements from 3 on, less what lies outside at the end.
  const Check line = resultsAre(
      out + 3, n - 6,
      [](size_t i) {
        double sum = 0;
        for (size_t k = 0; k < 7; ++k) sum += valueX(i + k);
        return sum / 7;
      },
      1e-5);
  list.add({"stencils", "seven in a line: from memory", n}, {n, 128}, line, sevenInALine, x, out,
           n);
  list.add({"stencils", "seven in a line: shared", n}, {n, 128}, line, sevenInALineShared, x, out,
           n);
  const unsigned side = sideOf(n);
  const size_t plane = size_t(side) * side;
  const Check nine = resultsAre(
      out + side, plane - 2 * side,
      [=](size_t i) {
        const size_t column = i % side, at = i + side;
        if (column == 0 || column + 1 == side) return std::nan("");
        double sum = 0;
        for (size_t r = 0; r < 3; ++r)
          for (size_t c = 0; c < 3; ++c) sum += valueX(at + (r - 1) * side + c - 1);
        return sum / 9;
      },
      1e-5);
  const Shape rows(dim3(side / 32, side / 8), dim3(32, 8));
  list.add({"stencils", "nine in a plane: from memory", plane}, rows, nine, nineInAPlane, x, out,
           side, side);
  list.add({"stencils", "nine in a plane: shared", plane}, rows, nine, nineInAPlaneShared, x, out,
           side, side);
  unsigned edge = 16;
  while (size_t(edge) * edge * edge * 8 <= n) edge *= 2;
  const size_t slice = size_t(edge) * edge, cube = slice * edge;
  const Check seven = resultsAre(
      out, cube,
      [=](size_t i) {
        for (const size_t place : {i % edge, i / edge % edge, i / slice})
          if (place == 0 || place + 1 == edge) return std::nan("");
        return double(valueX(i - 1)) + valueX(i + 1) + valueX(i - edge) + valueX(i + edge) +
               valueX(i - slice) + valueX(i + slice) - 6.0 * valueX(i);
      },
      1e-5);
  const unsigned across = (edge + 31) / 32;
  list.add({"stencils", "seven in a cube: from memory", cube},
           {dim3(across, edge / 4, edge / 2), dim3(32, 4, 2)}, seven, sevenInACube, x, out, edge);
  list.add({"stencils", "seven in a cube: marching", cube}, {dim3(across, edge / 4), dim3(32, 4)},
           seven, sevenInACubeMarching, x, out, edge);
}

inline void addTranspositions(Arrays& a, List& list) {
  const unsigned side = sideOf(a.n);
  const size_t all = size_t(side) * side;
  const float* const x = a.x.data();
  float* const out = a.out.data();
  const Check turned =
      resultsAre(out, all, [=](size_t i) { return valueX(i % side * side + i / side); });
  const Shape small(dim3(side / 16, side / 16), dim3(16, 16));
  const Shape large(dim3(side / 32, side / 32), dim3(32, 32));
  list.add({"transpositions", "transpose: reading rows", all}, small, turned, transposeReadingRows,
           x, out, side);
  list.add({"transpositions", "transpose: writing rows", all}, small, turned, transposeWritingRows,
           x, out, side);
  list.add({"transpositions", "transpose: tiles", all}, large, turned, transposeInTiles<0>, x, out,
           side);
  list.add({"transpositions", "transpose: tiles, padded", all}, large, turned, transposeInTiles<1>,
           x, out, side);
}

inline void addProducts(Arrays& a, List& list, const char* size, unsigned side) {
  const float *const x = a.x.data(), *const y = a.y.data();
  float* const out = a.out.data();
  const size_t all = size_t(side) * side;
  const Check product = resultsAre(
      out, all,
      [=](size_t i) {
        double sum = 0;
        for (size_t k = 0; k < side; ++k)
          sum += double(valueX(i / side * side + k)) * valueY(k * side + i % side);
        return sum;
      },
      1e-4);
  const auto add = [&](const char* step, unsigned tile, dim3 block, auto kernel) {
    list.add({"matrix products", fmt::format("product of {} matrices: {}", size, step), all},
             {dim3(side / tile, side / tile), block}, product, kernel, x, y, out, side);
  };
  add("lanes down", 32, dim3(32, 32), sgemmLanesDown);
  add("lanes across", 32, dim3(32, 32), sgemmLanesAcross);
  add("tiles", 32, dim3(32, 32), sgemmTiles);
  add("a column each", 64, 512, sgemmColumnEach);
  add("a square each", 128, 256, sgemmSquareEach);
}

inline void addBothProducts(Arrays& a, List& list) {
  const unsigned side = std::max(128u, std::min(2048u, sideOf(a.n)));
  addProducts(a, list, "small", std::max(128u, side / 2));
  addProducts(a, list, "large", side);
}

inline void addRows(Arrays& a, List& list) {
  const unsigned side = sideOf(a.n);
  const float *const x = a.x.data(), *const y = a.y.data();
  float* const out = a.out.data();
  const auto times = [=](bool transposed) {
    return resultsAre(
        out, side,
        [=](size_t i) {
          double sum = 0;
          for (size_t k = 0; k < side; ++k)
            sum += double(valueX(transposed ? k * side + i : i * side + k)) * valueY(k);
          return sum;
        },
        1e-4);
  };
  const uint64_t all = uint64_t(side) * side;
  list.add({"matrix × vector", "matrix × vector: a thread for a row", all}, {side, 128},
           times(false), matvecThreadPerRow, x, y, out, side);
  list.add({"matrix × vector", "matrix × vector: a warp for a row", all}, {size_t(side) * 32, 256},
           times(false), matvecWarpPerRow, x, y, out, side);
  list.add({"matrix × vector", "transposed matrix × vector", all}, {side, 64}, times(true),
           matvecThreadPerColumn, x, y, out, side);

  const auto normal = [=](size_t i) {
    const size_t first = i / 2048 * 2048;
    double sum = 0, squares = 0;
    for (size_t k = 0; k < 2048; ++k) sum += valueX(first + k);
    const double mean = sum / 2048;
    for (size_t k = 0; k < 2048; ++k) squares += std::pow(valueX(first + k) - mean, 2);
    return (valueX(i) - mean) / std::sqrt(squares / 2048 + 1e-5);
  };
  list.add({"rows", "layer norm: a block for a row", a.n}, {dim3(unsigned(a.n / 2048)), 256},
           resultsAre(out, a.n, normal, 1e-3), layerNorm, x, out, 2048u);
  list.add({"rows", "layer norm: a warp for a row", a.n}, {a.n / 64, 128},
           resultsAre(out, a.n, normal, 1e-3), layerNormWarp, x, out, 2048u);
  list.add({"rows", "softmax, online", a.n}, {a.n / 16, 256},
           resultsAre(
               out, a.n,
               [](size_t i) {
                 double sum = 0;
                 for (size_t k = 0; k < 512; ++k) sum += std::exp(valueX(i / 512 * 512 + k));
                 return std::exp(valueX(i)) / sum * 512;
               },
               1e-4, [](float v) { return v * 512.0; }),
           softmaxOnline, x, out, 512u);
}

}  // namespace frozen
