// Writes what the kernels would take on a card of common/cards, and what their warps would wait
// for: the record that the tables of common/estimate/README.md are made of, and estimates on other
// pages.
//     build/cpu/estimated_kernels > common/results/h200_estimated.csv
//     build/cpu/estimated_kernels --card h100 > common/results/h100_estimated.csv
// Or, with "without", the last part of it: what the pages ask the model, without some costs; or,
// with --step, one step; or, with --set development or frozen, that set, and with --set profiled
// the kernels that a profiler was asked about:
//     build/cpu/estimated_kernels --set frozen > common/results/h200_frozen_estimated.csv
// Names with _nvcc are of a build with -DWORKSHOP_GPU_CODE_BY_NVCC=ON.
#include "base/format.h"

#include <iostream>

#include "../../frozen/sets.h"
#include "base/program_main.h"
#include "costs.h"
#include "estimate/gpu_code/launched.h"
#include "estimate/launch_time.h"
#include "estimate/sampled.h"
#include "estimate/wait_text.h"
#include "sets.h"

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
    if (name != waitName(Wait::noWork) && name != waitName(Wait::startAndTail) && share >= 0.001)
      text += fmt::format("{}{} {:.3f}", text.empty() ? "" : ",", name, share);
  return text;
}

// The launches of each kernel, in the kernels' order.
using LaunchesOfEach = std::vector<std::vector<Launch>>;

LaunchesOfEach launchesOf(const std::vector<Judged>& all, const Card& card) {
  LaunchesOfEach launches;
  for (const Judged& j : all) {
    Sampler sampler(unsigned(card.multiprocessors), j.longBlocks ? fewOf : sampleOf);
    sampler.run(j.launch);
    launches.push_back(sampler.take());
  }
  return launches;
}

Row estimated(const std::vector<Launch>& launches, const Card& card, const Cost& without) {
  Row row;
  for (Launch launch : launches) {
    const Estimate e = estimateLaunch(without.appliedTo(std::move(launch)), without.appliedTo(card),
                                      without.whatIf);
    row.ms += e.ms;
    row.instructions += e.instructions;
    for (size_t w = 0; w < waitCount; ++w) row.waits[w] += e.ms * e.shares[w];
  }
  for (double& wait : row.waits) wait /= std::max(row.ms, 1e-9);
  return row;
}

Cost costFor(const Judged& j, Cost without) {
  without.whatIf.perfectL2 = without.whatIf.perfectL2 || j.readsFromL2;
  return without;
}

void print(const Judged& j, const Row& row) {
  std::cout << fmt::format("{};{};{};{};{};{};{:.5g};{:.4g};{}\n", j.group, j.step, j.where,
                           j.record, j.n, j.kernel, row.ms, row.instructions, textOf(row.waits))
            << std::flush;
}

// Every step, or the one that is asked for.
std::string onlyStep;

void print(std::vector<Judged> all, const Card& card) {
  if (!onlyStep.empty()) std::erase_if(all, [](const Judged& j) { return j.step != onlyStep; });
  const LaunchesOfEach launches = launchesOf(all, card);
  for (size_t i = 0; i < all.size(); ++i)
    print(all[i], estimated(launches[i], card, costFor(all[i], {})));
}

// Each kernel as it is, and without each of the trial's costs.
void print(const Trial& trial, const Card& card) {
  const LaunchesOfEach launches = launchesOf(trial.kernels, card);
  for (size_t i = 0; i < trial.kernels.size(); ++i)
    for (const std::string& cost : trial.costs)
      print({.group = trial.group, .step = trial.kernels[i].step, .where = cost, .record = ""},
            estimated(launches[i], card, costFor(trial.kernels[i], costOf(cost))));
}

// What cannot be estimated has a line that says so.
void printSet(const std::string& set, const Card& card) {
  const LaunchSet launches = (set == "frozen" ? frozenSet : developmentSet)(1 << 25, false);
  for (const Judged& j : judgedSet(set, fmt::format("{}_{}.json", card.key, set), launches.tasks)) {
    try {
      print({j}, card);
    } catch (const Error& error) {
      std::cout << fmt::format("# {}: {}\n", j.step, error.what());
    }
  }
}

void printProfiled(const Card& card) {
  PublicArrays arrays(1 << 24, 1, false);
  print(judgedProfiles(card.key, arrays), card);
}

struct Asked {
  std::string card = "h200", set = {};
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
    else if (word == "--set" && i + 1 < argc)
      asked.set = argv[++i];
    else
      throw Error(exitUsage,
                  "usage: estimated_kernels [--card NAME] [--step STEP] "
                  "[--set development|frozen|profiled] [without] > FILE");
  }
  const std::string& set = asked.set;
  if (!set.empty() && set != "development" && set != "frozen" && set != "profiled")
    throw Error(exitUsage, "--set: development, frozen or profiled");
  return asked;
}

}  // namespace

int main(int argc, char** argv) {
  return runProgram("estimated_kernels", [&] {
    const auto [name, set, onlyWithout] = askedOf(argc, argv);
    const Card card = findCard(name);
    if (card.key.empty())
      throw Error(exitUsage,
                  "--card: a name of common/cards: what it is compared with is "
                  "recorded under that name");
    const std::string code = gpu_code::whoMadeIt();
    if (!onlyWithout)
      std::cout << "# What build/cpu/estimated_kernels estimates for an " << card.name
                << (code.empty() ? "" : " from the code of " + code)
                << "; g++ 12.\n"
                   "group;step;where;record;n;kernel;ms;instructions;waits\n";
    if (!set.empty()) {
      if (set == "profiled")
        printProfiled(card);
      else
        printSet(set, card);
      return exitRight;
    }
    if (!onlyWithout) {
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
      printProfiled(card);
    }
    print(judgedVariants(name), card);
    print(judgedRounds(4096, 4096, name + "_matrix_sum.json"), card);
    print(judgedRounds(5000, 3001, name + "_matrix_sum_5000.json"), card);
    if (!onlyStep.empty()) return exitRight;
    for (const Trial& trial : trials(name)) print(trial, card);
    return exitRight;
  });
}
