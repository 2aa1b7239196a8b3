#include "simt/run/launch.h"

#include <atomic>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "simt/find/block_races.h"
#include "simt/find/faults.h"
#include "simt/find/races.h"
#include "simt/image/symbols.h"
#include "simt/memory/arrays.h"
#include "simt/run/access.h"
#include "simt/run/left_out_blocks.h"
#include "simt/run/meetings.h"
#include "simt/run/position.h"
#include "simt/run/run_block.h"
#include "simt/run/waiting_blocks.h"

// The kernels see these as const (simt/cuda.h).
uint3 threadIdx, blockIdx, blockDim, gridDim;

namespace simt {
namespace {

std::atomic<uint64_t> blocksEnded, blocksOfLaunch;

void settle(Thread& self) {
  settlePendingWrites();
  if (runningBlock().trace.on()) runningBlock().trace.settleStores(self);
}

[[noreturn]] void raiseException(const std::string& what) {
  {
    const Quiet quiet;
    const Thread& self = *runningBlock().current;
    const void* const pc = lastPlace(self);
    raise(makeFault(Fault::Kind::exception,
                    threadName(self) + " throws an exception" + at(pc) + ": " + what, {&self},
                    {pc}));
  }
  std::abort();  // never: the thread is not resumed
}

const ThreadCalls threadCalls = {settle, pause, finishThread, raiseException, hasOtherBlocks};

void check(const KernelCall& call) {
  const auto& [x, y, z] = call.block;
  const uint64_t threads = uint64_t(x) * y * z;
  if (threads == 0 || threads > maxThreads || z > 64)
    throw std::invalid_argument("a block has 1 to 1024 threads, 64 at most in z");
  const dim3 grid = call.grid;
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.x > 0x7fffffffu || grid.y > 65535 ||
      grid.z > 65535)
    throw std::invalid_argument("a grid has 1 to 2^31 - 1 blocks in x, 1 to 65535 in y and z");
  if (blockOfThisOsThread && runningBlock().current)
    throw std::invalid_argument("a kernel cannot launch a kernel");
}

}  // namespace

Position position() { return {blocksEnded, blocksOfLaunch}; }

void noteEnded(uint64_t blocks) { blocksEnded.store(blocks, std::memory_order_relaxed); }

KernelCall kernelCall(dim3 grid, dim3 block, const void* kernel, void (*call)(void*),
                      void* arguments, size_t argumentBytes) {
  return {kernel,       call,    arguments, argumentBytes, grid, block, block.x * block.y * block.z,
          &threadCalls, runBlock};
}

LaunchScope::LaunchScope(const KernelCall& call)
    : before_((check(call), catchTraps(), blockOfThisOsThread)) {
  useSharedMemoryOfThisOsThread();
  forgetLastArray();
  forgetRecentRanges();
  ::gridDim = call.grid;
  ::blockDim = call.block;
  beginLaunchAccesses();
  Tracer::beginLaunch();
  forgetLeftOut();
  noteEnded(0);
  blocksOfLaunch = uint64_t(call.grid.x) * call.grid.y * call.grid.z;
}
LaunchScope::~LaunchScope() { blockOfThisOsThread = before_; }

}  // namespace simt
