// Launches of blocks.cuh and counting.cuh, and what their results are.
#pragma once

#include <algorithm>
#include <array>
#include <memory>

#include "blocks.cuh"
#include "counting.cuh"
#include "list.h"

namespace frozen {

inline void addScansAndSorts(Arrays& a, List& list) {
  const size_t n = a.n / 2;
  const unsigned* const x = a.integers.data();
  unsigned* const out = reinterpret_cast<unsigned*>(a.out.data());
  const auto sums = [=](size_t length) {
    return resultsAre(out, n, [=](size_t i) {
      unsigned sum = 0;
      for (size_t k = i / length * length; k <= i; ++k) sum += integerAt(k);
      return sum;
    });
  };
  list.add({"scans", "scan of 1,024: up and down a tree", n}, {n / 2, 512}, sums(1024),
           scanUpAndDown, x, out);
  list.add({"scans", "scan of 1,024: eight each", n}, {n / 8, 128}, sums(1024), scanEightEach,
           reinterpret_cast<const uint4*>(x), reinterpret_cast<uint4*>(out));
  list.add({"scans", "scan of rows of 64: a thread each", n}, {n / 64, 128}, sums(64),
           scanRowPerThread, x, out, n / 64);
  list.add({"scans", "scan of rows of 64: a warp each", n}, {n / 2, 256}, sums(64), scanRowPerWarp,
           x, out, n / 64);

  const auto sorted = [=](size_t length) {
    return resultsAre(out, n / 2, [=](size_t i) {
      const size_t first = i / length * length, place = i - first;
      std::vector<unsigned> values(length);
      for (size_t k = 0; k < length; ++k) values[k] = integerAt(first + k);
      std::ranges::sort(values);
      return values[place];
    });
  };
  list.add({"sorts", "sort of 512: bitonic", n / 2}, {n / 2, 512}, sorted(512),
           bitonicLowerExchanges, x, out);
  list.add({"sorts", "sort of 512: by rank", n / 2}, {n / 2, 512}, sorted(512), sortByRank, x, out);
  list.add({"sorts", "sort of 32 in a warp", n / 2}, {n / 2, 256}, sorted(32), bitonicInWarps, x,
           out);
}

inline void addReductions(Arrays& a, List& list) {
  const size_t n = a.n, segments = n / 128;
  const float *const x = a.x.data(), *const y = a.y.data();
  float* const out = a.out.data();
  unsigned* const places = reinterpret_cast<unsigned*>(out);
  double* const sums = reinterpret_cast<double*>(out);
  list.add({"reductions", "place of the largest", n}, {n / 4, 256},
           resultsAre(places, n / 1024,
                      [](size_t i) {
                        size_t place = 0;
                        for (size_t k = 1; k < 1024; ++k)
                          if (valueX(i * 1024 + k) > valueX(i * 1024 + place)) place = k;
                        return double(place);
                      }),
           placeOfLargest, x, places);
  const Check segmentSums = resultsAre(
      out, segments,
      [](size_t i) {
        double sum = 0;
        for (size_t k = 0; k < 96; ++k) sum += valueX(i * 96 + k);
        return sum;
      },
      1e-5);
  list.add({"reductions", "segments of 96: a thread each", segments * 96}, {segments, 128},
           segmentSums, segmentPerThread, x, out, segments);
  list.add({"reductions", "segments of 96: a warp each", segments * 96}, {segments * 32, 256},
           segmentSums, segmentPerWarp, x, out, segments);
  list.add({"reductions", "inner product, 528 blocks", n}, {dim3(528), 256},
           resultsAre(
               sums, 528,
               [n](size_t block) {
                 double sum = 0;
                 for (size_t first = block * 256; first < n; first += 528 * 256)
                   for (size_t i = first; i < std::min(n, first + 256); ++i)
                     sum += double(valueX(i)) * valueY(i);
                 return sum;
               },
               1e-9),
           innerProductBlocks, x, y, sums, n);
  list.add({"reductions", "one block adds up", n / 64}, {dim3(1), 1024},
           resultsAre(
               sums, 1,
               [n](size_t) {
                 double sum = 0;
                 for (size_t i = 0; i < n / 64; ++i) sum += doubleAt(i);
                 return sum;
               },
               1e-9),
           innerProductLast, static_cast<const double*>(a.doubles.data()), sums, unsigned(n / 64));
}

// Every bin of integers, counted when it is first asked for.
inline Expected binsOf(size_t n, unsigned (*bin)(unsigned)) {
  return [=, bins = std::make_shared<std::vector<double>>()](size_t i) {
    if (bins->empty()) {
      bins->resize(256);
      for (size_t k = 0; k < n; ++k) ++(*bins)[bin(integerAt(k))];
    }
    return (*bins)[i];
  };
}

inline void addCounting(Arrays& a, List& list) {
  const size_t n = a.n, some = n / 4;
  const unsigned* const x = a.integers.data();
  unsigned *const bins = a.bins.data(), *const out = reinterpret_cast<unsigned*>(a.out.data());
  const std::function<void()> zero = [&a] {
    const std::vector<unsigned> none(a.bins.size());
    a.bins.copyFromHost(none.data());
  };
  list.add({"histograms", "histogram of 256: in global memory", n, zero}, {n, 256},
           resultsAre(bins, 256, binsOf(n, evenBin)), countInGlobal, x, bins, n);
  list.add({"histograms", "histogram of 256: bins for each warp", n, zero}, {n / 32, 256},
           resultsAre(bins, 256, binsOf(n, evenBin)), countPerWarp<false>, x, bins);
  list.add({"histograms", "skewed histogram of 256", n, zero}, {n / 32, 256},
           resultsAre(bins, 256, binsOf(n, skewedBin)), countPerWarp<true>, x, bins);
  list.add({"histograms", "histogram of 16 in bytes of each thread", n, zero}, {n / 128, 64},
           resultsAre(bins, 16, binsOf(n, [](unsigned v) { return v & 15; })), countInBytes, x,
           bins);

  const Expected total = [some](size_t) {
    unsigned sum = 0;
    for (size_t i = 0; i < some; ++i) sum += integerAt(i) & 3;
    return double(sum);
  };
  list.add({"atomics", "integers to one address", some, zero}, {some, 256},
           resultsAre(bins, 1, total), addToOne, x, bins, some);
  float* const sum = reinterpret_cast<float*>(bins);
  list.add({"atomics", "floats to one address", n / 64, zero}, {n / 64, 256},
           resultsAre(sum, 1, [n](size_t) { return double(n / 64); }), addToOneFloat, sum, n / 64);
  list.add({"atomics", "largest of 1,024 places", some, zero}, {some, 256},
           resultsAre(bins, 1024,
                      [some, all = std::make_shared<std::vector<unsigned>>()](size_t i) {
                        if (all->empty()) {
                          all->resize(1024);
                          for (size_t k = 0; k < some; ++k) {
                            unsigned& largest = (*all)[integerAt(k) >> 4 & 1023];
                            largest = std::max(largest, integerAt(k));
                          }
                        }
                        return double((*all)[i]);
                      }),
           largestOfMany, x, bins, 1023u, some);
  const auto kept = [=, wanted = std::make_shared<size_t>(0)](StepResult& step) {
    if (*wanted == 0)
      for (size_t i = 0; i < some; ++i) *wanted += isWanted(integerAt(i));
    resultsAre(bins, 1, [=](size_t) { return double(*wanted); })(step);
    resultsAre(
        out, *wanted, [](size_t) { return 1; }, 0,
        [](unsigned v) { return double(isWanted(v)); })(step);
  };
  list.add({"atomics", "compaction: an atomic each", some, zero}, {some, 256}, kept, compactEach, x,
           out, bins, some);
  list.add({"atomics", "compaction: an atomic for a warp", some, zero}, {some, 256}, kept,
           compactByWarp, x, out, bins, some);
}

inline void addText(Arrays& a, List& list) {
  const size_t bytes = a.n, lines = a.n / 16;
  const unsigned char* const x = reinterpret_cast<const unsigned char*>(a.integers.data());
  unsigned char* const out = reinterpret_cast<unsigned char*>(a.out.data());
  unsigned* const words = reinterpret_cast<unsigned*>(out);
  const Check upper = resultsAre(out, bytes, [](size_t i) { return upperCase(byteAt(i)); });
  list.add({"bytes", "upper case: a byte each", bytes}, {bytes, 256}, upper, upperByteEach, x, out,
           bytes);
  list.add({"bytes", "upper case: 16 bytes each", bytes}, {bytes / 16, 256}, upper,
           upperSixteenEach, reinterpret_cast<const uint4*>(x), reinterpret_cast<uint4*>(out),
           bytes / 16);
  const auto isLetter = [](size_t i) { return upperCase(byteAt(i)) != byteAt(i); };
  list.add({"bytes", "words of a block", bytes}, {bytes, 256},
           resultsAre(words, bytes / 256,
                      [=](size_t block) {
                        unsigned count = 0;
                        for (size_t i = block * 256; i < block * 256 + 256; ++i)
                          count += isLetter(i) && (i == 0 || !isLetter(i - 1));
                        return count;
                      }),
           wordsOfBlock, x, words, bytes);
  list.add({"bytes", "checksum of lines", lines * 64}, {lines, 128},
           resultsAre(words, lines,
                      [](size_t line) {
                        unsigned low = 1, high = 0;
                        for (size_t k = 0; k < 64; ++k) {
                          low = (low + byteAt(line * 64 + k)) % 65521;
                          high = (high + low) % 65521;
                        }
                        return high << 16 | low;
                      }),
           checksumOfLines, x, words, lines);
}

}  // namespace frozen
