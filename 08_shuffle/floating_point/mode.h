// --floats: sums of float and double in several ways: how long they take, how far off they are, and
// how many different ones there are when they are repeated, and when the elements change places.
#pragma once

#include <bit>
#include <iostream>
#include <set>

#include "../modes/operators.h"
#include "base/format.h"
#include "exact_sum.h"
#ifdef GPU_BACKEND
#include "cub_guarantees.h"
#endif

template <typename T>
T serialSum(const std::vector<T>& values) {
  T sum = 0;
  for (const T value : values) sum += value;
  return sum;
}

// Kahan's: what an addition rounds off is kept, and taken from the next element.
template <typename T>
T kahanSum(const std::vector<T>& values) {
  T sum = 0, excess = 0;
  for (const T value : values) {
    const T corrected = value - excess, next = sum + corrected;
    excess = (next - sum) - corrected;
    sum = next;
  }
  return sum;
}

// A way to add up, on the CPU or on the device, and what was found of it.
template <typename T>
struct FloatSum {
  StepResult step;
  bool exact = false;
  std::function<T(const std::vector<T>&)> onCpu = {};
  std::function<void(const T* data, size_t n)> launch = {};
  std::function<T()> fetch = {};                // the sum of the last launch
  double ulpsOff[2] = {};                       // of positive elements, and of those of both signs
  std::set<double> inRuns = {}, inOrders = {};  // the different sums
};

template <typename T>
class FloatSums {
 public:
  static constexpr unsigned repeats = thisBackend == Backend::gpu ? 12 : 4;

  explicit FloatSums(size_t n) : data_(n, "input"), reordered_(n, "input in another order") {
    addOnCpu("CPU, one by one", serialSum<T>);
    addOnCpu("CPU, Kahan", kahanSum<T>);
    addOnDevice("08_shuffle", "single pass", total_,
                [&](const T* data, size_t n) { pass_(data, n, total_.data()); });
    if constexpr (std::is_same_v<T, float>)
      addOnDevice("08_shuffle", "single pass, in double", totalInDouble_,
                  [&](const T* data, size_t n) { inDouble_(data, n, totalInDouble_.data()); });
#ifdef GPU_BACKEND
    for (const auto& [guarantee, name] : {std::pair(Guarantee::none, "CUB, not_guaranteed"),
                                          std::pair(Guarantee::runToRun, "CUB, run_to_run"),
                                          std::pair(Guarantee::gpuToGpu, "CUB, gpu_to_gpu")})
      if (cubHas(guarantee))
        addOnDevice("CUB", name, total_, [this, which = guarantee](const T* data, size_t n) {
          cubSumWith(which, data, n, total_.data());
        });
#endif
    addOnDevice("08_shuffle", "exact", total_,
                [&](const T* data, size_t n) { exact_(data, n, total_.data()); });
    sums_.back().exact = true;
    addOnCpu("CPU, exact", [](auto& v) { return exactSumOnCpu(v.data(), v.size()); });
    sums_.back().exact = true;
  }

  void run(Stopwatch& stopwatch, const Options& options, Report& report) {
    for (const bool bothSigns : {false, true}) findErrors(bothSigns, report.seed);
    findDifferences();
    std::vector<Task> tasks;
    for (FloatSum<T>& sum : sums_)
      if (sum.launch)
        tasks.push_back({.step = sum.step, .run = [&] { sum.launch(data_.data(), data_.size()); }});
    const std::vector<StepResult> timed = stopwatch.measure(tasks, samplingOf(options));
    size_t next = 0;
    for (FloatSum<T>& sum : sums_) {
      if (sum.launch) sum.step.kernelMs = timed[next++].kernelMs;
      report.steps.push_back(sum.step);
    }
    const int most = std::numeric_limits<T>::max_exponent - 40;
    for (const int exponent : {30, most}) runWide(exponent, stopwatch, options, report);
  }

