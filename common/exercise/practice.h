// What a reader writes in practice.cuh, the small exercises of a lesson: kernels, and numbers that
// the executor is going to count.
#pragma once

#include <cstddef>
#include <vector>

struct PracticeAnswer {
  using Kernel = void (*)(int* data, int* results, size_t n);
  PracticeAnswer(Kernel given) : kernel(given) {}
  PracticeAnswer(Kernel (*given)(unsigned block)) : kernelFor(given) {}
  PracticeAnswer(double given) : number(given) {}

  Kernel kernel = nullptr;
  Kernel (*kernelFor)(unsigned block) = nullptr;  // instead, one for each block size
  double number = 0;                              // instead, a prediction
};
using Practice = std::vector<PracticeAnswer>;

extern const Practice practice;  // of the lesson whose program it is
