// What --exercise says of kernels that are wrong in one way each, and of those that are not done.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <iostream>

#include "base/errors.h"
#include "cuda/launch.h"
#include "estimate/sampled.h"
#include "exercise/exercise_run.h"
#include "test_support/host_testing.h"
#include "test_support/kernel_testing.h"

namespace {

// The sum of every block by one thread, from this one of its elements up to that one, so often.
__device__ void addUp(int* data, int* sums, size_t n, size_t from, size_t to, int times) {
  if (threadIdx.x > 0) return;
  const size_t first = size_t(blockIdx.x) * blockDim.x;
  int sum = 0;
  for (size_t i = first + from; i < min(n, first + to); ++i) sum += times * data[i];
  sums[blockIdx.x] = sum;
}

__global__ void right(int* data, int* sums, size_t n) { addUp(data, sums, n, 0, blockDim.x, 1); }
__global__ void withoutTheFirst(int* data, int* sums, size_t n) {
  addUp(data, sums, n, 1, blockDim.x, 1);
}
__global__ void withoutTheLastThree(int* data, int* sums, size_t n) {
  addUp(data, sums, n, 0, blockDim.x - 3, 1);
}
__global__ void allTwice(int* data, int* sums, size_t n) { addUp(data, sums, n, 0, blockDim.x, 2); }
__global__ void withANeighbour(int* data, int* sums, size_t n) {
  addUp(data, sums, n, 0, blockDim.x + 1, 1);
}
__global__ void onlyTheFirstBlock(int* data, int* sums, size_t n) {
  if (blockIdx.x == 0) addUp(data, sums, n, 0, blockDim.x, 1);
}

__global__ void withoutABarrier(int* data, int* sums, size_t n) {
  __shared__ int partial[1024];
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  partial[threadIdx.x] = i < n ? data[i] : 0;  // line 45
  if (threadIdx.x > 0) return;
  int sum = 0;
  for (unsigned k = 0; k < blockDim.x; ++k) sum += partial[k];
  sums[blockIdx.x] = sum;
}
__global__ void waitsForEver(int* data, int*, size_t n) {
  for (unsigned stride = 1; stride < n; stride *= 1) {
    data[0] = 1;
    __syncthreads();  // line 54
  }
}
__global__ void writesForEver(int* data, int*, size_t) {
  volatile int* const p = data;
  while (threadIdx.x == 0) *p = *p + 1;  // line 59
}

__global__ void prints(int* data, int* sums, size_t n) {
  if (threadIdx.x == 0) printf("  block %u\n", blockIdx.x);
  addUp(data, sums, n, 0, blockDim.x, 1);
}

__global__ void largest(int* data, int* maxima, size_t n) {
  if (threadIdx.x > 0) return;
  const size_t first = size_t(blockIdx.x) * blockDim.x;
  int most = data[first + 1 < n ? first + 1 : first];
  for (size_t i = first + 1; i < min(n, first + blockDim.x); ++i) most = max(most, data[i]);
  maxima[blockIdx.x] = most;
}

Exercise<int> blockSums(BlockSumKernel kernel) {
  const auto sum = [](std::span<const int> block) {
    int all = 0;
    for (const int element : block) all += element;
    return all;
  };
  return {.program = "test",
          .task = "the sum of every block",
          .call = callOf(kernel),
          .reference = [sum](const std::vector<int>& data,
                             Extent s) { return forEachPart(data, s.block, sum); },
          .goals = {}};
}

std::string mistakeOf(const Exercise<int>& exercise, const std::vector<Extent>& extents) {
  simt::Settings settings;
  settings.mostTurns = 1 << 12;
  return firstMistake(exercise, extents, {.seed = 7, .executor = settings});
}
std::string mistakeOf(BlockSumKernel kernel) { return mistakeOf(blockSums(kernel), {{100, 32}}); }

#define EXPECT_CONTAINS(text, part) EXPECT_TRUE(contains(text, part)) << text

}  // namespace

TEST(Feedback, NamesWhatIsMissing) {
  EXPECT_CONTAINS(mistakeOf(withoutTheFirst), ". Its elements are 0 to 31 (block 0). Missing: 0.");
  EXPECT_CONTAINS(mistakeOf(withoutTheLastThree), "Missing: 29 to 31.");
}

TEST(Feedback, NamesWhatCountsMoreThanOnce) {
  const std::string mistake = mistakeOf(allTwice);
  EXPECT_CONTAINS(mistake, "Not counted once: 0 to 31.");
  EXPECT_FALSE(contains(mistake, "Missing"));
}

