#include "cpu_baseline.h"

#include <gtest/gtest.h>

#include <iostream>
#include <vector>

#include "measure/input.h"
#include "practice_task.h"
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

// What is printed of an answer, and whether it is taken for solved.
std::pair<std::string, bool> graded(unsigned number, const CpuPractice& given) {
  const Captured out(std::cout);
  const bool solved = gradeCpuPractice(number, given);
  return {out.text(), solved};
}

// Loses the middle element of an odd length.
int classicTree(int* data, size_t n) {
  for (; n > 1; n /= 2)
    for (size_t i = 0; i < n / 2; ++i) data[i] += data[i + n / 2];
  return n == 0 ? 0 : data[0];
}

// Four sums, but what is left over behind them is lost.
SERIAL int64_t fourSumsOfFours(const int* data, size_t n) {
  int64_t a = 0, b = 0, c = 0, d = 0;
  SERIAL_LOOP
  for (size_t i = 0; i + 4 <= n; i += 4)
    a += data[i], b += data[i + 1], c += data[i + 2], d += data[i + 3];
  return a + b + c + d;
}
SERIAL int64_t fourSums(const int* data, size_t n) {
  int64_t sum = fourSumsOfFours(data, n);
  for (size_t i = n / 4 * 4; i < n; ++i) sum += data[i];
  return sum;
}

}  // namespace

TEST(CpuPractice, TakesWhatIsRightAndSaysWhatIsWrong) {
  const CpuPractice right = {sumPairwise, 10, fourSums};
  EXPECT_TRUE(graded(1, right).second);
  EXPECT_TRUE(graded(2, right).second);
  EXPECT_TRUE(contains(graded(3, right).first, "times as fast as one sum"));

  const CpuPractice wrong = {classicTree, 9, fourSumsOfFours};
  EXPECT_EQ(graded(1, wrong),
            std::pair(std::string("wrong: of the elements 1 to 3: 3 instead of 6\n"), false));
  EXPECT_EQ(graded(2, wrong), std::pair(std::string("9: not so. 512 is less than 1,000\n"), false));
  EXPECT_EQ(graded(3, wrong),
            std::pair(std::string("wrong: of the elements 1 to 1: 0 instead of 1\n"), false));
  for (const int rounds : {0, -1, 11, 500, 999})
    EXPECT_FALSE(graded(2, {sumPairwise, rounds, fourSums}).second);
}

TEST(CpuPractice, CountsRoundsAsTheTreeMakesThem) {
  int rounds = 0;
  for (size_t n = 1000; n > 1; n = (n + 1) / 2) ++rounds;
  EXPECT_EQ(rounds, 10);
}

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
