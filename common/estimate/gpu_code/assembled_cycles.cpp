// How long a warp by itself takes from one instruction of the machine to the next.
#include <algorithm>
#include <array>

#include "estimate/gpu_code/assembled_state.h"
#include "estimate/gpu_code/costs_state.h"

namespace estimate::gpu_code {

// Divisions of 64 bits are a routine: its instructions, and how long they take.
std::pair<double, double> Assembled::routine(size_t call) const {
  double count = 0, cycles = 0;
  for (size_t i = target(call); i < code_.size(); ++i) {
    ++count, cycles += cycles_[i];
    if (code_[i].code == codes::comeBack && !code_[i].isPredicated) return {count, cycles};
  }
  return {0, 0};
}

// Each instruction of a warp goes so long after the one before as ptxas says, and when the results
// are there that it waits for. Those of memory and other warps the feed knows.
void Assembled::findCycles() {
  // Registers of the machine and parameters.
  constexpr double latencyOfOthers = 26;
  const auto latencyOf = [](uint32_t code) {
    if (isSpecial(code)) return double(cyclesOfSpecial);
    return staysWhole(code) ? 0 : latencyOfOthers;
  };
  cycles_.assign(code_.size(), 0);
  for (const Part& part : parts_) {
    std::array<double, noSignal> there = {};
    double now = 0;
    for (size_t i = part.begin; i < part.end; ++i) {
      const MachineInstruction& one = code_[i];
      const double before = now;
      for (size_t s = 0; s < there.size(); ++s)
        if (one.waits >> s & 1) now = std::max(now, there[s]);
      if (one.signals < there.size()) there[one.signals] = now + latencyOf(one.code);
      now += std::max(1u, one.stall) + (one.code == codes::meet ? cyclesOfMeeting : 0);
      cycles_[i] = now - before;
    }
  }
  // A jump that PTX does not have, around what a division or root does with rare operands.
  for (size_t p = 0; p + 1 < parts_.size(); ++p) {
    const size_t last = parts_[p].end - 1;
    const MachineInstruction& one = code_[last];
    const bool isOfPtx = one.of && isAnyOf(one.of->op, {Op::bra, Op::brx});
    if (one.code != codes::branch || isOfPtx) continue;
    if (!one.isPredicated || isRare(parts_[p + 1])) cycles_[last] += cyclesOfJump;
  }
}

// A scheduler's registers are in two banks, each of which gives one a cycle; an instruction has
// three cycles for its own, and where they do not suffice the next ones come later. Turns of 18 to
// 35 instructions of 16 products, sums and bits of one to three registers took 19 to 38 cycles of
// an H100, 4 cycles more at most than so; 8 products of doubles with three registers each took 26.
void Assembled::findRegisterCycles() {
  constexpr double window = 3;
  registerCycles_.assign(code_.size(), 0);
  for (const Part& part : parts_) {
    std::array<double, 2> busyTo = {};
    double now = 0;
    for (size_t i = part.begin; i < part.end; ++i) {
      const auto& reads = code_[i].reads;
      const double before = ++now;
      for (size_t b = 0; b < reads.size(); ++b)
        if (reads[b] > 0) now = std::max(now, busyTo[b] + reads[b] - window);
      for (size_t b = 0; b < reads.size(); ++b)
        if (reads[b] > 0) busyTo[b] = std::max(busyTo[b], now) + reads[b];
      registerCycles_[i] = now - before;
      if (isWideProduct(code_[i].code)) registerCycles_[i] += behindWideProduct;
    }
  }
}

// Cycles more of a warp that goes to a branch's target, and of one that does not: ptxas may have
// turned it round. A longer stall than a branch's usual one has them already.
std::pair<double, double> Assembled::jumpOf(size_t place) const {
  constexpr double usualStall = 5;
  const MachineInstruction& one = code_[place];
  const double cycles =
      std::clamp(cyclesOfJump + usualStall - one.stall, 0.0, double(cyclesOfJump));
  if (one.of->guard.kind == Operand::Kind::none) return {cycles, 0};
  const auto homeAt = [&](size_t i) { return partAt_[i] == none ? none : parts_[partAt_[i]].home; };
  const uint32_t jumpsTo = homeAt(target(place)), goesOnTo = homeAt(place + 1);
  const bool isTurned =
      jumpsTo != one.of->targets[0] && (goesOnTo == one.of->targets[0] || jumpsTo == one.block + 1);
  return isTurned ? std::pair(0.0, cycles) : std::pair(cycles, 0.0);
}

}  // namespace estimate::gpu_code
