// Launches of blocks.cuh and matrices.cuh, and what their results are.
#pragma once

#include <algorithm>

#include "blocks.cuh"
#include "matrices.cuh"
#include "shared.h"

namespace development {

template <Access access, unsigned stride>
void addSharedApart(Lists& l, const std::string& name) {
  constexpr unsigned steps = 512;
  const unsigned blocks = l.few(528);
  const Expected expected = [](size_t i) {
    double sum = 0;
    for (unsigned k = 0; k < steps; ++k)
      for (unsigned lane = 0; lane < 32; ++lane) {
        const unsigned at = lane * stride + k % stride + k / stride * 32 * stride % 1024;
        if (access == Access::loads && lane == i % 32) sum += at;
        if (access == Access::stores && at == i % 32) sum = k;
        if (access == Access::both) sum += at == i % 32;
      }
    return access == Access::both ? sum + double(i % 32) : sum;
  };
  l.list.add({"conflicts", fmt::format("shared {}: a stride of {}", name, stride), blocks * 256},
             Shape(dim3(blocks), 256), l.are(expected, size_t(blocks) * 256),
             sharedApart<access, stride>, l.out(), steps);
}

template <unsigned stride>
void addConflictsOf(Lists& l) {
  addSharedApart<Access::loads, stride>(l, "loads");
  addSharedApart<Access::stores, stride>(l, "stores");
  addSharedApart<Access::both, stride>(l, "loads and stores");
}

inline void addConflicts(Lists& l) {
  addConflictsOf<1>(l), addConflictsOf<8>(l), addConflictsOf<32>(l);
}

inline double sumOfIntegers(size_t from, size_t to) {
  unsigned sum = 0;
  for (size_t i = from; i < to; ++i) sum += integerAt(i);
  return sum;
}

inline void addTreesAndScans(Lists& l) {
  const size_t n = l.a.n / 2;
  const auto ofBlock = [](size_t i) { return sumOfIntegers(i * 512, i * 512 + 512); };
  const auto before = [](size_t i) { return sumOfIntegers(i / 512 * 512, i); };
  const auto tree = [&](const std::string& name, auto kernel) {
    l.list.add({"trees", "tree of 512: " + name, n}, Shape(n, 512), l.are(ofBlock, n / 512), kernel,
               l.integers(), l.out());
  };
  tree("a remainder", treeOf<Tree::remainder>);
  tree("conflicts", treeOf<Tree::conflicts>);
  tree("halves", treeOf<Tree::halves>);
  l.list.add({"scans", "scan of 512: up and down", n}, Shape(n / 2, 256), l.are(before, n),
             scanUpAndDown, l.integers(), l.out());
  l.list.add({"scans", "scan of 512: in steps", n}, Shape(n, 512), l.are(before, n), scanInSteps,
             l.integers(), l.out());
  l.list.add({"scans", "scan of 512: by warps", n}, Shape(n, 512), l.are(before, n), scanByWarps,
             l.integers(), l.out());
}

inline void addSorts(Lists& l) {
  const size_t n = l.a.n / 4;
  const Expected sorted = [](size_t i) {
    std::vector<unsigned> all(256);
    for (size_t k = 0; k < 256; ++k) all[k] = integerAt(i / 256 * 256 + k);
    std::nth_element(all.begin(), all.begin() + long(i % 256), all.end());
    return double(all[i % 256]);
  };
  l.list.add({"sorts", "sort of 256: neighbours", n}, Shape(n, 256), l.are(sorted, n),
             sortNeighbours, l.integers(), l.out());
  l.list.add({"sorts", "sort of 256: by rank", n}, Shape(n, 256), l.are(sorted, n), sortByRank,
             l.integers(), l.out());
  l.list.add({"sorts", "sort of 256: bitonic", n}, Shape(n, 256), l.are(sorted, n), sortBitonic,
             l.integers(), l.out());
}

inline void addProducts(Lists& l) {
  for (const unsigned most : {1024u, 2048u}) {
    const unsigned side = std::min(most, sideOf(l.a.n));
    const Expected expected = [=](size_t i) {
      double sum = 0;
      for (unsigned k = 0; k < side; ++k)
        sum += double(valueX(i / side * side + k)) * double(valueY(size_t(k) * side + i % side));
      return sum;
    };
    const auto check = resultsAre<float>(l.a.out.data(), size_t(side) * side, expected, 1e-4);
    const auto add = [&](const std::string& name, dim3 grid, unsigned block, auto kernel) {
      l.list.add({"products", fmt::format("product of {}: {}", most, name), uint64_t(side) * side},
                 Shape(grid, block), check, kernel, l.x(), l.y(), l.a.out.data(), side);
    };
    add("by rows", dim3(side / 32, side / 8), 256, productByRows);
    add("by columns", dim3(side / 32, side / 8), 256, productByColumns);
    add("in tiles", dim3(side / 32, side / 32), 1024, productInTiles);
    add("in columns", dim3(side / 64, side / 64), 512, productInColumns);
    add("in squares", dim3(side / 128, side / 128), 256, productInSquares);
  }
}

inline void addTranspositions(Lists& l) {
  const unsigned side = sideOf(l.a.n / 2);
  const size_t n = size_t(side) * side;
  const Expected expected = [=](size_t i) { return double(integerAt(i % side * side + i / side)); };
  const auto add = [&](const std::string& name, unsigned rows, auto kernel) {
    l.list.add({"transpositions", "transposition: " + name, n},
               Shape(dim3(side / 32, side / rows), dim3(32, 8)), l.are(expected, n), kernel,
               l.integers(), l.out(), side);
  };
  add("from rows", 8, transposeFromRows);
  add("to rows", 8, transposeToRows);
  add("in tiles", 32, transposeInTiles<32>);
  add("in padded tiles", 32, transposeInTiles<33>);
}

inline void addStencils(Lists& l) {
  const size_t n = l.a.n;
  const auto around = [=](int from, int to) {
    return [=](size_t i) {
      double sum = 0;
      for (int k = from; k <= to; ++k) sum += valueX((i + size_t(n) + size_t(k)) % n);
      return sum;
    };
  };
  l.list.add({"stencils", "stencil of a line: three", n}, Shape(n, 256),
             l.floatsAre(around(-1, 1), n), stencilOfThree, l.x(), l.a.out.data(), unsigned(n));
  l.list.add({"stencils", "stencil of a line: nine, shared", n}, Shape(n, 256),
             l.floatsAre(around(-4, 4), n), stencilOfNine, l.x(), l.a.out.data(), unsigned(n));
  const unsigned side = sideOf(n);
  unsigned edge = 32;
  while (size_t(edge) * edge * edge * 8 <= n) edge *= 2;
  if (size_t(edge) * edge * edge > n) return;
  const auto inside = [](size_t at, unsigned length) { return at > 0 && at + 1 < length; };
  const Expected plane = [=](size_t i) {
    if (!inside(i % side, side) || !inside(i / side, side)) return std::nan("");
    return double(valueX(i)) + valueX(i - 1) + valueX(i + 1) + valueX(i - side) + valueX(i + side);
  };
  const Expected space = [=](size_t i) {
    const size_t layer = size_t(edge) * edge;
    if (!inside(i % edge, edge) || !inside(i / edge % edge, edge) || !inside(i / layer, edge))
      return std::nan("");
    return double(valueX(i)) + valueX(i - 1) + valueX(i + 1) + valueX(i - edge) + valueX(i + edge) +
           valueX(i - layer) + valueX(i + layer);
  };
  l.list.add({"stencils", "stencil of a plane", uint64_t(side) * side},
             Shape(dim3(side / 32, side / 8), dim3(32, 8)), l.floatsAre(plane, size_t(side) * side),
             stencilOfPlane, l.x(), l.a.out.data(), side);
  l.list.add({"stencils", "stencil of a space", uint64_t(edge) * edge * edge},
             Shape(dim3(edge / 32, edge / 8, edge), dim3(32, 8)),
             l.floatsAre(space, size_t(edge) * edge * edge), stencilOfSpace, l.x(), l.a.out.data(),
             edge);
}

}  // namespace development
