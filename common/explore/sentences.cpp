#include "explore/sentences.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>

using Kind = PageStep::Kind;

namespace {

unsigned countOf(uint32_t lanes) { return unsigned(std::popcount(lanes)); }

std::vector<unsigned> numbersOf(uint32_t lanes) {
  std::vector<unsigned> numbers;
  for (; lanes != 0; lanes &= lanes - 1) numbers.push_back(unsigned(std::countr_zero(lanes)));
  return numbers;
}

std::string plural(unsigned count, const std::string& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : noun.ends_with('s') ? "es" : "s");
}

std::string capital(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = char(text[0] - 'a' + 'A');
  return text;
}

std::string nameOf(const Speaker& speaker) {
  return capital(fmt::format("{}warp {}", speaker.block, speaker.warp));
}

// Who does something: "Warp 0 loads", "Lane 3 of warp 0 loads", "Lanes 0 to 3 of warp 0 load".
std::string doing(const Speaker& speaker, uint32_t lanes, const std::string& verb) {
  if (lanes == speaker.present) return nameOf(speaker) + ' ' + verb;
  const std::string plural = verb.substr(0, verb.size() - (verb.ends_with("sses") ? 2 : 1));
  return fmt::format("{} of {}warp {} {}", capital(lanesText(lanes)), speaker.block, speaker.warp,
                     countOf(lanes) == 1 ? verb : plural);
}

