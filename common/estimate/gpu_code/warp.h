// A warp on its way through a kernel's code.
#pragma once

#include "estimate/gpu_code/machine.h"

namespace estimate::gpu_code {

class Warp {
 public:
  Warp(const Module& module, const Function& kernel, const LaunchOfCode& launch, Memory& memory,
       LeftOut& leftOut, std::vector<uint8_t>& shared, Listener& listener)
      : listener_(listener) {
    c_.module = &module;
    c_.memory = &memory;
    c_.leftOut = &leftOut;
    c_.launch = &launch;
    c_.shared = &shared;
    kernel_ = &kernel;
  }
  void begin(uint64_t blockNumber, unsigned number);
  // Up to a barrier, its end, or that of the budget.
  void run(uint64_t& budget);
  WarpContext& context() { return c_; }
  void goOn() {
    c_.state = WarpState::running;
    ++c_.frames.back().paths.back().at;
  }

 private:
  void setSpecial(const char* name, auto&& value);
  void enterFunction(const Function& function, const Instruction* caller, uint32_t lanes);
  void leave(uint32_t lanes);
  static bool parts(const Function& f, const BasicBlock& block, uint32_t lanes, uint32_t taken);
  void branch(Path& path, const Instruction& i, uint32_t taken);
  void leaveLoop(const Loop& loop, uint32_t lanes, uint32_t to);
  void call(const Instruction& i, uint32_t lanes);
  void tell(const BasicBlock& block, const Instruction& i, uint32_t lanes, LongWay longWay = {},
            bool jumps = false, bool parts = false) {
    // Where no lane asks for memory, the context's space is that of an access before.
    const Space space = i.isMemory() && lanes == 0 ? i.space : c_.space;
    listener_.executed(c_.number, {&i, &block, c_.frames.back().function, lanes, space,
                                   c_.addresses.data(), jumps, parts, longWay, &c_});
  }

  WarpContext c_;
  Listener& listener_;
  const Function* kernel_;
};

}  // namespace estimate::gpu_code
