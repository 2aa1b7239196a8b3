// Where ptxas put what, and what became one: loops, loads, constants.
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "estimate/gpu_code/assembled_state.h"

namespace estimate::gpu_code {

// Loads of a block that a warp has asked for before it waits for the first of them.
unsigned Assembled::mostOnTheirWay(const Part& part, uint32_t block) const {
  std::array<unsigned, noSignal + 1> of = {};  // of each signal that values are there: how many
  unsigned most = 0;
  for (size_t i = part.begin; i < part.end; ++i) {
    const MachineInstruction& one = code_[i];
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
    block.leavesParts = true;
    block.costApart = block.costOfParts = 0;
    if (std::ranges::find(block.next, b) == block.next.end()) continue;
    const auto loads = unsigned(std::ranges::count_if(block.code, [](const Instruction& i) {
      return i.op == Op::ld && i.mergedWith == none && i.space != Space::param &&
             i.space != Space::constant;
    }));
    for (const Part& part : parts_) {
      const auto known = part.blocks.find(b);
      if (known == part.blocks.end() || known->second.copies <= block.unrolledBy) continue;
      block.unrolledBy = unsigned(known->second.copies);
      const double together = loads > 0 ? double(mostOnTheirWay(part, b)) / loads : 1;
      block.turnsTogether = std::clamp(unsigned(std::lround(together)), 1u, block.unrolledBy);
    }
  }
}

static bool isLoadOfConstant(const MachineInstruction& one) {
  return one.of && isAmong(one.code, {codes::loadConstant, codes::loadUniform, codes::loadIndexed});
}

// ptxas says of some that they are of the instruction that reads what they load.
void Assembled::findLoadersOfConstants() {
  std::map<uint32_t, std::pair<Instruction*, uint32_t>> loads;  // by register; with their blocks
  for (uint32_t b = 0; b < f_.blocks.size(); ++b)
    for (Instruction& i : f_.blocks[b].code)
      if (i.loadsConstant())
        for (const Operand& o : i.to) loads.try_emplace(o.reg, &i, b);
  for (MachineInstruction& one : code_) {
    if (!isLoadOfConstant(one) || one.of->op == Op::ld) continue;
    const auto read = std::ranges::find_if(
        one.of->from_, [&](const Operand& o) { return isRegister(o) && loads.contains(o.reg); });
    if (read == one.of->from_.end()) continue;
    std::tie(one.of, one.block) = loads.at(read->reg);
    for (const Operand& o : one.of->to) loads.erase(o.reg);
  }
}

// A load of constants is a request where it is LDC; others are ULDC. What is either is no part of
// another, and what is neither comes with a word beside it.
void Assembled::findConstants() {
  findLoadersOfConstants();
  std::set<const Instruction*> loaded, indexed, requests;
  for (const MachineInstruction& one : code_) {
    if (!isLoadOfConstant(one)) continue;
    loaded.insert(one.of);
    if (isAmong(one.code, {codes::loadIndexed})) indexed.insert(one.of);
    if (isAmong(one.code, {codes::loadConstant})) requests.insert(one.of);
  }
  for (BasicBlock& block : f_.blocks) {
    std::map<std::pair<uint32_t, int64_t>, uint32_t> words;  // by where they are: what loads them
    const auto wordOf = [](const Instruction& i) {
      return std::pair(i.from_[0].reg, i.from_[0].offset / 8);
    };
    for (uint32_t k = 0; k < block.code.size(); ++k) {
      Instruction& i = block.code[k];
      if (!i.loadsConstant()) continue;
      i.mergedWith = none, i.mergedBytes = 0;
      if (requests.contains(&i)) words.try_emplace(wordOf(i), k);
    }
    for (uint32_t k = 0; k < block.code.size(); ++k) {
      Instruction& i = block.code[k];
      if (!i.loadsConstant()) continue;
      const auto beside = loaded.contains(&i) ? words.end() : words.find(wordOf(i));
      i.isUniform = !requests.contains(&i) && beside == words.end();
      i.isIndexed = indexed.contains(&i);
      // Two turns of an unrolled loop have one for both.
      const bool isHalf = block.unrolledBy > 1 && bytesOf(i.type) * i.vector <= 4;
      i.uniformReads = !i.isUniform || !loaded.contains(&i) ? 0 : isHalf ? 0.5f : 1;
      if (beside == words.end()) continue;
      // The first of the two stands for both.
      const uint32_t head = std::min(beside->second, k), other = std::max(beside->second, k);
      block.code[head].mergedBytes = 8;
      block.code[other].mergedWith = head;
      block.code[head].isUniform = block.code[other].isUniform = false;
      words.erase(beside);
    }
  }
}

static bool isSharedLoad(const Instruction& i) {
  return i.op == Op::ld && i.space == Space::shared && i.vector == 1;
}

// Loads of shared memory that became one: what is not there is beside one that is.
void Assembled::mergeInTurn(std::vector<Instruction>& code,
                            const std::set<const Instruction*>& loaded) {
  std::map<uint32_t, std::vector<uint32_t>> with;  // by the place of what is there
  for (uint32_t k = 0; k < code.size(); ++k) {
    if (!isSharedLoad(code[k]) || loaded.contains(&code[k])) continue;
    const Operand& place = code[k].from_[0];
    uint32_t nearest = none;
    int64_t least = mostBytesOfLoad;
    for (uint32_t other = 0; other < code.size(); ++other) {
      if (!isSharedLoad(code[other]) || !loaded.contains(&code[other])) continue;
      const Operand& its = code[other].from_[0];
      const int64_t apart = std::abs(its.offset - place.offset);
      if (its.reg == place.reg && its.place == place.place && code[other].type == code[k].type &&
          apart < least)
        nearest = other, least = apart;
    }
    if (nearest != none) with[nearest].push_back(k);
  }
  for (auto& [there, places] : with) {
    places.push_back(there);
    const uint32_t head = *std::ranges::min_element(places);
    const auto offset = [&](uint32_t k) { return code[k].from_[0].offset; };
    const auto [first, last] = std::ranges::minmax(places, {}, offset);
    const auto bytes = uint64_t(offset(last) - offset(first)) + bytesOf(code[head].type);
    code[head].mergedBytes =
        uint8_t(std::min<uint64_t>(std::bit_ceil(bytes), uint64_t(mostBytesOfLoad)));
    for (const uint32_t k : places)
      if (k != head) code[k].mergedWith = head, code[k].cost = Cost{.count = 0, .chain = 0};
    for (MachineInstruction& one : code_)
      if (one.of == &code[there]) one.of = &code[head];
  }
}

// … of several turns of a loop that is unrolled: there are fewer of them than copies.
void Assembled::mergeTurns(const Part& part, uint32_t b) {
  const unsigned copies = f_.blocks[b].unrolledBy;
  const auto known = part.blocks.find(b);
  if (copies == 1 || known == part.blocks.end() || unsigned(known->second.copies) != copies) return;
  std::map<Instruction*, unsigned> counts;
  for (size_t i = part.begin; i < part.end; ++i)
    if (const MachineInstruction& one = code_[i];
        one.block == b && isAmong(one.code, {codes::loadShared}) && isSharedLoad(*one.of) &&
        one.of->mergedWith == none)
      ++counts[one.of];
  for (const auto& [i, count] : counts) {
    const unsigned bytes = std::max<unsigned>(i->mergedBytes, bytesOf(i->type));
    const unsigned turns = std::min<unsigned>(copies / count, unsigned(mostBytesOfLoad) / bytes);
    if (turns > 1) i->turnsOfLoad = uint8_t(turns), i->mergedBytes = uint8_t(bytes * turns);
  }
}

void Assembled::findMerged() {
  std::set<const Instruction*> loaded;
  for (const MachineInstruction& one : code_)
    if (one.of && isAmong(one.code, {codes::loadShared})) loaded.insert(one.of);
  for (uint32_t b = 0; b < f_.blocks.size(); ++b) {
    std::vector<Instruction>& code = f_.blocks[b].code;
    if (std::ranges::none_of(code, [&](const Instruction& i) { return loaded.contains(&i); }))
      continue;
    for (Instruction& i : code)
      if (isSharedLoad(i)) i.mergedWith = none, i.mergedBytes = 0;
    mergeInTurn(code, loaded);
    for (const Part& part : parts_) mergeTurns(part, b);
  }
}

// Where an instruction is in what ptxas made: the one of those that stay whole, or the first that
// does more than bring a constant to a register, which goes where there is time.
void Assembled::findOrder() {
  constexpr uint32_t move = 0x002, moveUniform = 0x082;
  const auto isBrought = [](uint32_t code) {
    return isAmong(code, {codes::loadConstant, codes::loadUniform, move, moveUniform});
  };
  for (const unsigned least : {0, 1, 2})
    for (size_t i = code_.size(); i-- > 0;) {
      Instruction* const of = code_[i].of;
      if (!of) continue;
      const bool isWhole = staysWhole(code_[i].code) && staysWhole(*of);
      if ((isWhole ? 2u : isBrought(code_[i].code) ? 0u : 1u) >= least) of->order = uint32_t(i);
    }
}

}  // namespace estimate::gpu_code
