// The code of a kernel beside its source, with how often a warp executed each instruction.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "estimate/gpu_code/machine.h"

namespace estimate::gpu_code {

// Counts on behalf of a listing, and hands all on.
class Listing : public Listener {
 public:
  Listing(const Module& module, Listener& next) : module_(module), next_(next) {}

  void blockBegins(uint64_t number, unsigned warps) override;
  void executed(unsigned warp, const Step& step) override;
  void passedBy(unsigned warp, const Function& function, const BasicBlock& block) override;
  void blockEnds() override { next_.blockEnds(); }

  // Lines of source in the order in which the code has them first. What only computes addresses,
  // compares and moves is folded; so are like instructions of a line.
  std::string text() const;

 private:
  struct Executed {
    uint64_t times = 0;
    bool isPredicated = false;
  };
  void count(const Instruction& i, bool isPredicated);

  const Module& module_;
  Listener& next_;
  uint64_t warps_ = 0;
  std::map<const char*, std::pair<const Instruction*, Executed>> executed_;  // by where it stands
};

}  // namespace estimate::gpu_code
