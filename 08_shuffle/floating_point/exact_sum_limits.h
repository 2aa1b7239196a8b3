// What a thread of exact_sum.cuh adds up before it hands on what it has, and how long an array may
// be therefore: for the kernels, and for host code that calls them.
#pragma once

#include "wide_number.h"

constexpr unsigned exactSumLoads = 8;  // of 16 bytes, by each thread for a tile
template <typename T>
constexpr unsigned exactSumElements = exactSumLoads * 16 / sizeof(T);
constexpr unsigned exactSumTiles = 32;  // that a thread adds up before it hands on what it has

// The longest array, 2^39 bytes. A limb of the number gets no more terms of it than it has room
// for: a term for each time that a warp hands on a sum whose three limbs it is one of, after a pass
// over a tile of 4 KiB. The windows of a tile's passes are 24 exponents apart for float, 40 for
// double, whose windows have two sums. So of the 96 exponents from which a limb is reached, a tile
// makes at most 4 terms for float, 6 for double. Of the tiles nine may not be full.
constexpr uint64_t exactSumMostBytes = uint64_t(1) << 39;
template <typename T>
constexpr uint64_t exactSumMost = exactSumMostBytes / sizeof(T);
static_assert(6 * (exactSumMostBytes / (32 * 16 * exactSumLoads) + 9) <= mostTerms);

// How many exponents a window of the sum has (WindowSum): as wide as sums and errors are exact.
template <typename T>
constexpr unsigned windowWidth = sizeof(T) == sizeof(float) ? 24 : 44;
