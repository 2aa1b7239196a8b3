// The versions of lesson 09, and what it takes to run one and check every value.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "device.h"
#include "mean_matvec.h"
#include "timing.h"

struct Version {
  std::string name, basedOn;  // the version it improves on, by name
  void (*run)(const Arrays& arrays);
  bool meansOnly = false;
  bool (*available)() = nullptr;  // whether this GPU can run it, where not all can
};

inline std::vector<Version> versions() {
  return {{"v1: one block", "", runOneBlock},
          {"v2: a block per entry", "v1: one block", runBlockPerEntry},
          {"v3: a warp per row", "v2: a block per entry", runWarpPerRow},
          {"v4: a warp per product", "v3: a warp per row", runWarpPerProduct},
          {"v5: all products at once", "v4: a warp per product", runTiles},
          {"v5, input evicted first", "v5: all products at once", runTilesEvictFirst},
          {"v5, tensor cores", "v5, input evicted first", runTensor, false, tensorCoresWork},
          {"v5, overlapped", "v5, tensor cores", runOverlapped, false, tensorCoresWork},
          {"row means alone, plain loads", "",
           [](const Arrays& a) { runRowMeans<false>(a, 0, a.sizes.batch); }, true},
          {"row means alone", "", [](const Arrays& a) { runRowMeans(a, 0, a.sizes.batch); }, true}};
}

// Values of 1 and 2 on host and device, and the CPU's answer.
class Problem {
 public:
  Problem(Sizes sizes, uint64_t seed)
      : sizes_(sizes),
        values_(size_t(sizes.rows) * sizes.columns * sizes.batch),
        count_(size_t(sizes.rows) * sizes.batch),
        matrices_(values_, "matrices"),
        matrix_(size_t(sizes.rows) * sizes.rows, "matrix"),
        means_(count_, "means"),
        result_(count_, "result"),
        hostMatrices_(std::make_unique_for_overwrite<double[]>(values_)),
        hostMatrix_(matrix_.size()),
        expectedMeans_(count_),
        expected_(count_),
        fetched_(count_) {
    fillOnesAndTwos(hostMatrices_.get(), values_, seed);
    fillOnesAndTwos(hostMatrix_.data(), hostMatrix_.size(), seed + 1);
    matrices_.copyFromHost(hostMatrices_.get());
    matrix_.copyFromHost(hostMatrix_.data());
    meanMatvecSerial(hostMatrices_.get(), hostMatrix_.data(), expectedMeans_.data(),
                     expected_.data(), sizes_);
  }

  Sizes sizes() const { return sizes_; }
  size_t values() const { return values_; }
  const std::vector<double>& expected() const { return expected_; }

  Arrays arrays() const {
    return {matrices_.data(), matrix_.data(), means_.data(), result_.data(), sizes_};
  }
  void poison() {
    means_.poison();
    result_.poison();
  }

  // The largest relative error of what a version has left, over all values; NaN counts as infinite.
  double error(const Version& version) {
    (version.meansOnly ? means_ : result_).copyToHost(fetched_.data(), count_);
    return errorOf(fetched_, version.meansOnly ? expectedMeans_ : expected_);
  }

  // Runs a CPU function of cpu_mean_matvec.h on the same input. Returns its milliseconds.
  double runOnCpu(decltype(meanMatvecSerial)* function, double* error) {
    std::vector<double> means(count_);
    std::fill(fetched_.begin(), fetched_.end(), std::nan(""));
    const auto start = std::chrono::steady_clock::now();
    function(hostMatrices_.get(), hostMatrix_.data(), means.data(), fetched_.data(), sizes_);
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    *error = errorOf(fetched_, expected_);
    return time.count();
  }

 private:
  static double errorOf(const std::vector<double>& got, const std::vector<double>& expected) {
    double largest = 0;
    for (size_t i = 0; i < got.size(); ++i) {
      const double error = std::abs(got[i] - expected[i]) / std::abs(expected[i]);
      if (!(error <= largest)) largest = std::isnan(error) ? INFINITY : error;
    }
    return largest;
  }

  Sizes sizes_;
  size_t values_, count_;
  DeviceArray<double> matrices_, matrix_, means_, result_;
  std::unique_ptr<double[]> hostMatrices_;
  std::vector<double> hostMatrix_, expectedMeans_, expected_, fetched_;
};
