#include "simt/threads/thread_block.h"

#include "simt/image/symbols.h"

namespace simt {

constinit thread_local Thread* running = nullptr;
constinit thread_local Thread* runningPlain = nullptr;
constinit thread_local ThreadBlock* blockOfThisOsThread = nullptr;

std::string kernelName() {
  const ThreadLaunch& launch = runningThreads().launch();
  if (!launch.kernelName.empty()) return launch.kernelName;
  const std::string kernel = kernelNameOf(functionAt(launch.call.kernel));
  return kernel.empty() ? "kernel" : kernel;
}

std::string indexName(uint3 index, dim3 extent) {
  if (extent.y == 1 && extent.z == 1) return std::to_string(index.x);
  return "(" + std::to_string(index.x) + ", " + std::to_string(index.y) + ", " +
         std::to_string(index.z) + ")";
}

std::string threadName(const Thread& thread) {
  return "thread " + indexName(thread.index, runningThreads().kernelCall().block);
}

}  // namespace simt
