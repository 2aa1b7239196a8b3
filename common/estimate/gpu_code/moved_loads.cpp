// Loads behind an if: ptxas has them in front of its branch, with what makes their addresses, where
// nothing in the if may write what they read.
#include <algorithm>
#include <set>

#include "estimate/gpu_code/costs_state.h"
#include "estimate/gpu_code/places.h"

namespace estimate::gpu_code {
namespace {

// By code of ptxas 13.0 for an H200: past an if without else of 65 instructions, and one in it;
// some 16 loads that way.
constexpr float mostInstructions = 66;
constexpr size_t mostBlocks = 2;
constexpr unsigned mostLoads = 16;

bool isLoad(const Instruction& i) { return i.op == Op::ld && i.space != Space::param; }
bool staysInPlace(const Instruction& i) {
  if (isPureCall(i)) return hasBranches(i.name);
  return meetsOthers(i) || ordersMemory(i) || isAnyOf(i.op, {Op::ret, Op::exit, Op::brx});
}

class MovedLoads {
 public:
  explicit MovedLoads(Function& f) : f_(f), before_(f.blocks.size()), writers_(f.registers.size()) {
    for (uint32_t b = 0; b < f.blocks.size(); ++b) {
      for (const uint32_t next : f.blocks[b].next) before_[next].insert(b);
      for (const Instruction& i : f.blocks[b].code)
        for (const Operand& o : i.to)
          if (o.kind == Operand::Kind::reg) ++writers_[o.reg];
    }
  }
  void moveTo(uint32_t head);

 private:
  std::set<uint32_t> between(uint32_t head, uint32_t meeting) const;
  bool isPassed(uint32_t head, uint32_t meeting, const std::set<uint32_t>& its) const;
  bool isMovable(const Instruction& i, const Instruction& branch) const;

  Function& f_;
  std::vector<std::set<uint32_t>> before_;  // of each block, those that it follows
  std::vector<unsigned> writers_;           // of each register
};

// The blocks of an if, or none where they are more than that, or more than loads go past.
std::set<uint32_t> MovedLoads::between(uint32_t head, uint32_t meeting) const {
  std::set<uint32_t> its;
  for (const uint32_t next : f_.blocks[head].next)
    if (next != meeting) {
      const std::set<uint32_t> behind = blocksBehind(f_, next, meeting);
      its.insert(next);
      its.insert(behind.begin(), behind.end());
    }
  if (!f_.isAssembled && its.size() > mostBlocks) return {};
  const auto isOfIf = [&](uint32_t b) { return b == head || its.contains(b); };
  const auto isEntered = [&](uint32_t b) { return !std::ranges::all_of(before_[b], isOfIf); };
  const auto comesBack = [&](uint32_t b) { return blocksBehind(f_, b, meeting).contains(b); };
  if (its.contains(head) || isEntered(meeting) || std::ranges::any_of(its, isEntered) ||
      std::ranges::any_of(its, comesBack))
    return {};
  return its;
}

bool MovedLoads::isPassed(uint32_t head, uint32_t meeting, const std::set<uint32_t>& its) const {
  float instructions = 0;
  for (const uint32_t b : its)
    for (const Instruction& i : f_.blocks[b].code) {
      if (staysInPlace(i)) return false;
      instructions += i.cost.count;
    }
  if (f_.isAssembled) return true;
  const auto hasNoElse = [&](uint32_t b) {
    const auto& next = f_.blocks[b].next;
    return next.size() == 1 || std::ranges::find(next, meeting) != next.end();
  };
  return instructions <= mostInstructions && hasNoElse(head) && std::ranges::all_of(its, hasNoElse);
}

bool MovedLoads::isMovable(const Instruction& i, const Instruction& branch) const {
  const auto isOnly = [&](const Operand& o) {
    return o.kind == Operand::Kind::reg && writers_[o.reg] == 1;
  };
  if (i.guard.kind != Operand::Kind::none || i.to.empty() || !std::ranges::all_of(i.to, isOnly))
    return false;
  if (!isLoad(i)) return !i.isMemory() && !staysInPlace(i) && i.op != Op::bra;
  const bool isThere = !f_.isAssembled || (i.order != none && i.order < branch.order);
  return isThere && !i.isVolatile && !i.loadsConstant() && i.mergedBytes == 0 &&
         i.mergedWith == none;
}

void MovedLoads::moveTo(uint32_t head) {
  BasicBlock& into = f_.blocks[head];
  if (into.next.size() != 2 || into.meets == none || into.meets <= head ||
      into.code.back().op != Op::bra || (f_.isAssembled && into.code.back().order == none))
    return;
  BasicBlock& from = f_.blocks[into.meets];
  const auto goes = [&](const Instruction& i) {
    return isLoad(i) && isMovable(i, into.code.back());
  };
  if (std::ranges::none_of(from.code, goes)) return;
  const std::set<uint32_t> its = between(head, into.meets);
  if (its.empty() || !isPassed(head, into.meets, its)) return;
  std::set<uint32_t> made;  // registers that are written on the way
  std::vector<const Instruction*> written;
  const auto stays = [&](const Instruction& i) {
    if (writes(i)) written.push_back(&i);
    for (const Operand& o : i.to)
      if (o.kind == Operand::Kind::reg) made.insert(o.reg);
  };
  for (const uint32_t b : its) std::ranges::for_each(f_.blocks[b].code, stays);
  auto room = unsigned(
      mostLoads - std::min<size_t>(mostLoads, size_t(std::ranges::count_if(into.code, isLoad))));
  const auto canMove = [&](const Instruction& i) {
    const auto isMade = [&](const Operand& o) { return isRegister(o) && made.contains(o.reg); };
    if (!isMovable(i, into.code.back()) || std::ranges::any_of(i.from_, isMade)) return false;
    if (!isLoad(i)) return true;
    const auto meets = [&](const Instruction* w) { return mayMeet(i, {}, *w, {}); };
    return room > 0 && (f_.isAssembled || std::ranges::none_of(written, meets));
  };
  std::vector<bool> moves(from.code.size(), false);
  for (size_t k = 0; k < from.code.size() && !staysInPlace(from.code[k]); ++k) {
    moves[k] = canMove(from.code[k]);
    if (!moves[k]) stays(from.code[k]);
    room -= moves[k] && isLoad(from.code[k]);
  }
  std::set<uint32_t> needed;  // registers that a load is made of
  for (size_t k = from.code.size(); k-- > 0;) {
    const Instruction& i = from.code[k];
    const auto isNeeded = [&](const Operand& o) { return needed.contains(o.reg); };
    moves[k] = moves[k] && (isLoad(i) || std::ranges::any_of(i.to, isNeeded));
    if (!moves[k]) continue;
    for (const Operand& o : i.from_)
      if (isRegister(o)) needed.insert(o.reg);
  }
  std::vector<uint32_t> places(from.code.size());
  std::vector<Instruction> left;
  for (size_t k = 0; k < from.code.size(); ++k) {
    places[k] = uint32_t(left.size());
    if (moves[k])
      into.code.insert(into.code.end() - 1, std::move(from.code[k]));
    else
      left.push_back(std::move(from.code[k]));
  }
  from.code = std::move(left);
  for (Instruction& i : from.code)
    if (i.mergedWith != none) i.mergedWith = places[i.mergedWith];
}

}  // namespace

void moveLoads(Function& f) {
  MovedLoads moved(f);
  for (auto head = uint32_t(f.blocks.size()); head-- > 0;) moved.moveTo(head);
}

}  // namespace estimate::gpu_code
