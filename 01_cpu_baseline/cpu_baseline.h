// Lesson 01: the sum of an array on a CPU, four ways. The total has 64 bits; the elements have 32.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

// The compiler is told not to vectorise the serial loop; g++ and clang++ want to be told apart.
#ifdef __clang__
#define SERIAL
#define SERIAL_LOOP _Pragma("clang loop vectorize(disable) interleave(disable) unroll(disable)")
#else
#define SERIAL __attribute__((optimize("no-tree-vectorize", "no-unroll-loops")))
#define SERIAL_LOOP
#endif

// One loop, one element after the other: each addition waits for the one before.
SERIAL inline int64_t sumSerial(const int* data, size_t n) {
  int64_t sum = 0;
  SERIAL_LOOP
  for (size_t i = 0; i < n; ++i) sum += data[i];
  return sum;
}

// Elements are 0 to 255, so this many of them add up to less than 2^31: within one piece of the
// array 32-bit sums are enough.
constexpr size_t pieceLength = size_t(1) << 23;

// The shape of the GPU lessons: add the upper half onto the lower half, and do the same with what
// is left, until one element is left. Of an odd number the middle one waits for the next round.
// In place, for one piece.
inline int sumPairwise(int* data, size_t n) {
  if (n == 0) return 0;
  if (n == 1) return data[0];
  const size_t half = (n + 1) / 2;
  for (size_t i = 0; i + half < n; ++i) data[i] += data[i + half];
  return sumPairwise(data, half);
}

inline int64_t sumPairwisePieces(int* data, size_t n) {
  int64_t sum = 0;
  for (size_t first = 0; first < n; first += pieceLength)
    sum += sumPairwise(data + first, std::min(pieceLength, n - first));
  return sum;
}

// The serial loop as the compiler likes it. Additions of integers may be reordered, so it keeps
// several sums side by side in a vector register; a 32-bit sum leaves room for twice as many as a
// 64-bit one, and the elements need not be widened first.
inline int sumPiece(const int* data, size_t n) {
  int sum = 0;
  for (size_t i = 0; i < n; ++i) sum += data[i];
  return sum;
}

inline int64_t sumVectorised(const int* data, size_t n) {
  int64_t sum = 0;
  for (size_t first = 0; first < n; first += pieceLength)
    sum += sumPiece(data + first, std::min(pieceLength, n - first));
  return sum;
}

// The same with all cores: each adds up its share of the pieces, smaller ones so that the shares
// are even, and OpenMP adds the cores' sums.
inline int64_t sumAllCores(const int* data, size_t n) {
  constexpr size_t length = size_t(1) << 16;
  const size_t pieces = n / length + (n % length != 0);
  int64_t sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(static)
  for (size_t piece = 0; piece < pieces; ++piece)
    sum += sumPiece(data + piece * length, std::min(length, n - piece * length));
  return sum;
}

// The least that a loop can do with memory it reads: OR its words together, with all cores. The
// time it takes is this machine's read bandwidth, which the steps are compared with. (In pieces,
// because clang++ 14 does not vectorise an OR that OpenMP reduces itself.)
inline uint64_t readAll(const uint64_t* words, size_t count) {
  constexpr size_t length = size_t(1) << 15;
  const size_t pieces = count / length + (count % length != 0);
  uint64_t all = 0;
#pragma omp parallel for reduction(| : all) schedule(static)
  for (size_t piece = 0; piece < pieces; ++piece) {
    const size_t end = std::min(count, (piece + 1) * length);
    uint64_t bits = 0;
    for (size_t i = piece * length; i < end; ++i) bits |= words[i];
    all |= bits;
  }
  return all;
}
