// What the pages ask the model: how long the same launches would take without one of their costs.
#pragma once

#include "../../../../08_shuffle/block_sum.cuh"
#include "../../../../08_shuffle/vectors.cuh"
#include "../../../../09_mean_matvec/matrix_sum/rounds.h"
#include "../../../ladder/variants/variants.h"
#include "estimate/launch_time.h"
#include "judged.h"

// A cost that is left out: by a switch of the model, on another card or of another launch.
struct Cost {
  std::string name = {};
  estimate::WhatIf whatIf = {};
  std::function<void(estimate::Card&)> change = {};
  std::function<void(estimate::Operation&)> changeEach = {};

  estimate::Card appliedTo(estimate::Card card) const {
    if (change) change(card);
    return card;
  }
  estimate::Launch appliedTo(estimate::Launch launch) const {
    if (!changeEach) return launch;
    for (estimate::Block& block : launch.sampled)
      for (estimate::Warp& warp : block.warps)
        for (estimate::Operation& operation : warp.operations) changeEach(operation);
    return launch;
  }
};

inline Cost costOf(const std::string& name) {
  using estimate::Card;
  using estimate::Operation;
  const std::vector<Cost> all = {
      {.name = "as it is"},
      {.name = "no bank conflicts", .whatIf = {.noBankConflicts = true}},
      {.name = "free barriers", .whatIf = {.freeBarriers = true}},
      {.name = "perfect L2", .whatIf = {.perfectL2 = true}},
      // What a block touched before comes from L2 again.
      {.name = "nothing in L1",
       .changeEach =
           [](Operation& o) {
             if (o.kind != Operation::Kind::load) return;
             o.l2Sectors = uint16_t(o.l2Sectors + o.l1Sectors);
             o.l1Sectors = 0;
           }},
      // What is stored does not go on to memory.
      {.name = "writes stay in L2",
       .changeEach =
           [](Operation& o) {
             if (o.kind != Operation::Kind::store) return;
             o.l2Sectors = uint16_t(o.l2Sectors + o.memorySectors);
             o.memorySectors = 0;
           }},
      {.name = "writes as cheap as reads",
       .change =
           [](Card& c) {
             c.mixedGbps = c.readGbps;
             c.memoryWriteDelay = 0;
           }},
      {.name = "blocks start at once",
       .change =
           [](Card& c) {
             c.blockStartCycles = c.blockTurnaroundCycles = c.blockTurnaroundCyclesPerWarp = 0;
           }},
      {.name = "one block at a time", .change = [](Card& c) { c.blocks = 1; }}};
  const auto cost = std::ranges::find(all, name, &Cost::name);
  if (cost == all.end()) throw Error(exitUsage, "no cost is called '" + name + "'");
  return *cost;
}

// Kernels and the costs that are left out of each, one at a time.
struct Trial {
  std::string group;
  std::vector<Judged> kernels;
  std::vector<std::string> costs;
};

inline std::vector<Judged> named(const std::vector<Judged>& all,
                                 const std::vector<std::string>& steps) {
  std::vector<Judged> chosen;
  for (const Judged& j : all)
    if (std::ranges::find(steps, j.step) != steps.end()) chosen.push_back(j);
  return chosen;
}

// What the exercises of lessons 02 to 04 ask for, beside the steps that it changes.
inline std::vector<Judged> judgedVariants(const std::string& card) {
  std::vector<Step> steps =
      selectSteps(ladderTo04(), {"neighbored", "neighbored less, shared", "interleaved"});
  for (const Step& step : variantSteps()) steps.push_back(step);
  std::vector<Judged> all;
  for (const Step& step : steps)
    all.push_back({.group = "variants",
                   .step = step.name,
                   .where = "blocks of 512",
                   .record = card + "_variants.json",
                   .launch = estimatedTaskOf(step, uint64_t(1) << 28, 512).launch});
  return all;
}

// Lesson 09's sums of a whole matrix, round by round.
inline std::vector<Judged> judgedRounds(unsigned height, unsigned width,
                                        const std::string& record) {
  std::vector<Judged> all;
  for (RoundKernel kernel : {inner, outer}) {
    const std::vector<Round> rounds = roundsFor(height, width);
    for (size_t i = 0; i < rounds.size(); ++i)
      all.push_back(
          {.group = "matrix sum",
           .step = fmt::format("{}, round {}", kernel == inner ? "inner" : "outer", i + 1),
           .where = fmt::format("{} × {}", height, width),
           .record = record,
           .launch =
               [kernel, round = rounds[i]] {
                 DeviceArray<float> in(size_t(round.height) * round.width, "in"),
                     out(round.outputs(), "out");
                 launchRound(kernel, round, in.data(), out.data());
               },
           .readsFromL2 = i > 0});
  }
  return all;
}

// The sum of the 16-byte loads again, with pieces of the array of 32 KiB for a block, and of 64.
template <unsigned rounds>
__global__ void sumOfPieces(const int* data, int* blockSums, size_t n) {
  const int sum = blockSum(tileSum<rounds, 4, int>(Vectors<int>(data, n)));
  if (threadIdx.x == 0) blockSums[blockIdx.x] = sum;
}

template <unsigned rounds>
Judged judgedPieces() {
  return {.group = "",
          .step = fmt::format("{} KiB per block", 32 * rounds),
          .where = "",
          .record = "",
          .launch = [] {
            const size_t n = size_t(1) << 28, blocks = n / (rounds * 16 * 512);
            DeviceArray<int> data(n, "data"), sums(blocks, "sums");
            launch(dim3(unsigned(blocks)), dim3(512), sumOfPieces<rounds>,
                   static_cast<const int*>(data.data()), sums.data(), n);
          }};
}

inline std::vector<Trial> trials(const std::string& card) {
  std::vector<Trial> all;
  const std::vector<std::string> switches = {"as it is", "no bank conflicts", "free barriers",
                                             "perfect L2"};
  all.push_back({"without, ladder",
                 named(judgedLadder(card, 28, {512}), {"neighbored less", "neighbored less, shared",
                                                       "interleaved", "interleaved, shared"}),
                 switches});
  std::vector<Judged> segments;
  for (const Judged& j : judgedSegments(card))
    if (j.n == uint64_t(1) << 28) segments.push_back(j);
  all.push_back({"without, segments", segments, switches});
  for (const unsigned block : {128u, 256u, 512u, 1024u})
    all.push_back({fmt::format("without, blocks of {}", block),
                   named(judgedLadder(card, 28, {block}), {"interleaved", "unroll 2", "unroll 8",
                                                           "unroll 8 + warp", "complete unroll"}),
                   {"as it is", "free barriers"}});
  const std::vector<std::string> ends = {"as it is", "free barriers", "writes stay in L2",
                                         "writes as cheap as reads", "blocks start at once"};
  std::vector<Judged> shuffles =
      named(judgedLadder(card, 28, {512}),
            {"complete unroll", "unroll 8 + shuffle", "16-byte loads", "grid-stride"});
  shuffles.push_back(judgedPieces<1>());
  shuffles.push_back(judgedPieces<2>());
  all.push_back({"without, lesson 08", shuffles, ends});
  all.push_back({"without, lesson 09",
                 named(judgedMatvec({512, 512, 1024}, ""),
                       {"v2: a block per entry", "v3: a warp per row", "v4: a warp per product"}),
                 {"as it is", "free barriers", "nothing in L1", "one block at a time"}});
  all.push_back({"without, matrix sum",
                 judgedRounds(4096, 4096, ""),
                 {"as it is", "no bank conflicts", "free barriers", "nothing in L1"}});
  return all;
}
