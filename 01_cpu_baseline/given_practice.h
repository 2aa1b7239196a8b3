// What a reader writes in practice.h.
#pragma once

#include <cstddef>
#include <cstdint>

struct CpuPractice {
  int (*tree)(int* data, size_t n);
  int rounds;
  int64_t (*fourSums)(const int* data, size_t n);
};

extern const CpuPractice practice;
