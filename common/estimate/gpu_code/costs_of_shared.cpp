// Costs of shared memory: loads that become one, as those of constants do.
#include <functional>
#include <set>

#include "estimate/gpu_code/costs_state.h"

namespace estimate::gpu_code {

constexpr uint8_t widestLoad = 16;  // bytes

// Of what power of two, up to 16, an instruction's result is a multiple, if registers are of these.
static uint8_t alignmentOf(const Instruction& i, const std::vector<uint8_t>& ofRegisters) {
  const auto of = [&](size_t from) -> unsigned {
    const Operand& o = i.from_[from];
    if (o.kind == Operand::Kind::reg) return ofRegisters[o.reg];
    return o.offset == 0 ? widestLoad
                         : unsigned(std::min<uint64_t>(widestLoad, o.offset & -o.offset));
  };
  unsigned its = 1;
  if (isAnyOf(i.op, {Op::mov, Op::cvt, Op::cvta}))
    its = i.from_.size() == 1 ? of(0) : 1;
  else if (isAnyOf(i.op, {Op::add, Op::sub, Op::or_}))
    its = std::min(of(0), of(1));
  else if (i.op == Op::and_)
    its = std::max(of(0), of(1));
  else if (i.op == Op::mul && !i.high)
    its = of(0) * of(1);
  else if (i.op == Op::mad && !i.high)
    its = std::min(of(0) * of(1), of(2));
  else if (i.op == Op::shl && i.from_[1].kind == Operand::Kind::constant)
    its = of(0) << std::min<int64_t>(i.from_[1].offset, 4);
  return uint8_t(std::min<unsigned>(its, widestLoad));
}

// Which power of two each register is a multiple of for certain.
void Costs::findAlignments() {
  alignment_.assign(f_.registers.size(), widestLoad);
  for (size_t reg = 0; reg < alignment_.size(); ++reg)
    if (uses_.all[reg].writers.empty()) alignment_[reg] = 1;
  untilNothingChanges(f_, [&](const Instruction& i, uint32_t reg) {
    const uint8_t its = alignmentOf(i, alignment_);
    if (its >= alignment_[reg]) return false;
    alignment_[reg] = its;
    return true;
  });
}

// How registers are aligned in turns of a loop that clang++ made one, where it begins to count with
// a constant that stands right before it: what the turns left over make of the counter comes later.
std::vector<uint8_t> Costs::alignmentsInTurns(const BasicBlock& block) const {
  std::vector<uint8_t> its = alignment_;
  const auto here = uint32_t(&block - f_.blocks.data());
  for (const Instruction& step : block.code) {
    if (!stepsByConstant(step)) continue;
    uint64_t multiples = uint64_t(step.from_[1].offset);
    const auto beginsWithConstant = [&](const BasicBlock& before) {
      const auto writes = [&](const Instruction& i) {
        return !i.to.empty() && i.to[0].reg == step.to[0].reg;
      };
      const auto last = std::find_if(before.code.rbegin(), before.code.rend(), writes);
      const Operand* const begin =
          last != before.code.rend() && last->op == Op::mov ? constantOf(last->from_[0]) : nullptr;
      if (begin) multiples |= uint64_t(begin->offset);
      return begin != nullptr;
    };
    const bool isKnown = std::ranges::all_of(f_.blocks, [&](const BasicBlock& before) {
      return &before == &block || std::ranges::find(before.next, here) == before.next.end() ||
             beginsWithConstant(before);
    });
    if (isKnown)
      its[step.to[0].reg] = uint8_t(std::min<uint64_t>(widestLoad, multiples & -multiples));
  }
  for (const Instruction& i : block.code)
    if (!i.isMemory() && i.to.size() == 1 && i.to[0].kind == Operand::Kind::reg &&
        uses_.all[i.to[0].reg].writers.size() == 1)
      its[i.to[0].reg] = std::max(its[i.to[0].reg], alignmentOf(i, its));
  return its;
}

// A place made of constants and of what the block counts, not of the thread or the block.
bool Costs::isOfCounterAlone(const BasicBlock& block, uint32_t reg, unsigned further) const {
  const auto& writers = uses_.all[reg].writers;
  if (writers.size() != 1)
    return std::ranges::any_of(writers, [&](auto* w) { return holds(block, *w); });
  return further > 0 && !isSpecialRegister(reg) && !writers[0]->isMemory() &&
         std::ranges::all_of(writers[0]->from_, [&](const Operand& o) {
           return !isRegister(o) || isOfCounterAlone(block, o.reg, further - 1);
         });
}

// Made of what the block counts by sums and multiples, and so going on evenly.
bool Costs::goesOnEvenly(const BasicBlock& block, uint32_t reg, unsigned further) const {
  const auto& writers = uses_.all[reg].writers;
  if (writers.size() != 1 || !holds(block, *writers[0])) return true;
  const bool isLinear =
      further > 0 && isAnyOf(writers[0]->op, {Op::mov, Op::cvt, Op::add, Op::sub, Op::or_, Op::shl,
                                              Op::mul, Op::mad});
  return isLinear && std::ranges::all_of(writers[0]->from_, [&](const Operand& o) {
           return !isRegister(o) || goesOnEvenly(block, o.reg, further - 1);
         });
}

// In a loop an address that each turn moves goes on from turn to turn, and if its start is computed
// anyway, it starts in the middle of the places that a turn loads from: that one nvcc has in a
// register, and ptxas knows how it is aligned.
uint8_t Costs::alignmentInLoop(const BasicBlock& block, uint32_t reg,
                               const std::map<int64_t, uint32_t>& loads) const {
  const uint8_t its = alignment_[reg];
  const bool isLoop = std::ranges::find(block.next, &block - f_.blocks.data()) != block.next.end();
  if (!isLoop || loads.size() < 2) return its;
  bool moves = false, isComputed = false;
  std::set<uint32_t> seen;
  const std::function<void(uint32_t)> follow = [&](uint32_t r) {
    if (!seen.insert(r).second) return;
    const auto& writers = uses_.all[r].writers;
    const auto isInside = [&](const Instruction* w) { return holds(block, *w); };
    const bool inside = std::ranges::any_of(writers, isInside);
    if (inside && !std::ranges::all_of(writers, isInside)) moves = true;
    for (const Instruction* w : writers) {
      if (!isInside(w) && w->op != Op::mov) isComputed = true;
      if (isInside(w) || w->op == Op::mov)
        for (const Operand& o : w->from_)
          if (isRegister(o)) follow(o.reg);
    }
    if (writers.empty()) isComputed = true;  // the thread's place
  };
  follow(reg);
  if (!moves || !isComputed) return its;
  const int64_t first = loads.begin()->first, last = loads.rbegin()->first;
  const int64_t middle = loads.lower_bound((first & last) + ((first ^ last) >> 1))->first;
  return middle == 0 ? its : uint8_t(std::min<int64_t>(its, middle & -middle));
}

// Loads from neighbouring places of shared memory become one of 8 or 16 bytes, where it is certain
// that they lie in one such word; of constants of 8.
void Costs::mergeLoads(BasicBlock& block, Space space, unsigned turns) {
  const std::vector<uint8_t> ofTurns =
      turns > 1 ? alignmentsInTurns(block) : std::vector<uint8_t>{};
  const int64_t widest = space == Space::constant ? 8 : widestLoad;
  std::map<std::pair<uint32_t, Type>, std::map<int64_t, uint32_t>> run;  // by base: offset, place
  const auto flush = [&] {
    for (auto& [base, loads] : run) {
      const int64_t bytes = bytesOf(base.second);
      // Of turns that nvcc unrolled, ptxas joins two where the thread has a part in the place.
      const bool isOfTurns = turns > 1 && base.first != none;
      const int64_t most = !isOfTurns                            ? widestLoad
                           : !goesOnEvenly(block, base.first)    ? 1
                           : isOfCounterAlone(block, base.first) ? widestLoad
                                                                 : 8;
      const int64_t known = base.first == none       ? widestLoad
                            : turns > 1              ? ofTurns[base.first]
                            : space == Space::shared ? alignmentInLoop(block, base.first, loads)
                                                     : alignment_[base.first];
      const int64_t aligned = std::min(most, known);
      for (auto first = loads.begin(); first != loads.end();) {
        int64_t width = 1;
        for (const int64_t w : {4, 2}) {
          if (bytes * w > widest || first->first % (bytes * w) != 0) continue;
          if (aligned < bytes * w) continue;
          auto next = first;
          int64_t k = 0;
          for (; k < w && next != loads.end() && next->first == first->first + k * bytes; ++k)
            ++next;
          if (k == w) {
            width = w;
            break;
          }
        }
        // The first that is executed stands for all.
        std::vector<uint32_t> places;
        for (int64_t k = 0; k < width; ++k) places.push_back((first++)->second);
        if (width == 1) continue;
        const uint32_t head = *std::ranges::min_element(places);
        block.code[head].mergedBytes = uint8_t(bytes * width);
        for (const uint32_t place : places)
          if (place != head) {
            block.code[place].mergedWith = head;
            block.code[place].cost = nothing();
          }
      }
    }
    run.clear();
  };
  for (uint32_t k = 0; k < block.code.size(); ++k) {
    const Instruction& i = block.code[k];
    if (i.op == Op::ld && i.space == space && i.vector == 1 && bytesOf(i.type) >= 4 &&
        !i.isVolatile && !i.isUniform && i.guard.kind == Operand::Kind::none) {
      run[{i.from_[0].reg, i.type}].try_emplace(i.from_[0].offset, k);
    } else if ((i.op == Op::st && i.space != Space::global && i.space != Space::param) ||
               i.op == Op::bar || i.op == Op::atom || i.op == Op::fence || i.op == Op::call) {
      flush();
    } else {
      for (const Operand& o : i.to)
        if (o.kind == Operand::Kind::reg)
          for (const Type type :
               {Type::b32, Type::u32, Type::s32, Type::f32, Type::b64, Type::u64, Type::f64})
            if (run.contains({o.reg, type})) flush();
    }
  }
  flush();
}

}  // namespace estimate::gpu_code
