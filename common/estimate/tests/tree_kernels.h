// The kernels of lessons 02 to 06 as lists of operations: what their warps request follows from the
// source; how many instructions they issue was taken from a profiler.
#pragma once

#include <string>
#include <vector>

#include "estimate/warp_program.h"

namespace estimate {

struct TreeKernel {
  enum class Pairs { neighbors, neighborsPacked, halves };
  Pairs pairs = Pairs::neighbors;
  bool inSharedMemory = false;
  unsigned loadsFirst = 1;  // elements of a thread that are added up before the tree
  double instructions = 0;  // of a block's warps
};

// The launch of 2^28 elements.
Launch treeLaunch(const TreeKernel& kernel, unsigned threads);

// A step of the ladder, with the instructions that a profiler counted in the launch of 2^28
// elements in blocks of so many threads.
struct TreeStep {
  std::string name;
  unsigned threads = 512;
  TreeKernel kernel;
};
std::vector<TreeStep> treeSteps();

}  // namespace estimate
