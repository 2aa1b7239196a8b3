#include "measure/workspace.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "cuda/launch.h"

#ifdef GPU_BACKEND
#include "cuda/cub_sum.h"
#include "cuda/device.h"
#include "measure/device_stopwatch.h"

Step librarySum() {
  return {.lesson = "CUB",
          .name = "cub::DeviceReduce::Sum",
          .wholeSum = [](const int* data, size_t n, long long* total) -> const long long* {
            cubSum(data, n, total);
            return total;
          },
          .role = Role::library};
}

Step librarySum32() {
  return {.lesson = "CUB",
          .name = "cub::DeviceReduce::Sum, 32-bit total",
          .wholeSum = [](const int* data, size_t n, long long* total) -> const long long* {
            cubSum32(data, n, reinterpret_cast<int*>(total));
            return total;
          },
          .total32 = true,
          .role = Role::library};
}

std::vector<Step> librarySums() {
  std::vector<Step> sums = {librarySum32(), librarySum()};
  if (!cubHasNotGuaranteed()) return sums;
  Step inAnyOrder{.lesson = "CUB",
                  .name = "cub::DeviceReduce::Sum, not_guaranteed",
                  .wholeSum = [](const int* data, size_t n, long long* total) -> const long long* {
                    cubSumNotGuaranteed(data, n, total);
                    return total;
                  },
                  .role = Role::library};
  sums.insert(sums.begin(), inAnyOrder);
  return sums;
}

// 64 KiB for each block.
template <unsigned loads>
static Step roofStep() {
  constexpr unsigned block = 4096 / loads;
  return {.lesson = "roof",
          .name = fmt::format("read and discard, {} × {}", loads, block),
          .blocksFor = [](uint64_t n, unsigned) { return blocksFor(n, 4 * 4096); },
          .wholeSum = [](const int* data, size_t n, long long* total) -> const long long* {
            readAndDiscard(data, n, loads, block);
            return total;
          },
          .ownBlock = block,
          .role = Role::roof};
}

std::vector<Step> roofSteps() { return {roofStep<4>(), roofStep<8>(), roofStep<16>()}; }

double readRate(const std::string& program, const Machine& machine, unsigned samples) {
  DeviceStopwatch stopwatch(program, machine);
  const size_t n = std::min<size_t>(size_t(1) << 28, machine.freeBytes / 16);
  DeviceArray<int> data(n, "what is read");
  clearOnDevice(data.data(), n);
  std::vector<Task> tasks;
  for (const Step& step : roofSteps())
    tasks.push_back({.step = {.lesson = step.lesson, .name = step.name, .role = step.role},
                     .run = [&, step] { step.wholeSum(data.data(), n, nullptr); }});
  double gbps = 0;
  for (const StepResult& read : stopwatch.measure(tasks, {.samples = samples}))
    gbps = std::max(gbps, 4e-6 * double(n) / spreadOf(read.kernelMs).median);
  return gbps;
}
#endif

Workspace::Workspace(const Input& input, unsigned block)
    : n_(input.n),
      block_(block),
      expected_(input.sum),
      original_(input.n, "input"),
      data_(input.n, "data"),
      blockSums_(blocksFor(input.n, block), "blockSums"),
      total_(1, "total"),
      hostSums_(blocksFor(input.n, block)),
      hostTotal_(1) {
  original_.copyFromHost(input.values.get());
}

Needs Workspace::needs(uint64_t n, unsigned block, const Machine& machine) {
  const double blocks = double(blocksFor(n, block));
  Needs needs = needsOf(8.0 * double(n) + 4 * blocks, 4.0 * double(n) + 4 * blocks, machine);
  needs.gridTooLarge = blocks > 0x7fffffff;
  return needs;
}

uint64_t Workspace::blocks(const Step& step) const {
  return step.wholeSum && !step.blocksFor ? 0 : gridOf(step, n_, block_);
}

void Workspace::prepare() {
  data_.copyFromDevice(original_);
  blockSums_.poison();
  total_.poison();
}

void Workspace::run(const Step& step) {
  if (step.wholeSum) {
    wholeTotal_ = step.wholeSum(data_.data(), n_, total_.data());
    return;
  }
  if (const uint64_t grid = blocks(step); grid > 0)
    launch(dim3(unsigned(grid)), dim3(block_), kernelOf(step, block_), data_.data(),
           blockSums_.data(), n_);
}

int64_t Workspace::fetch(const Step& step) {
  if (step.wholeSum) {
    copyToHost(hostTotal_.data(), wholeTotal_, 1);
    return step.total32 ? int32_t(*hostTotal_.data()) : *hostTotal_.data();
  }
  const uint64_t grid = blocks(step);
  blockSums_.copyToHost(hostSums_.data(), grid);
  return std::accumulate(hostSums_.data(), hostSums_.data() + grid, int64_t(0));
}

int64_t Workspace::totalOf(const Step& step) {
  prepare();
  run(step);
  return fetch(step);
}

Task Workspace::taskFor(const Step& step) {
  if (step.role == Role::roof)  // leaves nothing to compare
    return {.step = {.lesson = step.lesson,
                     .name = step.name,
                     .role = step.role,
                     .blocks = blocks(step),
                     .block = step.ownBlock},
            .prepare = [this] { prepare(); },
            .run = [this, step] { run(step); }};
  const auto total = std::make_shared<int64_t>(0);
  return {.step = {.lesson = step.lesson,
                   .name = step.name,
                   .role = step.role,
                   .basedOn = step.basedOn,
                   .expected = step.total32 ? int32_t(expected_) : expected_,
                   .blocks = blocks(step)},
          .prepare = [this] { prepare(); },
          .run = [this, step] { run(step); },
          .finish = [this, step, total] { *total = fetch(step); },
          .check =
              [total](StepResult& result) {
                result.result = *total;
                result.ok = result.ok && result.result == result.expected;
              },
          .timesAnswer = true};
}
