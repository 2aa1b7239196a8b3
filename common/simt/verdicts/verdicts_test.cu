// Every kernel of the set gets its true verdict, at the right lines, under every schedule.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string_view>

#include "sample.h"

namespace {

using simt::Fault;
using simt::Schedule;

const std::vector<Schedule> schedules = {
    {Schedule::Order::forward, 1}, {Schedule::Order::reverse, 1}, {Schedule::Order::random, 1},
    {Schedule::Order::random, 2},  {Schedule::Order::random, 3},  {Schedule::Order::random, 4}};

std::string fileName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// "file.cu:12" of every line marked FAULT between this sample and the one before it.
std::set<std::string> faultyLines(const Sample& sample) {
  int first = 0;
  for (const Sample& other : samples())
    if (std::string_view(other.file) == sample.file && other.line < sample.line)
      first = std::max(first, other.line);
  std::set<std::string> lines;
  std::ifstream file(sample.file);
  std::string text;
  for (int line = 1; std::getline(file, text); ++line)
    if (line > first && line < sample.line && text.find("// FAULT") != std::string::npos)
      lines.insert(fileName(sample.file) + ":" + std::to_string(line));
  return lines;
}

// What a fault says in the words of the set; correct where there is none.
std::string verdictOf(const std::vector<Fault>& faults) {
  if (faults.empty()) return verdictName(Verdict::correct);
  for (const Fault& fault : faults)
    if (!fault.mild) return simt::kindName(fault.kind);
  return simt::kindName(faults[0].kind);
}

// Whether what() names only marked lines, and one of them at least. Of two threads that wait for
// each other one may be anywhere.
bool atMarkedLines(const Fault& fault, const std::set<std::string>& marked) {
  size_t inside = 0;
  for (const std::string& source : fault.sources) inside += marked.count(source);
  const bool everyOne = fault.kind == Fault::Kind::race || fault.kind == Fault::Kind::benignRace;
  return everyOne ? inside == fault.sources.size() : inside > 0;
}

struct Outcome {
  bool right = true;
  std::set<std::string> verdicts;
  std::string report;  // the first wrong one
};

Outcome judge(const Sample& sample) {
  Outcome outcome;
  const std::set<std::string> marked = faultyLines(sample);
  for (const Schedule& schedule : schedules) {
    simt::Settings settings;
    settings.schedule = schedule;
    settings.patience = 1 << 18;
    settings.longestComputation = 0;
    const simt::WithSettings scope(settings);
    simt::takeFaults();
    bool thrown = false;
    try {
      sample.run(sample);
    } catch (const Fault&) {
      thrown = true;
    }
    const std::vector<Fault> faults = simt::takeFaults();
    const std::string verdict = verdictOf(faults);
    outcome.verdicts.insert(verdict);
    bool right = verdict == verdictName(sample.verdict);
    const bool mild = sample.verdict == Verdict::benignRace ||
                      sample.verdict == Verdict::missedBarrier ||
                      sample.verdict == Verdict::missingFence;
    right = right && thrown == (sample.verdict != Verdict::correct && !mild);
    for (const Fault& fault : faults) right = right && atMarkedLines(fault, marked);
    if (!right && outcome.right) {
      outcome.report = "schedule " + std::to_string(int(schedule.order)) + ":" +
                       std::to_string(schedule.seed) + ", " + std::to_string(faults.size()) +
                       " reports, lines";
      for (const std::string& line : marked) outcome.report += " " + line;
      for (const Fault& fault : faults)
        outcome.report += "\n    " + std::string(simt::kindName(fault.kind)) + ": " + fault.what();
    }
    outcome.right = outcome.right && right;
  }
  return outcome;
}

}  // namespace

class Verdicts : public testing::TestWithParam<std::string> {};

static bool isNotYetRight(const Sample& sample) {
#ifdef __clang__
#if __has_feature(address_sanitizer)  // whose operator new takes the place of the executor's
  if (sample.name == std::string("newInKernel")) return true;
#endif
  return sample.notYet || sample.notYetWithClang;
#else
  return sample.notYet;
#endif
}

