#include "simt/run/launch.h"

#include <atomic>
#include <stdexcept>

#include "simt/find/block_races.h"
#include "simt/memory/arrays.h"
#include "simt/run/access.h"
#include "simt/run/left_out_blocks.h"

// The kernels see these as const (simt/cuda.h).
uint3 threadIdx, blockIdx, blockDim, gridDim;

namespace simt {
namespace {

std::atomic<uint64_t> blocksEnded, blocksOfLaunch;

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
  return {kernel, call, arguments, argumentBytes, grid, block, block.x * block.y * block.z};
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

void prepare(Block& block, const KernelCall& call) {
  block.kernelCall = call;
  block.findFaults = settings().findFaults;
  block.fault.reset();
  block.fibers.start(block.threads, call.threads);
  for (Thread& t : block.allThreads()) t.index = indexOf(t.rank, call.block);
  block.ready.start(settings().schedule);
}

}  // namespace simt
