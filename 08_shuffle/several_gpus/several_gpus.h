// --gpus: sums, minima and maxima of an array that several GPUs share, beside one of them and
// beside NCCL alone.
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "../modes/operators.h"
#include "base/format.h"
#include "exact_on_cards.h"
#include "multi_gpu/cards_stopwatch.h"
#include "multi_gpu/gpus_mode.h"
#include "multi_gpu/scaling.h"
#include "sum_on_cards.h"

// Everything that a run shares: the cards, and NCCL for each number of them.
struct SeveralGpus {
  SeveralGpus(const Options& options, Report& report_, Ranks& ranks)
      : report(report_),
        cards(options.gpus, report.machine, report.program, ranks),
        stopwatch(cards, options, report),
        sampling(samplingOf(options)) {
    report.machine.gpus = cards.count();
  }

  // Sets NCCL up, once it is known that the arrays fit: on a full card it would fail first, and
  // not say why.
  void connect() {
    for (unsigned gpus = 1; gpus <= cards.count(); ++gpus)
      allReduces.push_back(std::make_unique<AllReduce>(cards, gpus));
  }

  Report& report;
  Cards cards;
  CardsStopwatch stopwatch;
  Sampling sampling;
  std::vector<std::unique_ptr<AllReduce>> allReduces;  // for one card, two and so on
};

// "sum float on 2 GPUs".
inline std::string nameOnGpus(const std::string& what, unsigned gpus) {
  return fmt::format("{} on {}", what, gpuCount(gpus));
}

// The exact result for the first n elements, and the sum of their magnitudes.
template <typename Operator, typename T>
std::pair<long double, long double> expectedOf(const RepeatedInput<T>& input, size_t n) {
  long double result = Operator::identity, magnitude = 0;
  input.visit(n, [&](T value, size_t times) {
    const long double wide = value;
    magnitude += std::abs(wide) * times;
    if constexpr (combinationOf<Operator> == Combination::sum)
      result += wide * times;
    else
      result = combinationOf<Operator> == Combination::minimum ? std::min(result, wide)
                                                               : std::max(result, wide);
  });
  return {result, magnitude};
}

// A sum of n elements that so many cards share, to be timed; check is called after each.
template <typename T, typename OnCards>
Task taskOnGpus(const std::string& what, uint64_t n, unsigned gpus, OnCards& sum,
                std::function<void(StepResult&)> check) {
  return {.step = {.lesson = "08_shuffle",
                   .name = nameOnGpus(what, gpus),
                   .basedOn = gpus > 1 ? nameOnGpus(what, 1) : "",
                   .blocks = sum.blocks(),
                   .n = n,
                   .elementBytes = sizeof(T),
                   .type = typeName<T>,
                   .gpus = gpus,
                   .partMs = partsOf(gpus, gpus > 1)},
          .prepare = [&sum] { sum.poison(); },
          .run = [&sum] { sum.run(); },
          .finish = [&sum] { sum.fetch(); },
          .check = std::move(check)};
}

// The operator over n elements on one card, two and so on up to all. The result has to agree with
// the reference, and to have the bits that one card's has.
template <typename Operator, typename T>
void runOnGpus(SeveralGpus& several, const std::string& what, const RepeatedInput<T>& input,
               uint64_t n) {
  using Value = typename Operator::Value;
  const auto expected = expectedOf<Operator>(input, n);
  std::optional<Value> ofOneCard;
  std::vector<std::unique_ptr<SumOnCards<Operator, T>>> sums;
  std::vector<Task> tasks;
  for (const auto& allReduce : several.allReduces) {
    sums.push_back(std::make_unique<SumOnCards<Operator, T>>(several.cards, *allReduce, input, n));
    SumOnCards<Operator, T>& sum = *sums.back();
    const auto check = [&sum, &ofOneCard, expected, n](StepResult& step) {
      const Value total = sum.total();
      if (!ofOneCard) ofOneCard = total;
      step.ok = step.ok && agrees<Operator>(total, expected, n) && total == *ofOneCard;
      if constexpr (std::is_integral_v<Value>) {
        step.result = total;
        step.expected = int64_t(expected.first);
      } else {
        step.realResult = double(total);
        step.realExpected = double(expected.first);
      }
    };
    tasks.push_back(taskOnGpus<T>(what, n, allReduce->count(), sum, check));
  }
  for (StepResult& step : several.stopwatch.measure(tasks, several.sampling))
    several.report.steps.push_back(std::move(step));
}

