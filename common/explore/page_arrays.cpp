#include "explore/page_arrays.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <set>

using nlohmann::json;
using simt::lineBytes;
using simt::Trace;
using simt::TraceStep;

namespace {

constexpr uint64_t shownWhole = 64;  // lines of an array that is shown from end to end

template <typename Function>
void forEachLane(const TraceStep& step, Function&& function) {
  for (uint32_t left = step.lanes; left != 0; left &= left - 1)
    function(unsigned(std::countr_zero(left)));
}

std::optional<unsigned> mostFrequent(const std::map<unsigned, unsigned>& sizes) {
  const auto most =
      std::ranges::max_element(sizes, {}, [](const auto& size) { return size.second; });
  if (most == sizes.end()) return {};
  return most->first;
}

}  // namespace

bool isAccess(const PageStep& step) {
  return step.kind == PageStep::Kind::load || step.kind == PageStep::Kind::store ||
         step.kind == PageStep::Kind::atomic;
}

std::string PageArray::elementAt(uint64_t address) const {
  const uint64_t bytes = address - traced.address;
  std::string text = fmt::format("{}[{}]", traced.name, bytes / element);
  if (bytes % element != 0) text += fmt::format(" + {} bytes", bytes % element);
  return text;
}

std::string PageArray::typeText() const {
  if (!typeName.empty()) return typeName;
  return type == ValueType::floatingPoint ? "shown as floating-point numbers, by their bits"
                                          : "shown as integers, by their bits";
}

PageArrays::PageArrays(const Trace& trace, const std::vector<PageStep>& steps,
                       const std::set<std::string>& also, const DeclaredTypes& declared) {
  std::set<size_t> used;
  std::vector<simt::TracedArray> known = trace.arrays;
  for (const PageStep& step : steps)
    if (isAccess(step))
      forEachLane(*step.traced, [&](unsigned lane) {
        const uint64_t address = trace.address(*step.traced, lane);
        for (size_t i = 0; i < known.size(); ++i)
          if (address >= known[i].address && address < known[i].address + known[i].bytes)
            used.insert(i);
      });
  for (size_t i = 0; i < known.size(); ++i)
    if (!known[i].name.empty() && also.contains(known[i].name)) used.insert(i);
  for (const size_t i : used) arrays_.push_back({.traced = known[i]});
  // What is asked for first, then global memory before shared.
  std::ranges::stable_sort(arrays_, {}, [&](const PageArray& array) {
    return std::pair(!also.contains(array.traced.name), array.isShared());
  });
  measure(trace, steps, declared);
}

// Calls function(step, lane, place of the array) for each access to a known array.
template <typename Function>
void PageArrays::forEachAccess(const Trace& trace, const std::vector<PageStep>& steps,
                               Function&& function) const {
  for (const PageStep& step : steps)
    if (isAccess(step))
      forEachLane(*step.traced, [&](unsigned lane) {
        if (const auto a = placeOf(trace.address(*step.traced, lane))) function(step, lane, *a);
      });
}

// The cells, from the elements and from what is accessed at once; the lines that are shown.
void PageArrays::measure(const Trace& trace, const std::vector<PageStep>& steps,
                         const DeclaredTypes& declared) {
  std::vector<unsigned> common(arrays_.size());
  std::vector<std::map<unsigned, unsigned>> sizes(arrays_.size());
  std::vector<TypeGuess> guesses(arrays_.size());
  std::vector<std::set<uint64_t>> touched(arrays_.size());
  forEachAccess(trace, steps, [&](const PageStep& step, unsigned lane, unsigned a) {
    const TraceStep& traced = *step.traced;
    const uint64_t address = trace.address(traced, lane);
    const auto begin = unsigned((address - arrays_[a].traced.address) % lineBytes);
    common[a] = std::gcd(common[a], std::gcd(begin, unsigned(traced.bytes)));
    ++sizes[a][traced.bytes];
    if (Trace::hasValue(traced)) guesses[a].see(trace.value(traced, lane), traced.bytes);
    touched[a].insert(address);
    touched[a].insert(address + traced.bytes - 1);
  });
  uint64_t sharedBegin = ~uint64_t(0);
  for (const PageArray& array : arrays_)
    if (array.isShared()) sharedBegin = std::min(sharedBegin, uint64_t(array.traced.address));
  for (size_t a = 0; a < arrays_.size(); ++a) {
    PageArray& array = arrays_[a];
    const bool known = array.traced.elementSize > 1 || !array.isShared();
    const unsigned usual = mostFrequent(sizes[a]).value_or(4);
    array.element = known ? unsigned(array.traced.elementSize) : usual;
    array.cell = std::gcd(std::gcd(common[a], array.element), 16u);
    const auto type = array.isShared()
                          ? declared.ofShared(array.traced.name)
                          : declared.ofGlobal(array.traced.name, array.traced.elementSize);
    array.type = type ? type->type : guesses[a].type();
    if (type) array.typeName = type->name;
    array.lineBegin =
        array.traced.address - (array.isShared() ? (array.traced.address - sharedBegin) % lineBytes
                                                 : array.traced.address % lineBytes);
    const uint64_t rows = array.rowAt(array.traced.address + array.traced.bytes - 1) + 1;
    std::set<uint64_t> lines;
    for (const uint64_t address : touched[a]) lines.insert(array.rowAt(address));
    for (uint64_t row = 0; row < rows && rows <= shownWhole; ++row) lines.insert(row);
    array.lines.assign(lines.begin(), lines.end());
  }
}

