#include "estimate/feed_program.h"

#include <algorithm>

namespace estimate {
namespace {

using Kind = Operation::Kind;

bool loadsValue(Kind kind) {
  return kind == Kind::load || kind == Kind::sharedLoad || kind == Kind::atomic ||
         kind == Kind::sharedAtomic || kind == Kind::shuffle || kind == Kind::vote;
}

}  // namespace

void ProgramWriter::issue() {
  // Fractions add up over the steps.
  if (count_ < 0.5f) return;
  Operation o;
  o.kind = Kind::instructions;
  o.lanes = 32;
  o.count = count_;
  o.chain = std::clamp(chain_, 1.0f, count_);
  o.special = special_;
  o.branches = branches_;
  o.control = control_;
  o.source = countSource_;
  warp_.operations.push_back(o);
  count_ = chain_ = special_ = branches_ = control_ = 0;
}

// The address of a second load is computed before the first is made.
bool ProgramWriter::computeBefore() {
  constexpr float most = 4;  // instructions: more of them are no address
  const std::vector<Operation>& all = warp_.operations;
  if (count_ > most || awaited_.empty() || awaited_.back().place + 1 != all.size()) return false;
  size_t first = all.size();
  while (first > 0 &&
         (all[first - 1].kind == Kind::load || all[first - 1].kind == Kind::sharedLoad))
    --first;
  constexpr size_t few = 4;  // loads
  if (first == 0 || all.size() - first > few || all[first - 1].kind != Kind::instructions)
    return false;
  Operation& before = warp_.operations[first - 1];
  before.count += count_;
  before.chain = std::max(before.chain, chain_);
  before.special += special_;
  before.branches += branches_;
  before.control += control_;
  count_ = chain_ = special_ = branches_ = control_ = 0;
  return true;
}

void ProgramWriter::needAll() {
  const auto next = uint32_t(warp_.operations.size());
  for (const Awaited& load : awaited_) warp_.operations[load.place].neededAt = next;
  awaited_.clear();
  turns_.clear();
}

// The same load comes again: in a loop that nvcc leaves as it is, its value has been used by then;
// in one that it unrolls by four or sixteen, the values of as many turns are loaded first.
void ProgramWriter::needBefore(uint64_t pc) {
  const Loop& loop = instructions_.loopAround(pc);
  if (loop.kind == LoopKind::unrolled || turns_[pc]++ < loop.together) return;
  needAll();
  turns_[pc] = 1;
}

// Whether an access waits for loads because its address is computed from their values: what
// computes it is the first to need them.
bool ProgramWriter::needForAddress(uint64_t pc) {
  const auto next = uint32_t(warp_.operations.size());
  const size_t before = awaited_.size();
  std::erase_if(awaited_, [&](const Awaited& load) {
    if (!instructions_.behind(load.pc).addresses.contains(pc)) return false;
    warp_.operations[load.place].neededAt = next;
    return true;
  });
  return awaited_.size() != before;
}

// Where no lane of a warp does what has a predicate, its instructions are issued all the same: the
// loads come back without a value, and what uses them waits until then.
void ProgramWriter::skip() {
  const CodeCost& cost = *before_;
  const auto access = [&](Kind kind, unsigned times) {
    for (unsigned i = 0; i < times; ++i) {
      Operation o;
      o.kind = kind;
      o.passes = 1;
      o.source = countSource_;
      if (kind == Kind::sharedLoad) o.neededAt = uint32_t(warp_.operations.size()) + times - i;
      warp_.operations.push_back(o);
    }
  };
  if (cost.skippedLoads + cost.skippedStores > 0) issue();
  access(Kind::sharedLoad, cost.skippedLoads);
  count_ += cost.skipped;
  chain_ += cost.skippedChain;
  if (cost.skippedStores > 0) issue();
  access(Kind::sharedStore, cost.skippedStores);
}

void ProgramWriter::enter(uint64_t pc) {
  if (before_ && before_->predicated != 0 && pc != before_->predicated) skip();
  const CodeCost& cost = instructions_.behind(pc);
  before_ = &cost;
  count_ += cost.count;
  chain_ += cost.chain;
  special_ += cost.special;
  branches_ += cost.branches;
  control_ += cost.control;
}

// The same value again, in straight code or in a loop that becomes straight code; or words beside
// those of the turn before, in such a loop. Wider loads must be aligned, and no wider than 16
// bytes.
bool ProgramWriter::isLoadedAlready(const Operation& load, uint64_t pc, const LaneShape& shape) {
  const bool isShared = load.kind == Kind::sharedLoad;
  for (Recent& recent : recent_) {
    Operation& first = warp_.operations[recent.place];
    if (recent.hash != shape.hash || first.kind != load.kind) continue;
    if (recent.pc == pc && instructions_.loopAround(pc).kind != LoopKind::unrolled) continue;
    const uint64_t end = recent.address + 4ull * recent.words;
    if (load.address >= recent.address && load.address + load.bytes <= end) return true;
    const uint32_t bytes = 4 * recent.words + load.bytes;
    if (!isShared || recent.pc != pc || load.address != end || bytes > shape.alignment ||
        recent.address % 16 != 0)
      continue;
    recent.words = bytes / 4;
    first.bytes = uint8_t(bytes > 8 ? 16 : bytes);
    const auto fewest = uint16_t((shape.distinct * recent.words + 31) / 32);
    first.passes = std::max(first.passes, fewest);
    first.conflicts = uint16_t(first.passes - fewest);
    return true;
  }
  return false;
}

// Of a load that there is none of, the address is not computed either.
void ProgramWriter::forgetAddress() {
  if (!before_ || before_->count <= 0) return;
  const float integers = std::min(before_->count - before_->floats, count_);
  count_ -= integers;
  chain_ -= std::min(chain_, before_->chain * integers / before_->count);
}

void ProgramWriter::add(const Operation& operation, const void* pc, uint32_t source,
                        const LaneShape& shape) {
  const uint64_t place = pc ? Disassembly::inFile(pc) : 0;
  if (operation.kind == Kind::instructions) {
    if (place == 0) {
      count_ += 3;  // the return, and what all code begins with: where the stack and memory are
    } else {
      if (source != 0 && count_ < 0.5f) countSource_ = source;
      enter(place);
    }
    return;
  }
  if (operation.kind == Kind::fence) {
    issue();
    needAll();
    warp_.operations.push_back(operation);
    warp_.operations.back().source = source;
    return;
  }
  const bool isLoad = operation.kind == Kind::load || operation.kind == Kind::sharedLoad;
  if (!isLoad && operation.kind != Kind::shuffle && operation.kind != Kind::vote) recent_.clear();
  if (isLoad && isLoadedAlready(operation, place, shape)) {
    forgetAddress();
    enter(place);
    return;
  }
  const bool waits = isLoad && needForAddress(place);
  if (!isLoad || waits || !computeBefore()) issue();
  if (isLoad)
    needBefore(place);
  else
    needAll();
  constexpr size_t most = 32;  // that a compiler would keep in registers
  if (isLoad && operation.bytes % 4 == 0) {
    if (recent_.size() >= most) recent_.erase(recent_.begin());
    recent_.push_back({shape.hash, place, operation.address, uint32_t(warp_.operations.size()),
                       operation.bytes / 4u});
  }
  Operation o = operation;
  o.source = source;
  if (loadsValue(o.kind)) awaited_.push_back({uint32_t(warp_.operations.size()), place});
  warp_.operations.push_back(o);
  if (source != 0) countSource_ = source;
  enter(place);
}

// 256 multiply-adds of doubles, 32 in a cycle of each scheduler (67 TFLOP/s on NVIDIA's data
// sheet): as long as an instruction of the unit for special functions takes.
void ProgramWriter::addTensorProduct(uint32_t source) {
  if (!awaited_.empty()) issue();
  needAll();
  if (source != 0 && count_ < 0.5f) countSource_ = source;
  count_ += 1, chain_ += 1, special_ += 1;
  before_ = nullptr;
}

Warp ProgramWriter::finish() {
  issue();
  return std::move(warp_);
}

}  // namespace estimate
