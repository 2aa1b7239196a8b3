#include "estimate/gpu_code/machine.h"

#include <algorithm>
#include <bit>
#include <functional>

#include "estimate/gpu_code/modes.h"
#include "estimate/gpu_code/warp.h"

namespace estimate::gpu_code {
namespace {

// A block: its warps up to a barrier, each in its turn.
class Block {
 public:
  Block(const Module& module, const Function& kernel, const LaunchOfCode& launch, Memory& memory,
        LeftOut& leftOut, std::vector<uint8_t>& shared, Listener& listener) {
    for (uint64_t w = 0; w < launch.block.warps(); ++w)
      warps_.push_back(
          std::make_unique<Warp>(module, kernel, launch, memory, leftOut, shared, listener));
  }
  void begin(uint64_t number) {
    for (size_t w = 0; w < warps_.size(); ++w) warps_[w]->begin(number, unsigned(w));
  }
  // Until all have ended.
  void run(uint64_t& budget);
  // Each warp's first instructions, at most up to a barrier.
  void runFirst(uint64_t ofWarp) {
    for (auto& warp : warps_) {
      uint64_t budget = ofWarp;
      warp->run(budget);
    }
  }

 private:
  void openBarrier();
  std::vector<std::unique_ptr<Warp>> warps_;
};

void Block::run(uint64_t& budget) {
  for (;;) {
    for (auto& warp : warps_) {
      warp->run(budget);
      if (warp->context().state == WarpState::running)
        throw TooLong("its blocks do more than can be executed here: too long");
    }
    if (std::ranges::all_of(
            warps_, [](const auto& warp) { return warp->context().state == WarpState::finished; }))
      return;
    openBarrier();
  }
}

// All that have not ended are there.
void Block::openBarrier() {
  uint32_t count = 0;
  bool all = true, any = false;
  for (auto& warp : warps_) {
    WarpContext& c = warp->context();
    if (c.state != WarpState::atBarrier) continue;
    const uint32_t lanes = c.existing & ~c.gone;
    count += uint32_t(std::popcount(c.brought & lanes));
    all = all && (c.brought & lanes) == lanes;
    any = any || (c.brought & lanes) != 0;
  }
  for (auto& warp : warps_) {
    WarpContext& c = warp->context();
    if (c.state != WarpState::atBarrier) continue;
    const Instruction& i = *c.waitsAt;
    if (!i.to.empty()) {
      const uint32_t lanes = c.existing & ~c.gone;
      if (i.mode == modes::popc)
        for (unsigned lane = 0; lane < 32; ++lane) {
          if (lanes >> lane & 1) c.to<uint32_t>(i.to[0])[lane] = count;
        }
      else
        c.setPredicate(i.to[0], lanes, (i.mode == modes::all ? all : any) ? UINT32_MAX : 0);
    }
    warp->goOn();
  }
}

// Begins each of the blocks, and has run(block) go on with it.
void executeEach(const Module& module, const Function& kernel, const LaunchOfCode& launch,
                 const std::vector<uint64_t>& blocks, Memory& memory, Listener& listener,
                 const std::function<void(Block&)>& run) {
  if (!kernel.problem.empty()) throw Unsupported(kernel.problem);
  LeftOut leftOut(memory);
  std::vector<uint8_t> shared(dynamicSharedPlace + launch.dynamicShared + 64);
  Block block(module, kernel, launch, memory, leftOut, shared, listener);
  for (const uint64_t number : blocks) {
    leftOut.countBefore(number);
    listener.blockBegins(number, unsigned(launch.block.warps()));
    block.begin(number);
    run(block);
    listener.blockEnds();
  }
}

}  // namespace

void execute(const Module& module, const Function& kernel, const LaunchOfCode& launch,
             const std::vector<uint64_t>& blocks, Memory& memory, Listener& listener,
             uint64_t mostInstructions) {
  uint64_t left = mostInstructions;
  executeEach(module, kernel, launch, blocks, memory, listener,
              [&](Block& block) { block.run(left); });
}

void executeFirst(const Module& module, const Function& kernel, const LaunchOfCode& launch,
                  const std::vector<uint64_t>& blocks, Memory& memory, Listener& listener,
                  uint64_t instructionsOfWarp) {
  executeEach(module, kernel, launch, blocks, memory, listener,
              [&](Block& block) { block.runFirst(instructionsOfWarp); });
}

}  // namespace estimate::gpu_code
