// Writes what the kernels would take on a card of common/cards, and what their warps would wait
// for: the record that the tables of common/estimate/README.md are made of.
//     build/cpu/estimated_kernels > common/results/h200_estimated.csv
//     build/cpu/estimated_kernels --card h100 > common/results/h100_estimated.csv
// or, with "without", the last part of it: the same without some costs; or, with --step, one step.
#include "base/format.h"

#include <iostream>

#include "base/program_main.h"
#include "estimate/launch_time.h"
#include "estimate/sampled.h"
#include "estimate/wait_text.h"
#include "judged.h"

namespace {

using namespace estimate;

struct Row {
  double ms = 0, instructions = 0;
  WaitTimes waits = {};
};

// The largest first, and without the time in which places are empty: the profiler has none of that.
std::string textOf(const WaitTimes& waits) {
  std::string text;
  for (const auto& [name, share] : namedWaits(waits))
    if (name != waitName(Wait::startAndTail) && share >= 0.001)
      text += fmt::format("{}{} {:.3f}", text.empty() ? "" : ",", name, share);
  return text;
}

std::vector<Row> estimated(const std::vector<Judged>& all, bool longBlocks, const Card& card) {
  Sampler sampler(unsigned(card.multiprocessors), longBlocks ? fewOf : sampleOf);
  std::vector<size_t> ends;
  for (const Judged& j : all)
    ends.push_back(j.longBlocks == longBlocks ? sampler.run(j.launch) : sampler.launched());
  const SampledLaunches taken = sampler.take();
  std::vector<Row> rows(all.size());
  for (size_t i = 0, at = 0; i < all.size(); ++i)
    for (; at < ends[i]; ++at) {
      const Estimate e = estimateLaunch(taken.launches[at], card);
      rows[i].ms += e.ms;
      rows[i].instructions += e.instructions;
      for (size_t w = 0; w < waitCount; ++w) rows[i].waits[w] += e.ms * e.shares[w];
    }
  for (Row& row : rows)
    for (double& wait : row.waits) wait /= std::max(row.ms, 1e-9);
  return rows;
}

// Every step, or the one that is asked for.
std::string onlyStep;

void print(std::vector<Judged> all, const Card& card) {
  if (!onlyStep.empty()) std::erase_if(all, [](const Judged& j) { return j.step != onlyStep; });
  if (all.empty()) return;
  const std::vector<Row> usual = estimated(all, false, card), few = estimated(all, true, card);
  for (size_t i = 0; i < all.size(); ++i) {
    const Row& row = all[i].longBlocks ? few[i] : usual[i];
    std::cout << fmt::format("{};{};{};{};{};{};{:.5g};{:.4g};{}\n", all[i].group, all[i].step,
                             all[i].where, all[i].record, all[i].n, all[i].kernel, row.ms,
                             row.instructions, textOf(row.waits))
              << std::flush;
  }
}

// What costs are worth that can be switched off: the same launches without them.
void printWithout(const std::string& name, const Card& card) {
  const std::vector<std::pair<std::string, WhatIf>> cases = {
      {"as it is", {}},
      {"no bank conflicts", {.noBankConflicts = true}},
      {"free barriers", {.freeBarriers = true}},
      {"perfect L2", {.perfectL2 = true}}};
  std::vector<Judged> all;
  for (Judged& j : judgedLadder(name, 28, {512}))
    if (j.step.starts_with("neighbored less") || j.step.starts_with("interleaved"))
      all.push_back(std::move(j));
  for (Judged& j : judgedSegments(name))
    if (j.n == uint64_t(1) << 28) all.push_back(std::move(j));
  Sampler sampler(unsigned(card.multiprocessors));
  for (const Judged& j : all) sampler.run(j.launch);
  const SampledLaunches taken = sampler.take();
  for (size_t i = 0; i < all.size(); ++i)
    for (const auto& [name, whatIf] : cases) {
      const Estimate e = estimateLaunch(taken.launches.at(i), card, whatIf);
      std::cout << fmt::format("without, {};{};{};;0;;{:.5g};{:.4g};{}\n",
                               all[i].group.starts_with("ladder") ? "ladder" : all[i].group,
                               all[i].step, name, e.ms, e.instructions, textOf(e.shares));
    }
}

struct Asked {
  std::string card = "h200";
  bool onlyWithout = false;
};

Asked askedOf(int argc, char** argv) {
  Asked asked;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "without")
      asked.onlyWithout = true;
    else if (word == "--card" && i + 1 < argc)
      asked.card = argv[++i];
    else if (word == "--step" && i + 1 < argc)
      onlyStep = argv[++i];
    else
      throw Error(exitUsage,
                  "usage: estimated_kernels [--card NAME] [--step STEP] [without] > FILE");
  }
  return asked;
}

}  // namespace

int main(int argc, char** argv) {
  return runProgram("estimated_kernels", [&] {
    const auto [name, onlyWithout] = askedOf(argc, argv);
    const Card card = findCard(name);
    if (card.key.empty())
      throw Error(exitUsage,
                  "--card: a name of common/cards: what it is compared with is "
                  "recorded under that name");
    if (onlyWithout) {
      printWithout(name, card);
      return exitRight;
    }
    std::cout << "# What build/cpu/estimated_kernels estimates for an " << card.name
              << "; g++ 12.\n"
                 "group;step;where;record;n;kernel;ms;instructions;waits\n";
    for (const unsigned log : {28u, 24u, 20u})
      print(judgedLadder(name, log, {128, 256, 512, 1024}), card);
    print(judgedSegments(name), card);
    print(judgedMatvec({512, 512, 1024}, name + "_mean_matvec.json"), card);
    print(judgedMatvec({384, 1000, 333}, name + "_mean_matvec_384.json"), card);
    print(judgedMatvec({1024, 64, 4096}, name + "_mean_matvec_1024.json"), card);
    {
      PublicArrays arrays(1 << 26, 1, false);
      print(judgedPublic(name, arrays, 1 << 26), card);
    }
    PublicArrays arrays(1 << 24, 1, false);
    print(judgedProfiles(name, arrays), card);
    if (onlyStep.empty()) printWithout(name, card);
    return exitRight;
  });
}