  void print(const Report& report) const {
    const bool times = thisBackend == Backend::gpu;
    const std::string many = std::to_string(repeats);
    Table table;
    Table::Row titles = {std::string("sum of ") + typeName<T>};
    if (times) titles.insert(titles.end(), {"ms (min–max)", "GB/s", "% of peak"});
    titles.insert(titles.end(), {"ulps off, positive", "ulps off, both signs",
                                 "sums in " + many + " runs", "in " + many + " orders", ""});
    table.add(titles);
    for (const FloatSum<T>& sum : sums_) {
      Table::Row row = {sum.step.name};
      if (times && !sum.step.isTimed()) row.insert(row.end(), 3, "");
      if (times && sum.step.isTimed()) {
        row.push_back(timeAndSpread(sum.step.kernelMs));
        row.push_back(fixed(report.gbps(sum.step), 0));
        row.push_back(fixed(100 * report.gbps(sum.step) / report.machine.peakGbps, 1));
      }
      for (const double ulps : sum.ulpsOff) row.push_back(fmt::format("{:.4g}", ulps));
      for (const std::set<double>* const found : {&sum.inRuns, &sum.inOrders})
        row.push_back(found->empty() ? "" : std::to_string(found->size()));
      row.push_back(sum.step.ok ? "right" : "WRONG");
      table.add(row);
    }
    table.print();
    for (const StepResult& step : report.steps)
      if (times && step.type == typeName<T> && step.name.find(", 2^-") != std::string::npos)
        std::cout << step.name << ": " << timeAndSpread(step.kernelMs) << " ms, "
                  << (step.ok ? "right" : "WRONG") << '\n';
    std::cout << '\n';
  }

 private:
  void addOnCpu(const std::string& name, std::function<T(const std::vector<T>&)> sum) {
    StepResult step = stepOf("CPU", name);
    step.role = Role::cpu;
    sums_.push_back({.step = step, .onCpu = std::move(sum)});
  }
  template <typename Total>
  void addOnDevice(const std::string& lesson, const std::string& name, DeviceArray<Total>& total,
                   std::function<void(const T*, size_t)> launch) {
    sums_.push_back({.step = stepOf(lesson, name), .launch = std::move(launch), .fetch = [&total] {
                       Total sum{};
                       total.copyToHost(&sum, 1);
                       return T(sum);
                     }});
  }
  StepResult stepOf(const std::string& lesson, const std::string& name) const {
    return {.lesson = lesson,
            .name = name + (name == "exact" ? " sum of " : " ") + typeName<T>,
            .n = data_.size(),
            .elementBytes = sizeof(T),
            .type = typeName<T>};
  }

  T sumBy(const FloatSum<T>& sum, const std::vector<T>& values, const DeviceArray<T>& data) {
    if (sum.onCpu) return sum.onCpu(values);
    sum.launch(data.data(), data.size());
    return sum.fetch();
  }

  // How far the sums are from the exact one, in units of its last place. The exact ones must have
  // its bits, and the others be within rounding.
  void findErrors(bool bothSigns, uint64_t seed) {
    values_.resize(data_.size());
    long double magnitude = 0;
    for (size_t i = 0; i < values_.size(); ++i) {
      const double uniform = double(randomBits(seed, i) >> 11) * 0x1p-53;
      values_[i] = T(bothSigns ? 2 * uniform - 1 : uniform);
      magnitude += std::abs(values_[i]);
    }
    data_.copyFromHost(values_.data());
    const T exact = exactSumOnCpu(values_.data(), values_.size());
    const T magnitudeOfExact = std::abs(exact);
    const double ulp = double(std::nextafter(magnitudeOfExact, T(INFINITY)) - magnitudeOfExact);
    for (FloatSum<T>& sum : sums_) {
      const T result = sumBy(sum, values_, data_);
      sum.ulpsOff[bothSigns] = std::abs(double(result) - double(exact)) / ulp;
      sum.step.realResult = double(result);
      sum.step.realExpected = double(exact);
      const size_t chain = sum.onCpu ? 4096 * values_.size() : values_.size();
      sum.step.ok = sum.step.ok && (sum.exact ? std::bit_cast<typename FormatOf<T>::Bits>(result) ==
                                                    std::bit_cast<typename FormatOf<T>::Bits>(exact)
                                              : agrees<Sum<T>>(result, {exact, magnitude}, chain));
    }
  }

