// Costs that follow from more than one instruction: of blocks and branches.
#include <array>
#include <tuple>
#include <utility>

#include "estimate/gpu_code/costs_state.h"
#include "estimate/gpu_code/machine.h"

namespace estimate::gpu_code {

constexpr float specialChain = cyclesOfSpecial / cyclesOfChain, stallOfMeeting = 5;
constexpr float chainOfVote = 8;  // VOTEU, UFLO and a comparison with the lane's number

// Of registers that have one value on one way behind a branch and another elsewhere: the branches'
// predicates. Lanes of a loop that some leave earlier have the same values in its turns.
static std::vector<std::set<uint32_t>> decidedBy(const Function& f, const Uses& uses) {
  std::vector<std::set<uint32_t>> guards(f.registers.size());
  for (uint32_t b = 0; b < f.blocks.size(); ++b) {
    const BasicBlock& block = f.blocks[b];
    if (block.code.empty() || block.next.size() < 2 || block.meets == none) continue;
    const Operand& guard = block.code.back().guard;
    if (guard.kind != Operand::Kind::reg) continue;
    const std::set<uint32_t> ways = blocksBehind(f, b, block.meets);
    if (ways.contains(b)) continue;
    for (const uint32_t way : ways)
      for (const Instruction& i : f.blocks[way].code)
        for (const Operand& o : i.to)
          if (o.kind == Operand::Kind::reg && uses.all[o.reg].writers.size() > 1)
            guards[o.reg].insert(guard.reg);
  }
  return guards;
}

// What comes from the lanes' numbers or from memory, or is decided by that.
void Costs::findDivergent() {
  const auto guards = decidedBy(f_, uses_);
  divergent_.assign(f_.registers.size(), false);
  for (uint32_t r = 0; r < f_.registers.size(); ++r) divergent_[r] = isOfThread(f_, r);
  untilNothingChanges(f_, [&](const Instruction& i, uint32_t reg) {
    if (divergent_[reg]) return false;
    // What all load from one place is the same.
    bool differs = (i.op == Op::ld && (i.isVolatile || i.space == Space::local)) ||
                   isAnyOf(i.op, {Op::atom, Op::shfl, Op::call, Op::wmma, Op::mma}) ||
                   (i.op == Op::ld && !f_.isKernel);
    for (const Operand& o : i.from_) differs = differs || (isRegister(o) && divergent_[o.reg]);
    differs = differs || (i.guard.kind == Operand::Kind::reg && divergent_[i.guard.reg]) ||
              std::ranges::any_of(guards[reg], [&](uint32_t by) { return divergent_[by]; });
    divergent_[reg] = differs;
    return differs;
  });
}

// The jumps that begin the next turn of a loop: from which block to which.
static std::set<std::pair<uint32_t, uint32_t>> findBackward(const Function& f) {
  std::set<std::pair<uint32_t, uint32_t>> found;
  std::vector<uint8_t> state(f.blocks.size(), 0);  // 1: under way
  std::vector<std::pair<uint32_t, size_t>> stack = {{0, 0}};
  state[0] = 1;
  while (!stack.empty()) {
    auto& [block, at] = stack.back();
    if (at == f.blocks[block].next.size()) {
      state[block] = 2;
      stack.pop_back();
      continue;
    }
    const uint32_t next = f.blocks[block].next[at++];
    if (state[next] == 1) found.insert({block, next});
    if (state[next] != 0) continue;
    state[next] = 1;
    stack.emplace_back(next, 0);
  }
  return found;
}

// Where lanes part, and meet again: BSSY before, BSYNC there, once for all branches that meet at
// the same place. A loop that lanes leave one after the other, also in its middle, has both
// outside.
void Costs::addMeetings() {
  const auto backward = findBackward(f_);
  std::set<uint32_t> known;
  for (uint32_t b = 0; b < f_.blocks.size(); ++b) {
    BasicBlock& block = f_.blocks[b];
    if (block.code.empty() || block.next.size() < 2 || block.meets == none) continue;
    Instruction& last = block.code.back();
    if (last.op != Op::bra || last.cost.count == 0 || !divergent_[last.guard.reg]) continue;
    const BasicBlock& meeting = f_.blocks[block.meets];
    const bool ends = meeting.code.size() == 1 && meeting.code[0].op == Op::ret;
    const bool isLoop = std::ranges::any_of(block.next, [&](uint32_t next) {
      return backward.contains({b, next});
    });
    const bool isLeft = std::ranges::any_of(
        f_.loops, [&](const Loop& loop) { return loop.has[b] && !loop.has[block.meets]; });
    if (ends || isLoop || isLeft || !known.insert(block.meets).second) continue;
    last.cost.count += 2;
  }
}

const Loop* Costs::smallestLoopAround(uint32_t block) const {
  const Loop* smallest = nullptr;
  for (const Loop& loop : f_.loops)
    if (loop.has[block] &&
        (!smallest || std::ranges::count(loop.has, true) < std::ranges::count(smallest->has, true)))
      smallest = &loop;
  return smallest;
}

// Whether a register is made before a loop, if it is one.
bool Costs::isMadeBeforeLoop(uint32_t reg, const Loop* loop) const {
  if (!loop) return false;
  for (uint32_t b = 0; b < f_.blocks.size(); ++b)
    if (loop->has[b])
      for (const Instruction& i : f_.blocks[b].code)
        if (std::ranges::any_of(i.to, [&](const Operand& o) { return o.reg == reg; })) return false;
  return true;
}

// Instructions more where a loop begins.
void Costs::addBefore(const Loop& loop, float count) {
  for (uint32_t b = 0; b < f_.blocks.size(); ++b) {
    const auto enters = [&](uint32_t next) { return loop.has[next]; };
    if (loop.has[b] || std::ranges::none_of(f_.blocks[b].next, enters)) continue;
    auto& code = f_.blocks[b].code;
    const auto isBefore = [](const Instruction& i) { return i.op != Op::bra && i.cost.count > 0; };
    const auto last = std::find_if(code.rbegin(), code.rend(), isBefore);
    if (last != code.rend()) last->cost.count += count;
  }
}

// Places of an array that lie so far apart as is known: one address, with a constant in each
// access. clang++ has that too, but of turns of a loop that it unrolled it makes each index anew.
void Costs::shareAddresses(BasicBlock& block) {
  constexpr int64_t furthest = 1 << 23;  // bytes
  const auto madeBy = [&](const Operand& o, auto&& isIt) -> const Instruction* {
    const Instruction* const i = madeIn(block, o);
    const bool isOfOne = i && isIt(*i) && i->from_[0].kind == Operand::Kind::reg &&
                         i->from_[1].kind == Operand::Kind::constant;
    return isOfOne ? i : nullptr;
  };
  const auto isProduct = [](const Instruction& i) {
    return i.op == Op::mul && i.type == Type::s32 && i.wide;
  };
  const auto isSum = [](const Instruction& i) {
    return (i.op == Op::add && i.type == Type::s32) || (i.op == Op::or_ && i.type == Type::b32);
  };
  std::set<const Instruction*> shared, products, sums;
  std::set<std::array<int64_t, 3>> known;  // array, index, bytes of an element
  for (const Instruction& i : block.code) {
    if (i.op != Op::add || !is64(i.type) || isFloat(i.type) || isStep(i)) continue;
    const Instruction* const product = madeBy(i.from_[1], isProduct);
    const bool isAddress =
        std::ranges::all_of(uses_.all[i.to[0].reg].readers, &Instruction::isMemory);
    if (!product || !isAddress || i.from_[0].kind != Operand::Kind::reg) continue;
    const int64_t bytes = product->from_[1].offset;
    const Instruction* const sum = madeBy(product->from_[0], isSum);
    const bool isNear = sum && std::abs(sum->from_[1].offset * bytes) < furthest;
    const uint32_t index = (isNear ? sum : product)->from_[0].reg;
    if (known.insert({i.from_[0].reg, index, bytes}).second || !isNear) continue;
    shared.insert(&i), products.insert(product), sums.insert(sum);
  }
  for (const auto* const made : {&products, &sums})  // where nothing else is made of them
    for (const Instruction* const i : *made)
      if (std::ranges::all_of(uses_.all[i->to[0].reg].readers,
                              [&](const Instruction* reader) { return shared.contains(reader); }))
        shared.insert(i);
  for (Instruction& i : block.code)
    if (shared.contains(&i)) i.cost = nothing();
}

// The reciprocal that a division multiplies by is made once for each divisor, and before a loop
// that does not change it; quotient and remainder of the same two numbers share all but two
// instructions.
void Costs::shareDivisors(uint32_t b) {
  std::set<std::pair<uint32_t, Type>> known;
  std::set<std::tuple<uint32_t, uint32_t, Type>> divided;
  for (Instruction& i : f_.blocks[b].code) {
    if (!isAnyOf(i.op, {Op::div, Op::rem}) || isFloat(i.type) || is64(i.type)) continue;
    const Operand& by = i.from_[1];
    if (by.kind != Operand::Kind::reg || uses_.all[by.reg].writers.size() > 1) continue;
    if (isRegister(i.from_[0]) && !divided.emplace(i.from_[0].reg, by.reg, i.type).second) {
      i.cost = times(2, 2);
      continue;
    }
    const bool isKnown = !known.emplace(by.reg, i.type).second;
    const Loop* const loop = smallestLoopAround(b);
    if (!isKnown && !isMadeBeforeLoop(by.reg, loop)) continue;
    // A chain of products and comparisons, whose predicates come late.
    const double again = (isSigned(i.type) ? 13 : 8) + (i.op == Op::div ? 1 : 0);
    if (!isKnown) addBefore(*loop, i.cost.count - float(again));
    i.cost = times(again, again - 3 + 2 * predicateChain);
  }
}

// Atomics of integers at an address that is the same for all lanes: a warp adds up first, and one
// lane does it for all; how many lanes there are is found once in a block. Where each adds one in
// shared memory and nobody asks for what was there, it is ATOMS.POPC.INC, which adds up the lanes
// of each address: 1.0 cycles with 1, 4 and 32 addresses of a warp, where others take 32, 8.0
// and 1.0.
void Costs::addUpAtomics() {
  for (BasicBlock& block : f_.blocks) {
    bool areLanesKnown = false;
    for (Instruction& i : block.code) {
      if (!(i.op == Op::atom || i.op == Op::red) || isFloat(i.type)) continue;
      const Operand& address = i.from_[0];
      const bool isUsed = !i.to.empty() && i.to[0].kind == Operand::Kind::reg &&
                          !uses_.all[i.to[0].reg].readers.empty();
      i.isUnread =
          !isUsed && i.space != Space::shared && (i.mode == modes::exch || i.mode == modes::cas);
      const bool isSame = i.from_[1].kind != Operand::Kind::reg || !divergent_[i.from_[1].reg];
      const auto does = [&](std::string_view what) {
        return i.name.find(what) != std::string::npos;
      };
      const bool adds = does(".add");
      const Operand* const by = constantOf(i.from_[1]);
      const bool isOne = by && by->offset == 1;
      i.countsLanes = adds && !isUsed && i.space == Space::shared && !is64(i.type) && isOne;
      if (address.reg != none && divergent_[address.reg]) continue;
      const bool chooses = !is64(i.type) && (does(".max") || does(".min") || does(".or") ||
                                             does(".xor") || does(".and"));
      if (!adds && !(chooses && !isUsed)) continue;
      i.addsUpFirst = true;
      if (i.space == Space::shared && isSame && !isUsed) continue;  // ATOMS.POPC.INC
      i.cost.before = !isUsed ? (is64(i.type) ? 10 : 5) : isSame ? 10 : 23;
      if (isUsed || !isSame || is64(i.type)) continue;
      if (std::exchange(areLanesKnown, true))
        i.cost.before = 0;
      else
        i.cost.chain += chainOfVote;
    }
  }
}

// A kernel begins with where its stack is, and with what it needs for any access to global memory.
void Costs::addBeginning() {
  if (!f_.isKernel || f_.blocks.empty() || f_.blocks[0].code.empty()) return;
  const bool hasGlobal = std::ranges::any_of(f_.blocks, [](const BasicBlock& block) {
    return std::ranges::any_of(block.code, [](const Instruction& i) {
      return i.isMemory() && (i.space == Space::global || i.space == Space::generic);
    });
  });
  f_.blocks[0].code.front().cost.count += hasGlobal ? 2 : 1;
}

// Of a chain's instruction, for each of the cycles that integers take (4.6, between adds and
// multiply-adds): floats 4.0; doubles 8.25 and pairs of halves 8.4, as measured.
static float chainOfType(const Instruction& i) {
  if (!isAnyOf(i.op, {Op::add, Op::sub, Op::mul, Op::mad, Op::fma})) return 1;
  if (i.type == Type::f32) return 0.87f;
  return isFloat(i.type) ? 1.8f : 1;
}

// What functions of mathematics have constants for is made once where they are called again.
void Costs::shareConstants(BasicBlock& block) {
  std::set<std::string> called;
  for (Instruction& i : block.code)
    if (i.op == Op::call) {
      const bool isFirst = called.insert(i.name).second;
      const float share = isFirst ? 1.0f / float(block.unrolledBy) : 0;
      i.cost.count -= constantsOfCall(i.name) * (1 - share);
    }
}

void Costs::find() {
  findAlignments();
  for (BasicBlock& block : f_.blocks) {
    for (Instruction& i : block.code) {
      i.cost = costOf(i);
    }
    shareAddresses(block);
    const CountedLoop loop = countedLoop(block);
    mergeLoads(block, Space::shared, hasKnownTurns(loop) ? 1 : loop.turns);
    block.turns = block.code.empty() ? 0 : turnsOf(countsIn(block));
    shareDivisors(uint32_t(&block - f_.blocks.data()));
    joinSelections(block);
    shareShifts(block);
    makePointers(block);
  }
  joinMaxima();
  findDivergent();
  addUpAtomics();
  addMeetings();
  findUniformConstants();
  for (BasicBlock& block : f_.blocks) mergeLoads(block, Space::constant);
  addBeginning();
  unrollCountedLoops();
  for (BasicBlock& block : f_.blocks) {
    shareConstants(block);
    const Instruction* product = nullptr;  // of doubles, the last
    for (Instruction& i : block.code) {
      i.cost.registerCycles = registerCyclesOf(i, product);
      i.cost.unitCycles = unitCyclesOf(i);
      // BSSY, BRA and BSYNC around what is done with rare operands.
      if (i.cost.count > 0 && hasLongWay(i)) i.cost.control = 3;
      if (isAnyOf(i.op, {Op::bra, Op::brx}) && i.cost.count > 0) {
        i.cost.control = i.cost.count;
        i.cost.stay = i.cost.count > 2 ? stallOfMeeting + cyclesOfMeeting : 0;
        i.cost.jump = i.cost.stay + cyclesOfJump * std::min(i.cost.count, 1.0f);
      }
      i.cost.chain *= chainOfType(i);
      if (block.unrolledBy > 1 && i.op == Op::add && i.cost.count < 1) i.cost.chain *= i.cost.count;
      // The unit for special functions has its result later.
      if (i.cost.special > 0)
        i.cost.chain += i.cost.special * (specialChain - i.cost.chain / i.cost.count);
    }
  }
}

void findCosts(Function& f) { Costs(f).find(); }

}  // namespace estimate::gpu_code
