#include "cpu_baseline.h"

#include <gtest/gtest.h>

#include <iostream>
#include <vector>

#include "measure/input.h"
#include "program.h"
#include "test_support/host_testing.h"

namespace {

const std::vector<size_t> lengths = {0,   1,   2,   3,    31,   32,      33,     511,
                                     512, 513, 997, 4095, 4097, 1000003, 1048583};

void expectRightSums(int64_t (*sum)(int* data, size_t n)) {
  for (const size_t n : lengths) {
    const Input input = makeInput(n, 3);
    EXPECT_EQ(sum(input.values.get(), n), input.sum) << "n " << n;
  }
}

}  // namespace

TEST(CpuBaseline, SerialSumsAnyLength) {
  expectRightSums([](int* data, size_t n) { return sumSerial(data, n); });
}

TEST(CpuBaseline, PairwiseSumsAnyLength) { expectRightSums(sumPairwisePieces); }

TEST(CpuBaseline, VectorisedSumsAnyLength) {
  expectRightSums([](int* data, size_t n) { return sumVectorised(data, n); });
}

TEST(CpuBaseline, AllCoresSumAnyLength) {
  expectRightSums([](int* data, size_t n) { return sumAllCores(data, n); });
}

TEST(CpuBaseline, PairwiseLeavesTheSumInTheFirstElement) {
  std::vector<int> data = {1, 2, 3, 4, 5, 6, 7};
  EXPECT_EQ(sumPairwise(data.data(), data.size()), 28);
  EXPECT_EQ(data[0], 28);
}

// 2^k + 1 is odd in every round of the tree, 2^k - 1 in the first one only.
TEST(CpuBaseline, PairwiseSumsOddLengthsInEveryRound) {
  for (size_t power = 2; power <= pieceLength / 2; power *= 2)
    for (const size_t n : {power - 1, power + 1}) {
      const Input input = makeInput(n, 5);
      EXPECT_EQ(sumPairwise(input.values.get(), n), input.sum) << "n " << n;
    }
}

// All elements 255: the total needs more than 32 bits, and so would one element of a longer tree.
TEST(CpuBaseline, PiecesDoNotOverflow) {
  for (const size_t n : {pieceLength, pieceLength + 1, 2 * pieceLength + 1, 3 * pieceLength - 1}) {
    std::vector<int> data(n, 255);
    EXPECT_EQ(sumVectorised(data.data(), n), int64_t(255) * int64_t(n)) << "n " << n;
    EXPECT_EQ(sumAllCores(data.data(), n), int64_t(255) * int64_t(n)) << "n " << n;
    EXPECT_EQ(sumPairwisePieces(data.data(), n), int64_t(255) * int64_t(n)) << "n " << n;
  }
}

TEST(CpuBaseline, ReadsEveryWord) {
  for (const size_t n : {1u, 1001u, (1u << 15) + 1, (3u << 15) - 1}) {
    std::vector<uint64_t> words(n);
    words.front() |= 1;
    words.back() |= 8;
    EXPECT_EQ(readAll(words.data(), n), 9u) << "n " << n;
  }
}

// ---- The program, with a step that is wrong

static int64_t forgetsTheFirst(int* data, size_t n) { return sumVectorised(data + 1, n - 1); }
static int64_t ruinsItsInput(int* data, size_t n) {
  const int64_t sum = sumVectorised(data, n);
  std::fill_n(data, n, 0);
  return sum;
}

static int exitCodeOf(const std::vector<CpuStep>& steps, std::string* out = nullptr) {
  Options options;
  options.n = 1000;
  options.samples = 2;
  const Captured all(std::cout), err(std::cerr);
  const int code = measureCpuSteps(options, steps);
  if (out) *out = all.text();
  return code;
}

TEST(CpuBaselineProgram, EndsWithExitCode1WhereASumIsWrong) {
  const CpuStep serial = cpuSteps.front();
  std::string out;
  EXPECT_EQ(exitCodeOf({serial}, &out), exitRight);
  EXPECT_TRUE(contains(out, "every step is right"));
  EXPECT_EQ(exitCodeOf({serial, {"wrong", "serial", forgetsTheFirst}}, &out), exitWrong);
  EXPECT_TRUE(contains(out, "WRONG: "));
  EXPECT_FALSE(contains(out, "every step is right"));
}

TEST(CpuBaselineProgram, GivesAStepThatWorksInPlaceAFreshCopy) {
  EXPECT_EQ(exitCodeOf({{"in place", "", ruinsItsInput, true}, cpuSteps.front()}), exitRight);
}
