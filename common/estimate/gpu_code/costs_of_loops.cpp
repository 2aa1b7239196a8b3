// What becomes of loops: how often they are unrolled, and which loads then go together.
#include <bit>

#include "estimate/gpu_code/costs_state.h"
#include "estimate/gpu_code/live_registers.h"
#include "estimate/gpu_code/machine.h"
#include "estimate/gpu_code/places.h"

namespace estimate::gpu_code {

// The next number of a generator, v * a + b with constants: of four turns, nvcc makes each from
// what was before all of them, and none that nobody else reads.
bool Costs::isStepOfGenerator(const Instruction& i) const {
  return i.op == Op::mad && !isFloat(i.type) && !i.wide && !i.high && !i.to.empty() &&
         i.to[0].kind == Operand::Kind::reg && i.from_[0].kind == Operand::Kind::reg &&
         i.from_[0].reg == i.to[0].reg && isConstant(i.from_[1]) && isConstant(i.from_[2]);
}

// The register that goes on by a constant: i = i + n, or j = i + n, which is copied to i later; or
// none.
uint32_t Costs::steppedBy(const Instruction& i) const {
  if (stepsByConstant(i)) return i.to[0].reg;
  if (i.op != Op::add || isFloat(i.type) || i.from_[0].kind != Operand::Kind::reg ||
      i.from_[1].kind != Operand::Kind::constant)
    return none;
  const bool isCopied =
      std::ranges::any_of(uses_.all[i.from_[0].reg].writers, [&](const Instruction* copy) {
        return copy->op == Op::mov && copy->from_.size() == 1 && isRegister(copy->from_[0]) &&
               copy->from_[0].reg == i.to[0].reg;
      });
  return isCopied ? i.from_[0].reg : none;
}

// What a loop of one block counts with: what is compared, or what that is a copy of, or more than.
const Instruction* Costs::counterOf(const BasicBlock& block, const Operand& compared) const {
  uint32_t reg = compared.kind == Operand::Kind::reg ? compared.reg : none;
  for (auto at = block.code.rbegin(); at != block.code.rend(); ++at) {
    const Instruction& i = *at;
    if (i.to.size() != 1 || i.to[0].kind != Operand::Kind::reg || i.to[0].reg != reg) continue;
    if (steppedBy(i) != none) return &i;
    const bool isMore = i.op == Op::add && i.from_[1].kind == Operand::Kind::constant;
    if (!isMore && !isAnyOf(i.op, {Op::cvt, Op::mov})) return nullptr;
    reg = i.from_[0].kind == Operand::Kind::reg ? i.from_[0].reg : none;
  }
  // What is compared was made of what the counter was before it went on.
  for (const Instruction& i : block.code)
    if (reg != none && steppedBy(i) == reg) return &i;
  return nullptr;
}

// A loop of one block that counts in constant steps and jumps back by itself.
Costs::CountedLoop Costs::countedLoop(const BasicBlock& block) const {
  if (block.code.size() < 3 || block.code.back().op != Op::bra) return {};
  return &f_.blocks[block.code.back().targets[0]] == &block ? countsIn(block) : CountedLoop{};
}

// The block goes on or not as it counts.
Costs::CountedLoop Costs::countsIn(const BasicBlock& block) const {
  CountedLoop loop;
  const Instruction& jump = block.code.back();
  if (jump.op != Op::bra || jump.guard.kind == Operand::Kind::none) return loop;
  const auto compares = [&](const Instruction& i) {
    return i.op == Op::setp && i.to[0].reg == jump.guard.reg;
  };
  const auto compare = std::ranges::find_if(block.code, compares);
  if (compare == block.code.end()) return loop;
  const Instruction* counter = counterOf(block, compare->from_[0]);
  if (!counter) counter = counterOf(block, compare->from_[1]);
  if (!counter) return loop;
  loop.compare = &*compare, loop.counter = counter, loop.reg = steppedBy(*counter);
  // clang++ unrolls where it knows how often, by up to eight, and compares then for equality alone.
  if (compare->mode != modes::eq && compare->mode != modes::ne) return loop;
  const int64_t step = std::abs(stepOf(*counter));
  if ((step >= 2 && step <= 4) || step == 8) loop.turns = unsigned(step);
  loop.isCounted = step == 1;
  return loop;
}

// How many turns it has, from a constant to a constant; 0 where that is not known.
unsigned Costs::turnsOf(const CountedLoop& loop) const {
  if (!loop.counter || !hasKnownTurns(loop)) return 0;
  const int64_t step = stepOf(*loop.counter);
  int64_t begin = 0;
  for (const Instruction* i : uses_.all[loop.reg].writers)
    if (i->op == Op::mov && isConstant(i->from_[0]))
      begin = int32_t(constantOf(i->from_[0])->offset);
  const int64_t end = int32_t(constantOf(loop.compare->from_[1])->offset);
  return step == 0 || (end - begin) / step < 0 ? 0 : unsigned((end - begin) / step) * loop.turns;
}

// A step by a constant is done once for all turns of an unrolled loop, but where something is made
// of what it counts in each of them: an address has a constant in it.
bool Costs::isOnceForTurns(const BasicBlock& block, const CountedLoop& loop,
                           const Instruction& i) const {
  const uint32_t reg = steppedBy(i);
  if (reg == none) return false;
  return std::ranges::none_of(uses_.all[reg].readers, [&](const Instruction* r) {
    return r != &i && r != loop.compare && r->op != Op::mov && !r->isMemory() && holds(block, *r);
  });
}

// Of a loop that nvcc unrolls by four, turns are left over where it is not known how many there
// are: where it begins and ends with constants, or there are less than four, none are kept apart.
bool Costs::keepsTurnsApart(const CountedLoop& loop, float by) const {
  if (loop.turns != 1) return false;
  const Operand* const end = constantOf(loop.compare->from_[1]);
  if (!end) return true;
  const auto step = float(std::abs(stepOf(*loop.counter)));
  return !loop.isCounted && float(end->offset) >= by * step && !hasKnownTurns(loop);
}

// Of a turn, the instructions that nvcc counts before it unrolls a loop: a product and a sum are
// two then.
static float sizeBefore(const Instruction& i) {
  if (i.op == Op::call) return i.cost.count;
  if (isAnyOf(i.op, {Op::fma, Op::mad})) return 2;
  if (i.op == Op::shfl) return 3;
  return isAnyOf(i.op, {Op::mov, Op::ret}) ? 0 : 1;
}

// What keeps clang++ from unrolling a loop: some types, and what the headers write in PTX.
static bool isForClang(const Instruction& i) {
  const auto isKnown = [](Type t) { return !isFloat(t) || t == Type::f32 || t == Type::f64; };
  return !isAnyOf(i.op, {Op::bar, Op::shfl, Op::vote, Op::redux}) && isKnown(i.type) &&
         isKnown(i.from);
}

// Instructions of all turns of a loop that is unrolled by so many.
constexpr float mostOfAll = 208;

// How many turns clang++ has made one of a loop that goes on while its counter is less: as many as
// there are of each access, and the step has in it. It takes two where four are too long.
static unsigned turnsByClang(const BasicBlock& block, int64_t step) {
  std::map<Op, unsigned> accesses;
  for (const Instruction& i : block.code)
    if (i.isMemory() && i.space != Space::param) accesses[i.op] += i.vector;
  const auto areTaken = [&](unsigned turns) {
    return step % turns == 0 && !accesses.empty() &&
           std::ranges::all_of(accesses,
                               [&](const auto& each) { return each.second % turns == 0; });
  };
  return areTaken(4) ? 4 : areTaken(2) && 2 * float(block.code.size()) > mostOfAll ? 2 : 1;
}

// A number that each turn has a constant more of: a place that is made of it goes up, too.
bool Costs::isInSteps(const BasicBlock& block, const CountedLoop& loop, const Operand& o) const {
  if (o.kind != Operand::Kind::reg) return false;
  if (o.reg == loop.reg) return true;
  const auto& writers = uses_.all[o.reg].writers;
  if (writers.size() != 1 || !holds(block, *writers[0])) return false;
  const Instruction& i = *writers[0];
  const auto stays = [&](const Operand& other) {
    return !isRegister(other) || std::ranges::none_of(uses_.all[other.reg].writers,
                                                      [&](auto* w) { return holds(block, *w); });
  };
  const bool isProduct = isAnyOf(i.op, {Op::mul, Op::mad, Op::shl}) && !i.wide && !i.high;
  if (!isProduct && !isAnyOf(i.op, {Op::add, Op::or_})) return false;
  if (isProduct && !isConstant(i.from_[1])) return false;
  return isInSteps(block, loop, i.from_[0]) && stays(i.from_.back());
}

// nvcc unrolls it by four, or by two if it is longer, and what it counts with it; ptxas a short one
// by four again, but where there are branches in it, or where addresses are made of indices.
void Costs::unrollCountedLoops() {
  constexpr float again = 4;
  constexpr unsigned whole = 64;  // more than there are registers for loads
  constexpr float atATime = 256;
  // Where it loads, of nvcc's PTX, as asked with sums of products and with chains of bits, of which
  // so many count; else of a turn.
  constexpr float longestAgain = 48, forCounting = 4, longestOfSums = 5.5f;
  for (BasicBlock& block : f_.blocks) {
    CountedLoop loop = countedLoop(block);
    if (block.staysRolled || !loop.compare || unrolledByPtxas_.contains(&block)) continue;
    const bool isTaken = std::ranges::all_of(block.code, isForClang);
    if (isTaken && loop.turns == 1 && loop.compare->mode != modes::eq &&
        loop.compare->mode != modes::ne) {
      loop.turns = turnsByClang(block, stepOf(*loop.counter));
      // nvcc leaves those that count without a sign to ptxas, which has four turns in one then.
      if (loop.turns > 1 && !isSigned(loop.compare->type)) continue;
    }
    const auto isUniform = [](const Instruction& i) {
      return i.isUniform && i.from_[0].reg != none;
    };
    if (hasKnownTurns(loop) && std::ranges::any_of(block.code, isUniform)) {
      block.unrolledBy = whole;
      for (Instruction& i : block.code)
        if (&i == loop.compare || i.op == Op::bra || isStep(i)) i.cost = nothing();
      continue;
    }
    const auto turns = float(loop.turns);
    float size = 0, own = 0, written = 0;  // before nvcc unrolls, by ptxas, of nvcc's PTX
    bool staysWhole = false, branches = false, hasIndices = false, isPlain = true, loads = false;
    for (const Instruction& i : block.code) {
      const bool isAccess = i.isMemory() && i.space != Space::param;
      loads = loads || (i.op == Op::ld && isAccess && i.space != Space::constant);
      if (&i != loop.compare && i.op != Op::bra) size += sizeBefore(i);
      own += (isAccess || i.cost.count > 0) && &i != loop.compare && i.op != Op::bra &&
             steppedBy(i) == none;
      staysWhole =
          staysWhole || (i.op == Op::call && (!isMathematics(i.name) || hasBranches(i.name)));
      // An access has a constant in its address, and no register more.
      const auto isSum = [](const Instruction* sum) { return sum->cost.count > 0; };
      const bool isIndex =
          indices_.contains(&i) &&
          (i.cost.count > 0 || std::ranges::any_of(uses_.all[i.to[0].reg].readers, isSum));
      hasIndices = hasIndices ||
                   (isIndex && !(hasKnownTurns(loop) && isInSteps(block, loop, i.from_[0]))) ||
                   (loop.turns == 1 && isStep(i) && is64(i.type) && !stepsByConstant(i));
      const bool isWritten = i.cost.count > 0 || isIndex || i.type == Type::pred ||
                             isAnyOf(i.op, {Op::setp, Op::neg, Op::abs, Op::bra});
      written += i.op == Op::call ? i.cost.count - constantsOfCall(i.name) : isWritten ? 1 : 0;
      isPlain =
          isPlain && !isAnyOf(i.op, {Op::bar, Op::shfl, Op::vote, Op::redux, Op::match, Op::atom,
                                     Op::red, Op::cp, Op::wmma, Op::mma, Op::fence});
      branches = branches || hasLongWay(i) || isAnyOf(i.op, {Op::bar, Op::atom, Op::red});
    }
    // Where clang++ could and did not, the program says so.
    const float by =
        std::bit_floor(std::min(4u, unsigned(mostOfAll * turns / std::max(1.0f, size))));
    if (staysWhole || by < 2 || (loop.isCounted && isTaken)) continue;
    const bool fitsAgain = loads
                               ? (written - forCounting) * by / turns + forCounting <= longestAgain
                               : own <= longestOfSums * turns;
    const bool isShort = fitsAgain && !branches && !hasIndices && !is64(loop.compare->type);
    // From a constant to a constant by some 256 instructions at a time, and so that none are left.
    const unsigned all = turnsOf(loop);
    unsigned fits = std::bit_floor(unsigned(atATime * turns / std::max(1.0f, own)));
    if (fits > all) fits = all;
    while (fits > 1 && all % fits != 0) fits /= 2;
    const float together = std::max(isShort ? by * again : by, float(fits)) / turns;
    block.unrolledBy = unsigned(std::max(1.0f, together));
    const Operand* const end = constantOf(loop.compare->from_[1]);
    const bool endsSoon = end && end->offset < int64_t(by) && end->offset > -int64_t(by);
    block.leavesParts = !hasKnownTurns(loop) && !endsSoon;
    if (isPlain && keepsTurnsApart(loop, by)) {
      block.turnsApart = unsigned(by);
      block.costApart = hasIndices ? 11 : 7.5f;
      block.costOfParts = isShort ? 26 : 19;
    }
    for (Instruction& i : block.code) {
      if (&i == loop.compare || i.op == Op::bra || isOnceForTurns(block, loop, i))
        i.cost.count /= together;
      if (!isStepOfGenerator(i)) continue;
      i.cost.chain *= turns / by;
      const auto& readers = uses_.all[i.to[0].reg].readers;
      const bool isRead = std::ranges::any_of(readers, [&](const Instruction* reader) {
        return reader != &i && holds(block, *reader);
      });
      if (!isRead) i.cost.count *= turns / by;
    }
  }
}

// Where a store may write what a load of the next turn reads, the load stays behind it. At the same
// pointer the compiler sees that they are apart.
static bool storesHoldUpLoads(const BasicBlock& block) {
  const std::vector<Place> places = placesIn(block);
  const auto placeOf = [&](const Instruction& i) -> const Place& {
    return places[size_t(&i - block.code.data())];
  };
  return std::ranges::any_of(block.code, [&](const Instruction& store) {
    if (!isAnyOf(store.op, {Op::st, Op::atom, Op::red}) || store.space == Space::param)
      return false;
    return std::ranges::any_of(block.code, [&](const Instruction& load) {
      return load.op == Op::ld && load.space != Space::param &&
             mayMeet(load, placeOf(load), store, placeOf(store)) &&
             load.from_[0].reg != store.from_[0].reg &&
             !haveSameUnknown(placeOf(load), placeOf(store));
    });
  });
}

// Where a load's address is what an earlier turn loaded, or the loop goes on by what this one did,
// each turn waits for the one before.
static bool turnsWaitForLoads(const BasicBlock& block) {
  std::set<uint32_t> loaded;  // registers whose values come of a load
  for (const bool isFirst : {true, false})
    for (const Instruction& i : block.code) {
      const bool isLoad = i.op == Op::ld && i.space != Space::param;
      const auto isLoaded = [&](const Operand& o) {
        return isRegister(o) && loaded.contains(o.reg);
      };
      const bool depends = isLoaded(i.guard) || std::ranges::any_of(i.from_, isLoaded);
      if (depends && (i.op == Op::bra || (isLoad && !isFirst))) return true;
      for (const Operand& o : i.to) {
        if (o.kind != Operand::Kind::reg) continue;
        if (isLoad ? isFirst : depends)
          loaded.insert(o.reg);
        else
          loaded.erase(o.reg);
      }
    }
  return false;
}

// As many as there are registers for what they load. Of less than two bytes each takes another.
static unsigned mostTurnsTogether(const BasicBlock& block, unsigned room) {
  const auto waits = [](const Instruction& i) { return i.op == Op::bar || i.op == Op::fence; };
  if (std::ranges::any_of(block.code, waits)) return 1;
  unsigned words = 0;
  for (const Instruction& i : block.code)
    if (i.op == Op::ld && i.space != Space::param)
      words += bytesOf(i.type) == 1 ? 2 : std::max(1u, bytesAt(i) / 4);
  return std::clamp(room / std::max(1u, words), 1u, block.unrolledBy);
}

void findTurnsTogether(Function& f, const LiveRegisters& live) {
  for (uint32_t b = 0; b < f.blocks.size(); ++b) {
    BasicBlock& block = f.blocks[b];
    if (block.unrolledBy > 1 && !storesHoldUpLoads(block) && !turnsWaitForLoads(block))
      block.turnsTogether = mostTurnsTogether(block, roomForLoads(live.wordsOf(live.inFrontOf(b))));
  }
}

}  // namespace estimate::gpu_code
