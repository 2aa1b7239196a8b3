// Every way to launch a sum that the program compares, by name.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "measure/step.h"
#include "sums.h"
#ifdef GPU_BACKEND
#include "cub_calls.h"
#include "cuda/cub_sum.h"
#include "gpu_sums.h"
#endif

// One way over the same n elements in device memory: run() leaves the total on the device and
// returns where.
struct Way {
  std::string name, basedOn = {};
  std::function<const long long*()> run = {};  // none where this machine cannot do it
  Role role = Role::step;
  bool squares = false;  // the sum of the squares
};

// Owns what the ways need beside the elements.
class Ways {
 public:
  // For elements that stay where they are. large: with those that are about bytes, and with room
  // for the squares; else with those that are about launches.
  Ways(const int* data, size_t n, bool large)
      : data_(data), n_(n), large_(large), total_(1, "total"), squares_(large ? n : 0, "squares") {}

  std::vector<Way> all() {
    const int* const data = data_;
    const size_t n = n_;
    std::vector<Way> ways = {
        {"one atomic per block", "", [=] { return atomicPerBlockSum(data, n, nullptr); }},
        {"single pass", "", [=, this] { return singlePassSum(data, n, total_.data()); }},
        {"grid sync", "single pass", [=, this] { return sums_.gridSync(data, n); }},
        {"one atomic per cluster", "one atomic per block"},
        {"two launches", "single pass", [=, this] { return sums_.twoLaunches(data, n); }},
        {"two launches, the second early", "two launches"},
        {"two launches as a graph", "two launches"},
        {"CUB, one call", "CUB, two calls", {}, Role::library},
        {"CUB, two calls", "", {}, Role::library}};
#ifdef GPU_BACKEND
    addThoseOfAGpu(ways);
#endif
    return ways;
  }

 private:
#ifdef GPU_BACKEND
  void addThoseOfAGpu(std::vector<Way>& ways) {
    const int* const data = data_;
    const size_t n = n_;
    if (hopperLaunchesWork()) {
      ways[3].run = [=] { return atomicPerClusterSum(data, n); };
      ways[5].run = [=, this] { return twoLaunchesOneEarly(sums_, data, n); };
    }
    graph_ = std::make_unique<SumGraph>(data, n);
    ways[6].run = [this] { return graph_->run(); };
    ways[8].run = onTotal([=](long long* total) { cubSum(data, n, total); });
    if (cubHasOneCall())
      ways[7].run = onTotal([=](long long* total) { cubSumInOneCall(data, n, total); });
    if (!large_) return;
    int* const squares = squares_.data();
    const auto ofSquares = [&](const std::string& name, const std::string& basedOn,
                               std::function<void(long long*)> call) {
      ways.push_back({name, basedOn, onTotal(std::move(call)), Role::step, true});
    };
    ofSquares("squares: transform, then sum", "",
              [=](long long* total) { cubTransformThenSum(data, n, squares, total); });
    ofSquares("squares: sum of an iterator", "squares: transform, then sum",
              [=](long long* total) { cubSumOfIterator(data, n, total); });
    if (cubHasTransformReduce())
      ofSquares("squares: TransformReduce", "squares: transform, then sum",
                [=](long long* total) { cubTransformReduce(data, n, total); });
  }
  std::function<const long long*()> onTotal(std::function<void(long long*)> call) {
    return [this, call = std::move(call)]() -> const long long* {
      call(total_.data());
      return total_.data();
    };
  }
  std::unique_ptr<SumGraph> graph_;
#endif

  const int* data_;
  size_t n_;
  [[maybe_unused]] bool large_;
  LaunchSums sums_;
  DeviceArray<long long> total_;
  DeviceArray<int> squares_;
};
