// Launches of places.cuh, and what their results are.
#pragma once

#include <algorithm>
#include <array>

#include "list.h"
#include "places.cuh"

namespace frozen {

inline void addLocalAndConstant(Arrays& a, List& list) {
  const unsigned* const x = a.integers.data();
  unsigned* const out = reinterpret_cast<unsigned*>(a.out.data());
  const size_t sorts = a.n / 32, counts = a.n / 16, n = a.n / 8;
  list.add({"local arrays", "insertion sort of 24 each", sorts * 24}, {sorts, 128},
           resultsAre(out, sorts * 24,
                      [=](size_t i) {
                        std::array<unsigned, 24> v;
                        for (size_t k = 0; k < 24; ++k) v[k] = integerAt(k * sorts + i % sorts);
                        std::ranges::sort(v);
                        return v[i / sorts];
                      }),
           insertionSortEach, x, out, sorts);
  list.add({"local arrays", "most frequent of 16 digits each", counts * 16}, {counts, 256},
           resultsAre(out, counts,
                      [=](size_t i) {
                        std::array<unsigned, 16> bins{};
                        for (size_t k = 0; k < 16; ++k) ++bins[integerAt(k * counts + i) & 15];
                        return std::ranges::max(bins);
                      }),
           countInLocalArray, x, out, counts);
  const auto weighted = [&](bool apart) {
    return resultsAre(
        a.out.data(), n,
        [=](size_t i) {
          double sum = valueX(i);
          for (size_t k = 0; k < 64; ++k)
            sum = sum / 2 + tableOfWeights().values[(apart ? k + i : k * 3) % 256];
          return sum;
        },
        1e-5);
  };
  const float* const f = a.x.data();
  list.add({"constant memory", "weights: the same for all lanes", n}, {n, 256}, weighted(false),
           weightsTogether, f, a.out.data());
  list.add({"constant memory", "weights: another for each lane", n}, {n, 256}, weighted(true),
           weightsApart, f, a.out.data());
}

inline void addFewThreads(Arrays& a, List& list) {
  const unsigned* const x = a.integers.data();
  unsigned* const out = reinterpret_cast<unsigned*>(a.out.data());
  const unsigned chain = unsigned(a.n / 1024), count = unsigned(a.n / 64);
  list.add({"few threads", "one thread", chain}, {dim3(1), 1},
           resultsAre(out, 1,
                      [=](size_t) {
                        unsigned h = 1;
                        for (unsigned k = 0; k < chain; ++k) h = (h ^ integerAt(k)) * 16777619u;
                        return h;
                      }),
           oneThread, x, out, chain);
  const auto sums = [=](size_t results, size_t each) {
    return resultsAre(out, results, [=](size_t i) {
      unsigned sum = 0;
      for (size_t k = 0; k < each; ++k) sum += integerAt(i * each + k) & 255;
      return sum;
    });
  };
  list.add({"few threads", "one warp", count}, {dim3(1), 32}, sums(1, count), oneWarp, x, out,
           count);
  list.add({"few threads", "the first thread of a block adds up", a.n / 4}, {a.n / 4, 256},
           sums(a.n / 1024, 256), firstThreadAddsUp, x, out);
  const unsigned blocks = unsigned(std::min<size_t>(1056, a.n / 128));
  list.add({"few threads", "blocks of growing work", blocks * 128}, {dim3(blocks), 128},
           resultsAre(out, blocks * 128,
                      [=](size_t i) {
                        unsigned h = integerAt(i);
                        for (size_t k = 0; k < i / 128 * 16; ++k) h = h * 1664525u + 1013904223u;
                        return h;
                      }),
           longerAndLonger, x, out, 16u);
}

template <unsigned count>
void addVariance(Arrays& a, List& list, size_t threads) {
  list.add({"occupancy", fmt::format("variance of {} values in registers", count), threads * count},
           {threads, 256},
           resultsAre(
               a.out.data(), threads,
               [=](size_t i) {
                 double sum = 0, squares = 0;
                 for (size_t k = 0; k < count; ++k) sum += valueX(k * threads + i);
                 for (size_t k = 0; k < count; ++k)
                   squares += std::pow(valueX(k * threads + i) - sum / count, 2);
                 return squares / count;
               },
               1e-5),
           varianceInRegisters<count>, static_cast<const float*>(a.x.data()), a.out.data(),
           threads);
}

inline void addOccupancy(Arrays& a, List& list) {
  const size_t n = a.n;
  for (const size_t kilobytes : {1, 24, 100})
    list.add({"occupancy", fmt::format("turning blocks around: {} KB for each", kilobytes), n},
             {n, 256, kilobytes * 1024},
             resultsAre(a.out.data(), n,
                        [](size_t i) { return 1.0 + valueX(i / 256 * 256 + 255 - i % 256); }),
             turnInDynamicShared, static_cast<const float*>(a.x.data()), a.out.data());
  addVariance<8>(a, list, n / 8);
  addVariance<96>(a, list, n / 128);
}

}  // namespace frozen
