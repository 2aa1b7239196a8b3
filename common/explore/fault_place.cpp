#include "explore/fault_place.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "base/escape.h"

using nlohmann::json;
using simt::Fault;
using simt::Trace;

namespace {

bool isAt(dim3 a, dim3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

unsigned rankOf(dim3 thread, dim3 block) {
  return thread.x + block.x * (thread.y + block.y * thread.z);
}

std::optional<unsigned> blockOf(const Fault& fault, const Recording& recording) {
  const std::vector<simt::TracedBlock>& blocks = recording.trace.blocks;
  const auto found = std::ranges::find_if(
      blocks, [&](const simt::TracedBlock& block) { return isAt(block.index, fault.block); });
  if (found == blocks.end()) return {};
  return unsigned(found - blocks.begin());
}

// The steps in which this thread of the fault executes its instruction.
std::vector<size_t> stepsOf(const std::vector<PageStep>& steps, const Fault& fault,
                            const Recording& recording, unsigned block, size_t thread) {
  std::vector<size_t> found;
  if (thread >= fault.threads.size() || thread >= fault.instructions.size()) return found;
  const unsigned rank = rankOf(fault.threads[thread], recording.trace.blocks[block].size);
  for (size_t i = 0; i < steps.size(); ++i) {
    const simt::TraceStep& step = *steps[i].traced;
    if (step.block == block && step.warp == rank / 32 && (step.lanes >> rank % 32 & 1) &&
        step.pc == fault.instructions[thread] && steps[i].kind != PageStep::Kind::branch)
      found.push_back(i);
  }
  return found;
}

// How many steps come before the fault; nothing where it is not known.
std::optional<size_t> placeOf(const Fault& fault, const std::vector<PageStep>& steps,
                              const Recording& recording) {
  const auto block = blockOf(fault, recording);
  if (!block) return {};
  // Of a loop that comes to these instructions more than once, the turns nearest to each other.
  const std::vector<size_t> ones = stepsOf(steps, fault, recording, *block, 0);
  const std::vector<size_t> others = stepsOf(steps, fault, recording, *block, 1);
  if (ones.empty()) return {};
  size_t end = ones.front() + 1, nearest = SIZE_MAX;
  for (const size_t one : ones)
    for (const size_t other : others) {
      const size_t distance = one > other ? one - other : other - one;
      if (distance >= nearest) continue;
      nearest = distance;
      end = std::max(one, other) + 1;
    }
  return end;
}

}  // namespace

StepsWithFaults stepsWithFaults(const Recording& recording) {
  StepsWithFaults all{pageSteps(recording.trace), {}};
  size_t last = 0;
  bool ends = false;
  for (const Fault& fault : recording.faults) {
    const auto place = placeOf(fault, all.steps, recording);
    all.places.push_back(place.value_or(all.steps.size()));
    last = std::max(last, place.value_or(0));
    ends = ends || (place && !fault.mild);
  }
  if (!ends) return all;
  all.steps.resize(last);
  for (size_t& place : all.places) place = std::min(place, last);
  return all;
}

json faultAsJson(const Fault& fault, const Recording& recording, const Sources& sources,
                 const PageArrays& arrays) {
  json lines = json::array(), marks = json::array();
  unsigned firstWarp = 0;
  const auto block = blockOf(fault, recording);
  for (unsigned b = 0; block && b < *block; ++b) firstWarp += warpsOf(recording.trace.blocks[b]);
  const auto array = arrays.placeOf(fault.array);
  json cell = -1;
  if (array) {
    const PageArray& place = arrays.all()[*array];
    cell = fault.index * int64_t(place.element) / int64_t(place.cell);
  }
  for (size_t i = 0; i < fault.threads.size() && i < 2; ++i) {
    const int line = i < fault.instructions.size() ? sources.lineOf(fault.instructions[i]) : -1;
    if (line >= 0) lines.push_back(line);
    if (!block) continue;
    const unsigned rank = rankOf(fault.threads[i], recording.trace.blocks[*block].size);
    marks.push_back({{"w", firstWarp + rank / 32},
                     {"lane", rank % 32},
                     {"at", line},
                     {"a", array ? int(*array) : -1},
                     {"o", cell}});
  }
  std::string text = fault.what();
  if (fault.mild) text = std::string(kindName(fault.kind)) + ", which is forgiven: " + text;
  return {{"kind", kindName(fault.kind)},
          {"mild", fault.mild},
          {"text", terminalText(text)},
          {"lines", lines},
          {"marks", marks}};
}

json faultStep(const json& fault, size_t number) {
  const json& marks = fault["marks"];
  const bool known = !marks.empty();
  uint32_t lanes = 0;
  for (const json& mark : marks)
    if (mark["w"] == marks[0]["w"]) lanes |= 1u << mark["lane"].get<unsigned>();
  return {{"k", "fault"}, {"w", known ? marks[0]["w"].get<unsigned>() : 0u},
          {"m", lanes},   {"at", known ? marks[0]["at"].get<int>() : -1},
          {"f", "f"},     {"text", fault["text"]},
          {"n", number}};
}
