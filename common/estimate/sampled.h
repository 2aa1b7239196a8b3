// Launches as a GPU would have them, of which the executor runs only some blocks.
#pragma once

#include <functional>
#include <vector>

#include "estimate/warp_program.h"

namespace estimate {

// The blocks of a grid that stand for all of them: the first, the last, and some between, in runs
// of neighbours.
std::vector<uint64_t> sampleOf(uint64_t blocks);
// Two of them, for kernels whose blocks do so much that more would take long: what blocks share is
// then known only from how much of the arrays they touch.
std::vector<uint64_t> fewOf(uint64_t blocks);

struct SampledLaunches {
  std::vector<Launch> launches;
  bool cutOff = false;  // blocks did more than was recorded
};

// Collects what launches do. Arrays that are allocated during it begin as zeros and take memory
// only where kernels touch them; nothing is checked.
class Sampler {
 public:
  // multiprocessors: that kernels are told the GPU has. Where they are few, and blocks do very much
  // because of that, kernels are told of more.
  explicit Sampler(unsigned multiprocessors,
                   std::vector<uint64_t> (*sample)(uint64_t blocks) = sampleOf);
  ~Sampler();
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  // Calls something that launches kernels. Returns how many launches there are so far.
  size_t run(const std::function<void()>& launch);
  size_t launched() const;
  // All of them. Throws Error where the program's machine code cannot be read.
  SampledLaunches take();

 private:
  void trace(const std::function<void()>& launch);
  struct Parts;
  Parts* parts_;
};

}  // namespace estimate
