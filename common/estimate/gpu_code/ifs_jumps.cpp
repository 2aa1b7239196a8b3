// Jumps that fall away where blocks become one, and conditions that are asked together.
#include "estimate/gpu_code/ifs.h"

#include <utility>

namespace estimate::gpu_code {

// The next block that has something in it.
uint32_t Ifs::following(uint32_t block) const {
  do ++block;
  while (block < f_.blocks.size() && f_.blocks[block].code.empty() && comesFrom_[block] == 0);
  return block;
}

// Jumps to what comes next anyway, and jumps over one jump.
void Ifs::dropJumps() {
  for (uint32_t b = 0; b + 1 < f_.blocks.size(); ++b) {
    Code& code = codeOf(b);
    if (code.empty() || code.back().op != Op::bra) continue;
    const uint32_t next = following(b);
    if (next >= f_.blocks.size()) continue;
    Instruction& jump = code.back();
    if (isJump(jump)) {
      if (jump.targets[0] != next) continue;
      --comesFrom_[next];
      code.pop_back();
    } else if (isJumpAlone(codeOf(next)) && comesFrom_[next] == 0 &&
               jump.targets[0] == following(next)) {
      --comesFrom_[jump.targets[0]];
      jump.targets = codeOf(next)[0].targets;
      jump.guard.negated = !jump.guard.negated;
      codeOf(next).clear();
    }
  }
}

// Where one goes on from a block without a condition.
uint32_t Ifs::goesOnAt(uint32_t block) const {
  const Code& code = f_.blocks[block].code;
  return endsByJump(code) ? code.back().targets[0] : following(block);
}

// A block that is only jumped to from one place, which does nothing but that, stands there.
void Ifs::bringBodies() {
  for (uint32_t b = 0; b < f_.blocks.size(); ++b) {
    Code& code = codeOf(b);
    if (!isJumpAlone(code)) continue;
    const uint32_t body = code[0].targets[0], next = goesOnAt(body);
    Code& its = codeOf(body);
    const bool jumps = endsByJump(its);
    if (body == b || comesFrom_[body] != 1 || isFallenInto(body) || its.empty() ||
        next >= f_.blocks.size() ||
        (!jumps && isAnyOf(its.back().op, {Op::bra, Op::brx, Op::ret, Op::exit})))
      continue;
    Instruction jump = std::move(code[0]);
    code = std::exchange(its, {});
    --comesFrom_[body];
    if (jumps) continue;
    jump.targets[0] = next, ++comesFrom_[next];
    code.push_back(std::move(jump));
  }
}

// What follows the head, if nobody else comes there.
void Ifs::append(uint32_t head) {
  const uint32_t next = following(head);
  if (next >= f_.blocks.size() || comesFrom_[next] > 0) return;
  Code &code = codeOf(head), &more = codeOf(next);
  if (!code.empty()) {
    const Op last = code.back().op;
    if (isAnyOf(last, {Op::bra, Op::brx, Op::ret, Op::exit})) return;
  }
  std::ranges::move(more, std::back_inserter(code));
  more.clear();
}

// What the head jumps to, where it alone does: the end of a loop that clang++ writes in front of
// its beginning, from where the loop goes on, or jumps behind the head. Both are one block, which
// jumps back.
void Ifs::joinEnd(uint32_t head) {
  const uint32_t end = codeOf(head).back().targets[0];
  if (end == head || !endsByBranch(codeOf(end)) || comesFrom_[end] != 1 || isFallenInto(end) ||
      following(end) != head)
    return;
  Instruction& leaves = codeOf(end).back();
  if (leaves.targets[0] != following(head)) return;
  --comesFrom_[end], --comesFrom_[leaves.targets[0]], ++comesFrom_[head];
  leaves.targets[0] = head;
  leaves.guard.negated = !leaves.guard.negated;
  codeOf(head).pop_back();
  std::ranges::move(codeOf(end), std::back_inserter(codeOf(head)));
  codeOf(end).clear();
}

// Whether a block is come to from the one that is written before it.
bool Ifs::isFallenInto(uint32_t block) const {
  while (block-- > 0) {
    const BasicBlock& before = f_.blocks[block];
    if (!before.code.empty() || comesFrom_[block] > 0) return fallsThrough(before);
  }
  return true;
}

// a || (b && c) in front of a short if: what is asked where a is not given, and costs little, is
// asked in any case; one branch leads past the if.
bool Ifs::askTogether(uint32_t head) {
  Code& code = codeOf(head);
  if (left_ || !endsByBranch(code)) return false;
  const uint32_t body = code.back().targets[0], next = following(head);
  if (next >= f_.blocks.size() || next == head || body == next || comesFrom_[next] > 0)
    return false;
  Code& more = codeOf(next);
  if (!endsByBranch(more)) return false;
  const uint32_t behind = following(next);
  const bool jumpsThere = behind < f_.blocks.size() && isJumpAlone(codeOf(behind)) &&
                          codeOf(behind)[0].targets[0] == body;
  if ((behind != body && !jumpsThere) || more.back().targets[0] != goesOnAt(body) ||
      !isShort(codeOf(body), mostIn(code, codeOf(body)), code.back().guard))
    return false;
  const Code asked(more.begin(), more.end() - 1);
  if (!std::ranges::all_of(asked, [&](const Instruction& i) { return isSpeculated(i); }) ||
      !isShort(asked, mostAsked, code.back().guard))
    return false;
  Operand isNot = code.back().guard;
  isNot.negated = !isNot.negated;
  const Instruction first = std::move(code.back());
  code.pop_back();
  --comesFrom_[body];
  Instruction past = std::move(more.back());
  std::ranges::copy(asked, std::back_inserter(code));
  more.clear();
  past.guard = bothOf(code, isNot, past.guard, first);
  code.push_back(std::move(past));
  return true;
}

}  // namespace estimate::gpu_code
