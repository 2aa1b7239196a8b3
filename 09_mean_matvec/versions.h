// The versions of lesson 09, and what it takes to run one and check every value.
#pragma once

#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "cuda/device_array.h"
#include "version_calls.h"

#ifdef WORKSHOP_CUBLAS
#include "cublas_mean_matvec.h"
#endif
#include "measure/measure.h"

struct Version {
  std::string name, basedOn;  // the version it improves on, by name
  void (*run)(const Arrays& arrays);
  bool meansOnly = false;
  bool (*available)() = nullptr;  // whether this GPU can run it, where not all can
  Role role = Role::step;
  // Instead of run: two halves with a name and a time each.
  struct Half {
    std::string name;
    void (*run)(const Arrays& arrays);
    bool readsMatrices;  // else the means and the fixed matrix
  };
  std::vector<Half> halves = {};
};

constexpr double tolerance = 1e-12;  // of the relative error

#ifdef WORKSHOP_CUBLAS
// Our row means with the library's product, one after the other and overlapped; then the library's
// pair likewise. Where rows are short, the means are a large part of all bytes, and too much to be
// kept in L2 by evicting the input first.
inline void meansForLibrary(const Arrays& a, unsigned first, unsigned last, Stream stream = {}) {
  (a.sizes.columns > 128 ? runRowMeans<true> : runRowMeans<false>)(a, first, last, stream);
}
inline std::vector<Version> libraryVersions() {
  return {
      {.name = "row means + cublasDgemm",
       .basedOn = "",
       .run =
           [](const Arrays& a) {
             meansForLibrary(a, 0, a.sizes.batch);
             cublasProducts(a, 0, a.sizes.batch);
           }},
      {.name = "row means + cublasDgemm, overlapped",
       .basedOn = "row means + cublasDgemm",
       .run = [](const Arrays& a) { overlapped(a, meansForLibrary, cublasProducts); }},
      {.name = "cublasDgemv + cublasDgemm, overlapped",
       .basedOn = "",
       .run = [](const Arrays& a) { overlapped(a, cublasMeans, cublasProducts); },
       .role = Role::library},
      {.name = "cublasDgemv + cublasDgemm",
       .basedOn = "",
       .run = nullptr,
       .role = Role::library,
       .halves = {
           {"cublasDgemv", [](const Arrays& a) { cublasMeans(a, 0, a.sizes.batch); }, true},
           {"cublasDgemm", [](const Arrays& a) { cublasProducts(a, 0, a.sizes.batch); }, false}}}};
}
#endif

// Runs a version, whatever it is made of.
inline void runVersion(const Version& version, const Arrays& arrays) {
  if (version.run) version.run(arrays);
  for (const Version::Half& half : version.halves) half.run(arrays);
}

// Those that can run here; the library's row where the program is built with cuBLAS.
inline std::vector<Version> versions() {
  std::vector<Version> all = {
      {"v1: one block", "", runOneBlock},
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
#ifdef WORKSHOP_CUBLAS
  for (const Version& version : libraryVersions()) all.push_back(version);
#endif
  std::erase_if(all, [](const Version& v) { return v.available && !v.available(); });
  return all;
}

// Values from 1 to 2 on host and device, and the CPU's answer.
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
        cpuMeans_(count_),
        expectedMeans_(count_),
        expected_(count_),
        fetched_(count_) {
    fillFromOneToTwo(hostMatrices_.get(), values_, seed);
    fillFromOneToTwo(hostMatrix_.data(), hostMatrix_.size(), seed + 1);
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
  double error(bool meansOnly = false) {
    (meansOnly ? means_ : result_).copyToHost(fetched_.data(), count_);
    return errorOf(fetched_, meansOnly ? expectedMeans_ : expected_);
  }

  // The task that runs a version and checks every value. Valid as long as the problem is.
  Task taskFor(const Version& version) {
    Task task{.step = stepOf(version.name, version.basedOn, version.role),
              .prepare = [this] { poison(); },
              .run = version.run ? std::function<void()>([this, version] { version.run(arrays()); })
                                 : nullptr};
    for (const Version::Half& half : version.halves) {
      task.parts.push_back(
          {stepOf(half.name, "", Role::step), [this, half] { half.run(arrays()); }});
      if (!half.readsMatrices) task.parts.back().step.n = means_.size() + matrix_.size();
    }
    task.check = [this, version](StepResult& step) { check(step, error(version.meansOnly)); };
    return task;
  }

  // The task that runs a CPU function of cpu_mean_matvec.h on the same input.
  Task taskFor(const std::string& name, const std::string& basedOn,
               decltype(meanMatvecSerial)* function) {
    Task task{.step = stepOf(name, basedOn, Role::cpu),
              .prepare = [this] { std::fill(fetched_.begin(), fetched_.end(), std::nan("")); },
              .run =
                  [this, function] {
                    function(hostMatrices_.get(), hostMatrix_.data(), cpuMeans_.data(),
                             fetched_.data(), sizes_);
                  }};
    task.check = [this](StepResult& step) { check(step, errorOf(fetched_, expected_)); };
    task.onCpu = true;
    return task;
  }

 private:
  StepResult stepOf(const std::string& name, const std::string& basedOn, Role role) const {
    return {.lesson = role == Role::library ? "cuBLAS" : "09_mean_matvec",
            .name = name,
            .role = role,
            .basedOn = basedOn,
            .blocks = 1,
            .elementBytes = sizeof(double),
            .realExpected = std::accumulate(expected_.begin(), expected_.end(), 0.0)};
  }
  static void check(StepResult& step, double error) {
    step.relativeError = std::max(error, step.relativeError.value_or(0));
    step.ok = step.ok && *step.relativeError < tolerance;
  }
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
  std::vector<double> hostMatrix_, cpuMeans_, expectedMeans_, expected_, fetched_;
};