TEST(Feedback, NamesWhatBelongsToAnotherBlock) {
  EXPECT_CONTAINS(mistakeOf(withANeighbour), "Counted though of another result: 32.");
}

TEST(Feedback, NamesWhatIsMissingFromTheLargest) {
  Exercise<int> exercise = blockSums(largest);
  exercise.reference = [](const std::vector<int>& data, Extent s) {
    return forEachPart(data, s.block,
                       [](std::span<const int> block) { return std::ranges::max(block); });
  };
  EXPECT_CONTAINS(mistakeOf(exercise, {{64, 32}, {2048, 32}}), ". Missing: ");
}

TEST(Feedback, SaysThatAResultWasNeverWritten) {
  const std::string mistake = mistakeOf(onlyTheFirstBlock);
  EXPECT_CONTAINS(mistake, "result 1 of 4 was never written: it should be ");
  EXPECT_FALSE(contains(mistake, "-1515870811"));
}

TEST(Feedback, NamesWhoWritesWhatIsReadTooEarly) {
  const std::string mistake = mistakeOf(withoutABarrier);
  EXPECT_CONTAINS(mistake, "feedback_test.cpp:45");
  EXPECT_CONTAINS(mistake, "feedback_test.cpp:48");
}

TEST(Feedback, NamesTheThreadAndTheLineOfAnEndlessLoop) {
  EXPECT_CONTAINS(mistakeOf(waitsForEver), "thread 0 loops for ever at feedback_test.cpp:54");
  EXPECT_CONTAINS(mistakeOf(writesForEver), "thread 0 loops for ever at feedback_test.cpp:59");
}

namespace {

struct Graded {
  int exitCode;
  std::string out;
};

Graded graded(const Exercise<int>& exercise, Options options = {}) {
  options.estimate = false;
  testing::internal::CaptureStdout();
  const int exitCode = exerciseMode(exercise, "lesson's", exercise.call).run(options);
  return {exitCode, testing::internal::GetCapturedStdout()};
}

}  // namespace

TEST(Feedback, OfPrintfIsOfOneSmallRun) {
  const Exercise<int> exercise = blockSums(prints);
  EXPECT_CONTAINS(graded(exercise).out,
                  "The kernel prints, for n = 64, block 64:\n  block 0\nresults: right");
  Options asked;
  asked.n = 65;
  asked.block = 32;
  asked.blockGiven = true;
  EXPECT_CONTAINS(graded(exercise, asked).out,
                  "n = 65, block 32:\n  block 0\n  block 1\n  block 2\nresults: right");
  EXPECT_FALSE(contains(graded(blockSums(right)).out, "prints"));
}

// An explored exercise stands beside what it came as, where there is something to compare.
TEST(Feedback, OfAPageShowsTheStartBesideItWhereThatHelps) {
  const TemporaryFolder folder;
  const auto titlesOn = [&](BlockSumKernel start, BlockSumKernel yours) {
    Exercise<int> exercise = blockSums(yours);
    exercise.start = callOf(start);
    Options options;
    options.explore = folder.path("page.html");
    try {
      graded(exercise, options);
    } catch (const Error&) {
      testing::internal::GetCapturedStdout();
    }
    const std::string page = contentsOf(options.explore);
    return std::pair{contains(page, "\"title\":\"as it came\"").operator bool(),
                     contains(page, "\"title\":\"test/exercise.cuh\"").operator bool()};
  };
  const std::pair both{true, true}, alone{false, true};
  EXPECT_EQ(titlesOn(largest, right), both);
  EXPECT_EQ(titlesOn(right, allTwice), both);
  EXPECT_EQ(titlesOn(right, right), alone);
  EXPECT_EQ(titlesOn(right, withoutABarrier), alone);  // it opens at the fault
  EXPECT_EQ(titlesOn(withoutABarrier, right), alone);
}

__global__ static void empty(int*, int*, size_t) {}

TEST(Feedback, OfAPictureSaysThatThereIsNothingToDraw) {
  const TemporaryFolder folder;
  Options options;
  options.modeFile = folder.path("picture.svg");
  try {
    graded(blockSums(empty), options);
    ADD_FAILURE() << "drawn";
  } catch (const Error& error) {
    testing::internal::GetCapturedStdout();
    EXPECT_CONTAINS(std::string(error.what()), "--svg: there is nothing to draw");
  }
}

