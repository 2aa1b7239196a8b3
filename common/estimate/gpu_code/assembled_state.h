// How a function's machine code is found in its PTX: what the files assembled*.cpp share.
#pragma once

#include <map>
#include <set>

#include "estimate/gpu_code/machine_code.h"

namespace estimate::gpu_code {

inline constexpr int64_t mostBytesOfLoad = 16;

// A basic block of the machine's.
struct Part {
  size_t begin = 0, end = 0;
  bool isExecuted = false;
  unsigned loops = 0;  // that it is in
  // Of the blocks of PTX that are in it: how many copies, how often it is executed for each time
  // that one of them is, and what speaks for its being executed with them.
  struct Copies {
    double copies = 0, often = 0, votes = 0;
  };
  std::map<uint32_t, Copies> blocks;
  double often = 0;      // executions, for each of home
  uint32_t home = none;  // the block of PTX that it is executed with
};

class Assembled {
 public:
  Assembled(Function& f, std::string_view file, std::vector<MachineInstruction> code)
      : f_(f), code_(std::move(code)) {
    findPtx(f, file, code_);
    findParts();
    for (uint32_t b = 0; b < f_.blocks.size(); ++b) findCopies(b);
    findHomes();
  }
  void take();

 private:
  void findParts();
  bool isRare(const Part& part) const;
  bool isInLoop(uint32_t block) const;
  double turnsIn(const Part& part, uint32_t block) const;
  double turnsAround(uint32_t block) const;
  void findCopies(uint32_t block);
  void findHomes();
  void findLoops();
  unsigned mostOnTheirWay(const Part& part, uint32_t block) const;
  void findConstants();
  void findLoadersOfConstants();
  void mergeInTurn(std::vector<Instruction>& code, const std::set<const Instruction*>& loaded);
  void mergeTurns(const Part& part, uint32_t block);
  void findMerged();
  void findOrder();
  void findCycles();
  void findRegisterCycles();
  std::pair<double, double> jumpOf(size_t place) const;
  std::pair<double, double> routine(size_t call) const;
  size_t target(size_t i) const {
    const int64_t to = int64_t(i) + code_[i].further;
    return to >= 0 && to < int64_t(code_.size()) ? size_t(to) : code_.size();
  }

  Function& f_;
  std::vector<MachineInstruction> code_;
  std::vector<Part> parts_;
  std::vector<uint32_t> partAt_;  // of each instruction, and none behind the last
  // Of each instruction: until a warp by itself issues the next, and in which its registers are
  // read and nothing is issued.
  std::vector<double> cycles_, registerCycles_;
};

}  // namespace estimate::gpu_code
