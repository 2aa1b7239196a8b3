// --operators: sum, minimum, maximum and product of int32, int64, float and double through one
// kernel, against a reference on the host and, on a GPU, against CUB.
#pragma once

#include <cmath>
#include <functional>

#include "cub_operators.h"
#include "lesson.h"
#include "random.h"
#include "single_pass.h"
#include "table.h"

// Values of which no sum and no product overflows: for products of integers 1, -1 and a few 2s, for
// those of floating-point numbers 2 or 1 and then its inverse, so that they are exact in any order.
template <typename Operator, typename T>
T operand(uint64_t seed, size_t i) {
  const uint64_t bits = randomBits(seed, i);
  if constexpr (!std::is_same_v<Operator, Product<T>>) {
    if constexpr (std::is_integral_v<T>) return T(bits % 201) - 100;
    return T(double(bits >> 11) * 0x1p-53 - 0.25);
  } else if constexpr (std::is_integral_v<T>) {
    return i % 64 == 7 && i < 64 * 20 ? T(2) : bits % 2 ? T(1) : T(-1);
  } else {
    const bool two = randomBits(seed, i / 2) % 4 < 2;
    const T power = !two ? T(1) : i % 2 == 0 ? T(2) : T(0.5);
    return bits % 2 ? power : -power;
  }
}

// The operator over values on the host, exactly for integers and in long double for the others, and
// the sum of their magnitudes.
template <typename Operator, typename T>
std::pair<long double, long double> reference(const std::vector<T>& values) {
  using Wide = std::conditional_t<std::is_integral_v<T>, T, long double>;
  Wide result = Wide(Operator::identity);
  long double magnitude = 0;
  for (const T value : values) {
    if constexpr (std::is_same_v<Operator, Sum<T>>) result += Wide(value);
    if constexpr (std::is_same_v<Operator, Product<T>>) result *= Wide(value);
    if constexpr (std::is_same_v<Operator, Minimum<T>>) result = std::min(result, Wide(value));
    if constexpr (std::is_same_v<Operator, Maximum<T>>) result = std::max(result, Wide(value));
    magnitude += std::abs((long double)(value));
  }
  return {result, magnitude};
}

// True when the result is the reference: within rounding for floating-point sums, where it is
// relative to partial sums and grows with the longest chain of additions, and exactly for the rest.
template <typename Operator, typename T>
bool agrees(T result, std::pair<long double, long double> expected, size_t n) {
  if (std::is_integral_v<T> || !std::is_same_v<Operator, Sum<T>>)
    return (long double)(result) == expected.first;
  const long double chain = 64 + (long double)(n) / 4096;
  const long double error = std::abs((long double)(result)-expected.first);
  return error <= chain * std::numeric_limits<T>::epsilon() * expected.second;
}

template <typename Operator, typename T>
void runOperator(Report& report, const std::string& name, const std::string& type) {
  const size_t n = report.n;
  Progress progress(report.program, blocksDone);
  progress.show(name + " of " + type);
  std::vector<T> values(n);
  for (size_t i = 0; i < n; ++i) values[i] = operand<Operator, T>(report.seed, i);
  const auto expected = reference<Operator, T>(values);
  DeviceArray<T> data(n, "input"), total(1, "total");
  data.copyFromHost(values.data());
  DeviceArray<char> flush(4 * report.machine.l2Bytes, "the cache flush");
  flush.poison();
  SinglePass<Operator, T> ours;

  std::vector<std::pair<std::string, std::function<void()>>> calls = {
      {name + " " + type, [&] { ours(data.data(), n, total.data()); }}};
  const bool gpu = report.backend == Backend::gpu;
#ifdef __CUDACC__
  calls.insert(calls.begin(), {"CUB " + name + " " + type,
                               [&] { cubReduce<Operator, T>(data.data(), int(n), total.data()); }});
#endif
  const size_t first = report.steps.size();
  for (const auto& [title, call] : calls)
    report.steps.push_back(
        {.lesson = title.starts_with("CUB") ? "CUB" : "08_shuffle",
         .name = title,
         .basedOn = gpu && title == calls.back().first ? calls.front().first : "",
         .ok = true,
         .blocks = singlePassShape(n * sizeof(T), multiprocessors()).grid,
         .n = n,
         .elementBytes = sizeof(T),
         .type = type});
  for (unsigned round = 0; round < (gpu ? report.samples + 3 : 1); ++round) {
    for (size_t i = 0; i < calls.size(); ++i) {
      StepResult& r = report.steps[first + i];
      T result{};
      const auto prepare = [&] {
        total.poison();
        readThroughCache(flush.data(), flush.size());
      };
      try {
        const Sample sample =
            timeOnce(prepare, calls[i].second, [&] { total.copyToHost(&result, 1); });
        if (gpu && round >= 3) r.kernelMs.push_back(sample.kernelMs);
        if (!gpu) r.counters = sample.counters;
      } catch (const std::runtime_error& error) {
        if (gpu) throw;
        r.fault = error.what();
      }
      r.ok = r.ok && r.fault.empty() && agrees<Operator>(result, expected, n);
      if constexpr (std::is_integral_v<T>) {
        r.result = result;
        r.expected = int64_t(expected.first);
      } else {
        r.realResult = double(result);
        r.realExpected = double(expected.first);
      }
    }
  }
}

template <typename T>
void runOperators(Report& report, const std::string& type) {
  runOperator<Sum<T>, T>(report, "sum", type);
  runOperator<Minimum<T>, T>(report, "minimum", type);
  runOperator<Maximum<T>, T>(report, "maximum", type);
  runOperator<Product<T>, T>(report, "product", type);
}

inline int operatorsProgram(const Options& options) {
  Report report = startReport(options, "08_shuffle");
  ResultFile file(options.json);
  report.block = 0;
  report.type = "of each type";
  report.cache = "L2 flushed before each sample";
  Options twice = options;  // elements of up to 8 bytes: room for twice as many of 4
  twice.n = options.n.value_or(uint64_t(1) << (thisBackend == Backend::gpu ? 26 : 16));
  if (*twice.n > INT32_MAX / 2)
    throw Error(exitUsage, "--n " + countName(*twice.n) + ": --operators takes up to 2^30 - 1");
  *twice.n *= 2;
  report.n = chooseN(twice, thisBackend, report.machine) / 2;
  printHeader(report);
  runOperators<int>(report, "int32");
  runOperators<long long>(report, "int64");
  runOperators<float>(report, "float");
  runOperators<double>(report, "double");
  if (thisBackend == Backend::gpu) {
    printTimes(report);
  } else {
    Table table;
    table.add({"operation", "result", ""});
    for (const StepResult& step : report.steps)
      table.add({step.name,
                 step.realResult ? std::to_string(*step.realResult) : std::to_string(step.result),
                 step.ok ? "right" : "WRONG"});
    table.print();
  }
  std::cout << (report.allRight() ? "every result is right\n" : "") << std::flush;
  file.write(report);
  return complain(report);
}
