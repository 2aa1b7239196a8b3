// Launches of arithmetic.cuh, and what their results are.
#pragma once

#include <algorithm>

#include "arithmetic.cuh"
#include "list.h"

namespace frozen {

inline double horner(double v, double from, unsigned steps, double c = 0.25) {
  for (unsigned k = 0; k < steps; ++k) from = from * v + c;
  return from;
}

template <unsigned chains>
void addPolynomial(Arrays& a, List& list, size_t threads, unsigned block, const char* family) {
  list.add({"polynomials", fmt::format("{}: {} chain{}", family, chains, chains > 1 ? "s" : ""),
            threads},
           {threads, block},
           resultsAre(
               a.out.data(), threads,
               [](size_t i) {
                 double sum = 0;
                 for (unsigned c = 0; c < chains; ++c) sum += horner(valueX(i), c, 512 / chains);
                 return sum;
               },
               1e-3),
           hornerChains<chains>, static_cast<const float*>(a.x.data()), a.out.data());
}

inline void addPolynomials(Arrays& a, List& list) {
  const size_t few = std::min<size_t>(132, a.n / 64) * 64;
  addPolynomial<1>(a, list, a.n / 8, 256, "polynomial, a full card");
  addPolynomial<4>(a, list, a.n / 8, 256, "polynomial, a full card");
  addPolynomial<8>(a, list, a.n / 8, 256, "polynomial, a full card");
  addPolynomial<1>(a, list, few, 64, "polynomial, two warps on a multiprocessor");
  addPolynomial<4>(a, list, few, 64, "polynomial, two warps on a multiprocessor");
  addPolynomial<8>(a, list, few, 64, "polynomial, two warps on a multiprocessor");
}

inline void addDoublesAndHalves(Arrays& a, List& list) {
  const size_t n = a.n;
  const double* const x = a.doubles.data();
  double* const out = reinterpret_cast<double*>(a.out.data());
  const auto add = [&](const char* name, size_t count, Expected expected, auto kernel) {
    list.add({"double", name, count}, {count, 256}, resultsAre(out, count, expected, 1e-12), kernel,
             x, out);
  };
  add(
      "polynomial of doubles", n / 16,
      [](size_t i) { return horner(doubleAt(i), 1, 128) + horner(doubleAt(i), 2, 128, 0.5); },
      hornerDouble);
  add(
      "roots of doubles", n / 64,
      [](size_t i) {
        double v = doubleAt(i) + 2;
        for (unsigned k = 0; k < 8; ++k) v = std::sqrt(v) + 1 / v;
        return v;
      },
      rootsDouble);
  list.add({"double", "daxpy", n / 4}, {n / 4, 256},
           resultsAre(out, n / 4, [n](size_t i) { return 3 * doubleAt(i) + doubleAt(i + n / 4); }),
           axpyDouble, 3.0, x, x + n / 4, out, n / 4);

  const __half2* const h = reinterpret_cast<const __half2*>(a.halves.data());
  __half2* const halves = reinterpret_cast<__half2*>(out);
  const unsigned* const words = reinterpret_cast<const unsigned*>(out);
  const std::function<double(unsigned)> upper = [](unsigned v) { return halfValue(v >> 16); };
  list.add({"half2", "axpy of half2", n / 4}, {n / 4, 256},
           resultsAre(
               words, n / 4,
               [n](size_t i) {
                 return halfValue(halvesAt(i) >> 16) / 2 + halfValue(halvesAt(i + n / 4) >> 16);
               },
               1e-3, upper),
           axpyHalf2, h, h + n / 4, halves);
  list.add({"half2", "polynomial of half2", n / 16}, {n / 16, 256},
           resultsAre(
               words, n / 16,
               [](size_t i) {
                 const double v = halfValue(halvesAt(i) >> 16);
                 return horner(v, 0.25, 128) + horner(v, v, 128);
               },
               0.02, upper),
           hornerHalf2, h, halves);
}

template <unsigned chains>
double hashed(size_t i) {
  unsigned all = 0;
  for (unsigned c = 0; c < chains; ++c) {
    unsigned h = integerAt(i) + c;
    for (unsigned k = 0; k < 64 / chains; ++k) h = mixed(h);
    all ^= h;
  }
  return all;
}

inline void addIntegersAndFunctions(Arrays& a, List& list) {
  const size_t n = a.n / 8;
  const unsigned* const x = a.integers.data();
  unsigned* const out = reinterpret_cast<unsigned*>(a.out.data());
  list.add({"integers", "hash: 1 chain", n}, {n, 256}, resultsAre(out, n, hashed<1>), hashChains<1>,
           x, out);
  list.add({"integers", "hash: 4 chains", n}, {n, 256}, resultsAre(out, n, hashed<4>),
           hashChains<4>, x, out);
  unsigned long long* const wide = reinterpret_cast<unsigned long long*>(out);
  list.add({"integers", "hash of 64 bits", n}, {n, 256},
           resultsAre(wide, n,
                      [](size_t i) {
                        unsigned long long h = integerAt(i);
                        for (unsigned k = 0; k < 32; ++k)
                          h = (h ^ (h >> 29)) * 0xbf58476d1ce4e5b9u + k;
                        return double(h);
                      }),
           hashLong, x, wide);
  list.add({"integers", "sum of digits", n}, {n, 256},
           resultsAre(out, n,
                      [](size_t i) {
                        unsigned sum = 0;
                        for (unsigned v = integerAt(i); v > 0; v /= 10) sum += v % 10;
                        return sum;
                      }),
           digitSum, x, out, 10u);
  const float* const f = a.x.data();
  list.add({"functions", "waves and logarithms", n / 2}, {n / 2, 256},
           resultsAre(
               a.out.data(), n / 2,
               [](size_t i) {
                 float v = valueX(i);
                 for (unsigned k = 0; k < 8; ++k)
                   v = std::sin(v) + std::cos(v) * std::log(v * v + 1.5f);
                 return v;
               },
               1e-3),
           wavesAndLogarithms, f, a.out.data());
  list.add({"functions", "fast exponentials", n / 2}, {n / 2, 256},
           resultsAre(
               a.out.data(), n / 2,
               [](size_t i) {
                 double v = valueX(i), w = v + 1;
                 for (unsigned k = 0; k < 16; ++k) {
                   v = std::exp(-v);
                   w = 1 / (w + v);
                 }
                 return v + w;
               },
               1e-3),
           fastExponentials, f, a.out.data());
}

inline void addBodies(Arrays& a, List& list) {
  const unsigned count = unsigned(std::min<size_t>(16384, a.n / 16));
  const Check strength = resultsAre(
      a.out.data(), count,
      [=](size_t i) {
        double force = 0;
        for (size_t k = 0; k < count; ++k) {
          double sum = 0, square = 0.01;
          for (size_t axis = 0; axis < 3; ++axis) {
            const double d = double(valueX(4 * k + axis)) - valueX(4 * i + axis);
            sum += d;
            square += d * d;
          }
          force += valueX(4 * k + 3) * sum / std::pow(square, 1.5);
        }
        return force;
      },
      1e-2);
  const float4* const bodies = reinterpret_cast<const float4*>(a.x.data());
  list.add({"bodies", "bodies: from memory", count}, {count, 128}, strength, bodiesFromGlobal,
           bodies, a.out.data(), count);
  list.add({"bodies", "bodies: tiles", count}, {count, 128}, strength, bodiesFromTiles, bodies,
           a.out.data(), count);
}

inline void addPartingLanes(Arrays& a, List& list) {
  const size_t n = a.n;
  const unsigned side = sideOf(n) / 2;
  unsigned* const out = reinterpret_cast<unsigned*>(a.out.data());
  list.add({"divergence", "Mandelbrot", uint64_t(side) * side},
           {dim3(side / 32, side / 8), dim3(32, 8)},
           resultsAre(out, size_t(side) * side,
                      [=](size_t i) {
                        return stepsToLeave(int(unsigned(i % side) * 12288 / side) - 8192,
                                            int(unsigned(i / side) * 8192 / side) - 4096, 256);
                      }),
           mandelbrot, out, side, side, 256u);
  list.add({"divergence", "steps to one", n / 16}, {n / 16, 256},
           resultsAre(out, n / 16, [](size_t i) { return stepsToOne(i + 1); }), collatz, out);
  const auto ways = [&](size_t together) {
    return resultsAre(
        a.out.data(), n / 8,
        [=](size_t i) {
          double v = valueX(i);
          for (unsigned k = 0; k < 64; ++k)
            v = i / together % 2 ? v * 0.75 + 0.125 : (v + 1) / (v + 2);
          return v;
        },
        1e-5);
  };
  const float* const x = a.x.data();
  list.add({"divergence", "two ways: of lanes", n / 8}, {n / 8, 256}, ways(1), twoWays<1>, x,
           a.out.data());
  list.add({"divergence", "two ways: of warps", n / 8}, {n / 8, 256}, ways(32), twoWays<32>, x,
           a.out.data());
  list.add({"random numbers", "points in a quarter of a circle", n / 64}, {n / 64, 128},
           resultsAre(out, n / 64, [](size_t i) { return pointsInside(unsigned(i), 128); }),
           quarterCircle, out, 128u);
  list.add({"random numbers", "random walk", n / 64}, {n / 64, 128},
           resultsAre(out, n / 64,
                      [](size_t i) {
                        unsigned s = unsigned(i) * 2654435761u + 1, place = 0, count = 0;
                        for (unsigned k = 0; k < 256; ++k) {
                          s = nextXorShift(s);
                          place += s & 64 ? 1u : ~0u;
                          count += place % 64 == 0;
                        }
                        return count;
                      }),
           randomWalk, out, 256u);
}

}  // namespace frozen
