// Long, as each step from a function's machine code to its PTX works on all of the same blocks.
#include "estimate/gpu_code/assembled.h"

#include <charconv>
#include <cmath>
#include <numeric>

#include "estimate/gpu_code/costs_state.h"

namespace estimate::gpu_code {
namespace {

// Codes of the machine's instructions; the lower nine bits say what one does, the others with which
// kinds of operands.
constexpr uint32_t nop = 0x918, branch = 0x947, leave = 0x94d, comeBack = 0x950,
                   branchByTable = 0x949, jumpByTable = 0x94a, callRelative = 0x944,
                   callAbsolute = 0x943, meet = 0x941;
bool isByTable(uint32_t code) { return code == branchByTable || code == jumpByTable; }
bool isEnd(uint32_t code) {
  return code == branch || code == leave || code == comeBack || isByTable(code);
}
bool isCall(uint32_t code) { return code == callRelative || code == callAbsolute; }
bool isAmong(uint32_t code, std::initializer_list<uint32_t> all) {
  return std::ranges::find(all, code & 0x1ff) != all.end();
}
// One of these comes from one of PTX, and is where it was: accesses, barriers, shuffles, votes,
// arithmetic of floats.
bool staysWhole(uint32_t code) {
  return isAmong(code, {0x181, 0x186, 0x184, 0x188, 0x183, 0x187, 0x11d, 0x189, 0x1a8,
                        0x1a3, 0x1a9, 0x18e, 0x18c, 0x18d, 0x006, 0x023, 0x021, 0x020,
                        0x02b, 0x029, 0x028, 0x031, 0x030, 0x032, 0x108, 0x009});
}
bool staysWhole(const Instruction& i) {
  if (isAnyOf(i.op, {Op::ld, Op::st})) return i.space != Space::param;
  return isAnyOf(i.op, {Op::atom, Op::red, Op::bar, Op::shfl, Op::vote, Op::ex2, Op::rsqrt}) ||
         (isFloat(i.type) && isAnyOf(i.op, {Op::fma, Op::add, Op::sub, Op::mul, Op::max, Op::min}));
}
// IADD3, LEA, LOP3, ISETP, SEL, SHF, PRMT, minimum and maximum; IMAD, IMAD.WIDE, IMAD.HI; those of
// doubles.
UnitCycles unitCyclesOf(uint32_t code) {
  if (isAmong(code, {0x010, 0x011, 0x012, 0x00c, 0x007, 0x019, 0x016, 0x017, 0x048, 0x013, 0x045}))
    return {2, 0, 0};
  if (isAmong(code, {0x024})) return {0, 2, 0};
  if (isAmong(code, {0x025})) return {0, wideProductCycles, 0};
  if (isAmong(code, {0x027})) return {0, 4, 0};
  if (isAmong(code, {0x028, 0x029, 0x02a, 0x02b})) return {0, 0, 2};
  return {};
}
// MUFU, FCHK, conversions, and counts of bits.
bool isSpecial(uint32_t code) {
  return isAmong(code,
                 {0x108, 0x102, 0x105, 0x106, 0x104, 0x109, 0x100, 0x101, 0x110, 0x111, 0x112});
}

constexpr uint32_t noSignal = 7;

// An instruction of the machine.
struct One {
  uint32_t code = 0, line = 0;
  bool isPredicated = false;
  int64_t further = 0;          // of a branch: how many instructions
  uint32_t signals = noSignal;  // which of six, when its value is there
  uint32_t waits = 0;           // for which, a bit for each
  Instruction* of = nullptr;    // of PTX
  uint32_t block = none;        // of PTX
};

std::vector<One> readCode(std::string_view words) {
  std::vector<One> all;
  const char *at = words.data(), *const end = at + words.size();
  while (at < end && *at == ' ') {
    One one;
    at = std::from_chars(at + 1, end, one.code, 16).ptr;
    if (at == end || (*at != 'u' && *at != 'p')) break;
    one.isPredicated = *at == 'p';
    at = std::from_chars(at + 1, end, one.line).ptr;
    if (at < end && *at == '+') at = std::from_chars(at + 1, end, one.further).ptr;
    if (at < end && *at == ':') {
      uint32_t both = 0;
      at = std::from_chars(at + 1, end, both, 16).ptr;
      one.signals = both & 7, one.waits = both >> 3;
    }
    all.push_back(one);
  }
  return all;
}

struct MachineCode {
  uint32_t registers = 0;
  std::vector<One> code;  // empty where the file has none
};

MachineCode machineCodeOf(const std::string& function, std::string_view file) {
  const std::string mark = "\n//assembled " + function + ' ';
  const size_t found = file.find(mark);
  if (found == std::string_view::npos) return {};
  std::string_view line = file.substr(found + mark.size());
  line = line.substr(0, line.find('\n'));
  const size_t space = std::min(line.find(' '), line.size());
  MachineCode machine;
  std::from_chars(line.data(), line.data() + space, machine.registers);
  machine.code = readCode(line.substr(space));
  return machine;
}

// Which instruction of PTX, and which block's, each is of.
void findPtx(Function& f, std::string_view file, std::vector<One>& code) {
  struct Place {
    Instruction* instruction;
    uint32_t block;
  };
  std::map<const char*, Place> places;
  for (uint32_t b = 0; b < f.blocks.size(); ++b)
    for (Instruction& i : f.blocks[b].code)
      if (!i.text.empty()) places[i.text.data()] = {&i, b};
  std::map<uint32_t, Place> ofLines;
  uint32_t line = 1;
  const char* at = file.data();
  for (const auto& [text, place] : places) {
    line += uint32_t(std::count(at, text, '\n'));
    at = text;
    ofLines.try_emplace(line, place);
  }
  for (One& one : code)
    if (const auto known = ofLines.find(one.line); known != ofLines.end())
      one.of = known->second.instruction, one.block = known->second.block;
}

// A basic block of the machine's.
struct Part {
  size_t begin = 0, end = 0;
  bool isExecuted = false;
  // Of the blocks of PTX that are in it: how many copies, how often it is executed for each time
  // that one of them is, and what speaks for its being executed with them.
  struct Copies {
    double copies = 0, often = 0, votes = 0;
  };
  std::map<uint32_t, Copies> blocks;
  double often = 0;      // executions, for each of home
  uint32_t home = none;  // the block of PTX that it is executed with
};

class Assembled {
 public:
  Assembled(Function& f, std::string_view file, std::vector<One> code)
      : f_(f), code_(std::move(code)) {
    findPtx(f, file, code_);
    findParts();
    for (uint32_t b = 0; b < f_.blocks.size(); ++b) findCopies(b);
    findHomes();
  }
  void take();

