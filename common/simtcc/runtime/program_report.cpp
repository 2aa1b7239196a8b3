// What a program of its own is told at its end, on stderr: counts per kernel, and what to keep in
// mind. SIMT_QUIET=1 in the environment leaves it out.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <utility>
#include <vector>

#include "simt/run/searched_share.h"
#include "simtcc/runtime/environment.h"
#include "simtcc/runtime/program_observer.h"
#include "simtcc/runtime/runtime.h"
#include "simtcc/runtime/sizes.h"

namespace simt {
namespace {

struct Report {
  ProgramSummary summary;
  std::vector<std::string> told;  // which faults
  bool timesRead = false, estimatedTimesRead = false;
  unsigned faultsNotTold = 0;
};

Report& report() {
  static auto& the = *new Report;  // never destroyed: global objects of programs call to the end
  return the;
}

std::string number(double value) {
  char text[32];
  const char* const units[] = {"", "k", "M", "G", "T"};
  int unit = 0;
  while (value >= 99999.5 && unit < 4) value /= 1000, ++unit;
  std::snprintf(text, sizeof text, "%.0f%s", value, units[unit]);
  return text;
}

std::string ratio(uint64_t part, uint64_t whole) {
  if (whole == 0) return "-";
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", double(part) / double(whole));
  return text;
}

constexpr size_t mostRows = 12;

// What a kernel did in all, in units that a GPU's time goes into: sectors and warp-level requests.
uint64_t work(const KernelTotals& k) {
  const Counters& c = k.counters;
  return c.load_sectors + c.store_sectors + c.shared_load_requests + c.shared_store_requests +
         c.atomics + k.threads / 32;
}

// Of many kernels those that take longest, by the estimate where there is one, else those that did
// most; and the names of the others in one line.
void printTable(std::vector<KernelTotals> kernels) {
  std::string others;
  ProgramObserver* const observer = programObserver();
  const std::map<std::string, double> ms =
      observer ? observer->estimatedMsOfKernels() : std::map<std::string, double>();
  const auto estimated = [&](const KernelTotals& k) {
    const auto it = ms.find(k.kernel);
    return it == ms.end() ? 0.0 : it->second;
  };
  std::ranges::stable_sort(kernels, [&](const KernelTotals& a, const KernelTotals& b) {
    const double first = estimated(a), second = estimated(b);
    return first != second ? first > second : work(a) > work(b);
  });
  if (kernels.size() > mostRows) {
    std::fprintf(stderr, "The %zu kernels that %s:\n", mostRows,
                 ms.empty() ? "did most" : "take longest by the estimate below");
    std::vector<std::string> names;
    for (size_t i = mostRows; i < kernels.size(); ++i) names.push_back(kernels[i].kernel);
    others = andMore(names);
    kernels.resize(mostRows);
  }
  size_t width = 6;
  for (const KernelTotals& k : kernels) width = std::max(width, shortName(k.kernel).size());
  const int w = int(width);
  std::fprintf(stderr, "%-*s %8s %8s | %8s %7s | %8s %7s | %8s %9s | %8s %8s %8s %6s\n", w,
               "kernel", "launches", "threads", "loads", "sectors", "stores", "sectors", "shared",
               "conflicts", "diverge", "barriers", "atomics", "lanes");
  for (const KernelTotals& k : kernels) {
    const Counters& c = k.counters;
    char lanes[16];
    std::snprintf(lanes, sizeof lanes, "%.1f", c.activeLanes());
    const auto n = [](uint64_t value) { return number(double(value)); };
    std::fprintf(stderr, "%-*s %8s %8s | %8s %7s | %8s %7s | %8s %9s | %8s %8s %8s %6s\n", w,
                 shortName(k.kernel).c_str(), n(k.launches).c_str(), n(k.threads).c_str(),
                 n(c.load_requests).c_str(), ratio(c.load_sectors, c.load_requests).c_str(),
                 n(c.store_requests).c_str(), ratio(c.store_sectors, c.store_requests).c_str(),
                 n(c.shared_load_requests + c.shared_store_requests).c_str(),
                 n(c.shared_load_conflicts + c.shared_store_conflicts).c_str(),
                 n(c.divergent_branches).c_str(), n(c.barriers).c_str(), n(c.atomics).c_str(),
                 lanes);
  }
  if (!others.empty()) std::fprintf(stderr, "%s\n", others.c_str());
}

// Where not all blocks were looked at.
void printShares(const std::vector<KernelTotals>& kernels) {
  std::string shares;
  for (size_t i = 0; i < kernels.size() && shares.size() < 160; ++i) {
    const KernelTotals& k = kernels[i];
    if (k.plainBlocks == 0) continue;
    shares += (shares.empty() ? "" : ", ") + shortName(k.kernel) + ' ' +
              number(double(k.blocks - k.plainBlocks)) + " of " + number(double(k.blocks));
  }
  const double seconds = settingsOfEnvironment().searchSeconds;
  if (!shares.empty())
    std::fprintf(stderr,
                 "Counted and searched in some of the blocks, and the counts scaled: %s. The "
                 "others ran plain: a launch is searched for some %g s, and all together for %g "
                 "(SIMT_SEARCH=all: to the end).\n",
                 shares.c_str(), seconds, sharesInAll * seconds);
  std::string reasons;
  for (size_t i = 0; i < kernels.size() && reasons.size() < 160; ++i)
    if (const char* const why = kernels[i].whyNonePlain)
      reasons += (reasons.empty() ? "" : ", ") + shortName(kernels[i].kernel) + ' ' + why;
  if (!reasons.empty())
    std::fprintf(stderr, "Searched in all of the blocks, which took long: %s.\n", reasons.c_str());
}

// Those that were told where they happened, once more in a line each: the first is often what
// caused the others.
void printFaults(const ProgramSummary& summary) {
  constexpr size_t most = 8, mostLetters = 180;
  size_t number = 0;
  const size_t all = summary.faults.size() + summary.mildFaults.size();
  if (all == 0) return;
  std::fprintf(stderr, "\nFaults, in the order in which they came, mild ones last:\n");
  for (const auto* some : {&summary.faults, &summary.mildFaults})
    for (const std::string& text : *some) {
      if (++number > most) continue;
      const std::string line = text.substr(0, text.find('\n'));
      std::fprintf(stderr, "%zu. %s%s\n", number, line.substr(0, mostLetters).c_str(),
                   line.size() > mostLetters ? " ..." : "");
    }
  if (all > most) std::fprintf(stderr, "and %zu more, told above.\n", all - most);
}

void printSummary() {
  const Report& the = report();
  const ProgramSummary& summary = the.summary;
  std::cout.flush();
  std::fflush(stdout);
  printFaults(summary);
  if (!summary.kernels.empty()) {
    std::fprintf(stderr,
                 "\nCounted by the SIMT executor, no GPU involved: warp-level requests, 32-byte "
                 "sectors per request, average active lanes. %s\n",
                 !settingsOfEnvironment().findFaults
                     ? "Not searched for faults, but for bounds: SIMT_FAST."
                 : !summary.faults.empty()    ? "Faults: told above."
                 : summary.mildFaults.empty() ? "No faults found."
                                              : "Mild faults: told above.");
    printTable(summary.kernels);
    printShares(summary.kernels);
  }
  if (the.estimatedTimesRead)
    std::fprintf(stderr,
                 "The times that the program got from CUDA events are estimated: those of the "
                 "kernels between them on the card below, without copies.\n");
  if (the.timesRead)
    std::fprintf(stderr,
                 "%show long this CPU took to run the executor; they say nothing about a GPU.\n",
                 the.estimatedTimesRead ? "Some, of kernels without an estimate, are "
                                        : "The times that the program got from CUDA events are ");
  if (the.faultsNotTold > 0)
    std::fprintf(stderr, "There were %u faults more than are told.\n", the.faultsNotTold);
  for (const std::string& note : summary.notes) std::fprintf(stderr, "%s\n", note.c_str());
}

void print() {
  static bool printed = false;
  if (std::exchange(printed, true)) return;
  const ProgramSummary& summary = report().summary;
  const bool quiet = isQuiet() || (summary.kernels.empty() && summary.notes.empty());
  if (!quiet) printSummary();
  if (ProgramObserver* const observer = programObserver()) observer->programEnds(summary, quiet);
}

// With another exit code than the program's own where there were faults, or where what was asked
// for could not be.
void printAndEnd() {
  print();
  int code = programObserver() ? programObserver()->exitCode() : 0;
  if (code == 0 && !report().summary.faults.empty()) code = 1;
  if (code == 0) return;
  std::cout.flush();
  std::fflush(nullptr);
  std::_Exit(code);
}

// Printed after whatever the program itself does at its end.
struct AtEnd {
  AtEnd() {
    checkEnvironment();
    report();
    std::atexit(printAndEnd);
    watchTerminate();
  }
};
const AtEnd atEnd;

ProgramObserver* theObserver = nullptr;

}  // namespace

// Cut in the middle: what tells instances of a template apart stands at the end.
std::string shortName(const std::string& kernel) {
  constexpr size_t most = 40, behind = 14;
  if (kernel.size() <= most) return kernel;
  return kernel.substr(0, most - behind - 3) + "..." + kernel.substr(kernel.size() - behind);
}
std::string andMore(const std::vector<std::string>& kernels) {
  constexpr size_t widest = 160;  // of the names, but for the last one
  std::string names;
  for (const std::string& kernel : kernels)
    if (names.size() < widest) names += (names.empty() ? "" : ", ") + shortName(kernel);
  return "and " + std::to_string(kernels.size()) + " more: " + names;
}

void printReport() { print(); }

void observeProgram(ProgramObserver* observer) { theObserver = observer; }
ProgramObserver* programObserver() { return theObserver; }

void reportLaunch(const std::string& kernel, const Configuration& c, const Counters& counted,
                  uint64_t plainBlocks, const char* whyNonePlain) {
  auto& all = report().summary.kernels;
  auto it = std::ranges::find(all, kernel, &KernelTotals::kernel);
  if (it == all.end()) it = all.insert(all.end(), {kernel, 0, 0, 0, 0, {}, nullptr});
  ++it->launches;
  it->blocks += product(c.grid);
  it->plainBlocks += plainBlocks;
  if (whyNonePlain) it->whyNonePlain = whyNonePlain;
  it->threads += product(c.grid) * product(c.block);
  it->counters += counted;
}
void reportFault(const std::string& which, const std::string& text, bool isMild) {
  auto& told = isMild ? report().summary.mildFaults : report().summary.faults;
  if (std::ranges::find(report().told, which) != report().told.end()) return;
  if (told.size() >= 16) {
    ++report().faultsNotTold;
    return;
  }
  report().told.push_back(which);
  told.push_back(text);
  std::cout.flush();
  std::fflush(stdout);
  std::fprintf(stderr, "%s\n", text.c_str());
}
void reportEventTimes(bool areEstimated) {
  (areEstimated ? report().estimatedTimesRead : report().timesRead) = true;
}
void reportOtherUse(const std::string& note) {
  auto& notes = report().summary.notes;
  if (notes.size() < 8 && std::ranges::find(notes, note) == notes.end()) notes.push_back(note);
}

}  // namespace simt