TEST_P(Verdicts, AreTrueUnderEverySchedule) {
  for (const Sample& sample : samples()) {
    if (fileName(sample.file) != GetParam()) continue;
    const Outcome outcome = judge(sample);
    std::string found;
    for (const std::string& verdict : outcome.verdicts)
      found += (found.empty() ? "" : ", ") + verdict;
    const char* const mark = outcome.right ? "found" : isNotYetRight(sample) ? "not yet" : "WRONG";
    std::printf("  %-34s %-17s %-7s %s\n", sample.name, verdictName(sample.verdict), mark,
                outcome.right ? sample.why : found.c_str());
    EXPECT_EQ(outcome.right, !isNotYetRight(sample)) << sample.name << ": " << outcome.report;
  }
}

static std::vector<std::string> families() {
  std::set<std::string> files;
  for (const Sample& sample : samples()) files.insert(fileName(sample.file));
  return {files.begin(), files.end()};
}

INSTANTIATE_TEST_SUITE_P(Families, Verdicts, testing::ValuesIn(families()),
                         [](const testing::TestParamInfo<std::string>& info) {
                           return info.param.substr(0, info.param.find('.'));
                         });

TEST(VerdictSet, IsLargeEnoughAndMarked) {
  size_t faulty = 0;
  std::set<std::string> names;
  for (const Sample& sample : samples()) {
    EXPECT_TRUE(names.insert(sample.name).second) << sample.name << " is there twice";
    EXPECT_EQ(faultyLines(sample).empty(), sample.verdict == Verdict::correct) << sample.name;
    faulty += sample.verdict != Verdict::correct;
  }
  EXPECT_GE(samples().size(), 120u);
  EXPECT_GE(faulty, 60u);
}

// sanitizer.csv: what the four tools of compute-sanitizer said of each kernel on an H200.
TEST(SanitizerRecord, IsOfTheSetAndOfEveryTool) {
  std::ifstream file(SANITIZER_CSV);
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line, "kernel,verdict,tool,finds");
  std::map<std::string, std::set<std::string>> toolsOf;
  std::map<std::string, std::string> verdictOf;
  std::set<std::string> reported, leftOut;
  while (std::getline(file, line)) {
    std::istringstream row(line);
    std::string kernel, verdict, tool, finds;
    std::getline(std::getline(std::getline(row, kernel, ','), verdict, ','), tool, ',');
    std::getline(row, finds);
    toolsOf[kernel].insert(tool);
    verdictOf[kernel] = verdict;
    if (finds == "left out") leftOut.insert(kernel);
    if (finds != "nothing" && finds != "left out" && finds != "no end") reported.insert(kernel);
  }
  struct Tally {
    int kernels = 0, ours = 0, asked = 0, theirs = 0;
  };
  std::map<Verdict, Tally> tallies;
  size_t notAsked = 0;  // newer than the record
  for (const Sample& sample : samples()) {
    if (!toolsOf.contains(sample.name)) {
      ++notAsked;
      continue;
    }
    EXPECT_EQ(toolsOf[sample.name],
              (std::set<std::string>{"memcheck", "racecheck", "initcheck", "synccheck"}))
        << sample.name << ": run sanitizer.sh again";
    EXPECT_EQ(verdictOf[sample.name], verdictName(sample.verdict)) << sample.name;
    Tally& tally = tallies[sample.verdict];
    ++tally.kernels;
    tally.ours += !isNotYetRight(sample);
    if (leftOut.contains(sample.name)) continue;
    ++tally.asked;
    tally.theirs += reported.contains(sample.name) == (sample.verdict != Verdict::correct);
  }
  EXPECT_EQ(toolsOf.size() + notAsked, samples().size());
  EXPECT_LE(notAsked, samples().size() / 8) << "run sanitizer.sh again";
  if (notAsked > 0)
    std::printf("%zu kernels are newer than the record, and not in this table\n", notAsked);
  std::printf("| verdict | kernels | the executor is right | compute-sanitizer is right, of |\n");
  std::printf("|---|---:|---:|---:|\n");
  for (const auto& [verdict, tally] : tallies)
    std::printf("| %s | %d | %d | %d of %d |\n", verdictName(verdict), tally.kernels, tally.ours,
                tally.theirs, tally.asked);
}
