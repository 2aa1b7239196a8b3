// What --exercise 1, 2 and 3 ask of practice.h, and how they are graded.
#pragma once

#include <fmt/core.h>

#include <chrono>
#include <iostream>
#include <numeric>
#include <vector>

#include "base/errors.h"
#include "cpu_baseline.h"
#include "given_practice.h"
#include "program/solved.h"

// n different elements, so that each tells when it is lost.
inline std::vector<int> differentElements(size_t n) {
  std::vector<int> data(n);
  std::iota(data.begin(), data.end(), 1);
  return data;
}

// Says for which length a sum is wrong first, or nothing. sum may change the elements.
template <typename Sum>
std::string wrongSum(const Sum& sum) {
  for (const size_t n : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 31, 32, 33, 511, 512, 513, 997, 4099}) {
    std::vector<int> data = differentElements(n);
    const int64_t got = sum(data.data(), n), right = int64_t(n) * int64_t(n + 1) / 2;
    if (got != right)
      return fmt::format("of the elements 1 to {}: {} instead of {}", n, got, right);
  }
  return "";
}

// How many times as fast as the loop of one sum, by the best of many short runs of each in turn:
// other work on the machine makes some of them longer, and none shorter.
inline double timesAsFast(int64_t (*sum)(const int* data, size_t n)) {
  using Clock = std::chrono::steady_clock;
  const std::vector<int> data = differentElements(4096);
  int64_t (*const loops[])(const int*, size_t) = {sumSerial, sum};
  Clock::duration best[] = {Clock::duration::max(), Clock::duration::max()};
  [[maybe_unused]] volatile int64_t kept = 0;  // so that no call is left out
  for (int run = 0; run < 1000; ++run)
    for (const int which : {0, 1}) {
      const auto begin = Clock::now();
      kept = loops[which](data.data(), data.size());
      best[which] = std::min(best[which], Clock::now() - begin);
    }
  return double(best[0].count()) / double(std::max<int64_t>(best[1].count(), 1));
}

// Prints what is to be said of exercise 1, 2 or 3. Returns whether it is solved.
inline bool gradeCpuPractice(unsigned number, const CpuPractice& given) {
  if (number == 2) {
    constexpr int rounds = 10;
    if (given.rounds == 0) {
      std::cout << "Type your number into practice.h, at exercise2\n";
      return false;
    }
    std::cout << fmt::format("{}: ", given.rounds)
              << (given.rounds == rounds ? "so it is: 1,000, 500, 250, 125, 63, 32, 16, 8, 4, 2, 1"
                  : given.rounds == 9    ? "not so. 512 is less than 1,000"
                  : given.rounds == 999
                      ? "so many additions, but those of one round can be made together"
                  : given.rounds == 500
                      ? "so many additions has the first round, which can be made together"
                      : "not so. Each round leaves half as many, rounded up")
              << '\n';
    return given.rounds == rounds;
  }
  const std::string wrong = number == 1 ? wrongSum(given.tree) : wrongSum(given.fourSums);
  if (!wrong.empty()) {
    std::cout << "wrong: " << wrong << '\n';
    return false;
  }
  std::cout << "right for every length that was tried\n";
  if (number == 1) return true;
  constexpr double enough = 1.3;
  const double times = timesAsFast(given.fourSums);
  std::cout << fmt::format("measured: {:.1f} times as fast as one sum, with 4,096 elements\n",
                           times);
  if (times < enough)
    std::cout << fmt::format(
        "not yet: at least {} times; does an addition still wait for the one before?\n", enough);
  return times >= enough;
}

// The mode --exercise of the program.
inline Mode cpuPracticeMode(const std::string& program, const CpuPractice& given) {
  Mode mode{.flag = "--exercise",
            .help = "grade small exercise 1 to 3 in practice.h",
            .run = [program, given](const Options& options) -> int {
              if (options.number == 0) throw Error(exitUsage, "--exercise: expected 1, 2 or 3");
              if (!gradeCpuPractice(options.number, given)) return exitWrong;
              std::cout << "Solved\n";
              keepSolved(program, options.number);
              return exitRight;
            },
            .numbers = 3};
  for (const std::string option : {"--n", "--samples", "--json"})
    mode.leaveOut.emplace_back(option, "chooses its own lengths");
  return mode;
}
