#include "estimate/gpu_code/loop_turns.h"

#include <algorithm>
#include <array>
#include <bit>

namespace estimate::gpu_code {

constexpr size_t mostTurns = 64;  // of more it does not matter which come first

bool LoopTurns::isLong() const { return turns_.size() > mostTurns; }

bool LoopTurns::keeps(const Step& step) {
  if (step.block->turnsApart <= 1) return false;
  if (step.block != block_) {
    block_ = step.block;
    turns_.emplace_back();
  } else if (turns_.empty()) {
    return false;  // a long one
  } else if (step.instruction == step.block->code.data()) {
    turns_.emplace_back();
  }
  Kept kept{step, {}};
  if (step.instruction->isMemory()) kept.addresses.assign(step.addresses, step.addresses + 32);
  turns_.back().push_back(std::move(kept));
  return true;
}

std::vector<LoopTurns::Turn> LoopTurns::take() {
  taken_ = std::move(turns_);
  turns_.clear();
  mixed_.clear();
  std::vector<Turn> all;
  if (taken_.size() > mostTurns) {
    for (const auto& kept : taken_) {
      all.emplace_back();
      for (const Kept& k : kept) {
        all.back().steps.push_back(k.step);
        if (!k.addresses.empty()) all.back().steps.back().addresses = k.addresses.data();
      }
    }
    return all;
  }
  std::array<unsigned, 32> turnsOf{};
  for (const auto& kept : taken_)
    for (uint32_t l = kept.back().step.lanes; l != 0; l &= l - 1)
      ++turnsOf[unsigned(std::countr_zero(l))];
  const unsigned by = block_->turnsApart;
  // The turn that each lane does, of those that come by themselves or of the others.
  const auto add = [&](bool isApart, unsigned number) {
    Turn turn;
    turn.isApart = isApart;
    std::vector<uint64_t*> rooms;  // of steps that touch memory
    for (unsigned lane = 0; lane < 32; ++lane) {
      const unsigned apart = turnsOf[lane] % by, at = isApart ? number : apart + number;
      if (at >= (isApart ? apart : turnsOf[lane])) continue;
      const std::vector<Kept>& kept = taken_[at];
      if (turn.steps.empty())
        for (const Kept& k : kept) {
          turn.steps.push_back(k.step);
          turn.steps.back().lanes = 0;
          turn.steps.back().parts = false;
          rooms.push_back(k.addresses.empty() ? nullptr : mixed_.emplace_back(32).data());
          if (rooms.back()) turn.steps.back().addresses = rooms.back();
        }
      for (size_t s = 0; s < turn.steps.size() && s < kept.size(); ++s) {
        turn.steps[s].lanes |= kept[s].step.lanes & (1u << lane);
        if (rooms[s]) rooms[s][lane] = kept[s].addresses[lane];
      }
    }
    if (!turn.steps.empty()) all.push_back(std::move(turn));
  };
  const unsigned most = *std::ranges::max_element(turnsOf);
  for (unsigned k = 0; k + 1 < by; ++k) add(true, k);
  for (unsigned k = 0; k < most; ++k) add(false, k);
  return all;
}

}  // namespace estimate::gpu_code
