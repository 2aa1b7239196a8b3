#include "program/explore_page.h"

#include <fmt/core.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "base/counts.h"
#include "base/errors.h"
#include "base/output_file.h"
#include "base/program_main.h"
#include "explore/explore.h"
#include "measure/workspace.h"
#include "program/estimates.h"
#include "program/run.h"

namespace {

constexpr unsigned usualThreads = 64;  // two warps: enough to see that one of them rests
constexpr uint64_t mostElements = 1 << 20;

Explored exploredStep(const Options& options, const Step& step) {
  const unsigned threads = options.blockGiven ? options.block : usualThreads;
  const uint64_t perThread = step.wholeSum ? 16 : step.elementsPerThread;
  const uint64_t n = options.n.value_or(threads * perThread);
  if (n > mostElements)
    throw Error(
        exitUsage,
        fmt::format("--n {}: at most 2^20 with --explore, which shows the first blocks", n));
  // Ones, so that a partial sum says how many elements it has.
  Explored explored{step.name, fmt::format("{} elements, each 1", n), [=] {
                      Input ones{std::make_unique<int[]>(n), n, int64_t(n)};
                      std::fill_n(ones.values.get(), n, 1);
                      Workspace(ones, threads).totalOf(step);
                    }};
  constexpr uint64_t usualElements = uint64_t(1) << 28;
  explored.timed = estimatedTaskOf(step, usualElements, options.block).launch;
  explored.timedAbout =
      fmt::format("{} elements, blocks of {} threads", countName(usualElements), options.block);
  return explored;
}

// Takes a start away that is not worth comparing with.
void keepComparable(std::vector<Explored>& launches, std::vector<Recording>& recordings) {
  const auto hasFault = [](const Recording& recording) { return recording.fault() != nullptr; };
  const bool faulty = std::ranges::any_of(recordings, hasFault);
  for (size_t i = launches.size(); i-- > 0;) {
    const bool repeated = i + 1 < launches.size() && isSameKernel(recordings[i], recordings[i + 1]);
    if (!launches[i].isStart || (!faulty && !repeated)) continue;
    launches.erase(launches.begin() + std::ptrdiff_t(i));
    recordings.erase(recordings.begin() + std::ptrdiff_t(i));
  }
}

}  // namespace

int writeExplorePage(const Options& options, std::vector<Explored> launches) {
  OutputFile file("--explore", options.explore, isExplorePage, "a page written by --explore");
  const simt::WithSettings settings(executorSettings(options));
  std::vector<Recording> recordings;
  for (const Explored& one : launches)
    recordings.push_back(recordLaunch(one.title, one.about, one.launch));
  keepComparable(launches, recordings);
  std::string fault;
  for (size_t i = 0; i < launches.size(); ++i) {
    if (recordings[i].fault())
      fault = recordings[i].fault()->what();
    else if (launches[i].timed)
      recordings[i].estimate = exploredEstimate(launches[i].timed, launches[i].timedAbout, options,
                                                launches[i].longBlocks);
  }
  file.write(explorePage(recordings), "open it in a browser");
  if (!fault.empty()) throw Error(exitWrong, fault);
  return exitRight;
}

int exploreSteps(const Options& options, const std::vector<Step>& steps,
                 const std::string& program) {
  std::vector<Step> here = steps;
  std::erase_if(here, [](const Step& step) { return !step.runsHere(); });
  std::vector<std::string> names = options.named;
  if (names.empty()) {
    const auto own = std::ranges::find(here, program, &Step::lesson);
    names.push_back(own != here.end() ? own->name : here.at(0).name);
  }
  std::vector<Explored> launches;
  for (const std::string& name : names)
    launches.push_back(exploredStep(options, chosenByName(name, here)));
  return writeExplorePage(options, launches);
}
