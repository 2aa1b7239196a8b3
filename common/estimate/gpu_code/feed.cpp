#include "estimate/gpu_code/feed.h"

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

#include "estimate/constant_caches.h"
#include "estimate/gpu_code/costs_state.h"
#include "estimate/gpu_code/live_registers.h"
#include "estimate/gpu_code/matrices.h"
#include "estimate/gpu_code/modes.h"
#include "estimate/repeated_loops.h"

namespace estimate::gpu_code {
namespace {

using Kind = Operation::Kind;

// What the model has an operation for; of memory, by the space that the addresses lie in.
Kind kindOf(const Instruction& i, Space space) {
  const bool shared = space == Space::shared;
  switch (i.op) {
    case Op::ld:
      if (space == Space::param) return Kind::instructions;
      if (space == Space::constant) return i.isUniform ? Kind::instructions : Kind::constantLoad;
      return shared ? Kind::sharedLoad : Kind::load;
    case Op::st:
      if (space == Space::param) return Kind::instructions;
      return shared ? Kind::sharedStore : Kind::store;
    case Op::atom:
    case Op::red: return shared ? Kind::sharedAtomic : Kind::atomic;
    case Op::cp: return space == Space::param ? Kind::instructions : Kind::load;
    case Op::wmma:
      if (space == Space::param) return Kind::instructions;
      if (storesMatrix(i)) return shared ? Kind::sharedStore : Kind::store;
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
  if (i.op == Op::wmma) return i.vector;
  return bytesOf(i.type) * i.vector;
}

// How many of those that are read differ from thread to thread: the others are constants, or of the
// block, and come another way.
unsigned specialRegistersOf(const Function& kernel) {
  std::set<uint32_t> read;
  for (const BasicBlock& block : kernel.blocks)
    for (const Instruction& i : block.code)
      for (const Operand& o : i.from_)
        if (o.kind == Operand::Kind::reg && isOfThread(kernel, o.reg)) read.insert(o.reg);
  return unsigned(read.size());
}

}  // namespace

Feed::Feed(const Module& module, const Function& kernel, const LaunchOfCode& launch,
           std::string name, std::vector<ArrayRange> arrays)
    : module_(module),
      specialRegisters_(specialRegistersOf(kernel)),
      isAssembled_(kernel.isAssembled),
      requests_(launch_, std::move(arrays), launch.grid.x),
      sources_(module.lines.size(), none) {
  launch_.kernel = std::move(name);
  launch_.blocks = launch.grid.all();
  launch_.threads = uint32_t(launch.block.all());
  launch_.sharedBytes = kernel.sharedBytes + launch.dynamicShared;
  launch_.cooperative = launch.cooperative;
  launch_.registers = kernel.neededRegisters;
  if (!isAssembled_)  // those of rules never say that a block is too large
    launch_.registers = std::min(launch_.registers, mostRegistersOf(launch_.threads));
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
  warps_.assign(warps, WarpWriter(specialRegisters_));
  if (swaps_.requests > 0) swapsBefore_ = std::exchange(swaps_, {});
  loops_.assign(warps, LoopTurns());
  requests_.blockBegins(number, warps);
}

// Of these lanes, how many have each address.
static std::map<uint64_t, unsigned> lanesAtEach(uint32_t lanes, const Step& step) {
  std::map<uint64_t, unsigned> all;
  for (; lanes != 0; lanes &= lanes - 1) ++all[step.addresses[unsigned(std::countr_zero(lanes))]];
  return all;
}

Operation Feed::operationOf(unsigned warp, const Step& step) {
  const Instruction& i = *step.instruction;
  Operation o;
  o.kind = kindOf(i, step.space);
  o.bytes = uint8_t(bytesAtOnce(i));
  if (o.kind == Kind::blockBarrier) requests_.passBarrier(warp);
  if (step.lanes == 0) return o;
  const uint32_t lanes = i.addsUpFirst ? step.lanes & -step.lanes : lanesThatAsk(i, step.lanes);
  o.lanes = uint8_t(std::popcount(lanes));
  if (o.kind == Kind::constantLoad) {
    std::set<uint64_t> places;
    for (uint32_t l = step.lanes; l != 0; l &= l - 1)
      places.insert(step.addresses[unsigned(std::countr_zero(l))]);
    o.passes = uint16_t(places.size());
    constexpr uint64_t line = ConstantCaches::lineBytes;
    o.address = places.size() > 1 ? launch_.constantLines.size() : *places.begin() / line;
    if (places.size() > 1)
      for (const uint64_t place : places) launch_.constantLines.push_back(uint32_t(place / line));
    return o;
  }
  if (o.kind == Kind::sharedLoad || o.kind == Kind::sharedStore || o.kind == Kind::sharedAtomic) {
    if (i.mergedBytes > 0) o.bytes = i.mergedBytes;
    o.address = step.addresses[unsigned(std::countr_zero(step.lanes))];
    if (o.kind == Kind::sharedAtomic) {  // one lane after the other on each address
      unsigned most = 1;
      for (const auto& [address, its] : lanesAtEach(lanes, step)) most = std::max(most, its);
      const Passes passes = passesOf(lanes, step.addresses, o.bytes);
      o.passes = uint16_t(i.countsLanes ? passes.all : std::max(most, passes.all));
      o.ofFloats = isFloat(i.type) || (i.mode == modes::add && bytesOf(i.type) == 8);
      if (!o.ofFloats) return o;
      o.conflicts = uint16_t(passes.all);
      o.passes = uint16_t(std::max(most, (passes.all + passes.fewest - 1) / passes.fewest));
      return o;
    }
    const Passes passes = passesOf(lanes, step.addresses, o.bytes);
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
    requests_.add(o, warp, warps_[warp].size(), warps_[warp].waits(), lanes, step.addresses);
  }
  return o;
}

void Feed::refuseTooMany() {
  constexpr uint64_t most = 8'000'000;
  uint64_t listed = listed_;
  for (const WarpWriter& warp : warps_) listed += warp.size();
  if (listed > most) throw TooLong("what its blocks do takes too much memory to look at");
}

void Feed::executed(unsigned w, const Step& step) {
  if (++steps_ % 65536 == 0) refuseTooMany();
  LoopTurns& loop = loops_[w];
  if (loop.isIn() && (!loop.goesOnWith(step) || loop.isLong())) listLoop(w);
  if (loop.keeps(step)) return;
  if (!loop.goesOnWith(step)) loop.leave();
  list(w, step);
}

// Of lanes that add floats at one address in shared memory one succeeds in a turn. Of those that
// other warps have there on average half come between, of more than 40 a third (1 to 32 warps,
// 1 to 256 addresses, up to nine of ten lanes at one: H200).
double Feed::turnsOfSwap(unsigned warp, const Step& step, double alone) {
  constexpr double part = 0.5, many = 40, partOfMore = 0.35;
  constexpr uint32_t enough = 8;  // requests that tell how often an address is used
  ++swaps_.requests;
  const Swaps& known =
      swaps_.requests < enough && swapsBefore_.requests > 0 ? swapsBefore_ : swaps_;
  double more = 0;
  for (const auto& [address, lanes] : lanesAtEach(step.lanes, step)) {
    Swaps::Place& here = swaps_.places.tryEmplace(address, {0, warp, false}).first;
    here.lanes += lanes;
    here.bySeveral |= here.warp != warp;
    const Swaps::Place* const before = swapsBefore_.places.find(address);
    if (!here.bySeveral && !(before && before->bySeveral)) continue;  // a warp's own
    const Swaps::Place* const its = known.places.find(address);
    const double others = its ? double(warps_.size() - 1) * its->lanes / double(known.requests) : 0;
    more =
        std::max(more, part * std::min(others, many) + partOfMore * std::max(0.0, others - many));
  }
  return alone + more;
}

void Feed::listLoop(unsigned w) {
  const std::vector<LoopTurns::Turn> turns = loops_[w].take();
  const BasicBlock& block = *turns[0].steps[0].block;
  warps_[w].add(block.costOfParts);
  for (const LoopTurns::Turn& turn : turns) {
    for (const Step& step : turn.steps) list(w, step, turn.isApart);
  }
}

void Feed::list(unsigned w, const Step& step, bool isApart) {
  const Instruction& i = *step.instruction;
  WarpWriter& warp = warps_[w];
  const uint32_t source = sourceOf(i.line);
  if (i.mergedWith != none) return warp.share(i, *step.function, step.block->code[i.mergedWith]);
  if (&i == step.block->code.data()) warp.enter(*step.block, isApart);
  if (!warp.loadsInTurn(i)) return warp.share(i, *step.function, i);
  const Kind kind = kindOf(i, step.space);
  if (i.op == Op::cp && i.name.find("wait") != std::string::npos) warp.needCopies();
  if (kind == Kind::instructions) {
    if (i.uniformReads > 0 && step.lanes != 0) {
      const uint64_t place = step.addresses[unsigned(std::countr_zero(step.lanes))];
      warp.readUniform(place / ConstantCaches::lineBytes, i.isIndexed, i.uniformReads);
    }
    warp.compute(i, *step.function, source, step.longWay);
    if (!isAnyOf(i.op, {Op::bra, Op::brx})) return;
    const BasicBlock* const blocks = step.function->blocks.data();
    const bool isBack = step.jumps && i.op == Op::bra && blocks + i.targets[0] <= step.block;
    warp.jump(i.cost, step.jumps, step.parts, isBack);
    return;
  }
  // What it waits for is waited for before its place is known.
  warp.prepare(i, *step.function);
  Operation o = operationOf(w, step);
  if (kind == Kind::sharedAtomic && o.ofFloats)
    warp.swapUntilDone(o, source, turnsOfSwap(w, step, o.passes));
  warp.operate(i, *step.function, o, source);
}

// All have a predicate that is false.
void Feed::passedBy(unsigned w, const Function&, const BasicBlock& block) {
  if (loops_[w].isIn()) listLoop(w);
  loops_[w].leave();
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
  for (unsigned w = 0; w < warps_.size(); ++w) {
    if (loops_[w].isIn()) listLoop(w);
    block.warps[w] = warps_[w].finish();
    listed_ += block.warps[w].operations.size();
  }
  requests_.blockEnds();
  warps_.clear();
}

// What nobody reads of a thread's own memory ptxas does not write: clang++ leaves such stores.
void Feed::dropUnreadStores() {
  const auto each = [&](auto&& function) {
    for (Block& block : launch_.sampled)
      for (Warp& warp : block.warps)
        for (Operation& o : warp.operations)
          if (o.isLocal) function(o);
  };
  bool isRead = false;
  each([&](const Operation& o) { isRead = isRead || o.kind != Kind::store; });
  if (isRead) return;
  each([](Operation& o) {
    o = {};
    o.count = o.chain = 0;
  });
}

// Loops are folded when no later block changes an operation any more.
Launch Feed::take() {
  requests_.finish();
  if (!isAssembled_) dropUnreadStores();
  for (Block& block : launch_.sampled) foldLoops(block);
  return std::move(launch_);
}

}  // namespace estimate::gpu_code
