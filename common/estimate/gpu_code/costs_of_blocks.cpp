// Costs that follow from more than one instruction: of blocks, branches and loops.
#include "estimate/gpu_code/costs_state.h"

namespace estimate::gpu_code {

// Loads from neighbouring places of shared memory become one of 8 or 16 bytes.
void Costs::mergeSharedLoads(BasicBlock& block) {
  std::map<std::pair<uint32_t, Type>, std::map<int64_t, uint32_t>> run;  // by base: offset, place
  const auto flush = [&] {
    for (auto& [base, loads] : run) {
      const int64_t bytes = bytesOf(base.second);
      for (auto first = loads.begin(); first != loads.end();) {
        int64_t width = 1;
        for (const int64_t w : {4, 2}) {
          if (bytes * w > 16 || first->first % (bytes * w) != 0) continue;
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
    if (i.op == Op::ld && i.space == Space::shared && i.vector == 1 && bytesOf(i.type) >= 4 &&
        !i.isVolatile && i.guard.kind == Operand::Kind::none) {
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

// A small block that a branch skips has a predicate instead: no branch, and all who come there
// issue it.
void Costs::findPredicated() {
  constexpr float most = 7;
  std::vector<unsigned> before(f_.blocks.size(), 0);
  for (const BasicBlock& block : f_.blocks)
    for (const uint32_t next : block.next) ++before[next];
  for (uint32_t b = 0; b < f_.blocks.size(); ++b) {
    BasicBlock& block = f_.blocks[b];
    if (block.next.size() != 2 || block.code.empty() || block.code.back().op != Op::bra) continue;
    for (const uint32_t k : {0u, 1u}) {
      const uint32_t body = block.next[k], other = block.next[1 - k];
      BasicBlock& inside = f_.blocks[body];
      if (inside.next.size() != 1 || inside.next[0] != other || body == b || before[body] != 1)
        continue;
      // A branch that leads to the end becomes an EXIT with a predicate.
      const auto& meeting = f_.blocks[other].code;
      if (meeting.size() == 1 && meeting[0].op == Op::ret) break;
      float cost = 0;
      unsigned global = 0;  // accesses: of several, some would be for nothing
      bool simple = true;
      for (const Instruction& i : inside.code) {
        cost += i.cost.count;
        global += i.isMemory() && (i.space == Space::global || i.space == Space::generic);
        simple = simple && !isAnyOf(i.op, {Op::bar, Op::shfl, Op::call, Op::ret, Op::exit, Op::atom,
                                           Op::vote, Op::redux, Op::brx, Op::wmma, Op::match});
        simple = simple && !(isAnyOf(i.op, {Op::div, Op::rem}));
      }
      if (simple && cost <= most && global <= 1) {
        inside.isPredicated = true;
        block.code.back().cost = nothing(false);
        break;
      }
    }
  }
}

// What comes from the lanes' numbers or from memory.
void Costs::findDivergent() {
  divergent_.assign(f_.registers.size(), false);
  for (uint32_t r = 0; r < f_.registers.size() && r < 25; ++r)
    divergent_[r] =
        f_.registers[r].name.starts_with("%tid") || f_.registers[r].name.starts_with("%lane");
  for (bool changed = true; changed;) {
    changed = false;
    for (const BasicBlock& block : f_.blocks)
      for (const Instruction& i : block.code) {
        bool differs = (i.op == Op::ld && i.space != Space::param && i.space != Space::constant) ||
                       isAnyOf(i.op, {Op::atom, Op::shfl, Op::call, Op::wmma, Op::mma}) ||
                       (i.op == Op::ld && !f_.isKernel);
        for (const Operand& o : i.from_)
          differs = differs || (o.kind == Operand::Kind::reg && divergent_[o.reg]);
        differs = differs || (i.guard.kind == Operand::Kind::reg && divergent_[i.guard.reg]);
        if (!differs) continue;
        for (const Operand& o : i.to)
          if (o.kind == Operand::Kind::reg && !divergent_[o.reg])
            divergent_[o.reg] = true, changed = true;
      }
  }
}

// The jumps that begin the next turn of a loop.
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
// the same place. A loop that lanes leave one after the other has both outside.
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
    if (ends || isLoop || !known.insert(block.meets).second) continue;
    last.cost.count += 2;
  }
}

// A loop of one block with a constant number of turns: ptxas unrolls it by four, and its counter
// with it.
void Costs::unrollConstantLoops() {
  constexpr float by = 4;
  for (uint32_t b = 0; b < f_.blocks.size(); ++b) {
    BasicBlock& block = f_.blocks[b];
    if (block.code.size() < 3 || std::ranges::find(block.next, b) == block.next.end()) continue;
    Instruction& jump = block.code.back();
    const Instruction* compare = nullptr;
    for (Instruction& i : block.code) {
      if (isAnyOf(i.op, {Op::bar, Op::call, Op::atom})) compare = nullptr, jump.cost.count = 1;
      if (i.op == Op::setp && i.to[0].reg == jump.guard.reg &&
          i.from_[1].kind == Operand::Kind::constant)
        compare = &i;
    }
    if (!compare || jump.op != Op::bra) continue;
    for (Instruction& i : block.code) {
      const bool counts = i.op == Op::add && i.from_[1].kind == Operand::Kind::constant &&
                          compare->from_[0].kind == Operand::Kind::reg &&
                          i.to[0].reg == compare->from_[0].reg;
      if (&i == compare || &i == &jump || counts) i.cost.count /= by;
    }
  }
}

// The place of shared memory, once for each block that has none in a register.
void Costs::addSharedSymbols(BasicBlock& block) {
  bool known = false;
  for (Instruction& i : block.code) {
    if (!i.isMemory() || i.space != Space::shared || i.from_[0].reg != none) continue;
    if (!known) i.cost.before = 3;
    known = true;
  }
}

void Costs::find() {
  for (BasicBlock& block : f_.blocks) {
    for (Instruction& i : block.code) {
      i.cost = costOf(i);
    }
    mergeSharedLoads(block);
    addSharedSymbols(block);
  }
  findDivergent();
  findPredicated();
  addMeetings();
  unrollConstantLoops();
  for (BasicBlock& block : f_.blocks)
    for (Instruction& i : block.code) i.cost.unitCycles = unitCyclesOf(i);
}

void findCosts(Function& f) { Costs(f).find(); }

}  // namespace estimate::gpu_code
