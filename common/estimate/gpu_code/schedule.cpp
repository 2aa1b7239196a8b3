// ptxas puts what takes long first: loads go as early in their block as what they need, registers
// and memory that may be the same, allow. A list schedule does likewise, where ptxas was not asked.
#include <algorithm>
#include <set>
#include <tuple>

#include "estimate/gpu_code/costs_state.h"
#include "estimate/gpu_code/live_registers.h"
#include "estimate/gpu_code/machine.h"
#include "estimate/gpu_code/places.h"

namespace estimate::gpu_code {
namespace {

// Cycles, roughly: what decides is that loads take longer than all else.
double latencyOf(const Instruction& i) {
  switch (i.op) {
    case Op::ld:
      if (i.space == Space::param) return 1;
      return i.space == Space::shared ? 30 : 300;
    case Op::atom: return i.space == Space::shared ? 60 : 500;
    case Op::shfl:
    case Op::vote:
    case Op::redux: return 25;
    case Op::call: return 60;
    default: return 4.0 * std::max(1.0f, i.cost.chain) * (i.cost.copies ? 0 : 1);
  }
}

// The parameters that an address is made of.
void addPointers(const Uses& uses, const Operand& o, std::set<int64_t>& found,
                 std::set<uint32_t>& seen) {
  if (!isRegister(o) || o.bytes != 8 || !seen.insert(o.reg).second) return;
  for (const Instruction* i : uses.all[o.reg].writers) {
    if (i->op == Op::ld && i->space == Space::param) found.insert(i->from_[0].offset);
    if (isAnyOf(i->op, {Op::add, Op::cvta, Op::mov}))
      for (const Operand& from : i->from_) addPointers(uses, from, found, seen);
  }
}

class Scheduler {
 public:
  Scheduler(Function& function, BasicBlock& block, const LiveRegisters* live)
      : function_(function), block_(block), live_(live) {}
  void run();

 private:
  struct Node {
    std::vector<std::pair<uint32_t, double>> after;  // what comes later, and how much
    uint32_t waitsFor = 0;
    double height = 0, readyAt = 0;
  };
  void need(uint32_t first, uint32_t then, double latency) {
    nodes_[first].after.emplace_back(then, latency);
    ++nodes_[then].waitsFor;
  }
  // What was in an if, by its predicate: registers that it loads, and what reads these.
  struct If {
    uint32_t predicate = none;
    std::set<uint32_t> loaded;
    std::vector<uint32_t> uses;
  };
  void keepIfsInOrder(std::vector<If>& ifs, uint32_t k, bool isAskedHere);
  void findNeeds(size_t count);
  std::vector<uint32_t> longestFirst(size_t count, RoomForLoads room);
  std::vector<uint32_t> asAssembled(size_t count);

