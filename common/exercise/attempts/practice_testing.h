// Attempts at the small exercises, and what --exercise says of them.
#pragma once

#include "attempts_testing.h"

// What the exercise of this number says of an answer; the program is the lesson's.
struct Said {
  int exitCode;
  std::string text;
};
inline Said said(std::vector<Exercise<int>> (*practiceOf)(const Practice&), unsigned number,
                 const PracticeAnswer& answer) {
  const Exercise<int> exercise = practiceOf(Practice(5, answer)).at(number - 1);
  Exercise<int> graded = exercise;
  graded.program = "test";  // nobody's progress
  const std::vector<Exercise<int>> small(number, graded);
  Options options;
  options.number = number;
  testing::internal::CaptureStdout();
  int code = exitWrong;
  std::string fault;
  try {
    code = exerciseMode(exercise, Step{.lesson = "", .name = ""}, small).run(options);
  } catch (const Error& error) {
    fault = error.what();
  }
  return {code, testing::internal::GetCapturedStdout() + fault};
}

// Right, but one thread of the block, or one lane of each warp, adds up what all should.
template <bool ofWarps>
__global__ void oneThreadAdds(int* data, int* results, size_t n) {
  const unsigned size = ofWarps ? 32 : blockDim.x;
  const size_t first = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (threadIdx.x % size > 0 || first >= n) return;
  int sum = 0;
  for (size_t i = first; i < min(first + size, n); ++i) sum += data[i];
  results[first / size] = sum;
}

// Right, but the threads of a block, or the lanes of a warp, take turns.
template <bool ofWarps>
__global__ void atomicAdds(int* data, int* results, size_t n) {
  const unsigned size = ofWarps ? 32 : blockDim.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (threadIdx.x % size == 0 && i < n) results[i / size] = 0;
  __syncthreads();
  if (i < n) atomicAdd(&results[i / size], data[i]);
}
// Right, but the first warp adds up so many elements for each thread of the block.
template <unsigned elements>
__global__ void firstWarpAdds(int* data, int* results, size_t n) {
  for (unsigned t = threadIdx.x; threadIdx.x < 32 && t < blockDim.x; t += 32) {
    const size_t i = size_t(blockIdx.x) * elements * blockDim.x + t;
    int sum = 0;
    for (size_t k = i; k < min(i + elements * blockDim.x, n); k += blockDim.x) sum += data[k];
    if (i < n) results[blockIdx.x * size_t(blockDim.x) + t] = sum;
  }
}

inline void expectSolved(const Said& attempt) {
  EXPECT_EQ(attempt.exitCode, exitRight) << attempt.text;
  EXPECT_TRUE(contains(attempt.text, "Solved\n")) << attempt.text;
}
inline void expectNotYet(const Said& attempt, const std::string& why) {
  EXPECT_EQ(attempt.exitCode, exitWrong) << attempt.text;
  EXPECT_TRUE(contains(attempt.text, why)) << attempt.text;
}
// Each idea that has something said of it is wrong.
inline void expectIdeasWrong(std::vector<Exercise<int>> (*practiceOf)(const Practice&),
                             unsigned number) {
  const Exercise<int> exercise = practiceOf(Practice(5, 0.0)).at(number - 1);
  for (const auto& [idea, mistake] : exercise.prediction.value().ideas)
    expectNotYet(said(practiceOf, number, idea), mistake);
  expectNotYet(said(practiceOf, number, 0.0), "Type your number into");
}
