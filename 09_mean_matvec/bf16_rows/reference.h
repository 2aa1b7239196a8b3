// The rows of bf16_rows on the host: random ones, and what is right, in double.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

// Two numbers for each row: mean and variance, or the largest element and the sum of exp(element -
// largest).
struct Pair {
  double first, second;
};

// Bits of n bfloat16 from 1 to 5, most of them near 3. The same for a seed everywhere.
void fillAroundThree(uint16_t* bits, size_t n, uint64_t seed);

std::vector<Pair> momentsOf(const uint16_t* bits, size_t rows, size_t length);
std::vector<Pair> softmaxSumsOf(const uint16_t* bits, size_t rows, size_t length);

// How far elements `from` to `from + count` of a softmax are from what is right: the most of any,
// relative. sums: softmaxSumsOf() of all rows. An element that should be below 1e-30 may be 0.
double softmaxError(const uint16_t* softmax, const uint16_t* bits, size_t from, size_t count,
                    const std::vector<Pair>& sums, size_t length);
