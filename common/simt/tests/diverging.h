// Runs the kernels of diverging.cuh, each on the same data everywhere.
#pragma once

#include <cstdint>
#include <vector>

#include "cuda/device_array.h"
#include "cuda/launch.h"
#include "diverging.cuh"

constexpr int divergingLength = 1 << 16, divergingBlock = 256;

// Four elements for each thread, below 2^16.
inline std::vector<int> divergingInput() {
  std::vector<int> values(size_t(divergingLength) * 4);
  uint32_t state = 1;
  for (int& value : values) {
    state = state * 1664525u + 1013904223u;
    value = int(state >> 16);
  }
  return values;
}

// Launches a kernel whose pointers point to whatever it takes the data for.
template <typename Out, typename In>
void launchDiverging(void (*kernel)(Out*, const In*, int), int* out, const int* data) {
  launch(divergingLength / divergingBlock, divergingBlock, kernel, reinterpret_cast<Out*>(out),
         reinterpret_cast<const In*>(data), divergingLength);
}

struct DivergingKernel {
  const char* name;
  void (*run)(int* out, const int* data);
};
#define DIVERGING(kernel)                                                          \
  {                                                                                \
#kernel, [](int* out, const int* data) { launchDiverging(kernel, out, data); } \
  }
inline const DivergingKernel divergingKernels[] = {DIVERGING(oneLanePerTurn),
                                                   DIVERGING(oneLanePerUnrolledTurn),
                                                   DIVERGING(lanesAlternate),
                                                   DIVERGING(stencil),
                                                   DIVERGING(sparseRows),
                                                   DIVERGING(mandelbrot),
                                                   DIVERGING(searchLoop),
                                                   DIVERGING(binarySearch),
                                                   DIVERGING(nestedLoops),
                                                   DIVERGING(switchOfFour),
                                                   DIVERGING(returnsEarly),
                                                   DIVERGING(membersOfFour),
                                                   DIVERGING(threeMembersOfFour),
                                                   DIVERGING(outerMembersOfFour),
                                                   DIVERGING(membersOfThree),
                                                   DIVERGING(membersOfPair),
                                                   DIVERGING(membersOfAlignedPair),
                                                   DIVERGING(membersOfAlignedTriple),
                                                   DIVERGING(membersAroundAStore),
                                                   DIVERGING(storesFourMembers),
                                                   DIVERGING(storesThreeMembers),
                                                   DIVERGING(copiesAlignedTriples),
                                                   DIVERGING(copiesPairs),
                                                   DIVERGING(neighbors),
                                                   DIVERGING(storesMembers),
                                                   DIVERGING(membersInShared),
                                                   DIVERGING(neighborsInShared),
                                                   DIVERGING(storesNeighborsInShared),
                                                   DIVERGING(pairsInPaddedRows),
                                                   DIVERGING(objectsInShared),
                                                   DIVERGING(firstElementsOfShared),
                                                   DIVERGING(alternateMembers),
                                                   DIVERGING(allButOneMember)};
