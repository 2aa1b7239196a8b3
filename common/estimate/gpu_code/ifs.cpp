// Ifs with little in them: as nvcc and ptxas have them, part of the block around them, with
// predicates and no branch. What comes behind can then go in front of them, and values that several
// ifs in a row make are made once.
#include "estimate/gpu_code/ifs.h"

#include <map>
#include <optional>
#include <set>
#include <span>

namespace estimate::gpu_code {
namespace {

bool hasGlobal(std::span<const Instruction> code, Op op) {
  return std::ranges::any_of(code, [&](const Instruction& i) {
    return i.op == op && (i.space == Space::global || i.space == Space::generic);
  });
}
bool hasLoads(std::span<const Instruction> code) { return hasGlobal(code, Op::ld); }

// Whether the branch that the code ends with waits for what it loads.
bool waitsForLoads(std::span<const Instruction> code) {
  std::set<uint32_t> asked = {code.back().guard.reg};
  for (size_t k = code.size() - 1; k-- > 0;) {
    const auto isAsked = [&](const Operand& o) { return isRegister(o) && asked.contains(o.reg); };
    if (std::ranges::none_of(code[k].to, isAsked)) continue;
    if (hasLoads(code.subspan(k, 1))) return true;
    for (const Operand& o : code[k].from_)
      if (isRegister(o)) asked.insert(o.reg);
  }
  return false;
}

}  // namespace

// What may be done also where nobody asks for it: numbers that only this writes.
bool Ifs::isSpeculated(const Instruction& i) const {
  return !i.isMemory() && i.to.size() == 1 && i.to[0].kind == Operand::Kind::reg &&
         writers_[i.to[0].reg] == 1 &&
         isAnyOf(i.op, {Op::add, Op::sub,  Op::mul, Op::mad,  Op::shl, Op::shr,  Op::and_,
                        Op::or_, Op::xor_, Op::cvt, Op::cvta, Op::mov, Op::setp, Op::selp,
                        Op::neg, Op::min,  Op::max, Op::fma,  Op::abs, Op::not_});
}

// Whether what a body has, but a jump at its end, can have a predicate, and is no more than that.
bool Ifs::isShort(const Code& body, unsigned most, const Operand& guard) const {
  const size_t count = body.size() - endsByJump(body);
  unsigned length = 0;
  std::set<uint32_t> made;  // in it
  for (size_t k = 0; k < count; ++k) {
    const Instruction& i = body[k];
    const bool writesGuard = std::ranges::any_of(
        i.to, [&](const Operand& o) { return o.kind == Operand::Kind::reg && o.reg == guard.reg; });
    // ptxas keeps the branch around an if that stores by itself, as in a sort.
    const bool storesInIf = i.op == Op::st && i.isPredicated;
    if (writesGuard || storesInIf || i.isVolatile ||
        isAnyOf(i.op, {Op::bar,   Op::shfl,      Op::ret,        Op::exit, Op::atom,  Op::vote,
                       Op::redux, Op::bra,       Op::brx,        Op::wmma, Op::mma,   Op::match,
                       Op::div,   Op::rem,       Op::sqrt,       Op::rcp,  Op::fence, Op::cp,
                       Op::trap,  Op::nanosleep, Op::activemask, Op::carry}))
      return false;
    if (i.op == Op::call) {
      if (!isMathematics(i.name) || hasBranches(i.name)) return false;
      length += unsigned(costOfCall(i.name).count) - 1;
    }
    if (i.space == Space::param) continue;
    // Shifts and conversions of an address go with its sums, comparisons with one another; what is
    // made in it is made where it is copied to.
    const bool isWide = bytesOf(i.type) == 8 && !isFloat(i.type);
    const bool isRenamed =
        i.op == Op::mov && (!isRegister(i.from_[0]) || made.contains(i.from_[0].reg));
    const bool isFree = isRenamed || i.op == Op::cvta || i.type == Type::pred || i.op == Op::setp ||
                        (isWide && isAnyOf(i.op, {Op::cvt, Op::shl}));
    const bool isTwo = (isWide && isAnyOf(i.op, {Op::add, Op::sub})) || isGuarded(i);
    length += isFree ? 0 : isTwo ? 2 : 1;
    for (const Operand& o : i.to) made.insert(o.reg);
  }
  // ptxas keeps the branch around what loads and stores, too.
  return left_ || (length <= most && !(hasLoads(body) && hasGlobal(body, Op::st)));
}

// A predicate that is there where both are.
Operand Ifs::bothOf(Code& into, const Operand& a, const Operand& b, const Instruction& like) {
  f_.frameBytes = (f_.frameBytes + 7) / 8 * 8;
  Operand both = a;
  both.negated = false;
  both.reg = uint32_t(f_.registers.size());
  both.place = f_.frameBytes;
  f_.registers.push_back({"both", f_.frameBytes, 0});
  f_.frameBytes += 8;
  writers_.push_back(1);
  Instruction i;
  i.op = Op::and_, i.type = Type::pred;
  i.to = {both}, i.from_ = {a, b};
  i.name = "and.pred";
  i.line = like.line;
  bind(i);
  into.push_back(std::move(i));
  return both;
}

void Ifs::take(Code& into, Code& body, const Operand& guard) {
  std::map<std::pair<uint32_t, bool>, Operand> both;
  for (Instruction& i : body) {
    if (!isSpeculated(i)) {
      if (isGuarded(i)) {
        const auto [known, isNew] = both.try_emplace({i.guard.reg, i.guard.negated});
        if (isNew) known->second = bothOf(into, guard, i.guard, i);
        i.guard = known->second;
      } else {
        i.guard = guard;
      }
      i.isPredicated = true;
    }
    into.push_back(std::move(i));
  }
}

// What was made before of the same values is not made again.
void Ifs::shareValues(Code& code) {
  std::map<std::vector<int64_t>, Operand> known;
  std::map<uint32_t, int64_t> written;  // registers: how often so far
  std::map<uint32_t, Operand> sameAs;
  std::erase_if(code, [&](const Instruction& i) {
    const bool isShared = isSpeculated(i) && !isGuarded(i) && !isFloat(i.type) && i.op != Op::setp;
    std::vector<int64_t> key = {int64_t(i.op), int64_t(i.type), int64_t(i.from),
                                i.wide,        i.high,          i.mode};
    for (const Operand& o : i.from_) {
      const auto same = isRegister(o) ? sameAs.find(o.reg) : sameAs.end();
      const uint32_t reg = same != sameAs.end() ? same->second.reg : o.reg;
      key.insert(key.end(), {int64_t(o.kind), int64_t(o.space), o.negated, o.offset,
                             isRegister(o) ? reg : o.place, isRegister(o) ? written[reg] : 0});
    }
    if (isShared) {
      const auto [first, isNew] = known.try_emplace(std::move(key), i.to[0]);
      if (!isNew) return sameAs[i.to[0].reg] = first->second, true;
    }
    for (const Operand& o : i.to)
      if (o.kind == Operand::Kind::reg) ++written[o.reg];
    return false;
  });
  if (sameAs.empty()) return;
  for (BasicBlock& block : f_.blocks)
    for (Instruction& i : block.code)
      for (Operand& o : i.from_)
        if (const auto same = isRegister(o) ? sameAs.find(o.reg) : sameAs.end();
            same != sameAs.end())
          o.reg = same->second.reg, o.place = same->second.place;
}

// How many instructions it may have, or its else and it.
unsigned Ifs::mostIn(const Code& head, const Code& body, const Code* otherwise) {
  const bool isOnItsWay = hasLoads(head) && !waitsForLoads(head);
  if (!otherwise) return isOnItsWay || hasLoads(body) ? mostBesideLoads : mostInIf;
  if (hasLoads(body) && hasLoads(*otherwise)) return mostOfLoads;
  return isOnItsWay || hasLoads(body) || hasLoads(*otherwise) ? mostOfSideBesideLoads
                                                              : mostWithElse;
}

bool Ifs::convertAt(uint32_t head) {
  Code& code = codeOf(head);
  if (!endsByBranch(code)) return false;
  const uint32_t target = code.back().targets[0], first = following(head);
  if (first >= f_.blocks.size() || first == target) return false;
  if (left_ && left_->contains(code.back().text.data())) return false;
  const Operand taken = code.back().guard;
  Operand stays = taken;
  stays.negated = !stays.negated;
  Code &body = codeOf(first), &otherwise = codeOf(target);
  // A branch that leads to the end becomes an EXIT with a predicate.
  const auto isEnd = [&](uint32_t block) {
    return block >= f_.blocks.size() ||
           (!codeOf(block).empty() && isAnyOf(codeOf(block)[0].op, {Op::ret, Op::exit}));
  };
  const auto isIf = [&](uint32_t block, unsigned jumps) {
    return block != head && comesFrom_[block] == jumps && (jumps == 0 || !isFallenInto(block));
  };
  const bool skipsIf = isIf(first, 0), jumpsToIf = isIf(target, 1);
  const auto isShortIf = [&](const Code& its) { return isShort(its, mostIn(code, its), taken); };
  const auto areShort = [&] {
    const unsigned mostOfBoth = mostIn(code, body, &otherwise);
    return isShort(body, mostOfBoth, taken) && isShort(otherwise, mostOfBoth, taken);
  };
  std::optional<Instruction> jump;  // that the whole ends with
  const auto takeAll = [&](Code& its, const Operand& guard) {
    code.pop_back();
    if (endsByJump(its)) {
      jump = std::move(its.back());
      its.pop_back();
    }
    take(code, its, guard);
    its.clear();
  };
  if (skipsIf && goesOnAt(first) == target && !isEnd(target) && isShortIf(body)) {
    takeAll(body, stays);
    --comesFrom_[target];
  } else if (jumpsToIf && endsByJump(otherwise) && goesOnAt(target) == first && !isEnd(first) &&
             isShortIf(otherwise)) {
    takeAll(otherwise, taken);
    --comesFrom_[target], --comesFrom_[first];
    jump.reset();
  } else if (skipsIf && jumpsToIf && goesOnAt(first) == goesOnAt(target) && areShort() &&
             std::ranges::none_of(body, isGuarded) && std::ranges::none_of(otherwise, isGuarded) &&
             !isEnd(goesOnAt(first))) {  // with an else
    const uint32_t meeting = goesOnAt(first);
    takeAll(body, stays);
    --comesFrom_[target];
    if (endsByJump(otherwise)) {
      if (jump)
        --comesFrom_[meeting];
      else
        jump = otherwise.back();
      otherwise.pop_back();
    }
    take(code, otherwise, taken);
    otherwise.clear();
    if (jump && following(head) == meeting) --comesFrom_[meeting], jump.reset();
  } else {
    return false;
  }
  if (jump)
    code.push_back(std::move(*jump));
  else
    append(head);
  shareValues(code);
  if (jump && !left_) joinEnd(head);
  return true;
}

void Ifs::convert() {
  dropJumps();
  bringBodies();
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = uint32_t(f_.blocks.size()); b-- > 0;)
      changed |= askTogether(b) || convertAt(b);
    if (changed) dropJumps(), bringBodies();
  }
}

void convertIfs(Function& f, const BranchesLeft& left) { Ifs(f, left).convert(); }

}  // namespace estimate::gpu_code