TEST(Feedback, EndsWithExitCode1WhileAGoalIsNotMet) {
  Exercise<int> exercise = blockSums(right);
  exercise.chanceBlocks = {512};
  exercise.goals = {perBlock("load requests", &Counters::load_requests, atMost(512))};
  EXPECT_EQ(graded(exercise).exitCode, exitRight);
  exercise.goals = {perBlock("load requests", &Counters::load_requests, atMost(511))};
  EXPECT_EQ(graded(exercise).exitCode, exitWrong);
}

TEST(Feedback, ShowsEveryCounterBesideTheLessons) {
  EXPECT_FALSE(contains(graded(blockSums(right)).out, "Counted per block"));
  Options asked;
  asked.allCounters = true;
  const std::string out = graded(blockSums(right), asked).out;
  EXPECT_CONTAINS(out, "Counted per block of 512 threads");
  EXPECT_CONTAINS(out, "shuffles");
  EXPECT_CONTAINS(out, "\nexercise.cuh ");
  EXPECT_CONTAINS(out, "\nlesson's ");
}

// The lessons' kernels, of which there is code of a GPU.
__global__ void neighbored(int* data, int* blockSums, size_t n);
__global__ void neighboredLess(int* data, int* blockSums, size_t n);
__global__ void interleaved(int* data, int* blockSums, size_t n);

TEST(Feedback, EstimatesTheExerciseBesideWhatItCameAsAndASolution) {
  NEEDS_GPU_CODE();
  const Exercise<int> exercise =
      withEnds(blockSums(neighboredLess), blockSums(neighbored), blockSums(interleaved));
  Options options;
  options.n = 1 << 14;
  testing::internal::CaptureStdout();
  printExerciseEstimates(ExerciseRun<int>{options, exercise, "lesson's", exercise.call});
  const std::string out = testing::internal::GetCapturedStdout();
  EXPECT_CONTAINS(out, "Estimated on an NVIDIA H200 at n = 2^14, block 512, not measured:");
  EXPECT_CONTAINS(out, "× as it came");
  size_t before = 0;
  for (const std::string row :
       {"\nexercise.cuh as it came ", "\nexercise.cuh now ", "\nsolution.cuh ", "\nlesson's "}) {
    const size_t at = out.find(row);
    EXPECT_LT(before, at) << row << out;
    EXPECT_NE(at, std::string::npos) << row << out;
    before = at;
  }
}

namespace {

// What no tool can keep a kernel from.
enum class End { systemCall, killed, anotherProgram };
template <End end>
__global__ void endsTheProgram(int* data, int* sums, size_t n) {
  addUp(data, sums, n, 0, blockDim.x, 1);
  if (end == End::systemCall) syscall(SYS_exit_group, 0);
  if (end == End::killed) kill(getpid(), SIGKILL);
  if (end == End::anotherProgram) execl("/bin/true", "true", nullptr);
}

}  // namespace

TEST(Feedback, SaysThatAKernelEndedTheProgramWhateverTheWay) {
  for (const auto& [kernel, how] :
       {std::pair<BlockSumKernel, std::string>{endsTheProgram<End::systemCall>, "exit code 0"},
        {endsTheProgram<End::anotherProgram>, "exit code 0"},
        {endsTheProgram<End::killed>, "by signal 9"}}) {
    testing::internal::CaptureStdout();
    try {
      const int code = exerciseMode(blockSums(kernel), "lesson's", callOf(right)).run({});
      ADD_FAILURE() << "ended with exit code " << code;
    } catch (const Error& error) {
      EXPECT_EQ(error.code, exitWrong);
      EXPECT_CONTAINS(std::string(error.what()), "the kernel ends the program, ");
      EXPECT_CONTAINS(std::string(error.what()), how);
    }
    EXPECT_CONTAINS(testing::internal::GetCapturedStdout(), "Exercise (test/exercise.cuh)");
  }
}

// Who solves an exercise changes exercise.cuh. What it came as is kept to compare with.
TEST(Starts, AreWhatTheExercisesCameAs) {
  std::string changed;
  unsigned starts = 0;
  for (const auto& entry : std::filesystem::directory_iterator(STARTS)) {
    const std::string lesson = entry.path().stem().string();
    const std::string exercise = std::string(LESSONS) + "/" + lesson + "/exercise.cuh";
    if (contentsOf(entry.path().string()) != contentsOf(exercise)) changed += ' ' + lesson;
    ++starts;
  }
  EXPECT_EQ(starts, 8u);
  if (!changed.empty())
    GTEST_SKIP() << "another exercise.cuh than common/exercise/starts has:" << changed;
}