 private:
  void findParts();
  bool isRare(const Part& part) const;
  bool isInLoop(uint32_t block) const;
  void findCopies(uint32_t block);
  void findHomes();
  void findLoops();
  unsigned mostOnTheirWay(const Part& part, uint32_t block) const;
  void findConstants();
  void findOrder();
  double routine(size_t call) const;
  size_t target(size_t i) const {
    const int64_t to = int64_t(i) + code_[i].further;
    return to >= 0 && to < int64_t(code_.size()) ? size_t(to) : code_.size();
  }

  Function& f_;
  std::vector<One> code_;
  std::vector<Part> parts_;
};

void Assembled::findParts() {
  std::vector<bool> begins(code_.size() + 1, false);
  begins[0] = true;
  for (size_t i = 0; i < code_.size(); ++i) {
    const uint32_t code = code_[i].code;
    if (code == branch) begins[target(i)] = true;
    if (isEnd(code) || code == meet || code == callRelative || code == callAbsolute)
      begins[i + 1] = true;
  }
  std::vector<uint32_t> partAt(code_.size() + 1, none);
  for (size_t i = 0; i < code_.size(); ++i) {
    if (begins[i]) parts_.emplace_back().begin = i;
    partAt[i] = uint32_t(parts_.size() - 1);
    parts_.back().end = i + 1;
  }
  // Behind the kernel are routines that it calls, and a jump to itself with what fills up the room.
  size_t routines = code_.size();
  for (size_t i = 0; i < code_.size(); ++i)
    if (code_[i].code == callRelative)
      routines = std::min(routines, target(i));
    else if (code_[i].code == branch && code_[i].further == 0)
      routines = std::min(routines, i);
  std::vector<uint32_t> stack = {0};
  while (!stack.empty() && !parts_.empty()) {
    const uint32_t p = stack.back();
    stack.pop_back();
    if (p >= parts_.size() || parts_[p].isExecuted || isRare(parts_[p])) continue;
    parts_[p].isExecuted = true;
    const size_t last = parts_[p].end - 1;
    const One& one = code_[last];
    if (one.code == branch && target(last) < code_.size()) stack.push_back(partAt[target(last)]);
    if (!isEnd(one.code) || one.isPredicated) stack.push_back(p + 1);
    if (isByTable(one.code))
      for (uint32_t n = p + 1; n < parts_.size() && parts_[n].begin < routines; ++n)
        stack.push_back(n);
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

double median(std::vector<double> all) {
  std::ranges::sort(all);
  return all[all.size() / 2];
}

bool Assembled::isInLoop(uint32_t block) const {
  std::set<uint32_t> seen;
  std::vector<uint32_t> stack = f_.blocks[block].next;
  while (!stack.empty()) {
    const uint32_t b = stack.back();
    stack.pop_back();
    if (b == block) return true;
    if (!seen.insert(b).second) continue;
    stack.insert(stack.end(), f_.blocks[b].next.begin(), f_.blocks[b].next.end());
  }
  return false;
}

// A loop that is unrolled has several copies, and what is left of it one more: that is executed for
// few turns, and does not count. An instruction that is moved out of a loop is no copy of it.
void Assembled::findCopies(uint32_t block) {
  std::map<const Instruction*, std::map<uint32_t, double>> sure, all;  // by part
  for (uint32_t p = 0; p < parts_.size(); ++p) {
    if (!parts_[p].isExecuted) continue;
    for (size_t i = parts_[p].begin; i < parts_[p].end; ++i) {
      const One& one = code_[i];
      if (one.block != block || one.code == nop) continue;
      ++all[one.of][p];
      if (staysWhole(one.code) && staysWhole(*one.of)) ++sure[one.of][p];
    }
  }
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
    if (sure.empty() && 2 * counts.size() < most) continue;
    copies[p] = sure.empty() ? *std::ranges::min_element(counts) : median(counts);
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
      if (code_[i].block == block && code_[i].code != nop)
        c.votes += (staysWhole(code_[i].code) ? 4 : 1) * (code_[i].isPredicated ? 0.01 : 1);
  }
}

void Assembled::findHomes() {
  std::vector<bool> beginsLoop(code_.size() + 1, false);
  for (size_t i = 0; i < code_.size(); ++i)
    if (code_[i].code == branch && code_[i].further < 0) beginsLoop[target(i)] = true;
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
  for (size_t p = 1; p < parts_.size(); ++p) takeFrom(parts_[p], parts_[p - 1]);
}

// Divisions of 64 bits are a routine.
double Assembled::routine(size_t call) const {
  double count = 0;
  for (size_t i = target(call); i < code_.size(); ++i) {
    ++count;
    if (code_[i].code == comeBack && !code_[i].isPredicated) return count;
  }
  return 0;
}

// Loads of a block that a warp has asked for before it waits for the first of them.
unsigned Assembled::mostOnTheirWay(const Part& part, uint32_t block) const {
  std::array<unsigned, noSignal + 1> of = {};  // of each signal that values are there: how many
  unsigned most = 0;
  for (size_t i = part.begin; i < part.end; ++i) {
    const One& one = code_[i];
    for (uint32_t signal = 0; signal < of.size(); ++signal)
      if (one.waits >> signal & 1) of[signal] = 0;
    if (one.block == block && isAmong(one.code, {0x180, 0x181, 0x183, 0x184})) ++of[one.signals];
    most = std::max(most, std::accumulate(of.begin(), of.end(), 0u));
  }
  return most;
}

// How often a loop of one block is unrolled, and the loads of how many turns are on their way at a
// time; of PTX that has the turns that are left over, nothing is to be kept apart.
void Assembled::findLoops() {
  for (uint32_t b = 0; b < f_.blocks.size(); ++b) {
    BasicBlock& block = f_.blocks[b];
    block.unrolledBy = block.turnsTogether = block.turnsApart = 1;
    block.costApart = block.costOfParts = 0;
    const auto loads = unsigned(std::ranges::count_if(block.code, [](const Instruction& i) {
      return i.op == Op::ld && i.mergedWith == none && i.space != Space::param &&
             i.space != Space::constant;
    }));
    if (std::ranges::find(block.next, b) == block.next.end()) continue;
    for (const Part& part : parts_) {
      const auto known = part.blocks.find(b);
      if (known == part.blocks.end() || known->second.copies <= block.unrolledBy) continue;
      block.unrolledBy = unsigned(known->second.copies);
      const double together = loads > 0 ? double(mostOnTheirWay(part, b)) / loads : 1;
      block.turnsTogether = std::clamp(unsigned(std::lround(together)), 1u, block.unrolledBy);
    }
  }
}

// A load of constants is a request where it is LDC; others are ULDC, or an operand.
void Assembled::findConstants() {
  std::set<const Instruction*> requests;
  for (const One& one : code_)
    if (one.of && isAmong(one.code, {0x182})) requests.insert(one.of);
  for (BasicBlock& block : f_.blocks)
    for (Instruction& i : block.code)
      if (i.op == Op::ld && i.space == Space::constant) i.isUniform = !requests.contains(&i);
}

// Where an instruction is in what ptxas made: the one of those that stay whole, or the first.
void Assembled::findOrder() {
  for (const bool isWhole : {false, true})
    for (size_t i = code_.size(); i-- > 0;)
      if (Instruction* const of = code_[i].of;
          of && (!isWhole || (staysWhole(code_[i].code) && staysWhole(*of))))
        of->order = uint32_t(i);
}

void Assembled::take() {
  findLoops();
  findConstants();
  findOrder();
  struct Sum {
    double count = 0, special = 0;
    std::array<double, 3> units = {};
  };
  std::map<const Instruction*, Sum> sums;
  const auto add = [&](const Instruction* i, const One& one, double often) {
    Sum& sum = sums[i];
    sum.count += often;
    sum.special += isSpecial(one.code) ? often : 0;
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
      const One& one = code_[i];
      if (one.code == nop) continue;
      const auto known = part.blocks.find(one.block);
      const bool isOwn = one.of && known != part.blocks.end();
      const Instruction* const to = isOwn ? one.of : besides(part.home);
      const double often = isOwn ? known->second.often : part.often;
      if (!to) continue;
      add(to, one, often);
      if (one.code == callRelative) sums[to].count += often * routine(i);
    }
  }
  for (uint32_t b = 0; b < f_.blocks.size(); ++b) {
    BasicBlock& block = f_.blocks[b];
    block.isPredicated = isThere[b] && !isHome[b];
    for (Instruction& i : block.code)  // loads that ptxas does not merge
      if (i.mergedWith != none && sums[&i].count > 0.5)
        block.code[i.mergedWith].mergedBytes = 0, i.mergedWith = none;
    for (Instruction& i : block.code) {
      const Sum& sum = sums[&i];
      Cost& cost = i.cost;
      const bool isOperation =
          (i.isMemory() && i.space != Space::param && i.space != Space::constant) ||
          isAnyOf(i.op, {Op::bar, Op::shfl, Op::vote, Op::match, Op::redux});
      const Cost rule = cost;
      if (isOperation) {
        cost.before = i.mergedWith == none ? float(sum.count) - 1 : 0;
        continue;
      }
      cost = {};
      cost.count = float(sum.count);
      cost.special = float(sum.special);
      for (size_t u = 0; u < sum.units.size(); ++u) cost.unitCycles[u] = float(sum.units[u]);
      if (i.op == Op::call && isMathematics(i.name)) {
        cost = rule;
        cost.count += float(sum.count) - 1;
        continue;
      }
      cost.chain = sum.count < 0.5 ? 0 : std::max(rule.chain, 1.0f);
      cost.copies = cost.chain == 0 && rule.copies;
    }
  }
}

}  // namespace

void takeAssembled(Function& function, std::string_view file) {
  MachineCode machine = machineCodeOf(function.name, file);
  if (machine.code.empty()) return;
  function.neededRegisters = machine.registers;
  function.isAssembled = true;
  Assembled(function, file, std::move(machine.code)).take();
}

BranchesLeft branchesLeft(Function& function, std::string_view file) {
  MachineCode machine = machineCodeOf(function.name, file);
  if (machine.code.empty()) return {};
  findPtx(function, file, machine.code);
  std::set<const char*> left;
  for (const One& one : machine.code)
    if (one.of && one.of->op == Op::bra && one.code == branch) left.insert(one.of->text.data());
  return left;
}

}  // namespace estimate::gpu_code