// The first ones, and the last.
std::string some(const std::vector<std::string>& names) {
  if (names.size() > 4)
    return fmt::format("{}, {}, {}, … {}", names[0], names[1], names[2], names.back());
  std::string text = names.at(0);
  for (size_t i = 1; i < names.size(); ++i)
    text += (i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

std::string usedText(const Touched& touched) {
  unsigned used = 0;
  bool alike = true;
  for (const Touched::Sector& sector : touched.sectors) {
    used += sector.usedBytes;
    alike = alike && sector.usedBytes == touched.sectors[0].usedBytes;
  }
  const bool one = touched.sectors.size() == 1;
  const unsigned each = touched.sectors[0].usedBytes;
  if (alike && each == sectorBytes) return one ? "all of it used" : "all of each used";
  if (alike && (each == 16 || each == 8 || each == 4)) {
    const std::string part = each == 16 ? "half" : each == 8 ? "a quarter" : "an eighth";
    return part + (one ? " of it used" : " of each used");
  }
  return fmt::format("{} of {} bytes used", used, touched.sectors.size() * sectorBytes);
}

std::string sectorsText(const Touched& touched) {
  if (touched.sectors.empty()) return "in no array that is known";
  const auto sectors = unsigned(touched.sectors.size());
  std::string text = plural(sectors, "sector") + ", " + usedText(touched);
  if (sectors > touched.sectorsNeeded)
    text += fmt::format("; {} would hold as much", touched.sectorsNeeded);
  return text;
}

std::string passesText(const Touched& touched) {
  if (touched.mostPasses <= touched.fewestPasses)
    return touched.fewestPasses == 1
               ? "one pass through the banks"
               : fmt::format("{} passes, the fewest for so many bytes", touched.fewestPasses);
  if (touched.fewestPasses == 1)
    return fmt::format("{} passes, as up to {} different words lie in one bank", touched.mostPasses,
                       touched.mostPasses);
  return fmt::format("{} passes instead of {}, as words meet in their banks", touched.mostPasses,
                     touched.fewestPasses);
}

// What all lanes of a shuffle have in common.
std::string shuffleText(const simt::Trace& trace, const simt::TraceStep& step) {
  std::optional<int> distance, flip, source;
  bool sameDistance = true, sameFlip = true, sameSource = true;
  for (const unsigned lane : numbersOf(step.lanes)) {
    const int from = int(trace.sourceLane(step, lane)), to = int(lane);
    sameSource = sameSource && from == source.value_or(from);
    source = from;
    sameFlip = sameFlip && (from ^ to) == flip.value_or(from ^ to);
    flip = from ^ to;
    if (from == to) continue;  // beyond the end, a lane keeps its own
    sameDistance = sameDistance && from - to == distance.value_or(from - to);
    distance = from - to;
  }
  if (sameSource && countOf(step.lanes) > 1)
    return fmt::format("each lane takes the value of lane {}", source.value_or(0));
  if (sameDistance && distance)
    return fmt::format("each lane takes the value of the lane {} {} it, where there is one",
                       std::abs(*distance), *distance > 0 ? "above" : "below");
  if (sameFlip && flip)
    return fmt::format("each lane takes the value of the lane whose number differs by the bits {}",
                       *flip);
  return "each lane takes the value of another";
}

std::string voteText(const simt::Trace& trace, const simt::TraceStep& step) {
  unsigned yes = 0;
  for (const unsigned lane : numbersOf(step.lanes)) yes += trace.value(step, lane) != 0;
  return fmt::format("{} of {} say yes", yes, plural(countOf(step.lanes), "lane"));
}

std::string branchText(const PageStep& step, const std::vector<std::string>& places) {
  std::vector<std::string> ways;
  for (size_t i = 0; i < step.parts.size(); ++i) {
    const std::string who = lanesText(step.parts[i]);
    const bool one = countOf(step.parts[i]) == 1;
    const bool known =
        i < places.size() && !places[i].empty() && std::ranges::count(places, places[i]) == 1;
    if (known)
      ways.push_back(fmt::format("{} {} on at {}", who, one ? "goes" : "go", places[i]));
    else
      ways.push_back(
          fmt::format("{} {} {} way", who, one ? "goes" : "go", i == 0 ? "one" : "another"));
  }
  return some(ways);
}

}  // namespace

std::string lanesText(uint32_t lanes) {
  const std::vector<unsigned> numbers = numbersOf(lanes);
  if (numbers.empty()) return "no lane";
  if (numbers.size() == 1) return fmt::format("lane {}", numbers[0]);
  if (numbers.back() - numbers[0] + 1 == numbers.size())
    return fmt::format("lanes {} to {}", numbers[0], numbers.back());
  std::vector<std::string> names;
  for (const unsigned number : numbers) names.push_back(std::to_string(number));
  return "lanes " + some(names);
}

std::string sentenceOfAccess(const PageStep& step, const Speaker& speaker, const Touched& touched) {
  const simt::TraceStep& traced = *step.traced;
  const unsigned lanes = countOf(traced.lanes);
  const bool shared = traced.space == simt::MemorySpace::shared;
  const char* const verb = step.kind == Kind::load    ? "loads"
                           : step.kind == Kind::store ? "stores"
                                                      : "updates";
  std::string text = doing(speaker, traced.lanes, verb) + ' ';
  if (touched.different == 1)
    text += lanes > 1 ? fmt::format("{}, all lanes the same", touched.elements[0])
                      : touched.elements[0];
  else
    text += some(touched.elements);
  if (step.kind == Kind::atomic) {
    text += " atomically: ";
    return text +
           (traced.conflicts > 0 ? fmt::format("up to {} lanes take turns", traced.conflicts + 1)
                                 : "no lane waits for another") +
           ".";
  }
  if (shared) text += step.kind == Kind::load ? " from shared memory" : " in shared memory";
  return text + ": " + (shared ? passesText(touched) : sectorsText(touched)) + ".";
}

std::string sentenceOf(const PageStep& step, const Speaker& speaker, const simt::Trace& trace,
                       const std::vector<std::string>& places) {
  const simt::TraceStep& traced = *step.traced;
  const std::string name = nameOf(speaker);
  const auto who = [&](const std::string& verb) { return doing(speaker, traced.lanes, verb); };
  const bool grid = traced.kind == simt::TraceStep::Kind::gridBarrier;
  const std::string barrier = grid ? "the barrier of the grid" : "the barrier";
  switch (step.kind) {
    case Kind::shuffle: return who("shuffles") + ": " + shuffleText(trace, traced) + ".";
    case Kind::vote: return who("votes") + ": " + voteText(trace, traced) + ".";
    case Kind::reduce: return who("reduces") + " the values of its lanes to one.";
    case Kind::warpBarrier: return who("passes") + " a barrier of the warp.";
    case Kind::arrive:
      return fmt::format("{} at {}: {} of {} warps {} there.", who("waits"), barrier, step.arrived,
                         step.warps, step.arrived == 1 ? "is" : "are");
    case Kind::barrier:
      if (step.warps == 1) return fmt::format("{} {}.", who("passes"), barrier);
      return fmt::format("{} is the last at {}: {} warps go on.", name, barrier,
                         step.warps == 2 ? "both" : fmt::format("all {}", step.warps));
    case Kind::branch: return name + " parts: " + branchText(step, places) + ".";
    default: return who("returns") + ".";
  }
}
