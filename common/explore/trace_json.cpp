#include "explore/trace_json.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "base/escape.h"
#include "base/text.h"
#include "explore/estimate_json.h"
#include "explore/fault_place.h"
#include "explore/launch_json.h"
#include "explore/page_arrays.h"
#include "explore/page_steps.h"
#include "explore/passes.h"
#include "explore/sentences.h"
#include "explore/sources.h"

using nlohmann::json;
using simt::Counters;
using simt::Trace;
using simt::TraceStep;
using Kind = PageStep::Kind;

namespace {

constexpr const char* kindNames[] = {"load",    "store",  "atomic",      "shuffle",
                                     "vote",    "reduce", "warpbarrier", "arrive",
                                     "barrier", "branch", "return"};

std::vector<const void*> instructionsOf(const std::vector<PageStep>& steps,
                                        const Recording& recording) {
  std::set<const void*> all;
  for (const simt::Fault& fault : recording.faults)
    all.insert(fault.instructions.begin(), fault.instructions.end());
  for (const PageStep& step : steps) {
    all.insert(step.traced->pc);
    all.insert(step.ways.begin(), step.ways.end());
  }
  all.erase(nullptr);
  return {all.begin(), all.end()};
}

std::set<std::string> arraysOf(const std::vector<simt::Fault>& faults) {
  std::set<std::string> names;
  for (const simt::Fault& fault : faults) names.insert(fault.array);
  return names;
}

class Writer {
 public:
  Writer(const Recording& recording, size_t mostBytes)
      : recording_(recording),
        trace_(recording.trace),
        mostBytes_(mostBytes),
        placed_(stepsWithFaults(recording)),
        steps_(placed_.steps),
        sources_(instructionsOf(steps_, recording)),
        arrays_(trace_, steps_, arraysOf(recording.faults), DeclaredTypes(sources_.lines())),
        afterAtomics_(arrays_.afterAtomics(trace_, steps_)) {
    unsigned first = 0;
    for (const simt::TracedBlock& block : trace_.blocks) {
      firstWarp_.push_back(first);
      first += warpsOf(block);
    }
  }

  json write() {
    json steps = json::array(), faults = json::array();
    for (const simt::Fault& fault : recording_.faults)
      faults.push_back(faultAsJson(fault, recording_, sources_, arrays_));
    size_t bytes = 0, done = 0;
    addFaults(steps, faults, 0, false);
    for (; done < steps_.size(); ++done) {
      json one = stepAsJson(steps_[done]);
      bytes += one.dump().size();
      if (bytes > mostBytes_) break;
      steps.push_back(std::move(one));
      total_ += steps_[done].counted;
      addFaults(steps, faults, done + 1, false);
    }
    const bool cut = done < steps_.size() || trace_.cutOff;
    if (done < steps_.size()) addFaults(steps, faults, done + 1, true);
    const bool whole = !cut && !recording_.fault() && showsAllBlocks(trace_);
    return {{"title", terminalText(recording_.title)},
            {"about", aboutText(recording_)},
            {"cut", cut ? cutText(done) : ""},
            {"sources", sources_.asJson()},
            {"arrays", arrays_.asJson(trace_, steps_)},
            {"blocks", blocksAsJson(trace_)},
            {"counters", countersAsJson(whole ? recording_.counted : total_)},
            {"columns", columnsAsJson()},
            {"estimate", estimate()},
            {"steps", steps},
            {"faults", faults}};
  }

 private:
  // The faults that stand behind so many steps, or also those that stand further behind.
  void addFaults(json& steps, json& faults, size_t behind, bool allBehind) const {
    for (size_t i = 0; i < faults.size(); ++i) {
      const size_t place = placed_.places[i];
      if (allBehind ? place < behind : place != behind) continue;
      steps.push_back(faultStep(faults[i], i));
      faults[i]["t"] = steps.size();
    }
  }

  std::string cutText(size_t shown) const {
    return fmt::format("Cut off after {} steps: the rest would make this page too large.", shown);
  }

  Speaker speakerOf(const TraceStep& step) const {
    const simt::TracedBlock& block = trace_.blocks[step.block];
    const unsigned left = block.size.x * block.size.y * block.size.z - 32 * step.warp;
    return {.warp = step.warp,
            .present = left >= 32 ? ~0u : (1u << left) - 1,
            .block = trace_.blocks.size() > 1
                         ? fmt::format("block {}, ", placeText(block.index, ", "))
                         : ""};
  }

