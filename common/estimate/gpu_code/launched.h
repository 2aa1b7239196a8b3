// Launches of the program, as a GPU compiler's code would run them: which code a kernel has, the
// arguments, and the blocks that stand for all.
#pragma once

#include <string>
#include <vector>

#include "estimate/gpu_code/machine.h"
#include "estimate/gpu_code/requests.h"
#include "estimate/warp_program.h"

namespace estimate::gpu_code {

// Whether the program has any such code: it has none where no compiler could make it.
bool isThere();
// The compilers, as simtcc says: "nvcc and ptxas".
std::string whoMadeIt();

// What the program asks for. The arguments are those that the executor's run() is given.
struct Asked {
  std::string name;              // for people; empty: that of the kernel's code
  const void* kernel = nullptr;  // its address
  bool areWords = false;         // the arguments are of 8 bytes each
  const void* arguments = nullptr;
  Extent grid, block;
  uint32_t dynamicShared = 0, multiprocessors = 132;
  bool cooperative = false;
  std::vector<ArrayRange> arrays;
};

// What blocks of a launch may do for its estimate, which then takes some 10 s.
inline constexpr uint64_t mostInstructions = 100'000'000;

// Runs the blocks and lists what they do; nothing that the program sees changes. ptx: becomes the
// code beside its source, if anybody wants it. Throws Unsupported with one line that says of which
// kernel there is no estimate, and why; TooLong, where its warps do more than mostInstructions, or
// what they do takes too much memory.
Launch listed(const Asked& asked, const std::vector<uint64_t>& blocks, uint64_t mostInstructions,
              std::string* ptx = nullptr);

// Instructions of a block's warps, and of the one that executes most.
struct BlockWork {
  uint64_t all = 0, longest = 0;
};
// Of these blocks. Throws what listed() does.
std::vector<BlockWork> workOfBlocks(const Asked& asked, const std::vector<uint64_t>& blocks,
                                    uint64_t mostInstructions);
// Which of these blocks may do most, by what their warps compare first: of each comparison of whole
// numbers the block in which they lie furthest apart. The first turn of a loop, or what decides on
// it, compares where it begins with where it ends. Throws what listed() does.
std::vector<uint64_t> furthestToGo(const Asked& asked, const std::vector<uint64_t>& blocks,
                                   uint64_t instructionsOfWarp);

}  // namespace estimate::gpu_code
