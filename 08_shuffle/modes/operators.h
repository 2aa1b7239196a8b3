// --operators: sum, minimum, maximum and product of int32, int64, float and double through one
// kernel, against a reference on the host and, on a GPU, against CUB.
#pragma once

#include <cmath>
#include <functional>
#include <iostream>

#include "../single_pass.h"
#include "base/counts.h"
#include "base/format.h"
#include "base/random.h"
#include "base/table.h"
#include "cub_operators.h"
#include "measure/memory_budget.h"
#include "program/run.h"
#include "report/result_file.h"
#include "report/tables.h"

template <typename T>
const char* const typeName = std::is_same_v<T, int>         ? "int32"
                             : std::is_same_v<T, long long> ? "int64"
                             : std::is_same_v<T, float>     ? "float"
                                                            : "double";

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

// The step of our kernel and, on a GPU, CUB's before it: the operator over n elements.
template <typename Operator, typename T>
void runOperator(Stopwatch& stopwatch, const Options& options, Report& report,
                 const std::string& name) {
  const size_t n = report.n;
  std::vector<T> values(n);
  for (size_t i = 0; i < n; ++i) values[i] = operand<Operator, T>(report.seed, i);
  const auto expected = reference<Operator, T>(values);
  DeviceArray<T> data(n, "input"), total(1, "total");
  data.copyFromHost(values.data());
  SinglePass<Operator, T> ours;
  T result{};
  const auto check = [&](StepResult& step) {
    step.ok = step.ok && agrees<Operator>(result, expected, n);
    if constexpr (std::is_integral_v<T>) {
      step.result = result;
      step.expected = int64_t(expected.first);
    } else {
      step.realResult = double(result);
      step.realExpected = double(expected.first);
    }
  };
  const auto taskOf = [&](const std::string& lesson, const std::string& title,
                          const std::string& basedOn, std::function<void()> run) {
    return Task{.step = {.lesson = lesson,
                         .name = title,
                         .basedOn = basedOn,
                         .blocks = SinglePass<Operator, T>::shapeFor(n).grid,
                         .n = n,
                         .elementBytes = sizeof(T),
                         .type = typeName<T>},
                .prepare = [&] { total.poison(); },
                .run = std::move(run),
                .finish = [&] { total.copyToHost(&result, 1); },
                .check = check};
  };
  const std::string title = name + " " + typeName<T>;
  std::vector<Task> tasks;
#ifdef GPU_BACKEND
  tasks.push_back(taskOf("CUB", "CUB " + title, "",
                         [&] { cubReduce<Operator, T>(data.data(), int(n), total.data()); }));
#endif
  tasks.push_back(taskOf("08_shuffle", title, tasks.empty() ? "" : "CUB " + title,
                         [&] { ours(data.data(), n, total.data()); }));
  for (const StepResult& step : stopwatch.measure(tasks, samplingOf(options)))
    report.steps.push_back(step);
}

template <typename T>
void runOperators(Stopwatch& stopwatch, const Options& options, Report& report) {
  runOperator<Sum<T>, T>(stopwatch, options, report, "sum");
  runOperator<Minimum<T>, T>(stopwatch, options, report, "minimum");
  runOperator<Maximum<T>, T>(stopwatch, options, report, "maximum");
  runOperator<Product<T>, T>(stopwatch, options, report, "product");
}

inline void printOperators(const Report& report) {
  if (thisBackend == Backend::gpu) return printTimes(report);
  Table table;
  table.add({"operation", "result", ""});
  for (const StepResult& step : report.steps)
    table.add({step.name,
               step.realResult ? std::to_string(*step.realResult) : std::to_string(step.result),
               step.ok ? "right" : "WRONG"});
  table.print();
}

// The report of a mode whose kernels choose their blocks, for elements of up to 8 bytes that the
// device has once and the host, too. Prints the header. Throws Error (exitUsage) for an n below
// least, above most, or that does not fit.
inline Report startOperations(const Options& options, const std::string& type, uint64_t least,
                              uint64_t most, uint64_t usual) {
  Report report = startReport(options, "08_shuffle");
  report.block = 0;
  report.type = type;
  report.cache = "L2 flushed before each sample";
  if (options.n && (*options.n < least || *options.n > most))
    throw Error(exitUsage, fmt::format("--n {}: {} takes {} to {}", countName(*options.n),
                                       options.mode, least, countName(most)));
  const auto needs = [&](uint64_t n) {
    return needsOf(8.0 * double(n), 8.0 * double(n), report.machine);
  };
  report.n = chooseN(options.n, usual, report.machine, needs);
  printHeader(report);
  return report;
}

inline int operatorsProgram(const Options& options) {
  ResultFile file(options.json);
  Report report = startOperations(options, "of each type", 0, (uint64_t(1) << 30) - 1,
                                  uint64_t(1) << (thisBackend == Backend::gpu ? 26 : 16));
  DeviceStopwatch stopwatch = stopwatchFor(options, report);
  runOperators<int>(stopwatch, options, report);
  runOperators<long long>(stopwatch, options, report);
  runOperators<float>(stopwatch, options, report);
  runOperators<double>(stopwatch, options, report);
  printOperators(report);
  std::cout << (report.allRight() ? "every result is right\n" : "") << std::flush;
  file.write(report);
  return complain(report);
}

inline Mode operatorsMode() {
  return {.flag = "--operators",
          .help = "sum, minimum, maximum and product of four types",
          .run = operatorsProgram};
}
