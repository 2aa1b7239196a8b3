// What each instruction of PTX costs by what ptxas made of it.
#include "estimate/gpu_code/assembled.h"

#include "estimate/gpu_code/assembled_state.h"
#include "estimate/gpu_code/matrices.h"

namespace estimate::gpu_code {

void Assembled::findParts() {
  std::vector<bool> begins(code_.size() + 1, false);
  begins[0] = true;
  for (size_t i = 0; i < code_.size(); ++i) {
    const uint32_t code = code_[i].code;
    if (code == codes::branch) begins[target(i)] = true;
    if (isEnd(code) || code == codes::meet || code == codes::callRelative ||
        code == codes::callAbsolute)
      begins[i + 1] = true;
  }
  partAt_.assign(code_.size() + 1, none);
  for (size_t i = 0; i < code_.size(); ++i) {
    if (begins[i]) parts_.emplace_back().begin = i;
    partAt_[i] = uint32_t(parts_.size() - 1);
    parts_.back().end = i + 1;
  }
  // Behind the kernel are routines that it calls, and a jump to itself with what fills up the room.
  size_t routines = code_.size();
  for (size_t i = 0; i < code_.size(); ++i)
    if (code_[i].code == codes::callRelative)
      routines = std::min(routines, target(i));
    else if (code_[i].code == codes::branch && code_[i].further == 0)
      routines = std::min(routines, i);
  std::vector<uint32_t> stack = {0};
  while (!stack.empty() && !parts_.empty()) {
    const uint32_t p = stack.back();
    stack.pop_back();
    if (p >= parts_.size() || parts_[p].isExecuted || isRare(parts_[p])) continue;
    parts_[p].isExecuted = true;
    const size_t last = parts_[p].end - 1;
    const MachineInstruction& one = code_[last];
    if (one.code == codes::branch && target(last) < code_.size() && !one.isOfParted)
      stack.push_back(partAt_[target(last)]);
    if (!isEnd(one.code) || one.isPredicated) stack.push_back(p + 1);
    if (isByTable(one.code))
      for (uint32_t n = p + 1; n < parts_.size() && parts_[n].begin < routines; ++n)
        stack.push_back(n);
  }
  for (uint32_t last = 0; last < parts_.size(); ++last) {
    const size_t i = parts_[last].end - 1;
    if (!parts_[last].isExecuted || code_[i].code != codes::branch || code_[i].further >= 0)
      continue;
    for (uint32_t p = partAt_[target(i)]; p <= last; ++p) ++parts_[p].loops;
  }
}

// Where a division or square root of rare operands goes: only integers of 64 bits are always
// divided by a routine.
bool Assembled::isRare(const Part& part) const {
  for (size_t i = part.begin; i < part.end; ++i) {
    if (!isCall(code_[i].code)) continue;
    const Instruction* const of = code_[i].of;
    const bool isLong = of && isAnyOf(of->op, {Op::div, Op::rem}) && !isFloat(of->type);
    return !isLong && !(of && of->op == Op::call);
  }
  return false;
}

// Comes with another instruction, and is no copy of what PTX has.
static bool isBeside(uint32_t code) {
  return isAmong(code, {codes::loadUniform}) || code == codes::nop || code == codes::part ||
         code == codes::meet;
}

static bool directs(uint32_t code) {
  return (isEnd(code) && code != codes::leave) || isCall(code) || code == codes::part ||
         code == codes::meet;
}

static double median(std::vector<double> all) {
  std::ranges::sort(all);
  return all[all.size() / 2];
}

bool Assembled::isInLoop(uint32_t block) const { return blocksBehind(f_, block).contains(block); }

// Of a loop that counts by a number, how many turns a part counts at once; 0 if it is not known.
double Assembled::turnsIn(const Part& part, uint32_t block) const {
  for (size_t i = part.begin; i < part.end; ++i) {
    const MachineInstruction& one = code_[i];
    if (one.block != block || one.step == 0 || !stepsByConstant(*one.of)) continue;
    const auto step = int32_t(one.of->from_[1].offset);
    if (step != 0 && one.step % step == 0 && one.step / step > 0) return one.step / step;
  }
  return 0;
}

// Of the loop that a block is in; 0 if they are not known.
double Assembled::turnsAround(uint32_t block) const {
  for (const uint32_t behind : blocksBehind(f_, block))
    if (f_.blocks[behind].turns > 0 && blocksBehind(f_, behind).contains(block))
      return f_.blocks[behind].turns;
  return 0;
}

// A loop that is unrolled has several copies, and what is left of it one more: that is executed for
// few turns, and does not count. An instruction that is moved out of a loop is no copy of it.
void Assembled::findCopies(uint32_t block) {
  std::map<const Instruction*, std::map<uint32_t, double>> sure, all;  // by part
  std::map<const Instruction*, unsigned> depths;
  unsigned deepest = 0;
  const auto each = [&](auto&& function) {
    for (uint32_t p = 0; p < parts_.size(); ++p)
      for (size_t i = parts_[p].begin; parts_[p].isExecuted && i < parts_[p].end; ++i)
        if (code_[i].block == block && !isBeside(code_[i].code)) function(p, code_[i]);
  };
  each([&](uint32_t p, const MachineInstruction& one) {
    unsigned& depth = depths[one.of];
    depth = std::max(depth, parts_[p].loops);
    deepest = std::max(deepest, depth);
  });
  each([&](uint32_t p, const MachineInstruction& one) {
    if (staysWhole(one.code) && staysWhole(*one.of)) ++sure[one.of][p];
    if (depths[one.of] == deepest) ++all[one.of][p];
  });
  const auto& counted = sure.empty() ? all : sure;
  // Others become several of the machine's.
  const bool isOnce = sure.empty() && !isInLoop(block);
  std::map<uint32_t, std::vector<double>> ofParts;
  for (const auto& [instruction, parts] : counted)
    for (const auto& [p, count] : parts) ofParts[p].push_back(isOnce ? 1 : count);
  size_t most = 0;
  for (const auto& [p, counts] : ofParts) most = std::max(most, counts.size());
  double mostCopies = 0;
  std::map<uint32_t, double> copies;
  for (const auto& [p, counts] : ofParts) {
    const bool isWhole = deepest == 0 && ofParts.size() == 1;  // no loop is left
    const double turns = !sure.empty() ? 0
                         : isWhole     ? turnsAround(block)
                                       : turnsIn(parts_[p], block);
    if (sure.empty() && 2 * counts.size() < most && turns == 0) continue;
    copies[p] = turns > 0      ? turns
                : sure.empty() ? *std::ranges::min_element(counts)
                               : median(counts);
    mostCopies = std::max(mostCopies, copies[p]);
  }
  // Parts of the block that come one after the other have different instructions, others the same.
  std::vector<double> together;
  for (const auto& [instruction, parts] : counted) {
    double count = 0;
    for (const auto& [p, ofPart] : parts)
      if (const auto known = copies.find(p); known != copies.end() && known->second == mostCopies)
        ++count;
    if (count > 0) together.push_back(count);
  }
  for (const auto& [p, count] : copies) {
    Part::Copies& c = parts_[p].blocks[block];
    c.copies = count;
    c.often = count == mostCopies ? 1 / count / median(together) : 0;
    for (size_t i = parts_[p].begin; i < parts_[p].end; ++i)
      if (code_[i].block == block && code_[i].code != codes::nop)
        c.votes += (staysWhole(code_[i].code) ? 4 : 1) * (code_[i].isPredicated ? 0.01 : 1);
  }
}

void Assembled::findHomes() {
  std::vector<bool> beginsLoop(code_.size() + 1, false);
  for (size_t i = 0; i < code_.size(); ++i)
    if (code_[i].code == codes::branch && code_[i].further < 0) beginsLoop[target(i)] = true;
  for (Part& part : parts_) {
    double most = 0;
    for (const auto& [block, c] : part.blocks)
      if (c.votes > most) most = c.votes, part.home = block, part.often = c.often;
  }
  const auto takeFrom = [&](Part& part, const Part& other) {
    if (part.home == none) part.home = other.home, part.often = other.often;
  };
  // A part of a division or root has none of those that stay whole: it is where these are.
  for (Part& part : parts_)
    for (size_t i = part.begin; i < part.end && part.home == none; ++i) {
      if (!code_[i].of || !isAnyOf(code_[i].of->op, {Op::div, Op::rem, Op::sqrt, Op::rcp}))
        continue;
      const auto same = std::ranges::find(parts_, code_[i].block, &Part::home);
      if (same != parts_.end()) takeFrom(part, *same);
    }
  // Others are executed with what follows, or comes before.
  for (size_t p = parts_.size(); p-- > 1;)
    if (parts_[p].isExecuted && !isEnd(code_[parts_[p - 1].end - 1].code) &&
        !beginsLoop[parts_[p].begin])
      takeFrom(parts_[p - 1], parts_[p]);
  // … what comes behind a loop, as often as what comes before it.
  const auto before = [&](size_t p) {
    while (p-- > 1) {
      const size_t last = parts_[p].end - 1;
      if (code_[last].code != codes::branch || code_[last].further >= 0) return p;
      while (p > 1 && parts_[p].begin > target(last)) --p;
    }
    return size_t(0);
  };
  for (size_t p = 1; p < parts_.size(); ++p) takeFrom(parts_[p], parts_[before(p)]);
}

void Assembled::take() {
  findCycles();
  findRegisterCycles();
  findLoops();
  findConstants();
  findMerged();
  findOrder();
  // Where a lane is chosen for an atomic, that one does it for its warp.
  for (const MachineInstruction& one : code_)
    if (one.code == codes::firstLane && one.of && isAnyOf(one.of->op, {Op::atom, Op::red}))
      one.of->addsUpFirst = true;
  struct Sum {
    double count = 0, special = 0, cycles = 0, yields = 0, registerCycles = 0, control = 0;
    double jump = 0, stay = 0;
    std::array<double, std::tuple_size_v<UnitCycles>> units = {};
  };
  std::map<const Instruction*, Sum> sums;
  const auto add = [&](const Instruction* i, size_t place, double often) {
    const MachineInstruction& one = code_[place];
    Sum& sum = sums[i];
    sum.count += often;
    sum.cycles += often * cycles_[place];
    sum.special += isSpecial(one.code) ? often : 0;
    sum.registerCycles += often * registerCycles_[place];
    sum.yields += one.yields ? often : 0;
    sum.control += directs(one.code) ? often : 0;
    if (i == one.of && isAnyOf(i->op, {Op::bra, Op::brx}) && isEnd(one.code)) {
      const auto [jump, stay] = jumpOf(place);
      sum.jump += often * jump, sum.stay += often * stay;
    }
    const auto units = unitCyclesOf(one.code);
    for (size_t u = 0; u < units.size(); ++u) sum.units[u] += often * units[u];
  };
  // What belongs to no instruction of a block is put beside one that asks no memory.
  const auto besides = [&](uint32_t block) -> const Instruction* {
    const auto& code = f_.blocks[block].code;
    const auto computes = [](const Instruction& i) {
      return !i.isMemory() && i.mergedWith == none &&
             !isAnyOf(i.op, {Op::bra, Op::brx, Op::bar, Op::shfl, Op::vote, Op::call, Op::ret,
                             Op::exit, Op::match, Op::redux, Op::wmma, Op::cp});
    };
    const auto found = std::ranges::find_if(code, computes);
    return code.empty() ? nullptr : found == code.end() ? &code.back() : &*found;
  };
  std::vector<bool> isHome(f_.blocks.size(), false), isThere(f_.blocks.size(), false);
  for (const Part& part : parts_) {
    if (!part.isExecuted || part.home == none) continue;
    isHome[part.home] = true;
    for (const auto& [block, c] : part.blocks) isThere[block] = isThere[block] || c.often > 0;
    for (size_t i = part.begin; i < part.end; ++i) {
      const MachineInstruction& one = code_[i];
      if (one.code == codes::nop) continue;
      const auto known = part.blocks.find(one.block);
      const bool isOwn = one.of && known != part.blocks.end();
      const Instruction* const to = isOwn ? one.of : besides(part.home);
      const double often = isOwn ? known->second.often : part.often;
      if (!to) continue;
      add(to, i, often);
      if (one.code != codes::callRelative) continue;
      const auto [count, cycles] = routine(i);
      sums[to].count += often * count, sums[to].cycles += often * cycles;
    }
  }
  for (uint32_t b = 0; b < f_.blocks.size(); ++b) {
    BasicBlock& block = f_.blocks[b];
    block.isPredicated = isThere[b] && !isHome[b];
    for (Instruction& i : block.code) {
      const Sum& sum = sums[&i];
      Cost& cost = i.cost;
      const bool isOperation =
          (i.isMemory() && i.space != Space::param && i.space != Space::constant) ||
          isAnyOf(i.op, {Op::bar, Op::shfl, Op::vote, Op::match, Op::redux});
      const Cost rule = cost;
      if (isOperation) {
        const bool isMerged = i.mergedWith != none;
        const double turns = isMerged ? 0 : i.turnsOfLoad;
        cost.before = isMerged ? 0 : float(sum.count * turns) - 1;
        cost.cycles = isMerged ? 0 : float(sum.cycles * turns) - 1;
        cost.yields = float(sum.yields * turns);
        cost.registerCycles = float(sum.registerCycles * turns);
        cost.control = float(sum.control * turns);
        for (size_t u = 0; u < sum.units.size(); ++u)
          cost.unitCycles[u] = float(sum.units[u] * turns);
        continue;
      }
      cost = {};
      cost.count = float(sum.count);
      cost.special = float(sum.special);
      cost.cycles = float(sum.cycles);
      cost.yields = float(sum.yields);
      cost.registerCycles = float(sum.registerCycles);
      cost.control = float(sum.control);
      cost.jump = float(sum.jump), cost.stay = float(sum.stay);
      for (size_t u = 0; u < sum.units.size(); ++u) cost.unitCycles[u] = float(sum.units[u]);
      if (i.op == Op::call && isMathematics(i.name)) {
        cost = rule;
        cost.count += float(sum.count) - 1;
        cost.cycles = rule.chain * cyclesOfChain + float(sum.cycles);
        continue;
      }
      if (multipliesMatrices(i))
        cost.unitCycles[2] = rule.unitCycles[2];  // of which shape it knows
      cost.chain = sum.count < 0.5 ? 0 : std::max(rule.chain, 1.0f);
      cost.copies = cost.chain == 0 && rule.copies;
    }
  }
}

void takeAssembled(Function& function, std::string_view file, MachineCode machine) {
  if (machine.code.empty()) return;
  function.neededRegisters = machine.registers;
  function.isAssembled = true;
  Assembled(function, file, std::move(machine.code)).take();
}

BranchesLeft branchesLeft(Function& function, std::string_view file, MachineCode machine) {
  if (machine.code.empty()) return {};
  findPtx(function, file, machine.code);
  std::set<const char*> left;
  for (const MachineInstruction& one : machine.code)
    if (one.of && one.of->op == Op::bra && one.code == codes::branch)
      left.insert(one.of->text.data());
  return left;
}

}  // namespace estimate::gpu_code
