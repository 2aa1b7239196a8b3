#include "measure/input.h"

#include <algorithm>

#include "base/random.h"

Input makeInput(size_t n, uint64_t seed) {
  Input input{std::make_unique_for_overwrite<int[]>(n), n, 0};
  int* const values = input.values.get();
  int64_t sum = 0;
  const size_t groups = n / 8 + (n % 8 != 0);
#pragma omp parallel for if (n > 1 << 18) reduction(+ : sum)
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
