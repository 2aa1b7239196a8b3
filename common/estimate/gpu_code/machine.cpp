#include "estimate/gpu_code/machine.h"

#include <algorithm>
#include <bit>

#include "estimate/gpu_code/modes.h"
#include "estimate/gpu_code/warp.h"

namespace estimate::gpu_code {
namespace {

// A block: its warps up to a barrier, each in its turn.
class Block {
 public:
  Block(const Module& module, const Function& kernel, const LaunchOfCode& launch, Memory& memory,
        LeftOut& leftOut, std::vector<uint8_t>& shared, Listener& listener) {
    for (uint64_t w = 0; w < (launch.block.all() + 31) / 32; ++w)
      warps_.push_back(
          std::make_unique<Warp>(module, kernel, launch, memory, leftOut, shared, listener));
  }
  void begin(uint64_t number) {
    for (size_t w = 0; w < warps_.size(); ++w) warps_[w]->begin(number, unsigned(w));
  }
  // Until all have ended.
  void run(uint64_t& budget);

 private:
  void openBarrier();
  std::vector<std::unique_ptr<Warp>> warps_;
};

void Block::run(uint64_t& budget) {
  for (;;) {
    for (auto& warp : warps_) warp->run(budget);
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

}  // namespace

void execute(const Module& module, const Function& kernel, const LaunchOfCode& launch,
             const std::vector<uint64_t>& blocks, Memory& memory, Listener& listener,
             uint64_t mostInstructions) {
  if (!kernel.problem.empty()) throw Unsupported(kernel.problem);
  uint64_t left = mostInstructions;
  LeftOut leftOut(memory);
  std::vector<uint8_t> shared(dynamicSharedPlace + launch.dynamicShared + 64);
  Block block(module, kernel, launch, memory, leftOut, shared, listener);
  for (const uint64_t number : blocks) {
    leftOut.countBefore(number);
    listener.blockBegins(number, unsigned((launch.block.all() + 31) / 32));
    block.begin(number);
    block.run(left);
    listener.blockEnds();
  }
}

}  // namespace estimate::gpu_code