// The same for the exact sum: it has to have the bits that the CPU's has.
template <typename T>
void runExactOnGpus(SeveralGpus& several, const RepeatedInput<T>& input, uint64_t n) {
  const T expected = exactSumOf(input, n);
  std::vector<std::unique_ptr<ExactSumOnCards<T>>> sums;
  std::vector<Task> tasks;
  for (const auto& allReduce : several.allReduces) {
    sums.push_back(std::make_unique<ExactSumOnCards<T>>(several.cards, *allReduce, input, n));
    ExactSumOnCards<T>& sum = *sums.back();
    const auto check = [&sum, expected](StepResult& step) {
      const T total = sum.total();
      step.ok = step.ok && std::memcmp(&total, &expected, sizeof total) == 0;
      step.realResult = double(total);
      step.realExpected = double(expected);
    };
    tasks.push_back(
        taskOnGpus<T>(std::string("exact sum ") + typeName<T>, n, allReduce->count(), sum, check));
  }
  for (StepResult& step : several.stopwatch.measure(tasks, several.sampling))
    several.report.steps.push_back(std::move(step));
}

template <typename T>
RepeatedInput<T> inputFor(uint64_t n, uint64_t seed) {
  return {n, [seed](size_t i) { return operand<Sum<T>, T>(seed, i); }};
}

// All three of one type, the sum at each length, the others at the first. Sums of int32 have 64
// bits, as everywhere in this lesson.
template <typename T>
void runType(SeveralGpus& several, const std::vector<uint64_t>& lengths) {
  using Total = std::conditional_t<std::is_integral_v<T>, long long, T>;
  const RepeatedInput<T> input = inputFor<T>(lengths.back(), several.report.seed);
  const std::string type = typeName<T>;
  for (const uint64_t n : lengths) runOnGpus<Sum<Total>>(several, "sum " + type, input, n);
  runOnGpus<Minimum<T>>(several, "minimum " + type, input, lengths.front());
  runOnGpus<Maximum<T>>(several, "maximum " + type, input, lengths.front());
}

// The exact sum at the first length, and with 1 GiB where the lengths come that far.
template <typename T>
void runExactType(SeveralGpus& several, const std::vector<uint64_t>& lengths) {
  const uint64_t large = (uint64_t(1) << 30) / sizeof(T);
  const bool isLong = lengths.size() > 1 && lengths.back() >= (uint64_t(1) << 28);
  const RepeatedInput<T> input = inputFor<T>(isLong ? large : lengths.front(), several.report.seed);
  runExactOnGpus(several, input, lengths.front());
  if (isLong) runExactOnGpus(several, input, large);
}

// NCCL's all-reduce of so many values, with nothing before it.
inline void runAllReduceAlone(SeveralGpus& several, AllReduce& allReduce, size_t count) {
  std::vector<std::unique_ptr<DeviceArray<long long>>> values(allReduce.count());
  const std::vector<long long> numbers(count, 7);
  several.cards.run(allReduce.count(), [&](unsigned card) {
    values[card] = std::make_unique<DeviceArray<long long>>(2 * count, "values");
    values[card]->poison();
  });
  HostArray<long long> fetched(1);
  Task task{.step = {.lesson = "NCCL",
                     .name = nameOnGpus(fmt::format("all-reduce of {} bytes", 8 * count),
                                        allReduce.count()),
                     .expected = 7 * int64_t(allReduce.count()),
                     .n = count,
                     .elementBytes = 8,
                     .type = "int64",
                     .gpus = allReduce.count()}};
  task.prepare = [&] {
    several.cards.run(allReduce.count(), [&](unsigned card) {
      copyFromHost(values[card]->data(), numbers.data(), count);
    });
  };
  task.run = [&] {
    several.cards.run(allReduce.count(), [&](unsigned card) {
      allReduce.join(card, values[card]->data(), values[card]->data() + count, count,
                     Combination::sum);
    });
  };
  task.finish = [&] {
    const auto fetch = [&](unsigned card) {
      if (card == 0) copyToHostLater(fetched.data(), values[0]->data() + 2 * count - 1, 1);
    };
    several.cards.run(1, fetch);
    several.cards.shareOfCard0(fetched.data(), 1);
  };
  task.check = [&](StepResult& step) {
    step.result = *fetched.data();
    step.ok = step.ok && step.result == step.expected;
  };
  several.report.steps.push_back(several.stopwatch.measure({task}, several.sampling).front());
}
