// Launches each kernel of diverging.cuh once, for profile_diverging.sh to watch.
#include <cstdio>

#include "base/errors.h"
#include "base/program_main.h"
#include "diverging.h"

int main() {
  return runProgram("diverging_kernels", [] {
    const std::vector<int> input = divergingInput();
    DeviceArray<int> data(input.size(), "data"), out(input.size(), "out");
    data.copyFromHost(input.data());
    for (const DivergingKernel& entry : divergingKernels) {
      out.copyFromHost(input.data());
      entry.run(out.data(), data.data());
      std::vector<int> results(divergingLength);
      out.copyToHost(results.data(), results.size());
      uint32_t sum = 0;
      for (const int value : results) sum = 31 * sum + uint32_t(value);
      std::printf("%-22s %08x\n", entry.name, sum);
    }
    return exitRight;
  });
}