  Function& function_;
  BasicBlock& block_;
  const LiveRegisters* live_;  // null where ptxas was asked
  std::vector<Node> nodes_;
};

// More constants than stay at hand are read in the order in which the program has them.
bool readsManyConstants(const BasicBlock& block) {
  constexpr int64_t bytesAtHand = 2048;
  int64_t bytes = 0;
  for (const Instruction& i : block.code)
    if (i.isUniform && i.op == Op::ld) bytes += bytesAt(i);
  return bytes > bytesAtHand;
}

// Of ifs that load ptxas has the loads of two on their way at a time, but where their conditions
// are known before the block.
void Scheduler::keepIfsInOrder(std::vector<If>& ifs, uint32_t k, bool isAskedHere) {
  const Instruction& i = block_.code[k];
  for (If& its : ifs)
    if (std::ranges::any_of(
            i.from_, [&](const Operand& o) { return isRegister(o) && its.loaded.contains(o.reg); }))
      its.uses.push_back(k);
  if (i.op != Op::ld || i.space != Space::global || i.guard.kind != Operand::Kind::reg ||
      !isAskedHere)
    return;
  if (ifs.empty() || ifs.back().predicate != i.guard.reg) ifs.push_back({i.guard.reg, {}, {}});
  for (const Operand& o : i.to) ifs.back().loaded.insert(o.reg);
  if (ifs.size() > 2)
    for (const uint32_t use : ifs[ifs.size() - 3].uses) need(use, k, 1);
}

void Scheduler::findNeeds(size_t count) {
  const bool keepsConstants = readsManyConstants(block_);
  const std::vector<Place> places = placesIn(block_);
  uint32_t lastConstant = none;
  std::vector<uint32_t> writer(function_.registers.size(), none);
  std::vector<std::vector<uint32_t>> readers(function_.registers.size());
  std::vector<uint32_t> accesses;
  std::vector<If> ifs;
  uint32_t lastMeeting = none, lastOrder = none, lastCall = none, lastBranch = none;
  for (uint32_t k = 0; k < count; ++k) {
    const Instruction& i = block_.code[k];
    const auto reads = [&](const Operand& o) {
      if (!isRegister(o)) return;
      if (writer[o.reg] != none) need(writer[o.reg], k, latencyOf(block_.code[writer[o.reg]]));
      readers[o.reg].push_back(k);
    };
    for (const Operand& o : i.from_) reads(o);
    if (i.guard.kind != Operand::Kind::none) reads(i.guard);
    for (const Operand& o : i.to)
      if (o.kind == Operand::Kind::reg) {
        if (i.guard.kind != Operand::Kind::none && writer[o.reg] != none) need(writer[o.reg], k, 1);
        for (const uint32_t reader : readers[o.reg])
          if (reader != k) need(reader, k, 0);
        if (writer[o.reg] != none && readers[o.reg].empty()) need(writer[o.reg], k, 1);
        writer[o.reg] = k;
        readers[o.reg].clear();
      }
    if (!function_.isAssembled) {
      const bool isAskedHere = isRegister(i.guard) && writer[i.guard.reg] != none;
      keepIfsInOrder(ifs, k, isAskedHere);
    }
    if (keepsConstants && i.isUniform) {
      if (lastConstant != none) need(lastConstant, k, 0);
      lastConstant = k;
    }
    if (meetsOthers(i)) {
      if (lastMeeting != none) need(lastMeeting, k, 1);
      lastMeeting = k;
    }
    if (isPureCall(i)) {
      for (const uint32_t access : accesses)
        if (block_.code[access].space == Space::param) need(access, k, 1);
      if (lastOrder != none) need(lastOrder, k, 1);
      lastCall = k;
    } else if (ordersMemory(i)) {
      for (const uint32_t access : accesses) need(access, k, 1);
      if (lastOrder != none) need(lastOrder, k, 1);
      if (lastCall != none) need(lastCall, k, 1);
      accesses.clear();
      lastOrder = k;
    } else if (i.isMemory()) {
      if (lastOrder != none) need(lastOrder, k, 1);
      if (lastCall != none && i.space == Space::param)
        need(lastCall, k, latencyOf(block_.code[lastCall]));
      for (const uint32_t access : accesses) {
        const Instruction& other = block_.code[access];
        if ((writes(i) || writes(other)) && mayMeet(i, places[k], other, places[access]))
          need(access, k, 1);
      }
      accesses.push_back(k);
    }
    // A division's long way is a branch: what is behind it stays there.
    const bool branches =
        !function_.isAssembled && (hasLongWay(i) || (i.op == Op::call && hasBranches(i.name)));
    if (lastBranch != none && (branches || (i.isMemory() && i.space != Space::param)))
      need(lastBranch, k, 1);
    if (branches) lastBranch = k;
    if (i.mergedWith != none) need(i.mergedWith, k, 0);
  }
}

std::vector<uint32_t> Scheduler::longestFirst(size_t count, RoomForLoads room) {
  for (size_t k = count; k-- > 0;)
    for (const auto& [then, latency] : nodes_[k].after)
      nodes_[k].height = std::max(nodes_[k].height, latency + 1 + nodes_[then].height);
  std::vector<uint32_t> ready, order;
  for (uint32_t k = 0; k < count; ++k)
    if (nodes_[k].waitsFor == 0) ready.push_back(k);
  for (double now = 0; !ready.empty(); ++now) {
    // Those that there is room for; if there are none, what is no load; or else all.
    auto end =
        std::partition(ready.begin(), ready.end(), [&](uint32_t k) { return room.allows(k); });
    if (end == ready.begin())
      end = std::partition(ready.begin(), ready.end(), [&](uint32_t k) { return !room.isLoad(k); });
    if (end == ready.begin()) end = ready.end();
    const auto readyAt = [&](uint32_t k) { return nodes_[k].readyAt; };
    now = std::max(now, readyAt(*std::min_element(ready.begin(), end, [&](uint32_t a, uint32_t b) {
                     return readyAt(a) < readyAt(b);
                   })));
    const auto best = std::min_element(ready.begin(), end, [&](uint32_t a, uint32_t b) {
      return std::tuple(readyAt(a) > now, -nodes_[a].height, a) <
             std::tuple(readyAt(b) > now, -nodes_[b].height, b);
    });
    const uint32_t k = *best;
    ready.erase(best);
    room.take(k);
    order.push_back(k);
    for (const auto& [then, latency] : nodes_[k].after) {
      nodes_[then].readyAt = std::max(nodes_[then].readyAt, now + latency);
      if (--nodes_[then].waitsFor == 0) ready.push_back(then);
    }
  }
  return order;
}

// As ptxas has them; what became nothing comes in front of who needs it first.
std::vector<uint32_t> Scheduler::asAssembled(size_t count) {
  using Place = std::pair<uint32_t, uint32_t>;
  std::vector<Place> places;
  for (uint32_t k = 0; k < count; ++k) places.emplace_back(block_.code[k].order, k);
  for (size_t k = count; k-- > 0;)
    if (block_.code[k].order == none)
      for (const auto& [then, latency] : nodes_[k].after)
        places[k].first = std::min(places[k].first, places[then].first);
  std::set<Place> ready;
  for (uint32_t k = 0; k < count; ++k)
    if (nodes_[k].waitsFor == 0) ready.insert(places[k]);
  std::vector<uint32_t> order;
  while (!ready.empty()) {
    const uint32_t k = ready.begin()->second;
    ready.erase(ready.begin());
    order.push_back(k);
    for (const auto& [then, latency] : nodes_[k].after)
      if (--nodes_[then].waitsFor == 0) ready.insert(places[then]);
  }
  return order;
}

void Scheduler::run() {
  std::vector<Instruction>& code = block_.code;
  size_t count = code.size();
  const auto isEnd = [](const Instruction& i) {
    return i.op == Op::bra || i.op == Op::brx || i.op == Op::ret || i.op == Op::exit;
  };
  while (count > 0 && isEnd(code[count - 1])) --count;
  if (count < 3) return;
  nodes_.resize(code.size());
  findNeeds(count);
  std::vector<uint32_t> places(code.size());
  std::vector<Instruction> sorted;
  sorted.reserve(code.size());
  const auto number = uint32_t(&block_ - function_.blocks.data());
  for (const uint32_t k :
       live_ ? longestFirst(count, {*live_, block_, number}) : asAssembled(count))
    places[k] = uint32_t(sorted.size()), sorted.push_back(std::move(code[k]));
  for (size_t k = count; k < code.size(); ++k) sorted.push_back(std::move(code[k]));
  for (Instruction& i : sorted)
    if (i.mergedWith != UINT32_MAX) i.mergedWith = places[i.mergedWith];
  code = std::move(sorted);
}

}  // namespace

// A pointer to what the kernel does not write is one for all loads that are made of it: clang++
// does not say so of those that are many steps from it.
void findReadOnly(Function& f) {
  const Uses uses(f);
  std::vector<std::pair<Instruction*, int64_t>> loads;  // by the one parameter that each is made of
  std::set<int64_t> readOnly;
  for (BasicBlock& block : f.blocks)
    for (Instruction& i : block.code) {
      if (i.op != Op::ld || i.space != Space::global || i.isVolatile) continue;
      std::set<int64_t> pointers;
      std::set<uint32_t> seen;
      addPointers(uses, i.from_[0], pointers, seen);
      if (pointers.size() != 1) continue;
      loads.emplace_back(&i, *pointers.begin());
      if (i.isReadOnly) readOnly.insert(*pointers.begin());
    }
  for (const auto& [load, pointer] : loads)
    if (readOnly.contains(pointer)) load->isReadOnly = true;
}

void schedule(Function& f) {
  if (f.isAssembled) {
    for (BasicBlock& block : f.blocks) Scheduler(f, block, nullptr).run();
    return;
  }
  const LiveRegisters live(f);
  findTurnsTogether(f, live);
  for (BasicBlock& block : f.blocks) Scheduler(f, block, &live).run();
  f.neededRegisters = neededRegisters(f);
}

}  // namespace estimate::gpu_code
