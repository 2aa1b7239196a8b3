#include "estimate/gpu_code/feed.h"

#include <algorithm>
#include <bit>
#include <set>

#include "estimate/gpu_code/modes.h"
#include "estimate/repeated_loops.h"

namespace estimate::gpu_code {
namespace {

using Kind = Operation::Kind;

bool bringsValue(Kind kind) {
  return kind == Kind::load || kind == Kind::sharedLoad || kind == Kind::atomic ||
         kind == Kind::sharedAtomic || kind == Kind::constantLoad || kind == Kind::shuffle ||
         kind == Kind::vote;
}

// What the model has an operation for; of memory, by the space that the addresses lie in.
Kind kindOf(const Instruction& i, Space space) {
  const bool shared = space == Space::shared;
  switch (i.op) {
    case Op::ld:
      if (space == Space::param) return Kind::instructions;
      if (space == Space::constant)
        return i.from_[0].reg == none ? Kind::instructions : Kind::constantLoad;
      return shared ? Kind::sharedLoad : Kind::load;
    case Op::st:
      if (space == Space::param) return Kind::instructions;
      return shared ? Kind::sharedStore : Kind::store;
    case Op::atom:
    case Op::red: return shared ? Kind::sharedAtomic : Kind::atomic;
    case Op::cp: return space == Space::param ? Kind::instructions : Kind::load;
    case Op::wmma:
      if (space == Space::param) return Kind::instructions;
      if (i.name.find(".store") != std::string::npos)
        return shared ? Kind::sharedStore : Kind::store;
      return shared ? Kind::sharedLoad : Kind::load;
    case Op::shfl: return Kind::shuffle;
    case Op::vote:
    case Op::match:
    case Op::redux: return Kind::vote;
    case Op::bar: return i.mode == modes::warp ? Kind::warpBarrier : Kind::blockBarrier;
    case Op::fence:
      return i.name.find("cta") == std::string::npos ? Kind::fence : Kind::instructions;
    default: return Kind::instructions;
  }
}

unsigned bytesAtOnce(const Instruction& i) {
  if (i.op == Op::cp) return unsigned(i.from_.at(2).offset);
  if (i.op == Op::wmma) return i.name.find(".store") != std::string::npos ? 16 : 8;
  return bytesOf(i.type) * i.vector;
}

}  // namespace

std::vector<WarpWriter::Value>& WarpWriter::valuesOf(const Function& function) {
  if (lastFunction_ == &function) return *lastValues_;
  std::vector<Value>& values = values_[&function];
  values.resize(function.registers.size());
  lastFunction_ = &function;
  lastValues_ = &values;
  return values;
}

void WarpWriter::enter(const BasicBlock& block) {
  turn_ = block_ == &block ? turn_ + 1 : 0;
  block_ = &block;
}

void WarpWriter::issue() {
  ++runNumber_;
  branchDepth_ = 0;
  if (run_.count < 0.5f) return;  // fractions, and what costs nothing, go into the next
  run_.chain = std::max(run_.chain, 1.0f);
  warp_.operations.push_back(run_);
  run_ = noRun();
}

float WarpWriter::need(const Instruction& i, std::vector<Value>& values) {
  float depth = 0;
  bool waits = false;
  const auto each = [&](auto&& function) {
    for (const Operand& o : i.from_)
      if (isRegister(o)) function(values[o.reg]);
    if (i.guard.kind == Operand::Kind::reg) function(values[i.guard.reg]);
  };
  const auto isPending = [&](const Value& v) {
    return v.pending != Operation::never && !(isBatched() && block_->loadsTogether &&
                                              warp_.operations[v.pending].kind == Kind::load);
  };
  each([&](const Value& v) { waits = waits || isPending(v); });
  if (waits) {
    issue();
    each([&](Value& v) {
      if (!isPending(v)) return;
      uint32_t& at = warp_.operations[v.pending].neededAt;
      at = std::min(at, uint32_t(warp_.operations.size()));
      v.pending = Operation::never;
    });
  }
  each([&](const Value& v) {
    if (v.run == runNumber_) depth = std::max(depth, v.depth);
  });
  return depth;
}

void WarpWriter::compute(const Instruction& i, const Function& function, uint32_t source) {
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
  float depth = std::max(need(i, values), branchDepth_) + i.cost.chain;
  if (called_.run == runNumber_ && (i.op == Op::call || (isParam && i.op == Op::ld)))
    depth = std::max(depth, called_.depth + i.cost.chain);
  if (i.op == Op::call || (isParam && i.op == Op::st)) {
    const bool isMore = i.op == Op::st && called_.run == runNumber_ && called_.depth > depth;
    if (!isMore) called_ = {Operation::never, runNumber_, depth};
  }
  if (source != 0) run_.source = source;
  run_.count += i.cost.count;
  run_.special += i.cost.special;
  for (size_t u = 0; u < run_.unitCycles.size(); ++u) run_.unitCycles[u] += i.cost.unitCycles[u];
  run_.chain = std::max(run_.chain, depth);
  const bool isBranch = (i.op == Op::bra || i.op == Op::brx) && i.cost.count > 0;
  // Where lanes meet again, a warp is held up like behind a branch.
  run_.branches += !isBranch ? 0 : i.cost.count > 2 ? 2 : std::min(i.cost.count, 1.0f);
  run_.control += isBranch ? i.cost.count : 0;
  // What follows a branch waits for it; of an unrolled loop there is one for several turns.
  if (isBranch && !isBatched()) branchDepth_ = depth;
  for (const Operand& o : i.to)
    if (o.kind == Operand::Kind::reg) values[o.reg] = {Operation::never, runNumber_, depth};
}

void WarpWriter::meet() {
  ++run_.count;
  ++run_.control;
}

void WarpWriter::prepare(const Instruction& i, const Function& function) {
  run_.count += i.cost.before;
  issue();
  need(i, valuesOf(function));
}

void WarpWriter::operate(const Instruction& i, const Function& function, Operation operation,
                         uint32_t source) {
  std::vector<Value>& values = valuesOf(function);
  const auto place = uint32_t(warp_.operations.size());
  operation.source = source;
  const bool brings = bringsValue(operation.kind) && operation.lanes > 0;
  warp_.operations.push_back(operation);
  if (i.op == Op::cp) copies.push_back(place);
  if (i.mergedBytes > 0) firsts_[&i] = place;
  for (const Operand& o : i.to)
    if (o.kind == Operand::Kind::reg) values[o.reg] = {brings ? place : Operation::never, 0, 0};
}

// Floats in shared memory are added by a loop: a load, the sum, and an atomic that puts it there if
// nobody else was quicker. Of lanes with one address one succeeds in a turn; 32 turns of one warp
// take 143 cycles each on an H200. The last turn's atomic is left to operate().
void WarpWriter::swapUntilDone(Operation& atomic, uint32_t source) {
  constexpr float sumChain = 2, jumpChain = 17.8f;
  const unsigned turns = atomic.passes;
  atomic.passes = 1;
  const auto put = [&](Operation o) {
    o.source = source;
    o.neededAt =
        o.kind == Kind::instructions ? Operation::never : uint32_t(warp_.operations.size()) + 1;
    warp_.operations.push_back(o);
  };
  Operation load = atomic, sum, jump;
  load.kind = Kind::sharedLoad;
  sum.count = sum.chain = sumChain;
  jump.count = 3, jump.chain = jumpChain, jump.branches = jump.control = 1;
  for (unsigned turn = 1; turn <= turns; ++turn) {
    put(load), put(sum);
    if (turn < turns) put(atomic), put(jump);
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
  run_.special += i.cost.special;
  for (size_t u = 0; u < run_.unitCycles.size(); ++u) run_.unitCycles[u] += i.cost.unitCycles[u];
  run_.chain = std::max(run_.chain, 1.0f);
}

void WarpWriter::passOperation(Operation operation, uint32_t source) {
  issue();
  operation.source = source;
  warp_.operations.push_back(operation);
}

void WarpWriter::needCopies() {
  issue();
  for (const uint32_t copy : copies) {
    uint32_t& at = warp_.operations[copy].neededAt;
    at = std::min(at, uint32_t(warp_.operations.size()));
  }
  copies.clear();
}

Warp WarpWriter::finish() {
  issue();
  return std::move(warp_);
}

Feed::Feed(const Module& module, const Function& kernel, const LaunchOfCode& launch,
           std::string name, std::vector<ArrayRange> arrays)
    : module_(module), requests_(launch_, std::move(arrays)), sources_(module.lines.size(), none) {
  launch_.kernel = std::move(name);
  launch_.blocks = launch.grid.all();
  launch_.threads = uint32_t(launch.block.all());
  launch_.sharedBytes = kernel.sharedBytes + launch.dynamicShared;
  launch_.cooperative = launch.cooperative;
  launch_.ofGpuCode = true;
  launch_.registers = kernel.neededRegisters;
}

uint32_t Feed::sourceOf(uint32_t line) {
  if (line == 0) return 0;
  uint32_t& place = sources_[line];
  if (place == none) {
    place = uint32_t(launch_.sources.size());
    launch_.sources.push_back(module_.lines[line]);
  }
  return place;
}

void Feed::blockBegins(uint64_t number, unsigned warps) {
  launch_.sampled.push_back({number, {}});
  launch_.sampled.back().warps.resize(warps);
  warps_.assign(warps, WarpWriter());
  requests_.blockBegins(number, warps);
}

Operation Feed::operationOf(unsigned warp, const Step& step) {
  const Instruction& i = *step.instruction;
  Operation o;
  o.kind = kindOf(i, step.space);
  o.bytes = uint8_t(bytesAtOnce(i));
  if (step.lanes == 0) return o;
  const uint32_t lanes = i.addsUpFirst ? step.lanes & -step.lanes : step.lanes;
  o.lanes = uint8_t(std::popcount(lanes));
  if (o.kind == Kind::constantLoad) {
    std::set<uint64_t> places;
    for (uint32_t l = step.lanes; l != 0; l &= l - 1)
      places.insert(step.addresses[unsigned(std::countr_zero(l))]);
    o.passes = uint16_t(places.size());
    return o;
  }
  if (o.kind == Kind::sharedLoad || o.kind == Kind::sharedStore || o.kind == Kind::sharedAtomic) {
    if (i.mergedBytes > 0) o.bytes = i.mergedBytes;
    o.address = step.addresses[unsigned(std::countr_zero(step.lanes))];
    if (o.kind == Kind::sharedAtomic) {  // one lane after the other on each address
      std::map<uint64_t, unsigned> turns;
      unsigned most = 1;
      for (uint32_t l = lanes; l != 0; l &= l - 1)
        most = std::max(most, ++turns[step.addresses[unsigned(std::countr_zero(l))]]);
      const Passes passes = passesOf(lanes, step.addresses, o.bytes);
      o.passes = uint16_t(std::max(most, passes.all));
      o.ofFloats = isFloat(i.type);
      return o;
    }
    const Passes passes = passesOf(step.lanes, step.addresses, o.bytes);
    o.passes = uint16_t(passes.all);
    o.conflicts = uint16_t(passes.all - passes.fewest);
    return o;
  }
  if (o.kind == Kind::load || o.kind == Kind::store || o.kind == Kind::atomic) {
    if (step.space == Space::local) {
      requests_.addLocal(o, warp, step.lanes, step.addresses);
      return o;
    }
    o.ofFloats = isFloat(i.type);
    requests_.add(o, warp, warps_[warp].size(), lanes, step.addresses);
  }
  return o;
}

void Feed::executed(unsigned w, const Step& step) {
  const Instruction& i = *step.instruction;
  WarpWriter& warp = warps_[w];
  const uint32_t source = sourceOf(i.line);
  if (i.mergedWith != none) return warp.share(i, *step.function, step.block->code[i.mergedWith]);
  if (&i == step.block->code.data()) warp.enter(*step.block);
  const Kind kind = i.isMemory() && step.lanes == 0 ? kindOf(i, i.space) : kindOf(i, step.space);
  if (i.op == Op::cp && i.name.find("wait") != std::string::npos) warp.needCopies();
  if (kind == Kind::instructions) {
    warp.compute(i, *step.function, source);
    if (step.parts) warp.meet();
    return;
  }
  // What it waits for is waited for before its place is known.
  warp.prepare(i, *step.function);
  Operation o = operationOf(w, step);
  if (kind == Kind::sharedAtomic && o.ofFloats) warp.swapUntilDone(o, source);
  warp.operate(i, *step.function, o, source);
}

// All have a predicate that is false.
void Feed::passedBy(unsigned w, const Function&, const BasicBlock& block) {
  for (const Instruction& i : block.code) {
    if (i.mergedWith != none) continue;
    const Kind kind = kindOf(i, i.space);
    const uint32_t source = sourceOf(i.line);
    if (kind == Kind::instructions) {
      warps_[w].pass(i, source);
    } else {
      Operation o;
      o.kind = kind;
      warps_[w].passOperation(o, source);
    }
  }
}

void Feed::blockEnds() {
  Block& block = launch_.sampled.back();
  for (size_t w = 0; w < warps_.size(); ++w) block.warps[w] = warps_[w].finish();
  requests_.blockEnds();
  warps_.clear();
}

// Loops are folded when no later block changes an operation any more.
Launch Feed::take() {
  requests_.finish();
  for (Block& block : launch_.sampled) foldLoops(block);
  return std::move(launch_);
}

}  // namespace estimate::gpu_code
