// What NVIDIA's samples include for flags, times and comparisons, for programs that came without
// it.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "helper_string.h"
#include "helper_timer.h"

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif

// Whether the relative difference of two arrays, as Euclidean lengths, is below epsilon.
inline bool sdkCompareL2fe(const float* reference, const float* data, unsigned length,
                           float epsilon) {
  double difference = 0, size = 0;
  for (unsigned i = 0; i < length; ++i) {
    difference += (double(reference[i]) - data[i]) * (double(reference[i]) - data[i]);
    size += double(reference[i]) * reference[i];
  }
  return size > 0 && std::sqrt(difference / size) < epsilon;
}

// Whether all but a share of the numbers, threshold, differ by epsilon at most.
template <typename T, typename S>
bool compareData(const T* reference, const T* data, unsigned length, S epsilon, float threshold) {
  unsigned wrong = 0;
  for (unsigned i = 0; i < length; ++i)
    wrong += std::abs(double(reference[i]) - double(data[i])) > double(epsilon);
  return threshold == 0 ? wrong == 0 : float(length) * threshold > float(wrong);
}