  // The exact sum of elements whose exponents are anything from -most to most: many windows.
  void runWide(int most, Stopwatch& stopwatch, const Options& options, Report& report) {
    for (size_t i = 0; i < values_.size(); ++i) {
      const uint64_t bits = randomBits(report.seed, i);
      const double fraction = 1 + double(bits >> 12) * 0x1p-52;
      values_[i] =
          T(std::ldexp(bits % 2 ? fraction : -fraction, int(bits / 2 % (2 * most)) - most));
    }
    data_.copyFromHost(values_.data());
    const FloatSum<T>& onCpu = sums_.back();
    const FloatSum<T>& onDevice = sums_[sums_.size() - 2];
    Task task{.step = stepOf("08_shuffle", "exact"),
              .run = [&] { onDevice.launch(data_.data(), data_.size()); }};
    task.step.name = fmt::format("{0}, 2^-{1} to 2^{1}", task.step.name, most);
    StepResult step = stopwatch.measure({task}, samplingOf(options)).front();
    step.realResult = double(onDevice.fetch());
    step.realExpected = double(onCpu.onCpu(values_));
    step.ok = step.ok && *step.realResult == step.realExpected;
    report.steps.push_back(step);
  }

  // How many different sums there are in repeated runs, and in other orders of the elements. On the
  // CPU, only of what does not take long.
  void findDifferences() {
    const bool onCpu = data_.size() <= 1 << 20;
    std::vector<T> values(values_.size());
    for (unsigned repeat = 0; repeat < repeats; ++repeat) {
      launch(dim3(unsigned(std::min<size_t>(1024, values.size() / 256 + 1))), dim3(256),
             ExactKernels<T>::reorder(), data_.data(), reordered_.data(), data_.size(),
             randomBits(3, repeat) % data_.size());
      if (onCpu) reordered_.copyToHost(values.data(), values.size());
      for (FloatSum<T>& sum : sums_) {
        if (sum.onCpu && !onCpu) continue;
        sum.inRuns.insert(double(sumBy(sum, values_, data_)));
        sum.inOrders.insert(double(sumBy(sum, values, reordered_)));
        if (sum.exact)
          sum.step.ok = sum.step.ok && sum.inRuns.size() == 1 && sum.inOrders == sum.inRuns;
      }
    }
  }

  DeviceArray<T> data_, reordered_, total_{1, "total"};
  DeviceArray<double> totalInDouble_{1, "total"};
  SinglePass<Sum<T>, T> pass_;
  SinglePass<Sum<double>, T> inDouble_;
  ExactSum<T> exact_;
  std::vector<T> values_;
  std::vector<FloatSum<T>> sums_;
};

inline int floatsProgram(const Options& options) {
  ResultFile file(options.json);
  Report report = startOperations(options, "float and double", 1, uint64_t(1) << 30,
                                  uint64_t(1) << (thisBackend == Backend::gpu ? 28 : 14));
  DeviceStopwatch stopwatch = stopwatchFor(options, report);
  const size_t doubles = std::max<size_t>(1, report.n / 2);  // as many bytes
  {
    FloatSums<float> floats(report.n);
    floats.run(stopwatch, options, report);
    floats.print(report);
  }
  FloatSums<double> sums(doubles);
  sums.run(stopwatch, options, report);
  sums.print(report);
  std::cout << (report.allRight() ? "every sum is right, and the exact ones have the same bits in "
                                    "any order, here and on the CPU\n"
                                  : "")
            << std::flush;
  file.write(report);
  return complain(report);
}

inline Mode floatsMode() {
  return {.flag = "--floats",
          .help = "sums of float and double: times, errors, and whose bits stay the same",
          .run = floatsProgram,
          .leaveOut = {{"--block", "chooses its own"}}};
}
