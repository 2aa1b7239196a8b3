// Runs each mistake of the gallery and prints what the executor says.
#include "base/format.h"

#include <iostream>
#include <numeric>

#include "base/errors.h"
#include "base/program_main.h"
#include "cuda/device_array.h"
#include "cuda/launch.h"
#include "measure/input.h"
#include "measure/step.h"
#include "mistakes.cuh"

struct Mistake {
  std::string title;
  BlockSumKernel kernel;
  unsigned grid;  // blocks of 128 threads
};

static int gallery(int argc) {
  if (argc > 1) throw Error(exitUsage, "takes no arguments");
  const size_t n = 1500;
  const unsigned blocks = unsigned(blocksFor(n, 128));
  const Input input = makeInput(n, 1);
  for (const Mistake& mistake :
       {Mistake{"a warp trusted to run in lock-step", volatileUnroll, blocks},
        {"the same in global memory", volatileUnrollGlobal, blocks},
        {"a tree without its barrier", treeWithoutBarrier, blocks},
        {"an early return", earlyReturn, blocks},
        {"a barrier inside a branch", barrierInBranch, blocks},
        {"a shuffle inside a branch", shuffleInBranch, blocks},
        {"a read past the end", readPastEnd, blocks},
        {"a grid that drops the tail", sumOfEight, gridOverEight(n, 128)},
        {"a block sum of the first warp only", firstWarpOnly, blocks},
        {"shared memory used again too soon", sumTwice, (blocks + 1) / 2}}) {
    std::cout << mistake.title << ":\n    ";
    DeviceArray<int> data(input.n, "data"), blockSums(mistake.grid, "blockSums");
    data.copyFromHost(input.values.get());
    try {
      launch(mistake.grid, 128, mistake.kernel, data.data(), blockSums.data(), input.n);
      std::vector<int> sums(mistake.grid);
      blockSums.copyToHost(sums.data(), sums.size());
      const int64_t sum = std::accumulate(sums.begin(), sums.end(), int64_t(0));
      std::cout << "no fault";
      if (sum != input.sum)
        std::cout << fmt::format(", but the sum is wrong: {} instead of {}", sum, input.sum);
      std::cout << '\n';
    } catch (const simt::Fault& fault) {
      std::cout << fault.what() << '\n';
    }
  }
  return exitRight;
}

int main(int argc, char**) {
  return runProgram("mistakes", [&] { return gallery(argc); });
}
