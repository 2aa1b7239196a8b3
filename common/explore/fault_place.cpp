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

std::optional<unsigned> blockOf(const Recording& recording) {
  const std::vector<simt::TracedBlock>& blocks = recording.trace.blocks;
  const auto found = std::ranges::find_if(blocks, [&](const simt::TracedBlock& block) {
    return isAt(block.index, recording.fault->block);
  });
  if (found == blocks.end()) return {};
  return unsigned(found - blocks.begin());
}

// The steps in which this thread of the fault executes its instruction.
std::vector<size_t> stepsOf(const std::vector<PageStep>& steps, const Recording& recording,
                            unsigned block, size_t thread) {
  const Fault& fault = *recording.fault;
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

}  // namespace

std::vector<PageStep> stepsUntilFault(const Recording& recording) {
  std::vector<PageStep> steps = pageSteps(recording.trace);
  const auto block = recording.fault ? blockOf(recording) : std::nullopt;
  if (!block) return steps;
  // Of a loop that comes to these instructions more than once, the turns nearest to each other.
  const std::vector<size_t> ones = stepsOf(steps, recording, *block, 0);
  const std::vector<size_t> others = stepsOf(steps, recording, *block, 1);
  size_t end = ones.empty() ? steps.size() : ones.front() + 1, nearest = SIZE_MAX;
  for (const size_t one : ones)
    for (const size_t other : others) {
      const size_t distance = one > other ? one - other : other - one;
      if (distance >= nearest) continue;
      nearest = distance;
      end = std::max(one, other) + 1;
    }
  steps.resize(end);
  return steps;
}

json faultAsJson(const Recording& recording, const Sources& sources, const PageArrays& arrays) {
  const Fault& fault = *recording.fault;
  json lines = json::array(), marks = json::array();
  unsigned firstWarp = 0;
  const auto block = blockOf(recording);
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
  return {{"text", terminalText(fault.what())}, {"lines", lines}, {"marks", marks}};
}

json faultStep(const json& fault) {
  const json& marks = fault["marks"];
  const bool known = !marks.empty();
  uint32_t lanes = 0;
  for (const json& mark : marks)
    if (mark["w"] == marks[0]["w"]) lanes |= 1u << mark["lane"].get<unsigned>();
  return {{"k", "fault"}, {"w", known ? marks[0]["w"].get<unsigned>() : 0u},
          {"m", lanes},   {"at", known ? marks[0]["at"].get<int>() : -1},
          {"f", "f"},     {"text", fault["text"]}};
}
