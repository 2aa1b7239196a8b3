// The kernels whose estimates are compared with what was recorded of them on a card: the ladder,
// lesson 08's segments, lesson 09's versions, and kernels that nobody tuned the model for. card is
// the card's name in common/cards, with which its records begin.
#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "../../../../08_shuffle/modes/segments.h"
#include "../../../../08_shuffle/steps.h"
#include "../../../../09_mean_matvec/version_calls.h"
#include "launches.h"
#include "program/estimates.h"

// One launch, or several one after the other.
struct Judged {
  std::string group, step, where;
  std::string record;  // the file in common/results with its time; a profile has the kernel's waits
  uint64_t n = 0;      // where the record has several
  std::string kernel = {};  // as the profiler calls it
  std::function<void()> launch = {};
  bool longBlocks = false;   // of which few are looked at
  bool readsFromL2 = false;  // what the launch before has just written
};

inline std::string powerOfTwo(uint64_t n) { return fmt::format("2^{}", std::log2(double(n))); }

// The steps of the ladder, in blocks of 128 to 1,024 threads.
inline std::vector<Judged> judgedLadder(const std::string& card, unsigned log,
                                        const std::vector<unsigned>& blocks) {
  const uint64_t n = uint64_t(1) << log;
  std::vector<Judged> all;
  for (const unsigned block : blocks) {
    const std::string record = ladderRecord(card, n, block);
    for (const Step& step : ladderTo08())
      if (step.runsHere() && step.estimable)
        all.push_back({.group = "ladder " + powerOfTwo(n),
                       .step = step.name,
                       .where = fmt::format("blocks of {}", block),
                       .record = record,
                       .n = n,
                       .launch = estimatedTaskOf(step, n, block).launch});
  }
  return all;
}

inline std::vector<Judged> judgedSegments(const std::string& card) {
  std::vector<Judged> all;
  for (const uint64_t n : {uint64_t(1) << 20, uint64_t(1) << 28})
    for (const SegmentStep& step : segmentSteps())
      all.push_back({.group = "segments",
                     .step = step.name,
                     .where = powerOfTwo(n),
                     .record = card + "_segments.json",
                     .n = n,
                     .launch = [=] {
                       DeviceArray<int> data(n, "data"), sums(n / 32, "sums");
                       launch(dim3(unsigned(n / step.block)), dim3(step.block), step.kernel,
                              static_cast<const int*>(data.data()), sums.data(), n);
                     }});
  return all;
}

// The versions that launch one kernel after the other. Version 1 is one block that does everything.
inline std::vector<Judged> judgedMatvec(Sizes s, const std::string& record) {
  std::vector<Judged> all;
  const auto add = [&](const std::string& name, void (*run)(const Arrays&),
                       const std::string& kernel) {
    all.push_back({.group = "lesson 09",
                   .step = name,
                   .where = fmt::format("{} of {} × {}", s.batch, s.rows, s.columns),
                   .record = record,
                   .kernel = kernel,
                   .launch =
                       [=] {
                         const size_t means = size_t(s.rows) * s.batch;
                         DeviceArray<double> matrices(means * s.columns, "matrices"),
                             matrix(size_t(s.rows) * s.rows, "matrix"), mean(means, "means"),
                             result(means, "result");
                         run({matrices.data(), matrix.data(), mean.data(), result.data(), s});
                       },
                   .longBlocks = true});
  };
  add("v2: a block per entry", runBlockPerEntry, "blockPerEntry");
  add("v3: a warp per row", runWarpPerRow, "warpPerRow");
  add("v4: a warp per product", runWarpPerProduct, "warpPerProduct");
  add("v5: all products at once", runTiles, "");
  add("v5, input evicted first", runTilesEvictFirst, "");
  add("v5, tensor cores", runTensor, "");
  add(
      "row means alone, plain loads",
      [](const Arrays& a) { runRowMeans<false>(a, 0, a.sizes.batch); }, "rowMeans<32 0>");
  add(
      "row means alone", [](const Arrays& a) { runRowMeans(a, 0, a.sizes.batch); },
      "rowMeans<32 1>");
  return all;
}

// The arrays must live as long as the launches.
inline std::vector<Judged> judgedPublic(const std::string& card, PublicArrays& arrays, size_t n) {
  std::vector<Judged> all;
  for (const Task& task : publicKernels(arrays, n))
    all.push_back({.group = "public",
                   .step = task.step.name,
                   .where = powerOfTwo(task.step.n.value_or(n)),
                   .record = card + "_public_kernels.json",
                   .launch = task.run});
  return all;
}

// What was profiled: whose waits are known. The records' names of the kernels differ from the
// steps'.
inline std::vector<Judged> judgedProfiles(const std::string& card, PublicArrays& arrays) {
  static const std::map<std::string, std::string> kernels = {
      {"neighbored", "neighbored"},
      {"neighbored, shared", "neighboredShared"},
      {"neighbored less", "neighboredLess"},
      {"neighbored less, shared", "neighboredLessShared"},
      {"interleaved", "interleaved"},
      {"interleaved, shared", "interleavedShared"},
      {"unroll 2", "unroll2"},
      {"unroll 8", "unroll8"},
      {"unroll 8 + warp", "unroll8Warp"},
      {"complete unroll", "completeUnroll<512>"},
      {"unroll 8 + shuffle", "unroll8Shuffle"},
      {"unroll 8 + reduce_add", "unroll8ReduceAdd"},
      {"16-byte loads", "vectorLoads"},
      {"one atomic per block", "atomicPerBlock"},
      {"grid-stride", "gridStride"},
      {"single pass", "singlePass"},
      {"copy", "copy"},
      {"a·x + y", "axpy"},
      {"1,024 multiply-adds, a chain", "multiplyAddChain"},
      {"1,024 multiply-adds, four chains", "multiplyAddFourChains"},
      {"chain of eight random loads", "dependentLoads"},
      {"stencil along a line", "stencilLine"},
      {"softmax of rows", "softmax"},
      {"histogram", "histogram"},
      {"stencil in a plane", "stencilPlane"},
      {"transpose, naive", "transposeNaive"},
      {"transpose, tiles", "transposeTiles"},
      {"matrix product, naive", "productNaive"},
      {"matrix product, tiles", "productTiles"},
      {"scan, shared memory", "scanShared"},
      {"scan, shuffles", "scanShuffle"},
      {"bitonic sort of 1,024", "bitonicSort"}};
  std::vector<Judged> all;
  const auto add = [&](std::vector<Judged> some) {
    for (Judged& j : some) {
      if (const auto kernel = kernels.find(j.step); kernel != kernels.end())
        j.kernel = kernel->second;
      if (j.kernel.empty()) continue;
      j.group = "profile";
      j.record = card + "_stalls.csv";
      all.push_back(std::move(j));
    }
  };
  add(judgedLadder(card, 24, {512}));
  add(judgedPublic(card, arrays, 1 << 24));
  add(judgedMatvec({512, 512, 264}, ""));
  return all;
}
