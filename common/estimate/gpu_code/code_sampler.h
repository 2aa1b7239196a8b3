// Launches as a GPU would have them, of which some blocks are executed, as a GPU compiler's code.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "estimate/sampled.h"
#include "estimate/warp_program.h"

namespace estimate::gpu_code {

// Collects what launches do. Arrays that are allocated during it begin as zeros and take memory
// only where kernels touch them; nothing is checked, and no kernel changes what the program sees.
class CodeSampler {
 public:
  // multiprocessors: that kernels are told the GPU has. Where they are few, and blocks do very much
  // because of that, kernels are told of more.
  explicit CodeSampler(unsigned multiprocessors,
                       std::vector<uint64_t> (*sample)(uint64_t blocks) = sampleOf);

  // Calls something that launches kernels. Returns how many launches there are so far. Throws Error
  // (exitUsage) with one line, which names the kernel and says why there is no estimate; the
  // launches of that call are forgotten then.
  size_t run(const std::function<void()>& launch);
  size_t launched() const { return launches_.size(); }
  // All of them.
  std::vector<Launch> take() { return std::move(launches_); }

 private:
  void collect(const std::function<void()>& launch, unsigned multiprocessors, uint64_t most);

  unsigned multiprocessors_;
  std::vector<uint64_t> (*sample_)(uint64_t blocks);
  std::vector<Launch> launches_;
};

}  // namespace estimate::gpu_code
