// What a warp does, as the model reads it: part of feed.h.
#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "estimate/gpu_code/costs_state.h"
#include "estimate/gpu_code/feed.h"

namespace estimate::gpu_code {
namespace {

using Kind = Operation::Kind;

bool bringsValue(Kind kind) {
  return kind == Kind::load || kind == Kind::sharedLoad || kind == Kind::atomic ||
         kind == Kind::sharedAtomic || kind == Kind::constantLoad || kind == Kind::shuffle ||
         kind == Kind::vote;
}

// What an unrolled loop has of several turns on its way at a time.
bool goesTogether(Kind kind) { return kind == Kind::load || kind == Kind::sharedLoad; }

}  // namespace

std::vector<WarpWriter::Value>& WarpWriter::valuesOf(const Function& function) {
  if (lastFunction_ == &function) return *lastValues_;
  std::vector<Value>& values = values_[&function];
  values.resize(function.registers.size());
  lastFunction_ = &function;
  lastValues_ = &values;
  return values;
}

WarpWriter::WarpWriter(unsigned specialRegisters) {
  Operation read;
  read.kind = Kind::specialRegister;
  read.lanes = 32;
  read.neededAt = specialRegisters;
  warp_.operations.assign(specialRegisters, read);
  run_.count -= float(specialRegisters);  // where they are read they are counted again
}

void WarpWriter::enter(const BasicBlock& block, bool isApart) {
  if (block_ != &block && !together_.empty()) {  // the loop ends before its turns
    issue();
    for (auto& [instruction, loads] : together_)
      block_->leavesParts ? needInParts(loads) : needAllNow(loads);
    together_.clear();
  }
  turn_ = block_ == &block && !isApart_ ? turn_ + 1 : 0;
  block_ = &block;
  isApart_ = isApart;
  if (isApart) add(block.costApart);
}

void WarpWriter::add(float instructions) {
  run_.count += instructions;
  run_.control += 1, jumps_ += cyclesOfJump;
}

void WarpWriter::needAt(uint32_t place, size_t operation) {
  uint32_t& at = warp_.operations[place].neededAt;
  at = std::min(at, uint32_t(operation));
  if (const auto unread = unreadOf_.find(place); unread != unreadOf_.end()) {
    warp_.operations[unread->second].neededAt = at;
    unreadOf_.erase(unread);
  }
  const auto asked = asked_.find(place);
  if (asked == asked_.end()) return;
  waits_ = std::max(waits_, asked->second + 1);
  asked_.erase(asked);
}

void WarpWriter::needNow(uint32_t place) { needAt(place, warp_.operations.size()); }

void WarpWriter::needAllNow(std::vector<uint32_t>& places) {
  for (const uint32_t place : places) needNow(place);
  places.clear();
}

// Turns that are left over of an unrolled loop: by eight, then by four, and so on.
void WarpWriter::needInParts(std::vector<uint32_t>& places) {
  size_t first = 0;
  while (first < places.size()) {
    const size_t next = first + std::bit_floor(places.size() - first);
    if (next == places.size()) break;
    for (; first < next; ++first) needAt(places[first], places[next]);
  }
  needAllNow(places);
}

void WarpWriter::needLoad(uint32_t place) {
  needNow(place);
  for (auto its = together_.begin(); its != together_.end(); ++its)
    if (its->second.back() == place) {
      needAllNow(its->second);
      together_.erase(its);
      return;
    }
}

void WarpWriter::keepBusy(const Cost& cost) {
  for (size_t u = 0; u < cost.unitCycles.size(); ++u) run_.unitCycles[u] += cost.unitCycles[u];
  run_.yields += cost.yields;
  run_.control += cost.control;
  run_.registerCycles += cost.registerCycles;
}

void WarpWriter::issue() {
  ++runNumber_;
  branchDepth_ = 0;
  if (run_.count < 0.5f) return;  // fractions, and what costs nothing, go into the next
  run_.chain = std::max(run_.chain, 1.0f);
  if (cycles_ > 0) run_.chain = cycles_ / cyclesOfChain, run_.isInOrder = true;  // ptxas knows it
  if (jumps_ > 0)
    run_.chain = std::max(run_.chain, run_.count / cyclesOfChain) + jumps_ / cyclesOfChain;
  warp_.operations.push_back(run_);
  run_ = noRun();
  cycles_ = jumps_ = 0;
}

float WarpWriter::need(const Instruction& i, std::vector<Value>& values) {
  float depth = 0;
  bool waits = false;
  const auto each = [&](auto&& function) {
    for (const Operand& o : i.from_)
      if (isRegister(o)) function(values[o.reg]);
    if (i.guard.kind == Operand::Kind::reg) function(values[i.guard.reg]);
  };
  // What was waited for once is there.
  const auto isPending = [&](const Value& v) {
    return v.pending != Operation::never &&
           warp_.operations[v.pending].neededAt == Operation::never &&
           !(loadsGoOn() && goesTogether(warp_.operations[v.pending].kind));
  };
  each([&](const Value& v) { waits = waits || isPending(v); });
  if (waits) {
    issue();
    each([&](Value& v) {
      if (!isPending(v)) return;
      needLoad(v.pending);
      v.pending = Operation::never;
    });
  }
  each([&](const Value& v) {
    if (v.run == runNumber_) depth = std::max(depth, v.depth);
  });
  return depth;
}

void WarpWriter::compute(const Instruction& i, const Function& function, uint32_t source,
                         LongWay longWay) {
  std::vector<Value>& values = valuesOf(function);
  if (i.cost.copies) {
    Value copied;
    for (const Operand& o : i.from_)
      if (isRegister(o)) {
        const Value& v = values[o.reg];
        if (v.pending != Operation::never || copied.run != runNumber_ ||
            (v.run == runNumber_ && v.depth > copied.depth))
          copied = v;
      }
    for (const Operand& o : i.to)
      if (o.kind == Operand::Kind::reg) values[o.reg] = copied;
    return;
  }
  // A function has its arguments from before it is called, and its result is read behind it.
  const bool isParam = i.space == Space::param && isAnyOf(i.op, {Op::st, Op::ld});
  const float chain = i.cost.chain + longWay.cycles / cyclesOfChain;
  float depth = std::max(need(i, values), branchDepth_) + chain;
  if (called_.run == runNumber_ && (i.op == Op::call || (isParam && i.op == Op::ld)))
    depth = std::max(depth, called_.depth + chain);
  if (i.op == Op::call || (isParam && i.op == Op::st)) {
    const bool isNext = i.op == Op::st && isCalled_;  // the first that another is called with
    const bool isMore =
        i.op == Op::st && !isNext && called_.run == runNumber_ && called_.depth > depth;
    if (!isMore) called_ = {Operation::never, runNumber_, depth};
    isCalled_ = i.op == Op::call;
  }
  if (source != 0) run_.source = source;
  run_.count += i.cost.count + longWay.instructions;
  if (function.isAssembled) cycles_ += i.cost.cycles + longWay.cycles;
  run_.special += i.cost.special;
  keepBusy(i.cost);
  run_.chain = std::max(run_.chain, depth);
  const bool isBranch = (i.op == Op::bra || i.op == Op::brx) && i.cost.count > 0;
  // What follows a branch waits for it; of an unrolled loop there is one for several turns, and
  // those of its divisions.
  if ((isBranch && !isBatched()) || hasLongWay(i)) branchDepth_ = depth;
  for (const Operand& o : i.to)
    if (o.kind == Operand::Kind::reg) values[o.reg] = {Operation::never, runNumber_, depth};
}

void WarpWriter::readUniform(uint64_t line, bool isIndexed, float reads) {
  if (run_.uniformReads > 0 && (run_.address != line || run_.isIndexed != isIndexed)) issue();
  run_.address = line, run_.isIndexed = isIndexed;
  run_.uniformReads += reads;
}

void WarpWriter::jump(const Cost& cost, bool isTaken, bool parts, bool isBack) {
  if (isBack) unread_ = Operation::never;
  jumps_ += parts ? cyclesOfParting : isTaken ? cost.jump : cost.stay;
  run_.count += parts;
  run_.control += parts;
}

void WarpWriter::prepare(const Instruction& i, const Function& function) {
  run_.count += i.cost.before;
  if (!function.isAssembled) run_.chain += std::max(0.0f, i.cost.chain - 1);
  cycles_ += i.cost.cycles;
  if (function.isAssembled) keepBusy(i.cost);
  // ptxas mixes two turns of an unrolled loop: that which waits, and the next.
  const bool isMixed = i.op == Op::ld && block_ && !isApart_ && block_->turnsTogether > 1 &&
                       turn_ > 0 && turn_ % 2 == 0;
  if (!isMixed) issue();
  need(i, valuesOf(function));
}

void WarpWriter::operate(const Instruction& i, const Function& function, Operation operation,
                         uint32_t source) {
  std::vector<Value>& values = valuesOf(function);
  const auto place = uint32_t(warp_.operations.size());
  operation.source = source;
  const bool brings = bringsValue(operation.kind) && operation.lanes > 0;
  if (operation.kind == Operation::Kind::load) asked_.emplace(place, waits_);
  // ptxas has no instruction that exchanges and answers nothing: the answer comes by the signal of
  // the load behind it, and who waits for that waits for both.
  const bool isAtomic = operation.kind == Operation::Kind::atomic && operation.lanes > 0;
  if (i.isUnread && isAtomic) unread_ = place;
  if (operation.kind == Operation::Kind::load && unread_ != Operation::never)
    unreadOf_.emplace(place, std::exchange(unread_, Operation::never));
  warp_.operations.push_back(operation);
  if (i.op == Op::cp) copies.push_back(place);
  if (goesTogether(operation.kind) && brings && block_ && !isApart_ && block_->turnsTogether > 1)
    together_[&i].push_back(place);
  if (i.mergedBytes > 0) firsts_[&i] = place;
  for (const Operand& o : i.to)
    if (o.kind == Operand::Kind::reg) values[o.reg] = {brings ? place : Operation::never, 0, 0};
}

// Floats in shared memory are added by a loop: a load, the sum, and an atomic that puts it there if
// nobody else was quicker. 32 turns of one warp take 96 cycles each on an H200. The last turn's
// atomic is left to operate().
void WarpWriter::swapUntilDone(Operation& atomic, uint32_t source, double swaps) {
  // In sums' latencies: of a turn's sum and jump, of all else in it, and of the lanes that meet
  // behind the last.
  constexpr float sumChain = 1.3f, jumpChain = 9.5f, accessChain = 14, meetChain = 14;
  constexpr double listed = 32;
  swapsLeft_ += swaps;
  const double turns = std::max(1.0, std::floor(swapsLeft_));
  swapsLeft_ -= turns;
  const unsigned each = atomic.bytes == 8 ? 2 : 1, first = atomic.conflicts;
  // Of many turns one stands for several.
  const double together = std::ceil(turns / listed);
  atomic.passes = uint16_t(2 * each * together), atomic.conflicts = 0;
  const auto put = [&](Operation o) {
    o.source = source;
    o.neededAt =
        o.kind == Kind::instructions ? Operation::never : uint32_t(warp_.operations.size()) + 1;
    warp_.operations.push_back(o);
  };
  Operation load = atomic, sum, jump;
  load.kind = Kind::sharedLoad;
  sum.count = sum.chain = sumChain;
  // … with the loads, sums and atomics of the turns that it stands for.
  jump.count = float(2.7 * together + (2 + sumChain) * (together - 1));
  jump.control = float(together);
  jump.chain = float(jumpChain + (together - 1) * (jumpChain + accessChain));
  if (turns > 1) {
    Operation meet;
    meet.count = 2, meet.chain = meetChain;
    put(meet);
  }
  for (double turn = 0; turn < turns; turn += together) {
    // Lanes that are through ask no more.
    const double passes = together * std::max<double>(each, first * (1 - turn / turns));
    load.passes = uint16_t(passes), load.conflicts = uint16_t(passes - together * each);
    put(load), put(sum);
    if (turn + together < turns) put(atomic), put(jump);
  }
}

void WarpWriter::share(const Instruction& i, const Function& function, const Instruction& first) {
  std::vector<Value>& values = valuesOf(function);
  const auto known = firsts_.find(&first);
  for (const Operand& o : i.to)
    if (o.kind == Operand::Kind::reg)
      values[o.reg] = {known != firsts_.end() ? known->second : Operation::never, 0, 0};
}

void WarpWriter::pass(const Instruction& i, uint32_t source) {
  if (source != 0) run_.source = source;
  run_.count += i.cost.count;
  cycles_ += i.cost.cycles;
  run_.special += i.cost.special;
  keepBusy(i.cost);
  run_.chain = std::max(run_.chain, 1.0f);
}

void WarpWriter::passOperation(Operation operation, uint32_t source) {
  issue();
  operation.source = source;
  warp_.operations.push_back(operation);
}

void WarpWriter::needCopies() {
  issue();
  needAllNow(copies);
}

estimate::Warp WarpWriter::finish() {
  issue();
  return std::move(warp_);
}

}  // namespace estimate::gpu_code
