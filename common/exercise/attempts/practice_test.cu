// Attempts at the small exercises: the pages show the right ones, and of the wrong ones each is a
// wrong idea.
#include "../../../02_neighbored/practice_task.h"
#include "attempts_testing.h"

namespace {

// What the exercise of this number says of an answer; the program is the lesson's.
struct Said {
  int exitCode;
  std::string text;
};
Said said(std::vector<Exercise<int>> (*practiceOf)(const Practice&), unsigned number,
          const PracticeAnswer& answer) {
  const Exercise<int> exercise = practiceOf({answer, answer, answer}).at(number - 1);
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

void expectSolved(const Said& attempt) {
  EXPECT_EQ(attempt.exitCode, exitRight) << attempt.text;
  EXPECT_TRUE(contains(attempt.text, "Solved\n")) << attempt.text;
}
void expectNotYet(const Said& attempt, const std::string& why) {
  EXPECT_EQ(attempt.exitCode, exitWrong) << attempt.text;
  EXPECT_TRUE(contains(attempt.text, why)) << attempt.text;
}
// Each idea that has something said of it is wrong.
void expectIdeasWrong(std::vector<Exercise<int>> (*practiceOf)(const Practice&), unsigned number) {
  const Exercise<int> exercise = practiceOf({0.0, 0.0, 0.0}).at(number - 1);
  for (const auto& [idea, mistake] : exercise.prediction.value().ideas)
    expectNotYet(said(practiceOf, number, idea), mistake);
  expectNotYet(said(practiceOf, number, 0.0), "Type your number into");
}

}  // namespace

// ---- 02

namespace lesson02 {

__global__ void doubled(int* data, int* results, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) results[i] = 2 * data[i];
}
__global__ void empty(int*, int*, size_t) {}
__global__ void everyBlockTheSame(int* data, int* results, size_t n) {
  const size_t i = threadIdx.x;
  if (i < n) results[i] = 2 * data[i];
}
__global__ void withoutAnEnd(int* data, int* results, size_t) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  results[i] = 2 * data[i];
}
__global__ void oneTooMany(int* data, int* results, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i <= n) results[i] = 2 * data[i];
}

__global__ void neighbours(int* data, int* results, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= 2;
  __syncthreads();
  if (i < n) {
    const bool isLast = threadIdx.x == blockDim.x - 1 || i == n - 1;
    results[i] = isLast ? 0 : data[i + 1];
  }
}
enum class Barrier { none, within, before, after };
template <Barrier barrier>
__global__ void wrongNeighbours(int* data, int* results, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (barrier == Barrier::before) __syncthreads();
  if (i < n) {
    data[i] *= 2;
    if (barrier == Barrier::within) __syncthreads();
    const bool isLast = threadIdx.x == blockDim.x - 1 || i == n - 1;
    results[i] = isLast ? 0 : data[i + 1];
  }
  if (barrier == Barrier::after) __syncthreads();
}

}  // namespace lesson02

TEST(PracticeOf02, AKernelThatRuns) {
  NEEDS_COUNTERS();
  using namespace lesson02;
  expectSolved(said(practiceOf02, 1, doubled));
  expectNotYet(said(practiceOf02, 1, empty), "was never written");
  expectNotYet(said(practiceOf02, 1, everyBlockTheSame), "result 64 of 997 was never written");
  expectNotYet(said(practiceOf02, 1, withoutAnEnd), "but data has 1 element");
  expectNotYet(said(practiceOf02, 1, oneTooMany), "but data has 1 element");
}
TEST(PracticeOf02, ABarrierBetweenWritingAndReading) {
  NEEDS_COUNTERS();
  using namespace lesson02;
  expectSolved(said(practiceOf02, 2, neighbours));
  expectNotYet(said(practiceOf02, 2, wrongNeighbours<Barrier::none>), "race");
  expectNotYet(said(practiceOf02, 2, wrongNeighbours<Barrier::within>), "never reached it");
  expectNotYet(said(practiceOf02, 2, wrongNeighbours<Barrier::before>), "race");
  expectNotYet(said(practiceOf02, 2, wrongNeighbours<Barrier::after>), "race");
}
TEST(PracticeOf02, TurnsThatDiverge) {
  NEEDS_COUNTERS();
  expectSolved(said(practiceOf02, 3, 95.0));
  expectIdeasWrong(practiceOf02, 3);
}