  json stepAsJson(const PageStep& step) {
    const TraceStep& traced = *step.traced;
    json one = {{"k", kindNames[int(step.kind)]},
                {"w", firstWarp_[traced.block] + traced.warp},
                {"m", traced.lanes},
                {"at", sources_.lineOf(traced.pc)}};
    json counted = json::array();
    size_t number = 0;
    for (const simt::CounterInfo& counter : simt::counterList) {
      if (const uint64_t by = step.counted.*counter.member) counted.push_back({number, by});
      ++number;
    }
    if (!counted.empty()) one["c"] = counted;
    std::string marks;
    if (step.counted.divergent_branches > 0) marks += 'd';
    if (step.kind == Kind::barrier) marks += 'b';
    if (isAccess(step)) {
      addAccess(one, step, marks);
    } else {
      std::vector<std::string> places;
      for (const void* way : step.ways) places.push_back(sources_.placeOf(way));
      one["text"] = sentenceOf(step, speakerOf(traced), trace_, places);
      if (step.kind == Kind::branch) one["parts"] = step.parts;
      if (Trace::hasValue(traced) && step.kind != Kind::branch) addExchange(one, step);
    }
    if (!marks.empty()) one["f"] = marks;
    return one;
  }

  void addAccess(json& one, const PageStep& step, std::string& marks) {
    const TraceStep& traced = *step.traced;
    Touched touched = arrays_.touchedBy(trace_, traced);
    const bool banks = traced.space == simt::MemorySpace::shared && step.kind != Kind::atomic;
    if (banks) {
      touched.passes = passesOf(trace_, traced);
      touched.mostPasses = *std::ranges::max_element(touched.passes);
      touched.fewestPasses = touched.mostPasses - traced.conflicts;
      if (traced.conflicts > 0) marks += 'c';
      if (touched.mostPasses > 1) {
        one["p"] = touched.passes;
        one["passes"] = touched.mostPasses;
      }
    }
    one["text"] = terminalText(sentenceOfAccess(step, speakerOf(traced), touched));
    json sectors = json::array();
    for (const Touched::Sector& sector : touched.sectors)
      sectors.push_back({sector.number, sector.usedBytes});
    if (!sectors.empty()) one["s"] = sectors;
    if (traced.sectors > touched.sectorsNeeded && !sectors.empty()) marks += 'w';
    addElements(one, step);
  }

  void addElements(json& one, const PageStep& step) {
    const TraceStep& traced = *step.traced;
    json cells = json::array(), values = json::array();
    std::optional<unsigned> array;
    for (uint32_t left = traced.lanes; left != 0; left &= left - 1) {
      const auto lane = unsigned(std::countr_zero(left));
      const uint64_t address = trace_.address(traced, lane);
      if (!array) array = arrays_.placeOf(address);
      if (!array) return;
      cells.push_back(arrays_.placeOf(address) == array
                          ? json(arrays_.all()[*array].cellAt(address))
                          : json(-1));
      values.push_back(
          Trace::hasValue(traced)
              ? valueAsJson(trace_.value(traced, lane), traced.bytes, arrays_.all()[*array].type)
              : json());
    }
    one["a"] = *array;
    one["o"] = cells;
    one["v"] = values;
    if (const auto after = afterAtomics_.find(size_t(&step - steps_.data()));
        after != afterAtomics_.end())
      one["u"] = after->second;
    const unsigned cellsEach = traced.bytes / arrays_.all()[*array].cell;
    if (cellsEach > 1) one["n"] = cellsEach;
  }

  // Of a shuffle, a vote, a reduction: what each lane gets or brings.
  void addExchange(json& one, const PageStep& step) {
    const TraceStep& traced = *step.traced;
    TypeGuess guess;
    json values = json::array(), from = json::array();
    const auto lanes = [&](auto&& function) {
      for (uint32_t left = traced.lanes; left != 0; left &= left - 1)
        function(unsigned(std::countr_zero(left)));
    };
    const auto bytesOf = [&](unsigned lane) {
      return trace_.value(traced, lane) >> 32 == 0 ? 4u : 8u;
    };
    unsigned bytes = 4;
    lanes([&](unsigned lane) { bytes = std::max(bytes, bytesOf(lane)); });
    lanes([&](unsigned lane) { guess.see(trace_.value(traced, lane), bytes); });
    json brought = json::array();
    for (unsigned lane = 0; lane < 32; ++lane) brought.push_back(nullptr);
    lanes([&](unsigned lane) {
      values.push_back(valueAsJson(trace_.value(traced, lane), bytes, guess.type()));
      if (step.kind != Kind::shuffle) return;
      const unsigned source = trace_.sourceLane(traced, lane) % 32;
      from.push_back(source);
      brought[source] = values.back();
    });
    one["v"] = values;
    if (step.kind != Kind::shuffle) return;
    one["from"] = from;
    one["b"] = brought;
  }

  json estimate() const {
    constexpr size_t mostOfTimeline = 120'000;
    if (!recording_.estimate) return nullptr;
    return estimateAsJson(*recording_.estimate, sources_, mostOfTimeline);
  }

  const Recording& recording_;
  const Trace& trace_;
  const size_t mostBytes_;
  const StepsWithFaults placed_;
  const std::vector<PageStep>& steps_;
  const Sources sources_;
  const PageArrays arrays_;
  const std::map<size_t, json> afterAtomics_;
  std::vector<unsigned> firstWarp_;
  Counters total_;
};

}  // namespace

json traceAsJson(const Recording& recording, size_t mostBytes) {
  return Writer(recording, mostBytes).write();
}