std::optional<unsigned> PageArrays::placeOf(uint64_t address) const {
  for (unsigned a = 0; a < arrays_.size(); ++a)
    if (address >= arrays_[a].traced.address &&
        address < arrays_[a].traced.address + arrays_[a].traced.bytes)
      return a;
  return {};
}

std::optional<unsigned> PageArrays::placeOf(const std::string& name) const {
  for (unsigned a = 0; a < arrays_.size(); ++a)
    if (arrays_[a].traced.name == name) return a;
  return {};
}

Touched PageArrays::touchedBy(const Trace& trace, const TraceStep& step) const {
  Touched touched;
  std::set<uint64_t> addresses, bytes;
  std::map<uint64_t, std::set<uint64_t>> sectors;
  forEachLane(step, [&](unsigned lane) {
    const uint64_t address = trace.address(step, lane);
    const auto a = placeOf(address);
    touched.elements.push_back(a ? arrays_[*a].elementAt(address) : "memory");
    addresses.insert(address);
    if (!a || arrays_[*a].isShared() || step.kind == TraceStep::Kind::atomic) return;
    for (uint64_t byte = address; byte < address + step.bytes; ++byte) {
      sectors[arrays_[*a].sectorAt(byte)].insert(byte);
      bytes.insert(byte);
    }
  });
  touched.different = addresses.size();
  for (const auto& [number, used] : sectors)
    touched.sectors.push_back({number, unsigned(used.size())});
  touched.sectorsNeeded = unsigned((bytes.size() + sectorBytes - 1) / sectorBytes);
  return touched;
}

std::map<size_t, json> PageArrays::afterAtomics(const Trace& trace,
                                                const std::vector<PageStep>& steps) const {
  std::map<size_t, json> after;
  std::map<std::pair<uint32_t, uint64_t>, json> next;  // by block, of shared memory, and address
  for (size_t i = steps.size(); i-- > 0;) {
    if (!isAccess(steps[i])) continue;
    const TraceStep& traced = *steps[i].traced;
    const bool shared = traced.space == simt::MemorySpace::shared;
    const auto keyOf = [&](unsigned lane) {
      return std::pair{shared ? traced.block : 0u, trace.address(traced, lane)};
    };
    if (steps[i].kind == PageStep::Kind::atomic) {
      json& values = after[i] = json::array();
      forEachLane(traced, [&](unsigned lane) { values.push_back(next[keyOf(lane)]); });
    }
    forEachLane(traced, [&](unsigned lane) {
      const auto a = placeOf(trace.address(traced, lane));
      next[keyOf(lane)] = a && Trace::hasValue(traced) ? valueAsJson(trace.value(traced, lane),
                                                                     traced.bytes, arrays_[*a].type)
                                                       : json();
    });
  }
  return after;
}

json PageArrays::asJson(const Trace& trace, const std::vector<PageStep>& steps) const {
  std::vector<std::map<uint64_t, json>> before(arrays_.size());
  std::vector<std::set<uint64_t>> seen(arrays_.size());
  forEachAccess(trace, steps, [&](const PageStep& step, unsigned lane, unsigned a) {
    if (arrays_[a].isShared()) return;
    const TraceStep& traced = *step.traced;
    const uint64_t cell = arrays_[a].cellAt(trace.address(traced, lane));
    if (!seen[a].insert(cell).second || step.kind == PageStep::Kind::store) return;
    if (Trace::hasValue(traced))
      before[a][cell] = valueAsJson(trace.value(traced, lane), traced.bytes, arrays_[a].type);
  });
  json list = json::array();
  for (size_t a = 0; a < arrays_.size(); ++a) {
    const PageArray& array = arrays_[a];
    json initial = json::array();
    uint64_t next = ~uint64_t(0);
    for (const auto& [cell, value] : before[a]) {
      if (cell != next) initial.push_back({cell, json::array()});
      initial.back()[1].push_back(value);
      next = cell + 1;
    }
    const uint64_t elements = array.traced.bytes / array.element;
    list.push_back(
        {{"name", array.traced.name},
         {"about", fmt::format("{} memory, {} element{} of {} bytes, {}",
                               array.isShared() ? "shared" : "global", elements,
                               elements == 1 ? "" : "s", array.element, array.typeText())},
         {"space", array.isShared() ? "shared" : "global"},
         {"cell", array.cell},
         {"element", array.element},
         {"cells", array.cells()},
         {"offset", array.offset()},
         {"shown", array.lines},
         {"initial", initial}});
  }
  return list;
}
