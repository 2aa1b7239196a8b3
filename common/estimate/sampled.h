// Launches as a GPU would have them, of which some blocks are executed, as a GPU compiler's code.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "estimate/gpu_code/launched.h"
#include "estimate/warp_program.h"

namespace estimate {

// The blocks of a grid that stand for all of them: the first, the last, and some between, in runs
// of neighbours.
std::vector<uint64_t> sampleOf(uint64_t blocks);
// Two of them, for kernels whose blocks do so much that more would take long: what blocks share is
// then known only from how much of the arrays they touch.
std::vector<uint64_t> fewOf(uint64_t blocks);

// Where the blocks of a launch, listed from few, are uneven, it is listed from many, chosen by what
// all do, unless these do more than most instructions.
void lookAtMore(const gpu_code::Asked& asked, Launch& launch, uint64_t most);

// Collects what launches do. Arrays that are allocated during it begin as zeros and take memory
// only where kernels touch them; nothing is checked, and no kernel changes what the program sees.
class Sampler {
 public:
  // multiprocessors: that kernels are told the GPU has. Where they are few, and blocks do very much
  // because of that, kernels are told of more.
  explicit Sampler(unsigned multiprocessors,
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

// What this program lacks for any estimate of its launches, said in a line; empty where it has all.
std::string whatEstimatesLack();

}  // namespace estimate
