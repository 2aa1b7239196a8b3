#include "input.h"

#include <algorithm>

// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014) of the position: any part of the input can be
// made on its own, so all cores can.
static uint64_t randomBits(uint64_t seed, uint64_t position) {
  uint64_t z = seed * 0xd1342543de82ef95u + (position + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

Input makeInput(size_t n, uint64_t seed) {
  Input input{std::make_unique_for_overwrite<int[]>(n), n, 0};
  int* const values = input.values.get();
  int64_t sum = 0;
  const size_t groups = n / 8 + (n % 8 != 0);
#pragma omp parallel for reduction(+ : sum)
  for (size_t group = 0; group < groups; ++group) {
    const uint64_t bits = randomBits(seed, group);
    const size_t end = std::min(n, group * 8 + 8);
    for (size_t i = group * 8; i < end; ++i) {
      values[i] = int(bits >> (i % 8 * 8) & 0xff);
      sum += values[i];
    }
  }
  input.sum = sum;
  return input;
}
