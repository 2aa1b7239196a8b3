// Launches of memory.cuh, and what their results are.
#pragma once

#include "memory.cuh"
#include "shared.h"

namespace development {

inline void addStrides(Lists& l) {
  for (const unsigned stride : {1u, 2u, 4u, 8u, 32u}) {
    const size_t threads = l.a.n / 4 / stride / 256 * 256;
    if (threads == 0) continue;
    l.list.add({"strides", fmt::format("loads: a stride of {}", stride), threads},
               Shape(threads, 256),
               l.are(
                   [=](size_t i) {
                     unsigned sum = 0;
                     for (size_t k = 0; k < 4; ++k) sum += integerAt((i + k * threads) * stride);
                     return double(sum);
                   },
                   threads),
               loadsApart, l.integers(), l.out(), unsigned(threads), stride);
  }
  for (const unsigned stride : {1u, 2u, 4u, 8u, 32u}) {
    const size_t threads = l.a.n / stride / 256 * 256;
    l.list.add({"strides", fmt::format("stores: a stride of {}", stride), threads},
               Shape(threads, 256),
               l.are([=](size_t i) { return i % stride ? std::nan("") : double(i / stride); },
                     threads * stride),
               storesApart, l.out(), stride);
  }
}

template <typename T>
void addCopy(Lists& l, const std::string& name, unsigned block, size_t bytes) {
  const size_t n = bytes / sizeof(T);
  const Expected same = [](size_t i) { return double(integerAt(i)); };
  l.list.add({"copies", "copy: " + name, n}, Shape(n, block), l.are(same, bytes / 4), copyOf<T>,
             reinterpret_cast<const T*>(l.integers()), reinterpret_cast<T*>(l.out()));
}

inline void addStreams(Lists& l) {
  const size_t n = l.a.n, bytes = 4 * n;
  addCopy<unsigned>(l, "blocks of 32", 32, bytes / 4);
  addCopy<unsigned>(l, "blocks of 64", 64, bytes / 4);
  addCopy<unsigned>(l, "blocks of 256", 256, bytes / 4);
  addCopy<unsigned char>(l, "bytes", 256, bytes / 4);
  addCopy<uint4>(l, "16 bytes a thread", 256, bytes);
  const auto ofY = [&a = l.a] { a.out.copyFromDevice(a.y); };
  l.list.add({"streams", "a·x + y: floats", n, ofY}, Shape(n, 256),
             l.floatsAre([](size_t i) { return 2 * double(valueX(i)) + valueY(i); }, n),
             addProduct<float>, l.x(), l.a.out.data(), 2.0f);
  double* const doubles = reinterpret_cast<double*>(l.out());
  l.list.add({"streams", "a·x + y: doubles", n / 2, l.zeros(n)}, Shape(n / 2, 256),
             resultsAre<double>(doubles, n / 2, [](size_t i) { return 2 * frozen::doubleAt(i); }),
             addProduct<double>, l.a.doubles.data(), doubles, 2.0);
}

template <unsigned by>
void addUnrolledSum(Lists& l) {
  const unsigned blocks = l.few(132), n = unsigned(l.a.n / 4);
  const size_t threads = size_t(blocks) * 128;
  l.list.add({"low occupancy", fmt::format("sum by few threads: unrolled by {}", by), n},
             Shape(dim3(blocks), 128),
             l.are(
                 [=](size_t i) {
                   unsigned sum = 0;
                   for (size_t k = i; k < n; k += threads) sum += integerAt(k);
                   return double(sum);
                 },
                 threads),
             unrolledSum<by>, l.integers(), l.out(), n);
}

inline void addLoops(Lists& l) {
  addUnrolledSum<1>(l), addUnrolledSum<4>(l), addUnrolledSum<16>(l);
  const size_t threads = l.a.n / 8;
  constexpr unsigned constant = 1 << 12;
  const Expected twice = [](size_t i) {
    unsigned sum = 0;
    for (unsigned stride = 1; stride < constant; stride *= 2)
      sum += integerAt((i + stride) % constant);
    return double(sum);
  };
  l.list.add({"loops", "twice as far: an argument", threads}, Shape(threads, 256),
             l.are(twice, threads), twiceAsFar, l.integers(), l.out(), constant);
  l.list.add({"loops", "twice as far: a constant", threads}, Shape(threads, 256),
             l.are(twice, threads), twiceAsFarOf<constant>, l.integers(), l.out());
}

inline void addAgain(Lists& l) {
  const unsigned blocks = l.few(1056);
  const size_t threads = size_t(blocks) * 256;
  const auto four = [](size_t i) {
    return integerAt(4 * i) + integerAt(4 * i + 1) + integerAt(4 * i + 2) + integerAt(4 * i + 3);
  };
  const uint4* const x = reinterpret_cast<const uint4*>(l.integers());
  for (const unsigned mebibytes : {1u, 8u, 24u, 40u}) {
    const unsigned n = unsigned(std::min<size_t>(size_t(mebibytes) << 16, l.a.n / 4)), rounds = 8;
    l.list.add({"again", fmt::format("read again: {} MiB", mebibytes), n}, Shape(dim3(blocks), 256),
               l.are(
                   [=](size_t thread) {
                     unsigned sum = 0;
                     for (size_t r = 0; r < rounds; ++r)
                       for (size_t i = thread; i < n; i += threads)
                         sum += four((i + r * 5 * 256) % n);
                     return double(sum);
                   },
                   threads),
               readAgain, x, l.out(), n, rounds);
  }
  const unsigned own = l.few(1056) < 1056 ? 2 : 1056, rounds = 16;
  l.list.add({"again", "read again: 16 KiB of a block", own * 1024}, Shape(dim3(own), 256),
             l.are(
                 [=](size_t i) {
                   unsigned sum = 0;
                   for (size_t r = 0; r < rounds; ++r)
                     for (size_t k = i % 256; k < 1024; k += 256)
                       sum += four(i / 256 * 1024 + (k + 32 * r) % 1024);
                   return double(sum);
                 },
                 size_t(own) * 256),
             readOwnAgain, x, l.out(), rounds);
}

inline void addPlaces(Lists& l) {
  const size_t n = l.a.n / 2;
  for (const size_t within : {size_t(1) << 25, size_t(1) << 20, size_t(1) << 12}) {
    const size_t places = std::min(within, l.a.n);
    l.list.add({"places", fmt::format("gather: from {} KiB", within >> 8), n}, Shape(n, 256),
               l.are([=](size_t i) { return double(integerAt(integerAt(i) % places)); }, n), gather,
               l.integers(), l.integers(), l.out(), unsigned(places));
  }
  for (const size_t within : {size_t(1) << 24, size_t(1) << 20}) {
    const size_t places = std::min(within, n);
    l.list.add({"places", fmt::format("scatter: to {} KiB", within >> 8), places},
               Shape(places, 256),
               l.are(
                   [=](size_t i) {  // 244002641 · 2654435761 = 1 modulo 2^32
                     return double(unsigned(i) * 244002641u % places);
                   },
                   places),
               scatter, l.out(), unsigned(places));
  }
}

inline void addAtomics(Lists& l) {
  const size_t n = l.a.n / 64;
  const auto add = [&](const std::string& name, size_t threads, size_t counters, Expected expected,
                       auto check, auto kernel, auto... arguments) {
    l.list.add({"atomics", name, threads, l.zeros(counters)}, Shape(threads, 256),
               check(std::move(expected), counters), kernel, arguments...);
  };
  const auto integers = [&](Expected e, size_t count) { return l.are(std::move(e), count); };
  const auto floats = [&](Expected e, size_t count) { return l.floatsAre(std::move(e), count, 0); };
  const Expected all = [=](size_t) { return double(n); };
  float* const out = l.a.out.data();
  add("atomics on one address: integers", n, 1, all, integers, countOne<unsigned>, l.out());
  add("atomics on one address: floats", n, 1, all, floats, countOne<float>, out);
  add(
      "atomics on a few addresses: integers", n, 8, [=](size_t) { return double(n / 8); }, integers,
      countFew<unsigned>, l.out(), 8u);
  add(
      "atomics on a few addresses: floats", n, 8, [=](size_t) { return double(n / 8); }, floats,
      countFew<float>, out, 8u);
  add(
      "atomics on many addresses: in order", 4 * n, 4 * n, [](size_t) { return 1.0; }, integers,
      countFew<unsigned>, l.out(), unsigned(4 * n));
  for (const size_t addresses : {size_t(256), size_t(1) << 20}) {
    const size_t threads = addresses == 256 ? n : 16 * n;
    const Expected any = [=](size_t i) {
      if (addresses > 256) return std::nan("");
      double count = 0;
      for (size_t k = 0; k < threads; ++k) count += integerAt(k) % 256 == i;
      return count;
    };
    add(fmt::format("atomics at random: {} addresses", addresses), threads,
        std::min(addresses, l.a.n), any, integers, countAnywhere, l.integers(), l.out(),
        unsigned(std::min(addresses, l.a.n)));
  }
  const size_t counted = l.a.n / 2;
  l.list.add({"histograms", "histogram in shared memory", counted, l.zeros(256)},
             Shape(counted / 8, 256), l.are([](size_t) { return std::nan(""); }, 256),
             countInShared, l.integers(), l.out());
  const auto warp = [&](const std::string& name, Check check, auto kernel, auto* counter) {
    l.list.add({"atomics", "atomics of a warp: " + name, 32, l.zeros(1)}, Shape(dim3(1), 32),
               std::move(check), kernel, counter, 512u);
  };
  const Expected turns = [](size_t) { return 32 * 512.0; };
  warp("integers", l.are(turns, 1), warpCounts<unsigned>, l.out());
  warp("floats", l.floatsAre(turns, 1, 0), warpCounts<float>, out);
}

inline void addRowsAndColumns(Lists& l) {
  const unsigned side = sideOf(l.a.n);
  const uint64_t n = uint64_t(side) * side;
  const auto sumOf = [=](size_t first, size_t step) {
    unsigned sum = 0;
    for (size_t k = 0; k < side; ++k) sum += integerAt(first + k * step);
    return double(sum);
  };
  const Expected ofRow = [=](size_t i) { return sumOf(i * side, 1); };
  const Expected ofColumn = [=](size_t i) { return sumOf(i, side); };
  const auto add = [&](const std::string& name, dim3 grid, unsigned block, const Expected& expected,
                       auto kernel, auto... more) {
    l.list.add({"rows and columns", name, n}, Shape(grid, block), l.are(expected, side), kernel,
               l.integers(), l.out(), more...);
  };
  add("sums of rows: by block", dim3(side), 256, ofRow, rowsByBlock, side);
  add("sums of rows: by warp", dim3(side / 8), 256, ofRow, rowsByWarp, side);
  add("sums of rows: by thread", dim3(side / 32), 32, ofRow, rowsByThread, side);
  add("sums of columns: by thread", dim3(side / 32), 32, ofColumn, columnsByThread, side, side);
  add("sums of columns: by block", dim3(side / 32), 1024, ofColumn, columnsByBlock, side, side);
}

}  // namespace development
