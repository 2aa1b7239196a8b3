#include "simt/access.h"

#include <cstring>

#include "simt/arrays.h"
#include "simt/block.h"
#include "simt/memory_faults.h"
#include "simt/warp_log.h"

extern uint3 threadIdx, blockIdx, blockDim, gridDim;

namespace simt {
namespace {

// Memory in which an instruction found its bytes, as a guess for the next time.
struct RecentRange {
  uintptr_t begin = 0, bytes = 0;
};
constexpr size_t recentRanges = 64;
constinit thread_local RecentRange recent[recentRanges];

// threadIdx and friends: a kernel may read them, and that is not a memory access.
bool isBuiltIn(const void* address) {
  for (const uint3* variable : {&::threadIdx, &::blockIdx, &::blockDim, &::gridDim})
    if (address >= variable && address < variable + 1) return true;
  return false;
}

// Finds the array or shared variable, or reports that there is none. False: the access is no
// business of ours.
bool locate(uintptr_t address, size_t size, Access kind, const void* pc, RecentRange& range) {
  const Quiet quiet;
  const KernelCall& call = runningBlock().kernelCall;
  if (address - reinterpret_cast<uintptr_t>(call.arguments) < call.argumentBytes) return false;
  const Array* const array = findArray(address);
  const Variable* const variable = array ? nullptr : findShared(address);
  if (!array && !variable && isBuiltIn(reinterpret_cast<const void*>(address))) return false;
  const uintptr_t end = array ? array->end : variable ? variable->end : 0;
  if (address + size > end)
    reportOutside(*runningBlock().current, end != 0 ? end : address, size, kind, pc);
  if (array && array->isConstant && kind == Access::load) return false;
  const uintptr_t begin = array ? array->begin : variable->begin;
  range = {begin, end - begin};
  return true;
}

}  // namespace

void access(const void* pointer, size_t size, Access kind, const void* pc) {
  if (!instrumented()) return;  // atomics and vectors alone would give half a picture
  Thread& self = *running;
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  if (address - self.stackBegin < stackBytes) return;  // the thread's own variables
  RecentRange& range = recent[reinterpret_cast<uintptr_t>(pc) / 4 % recentRanges];
  const uintptr_t offset = address - range.begin;
  if ((offset >= range.bytes || offset + size > range.bytes) &&
      !locate(address, size, kind, pc, range))
    return;
  if (runningBlock().findFaults) checkAccess(self, address, size, kind, pc);
  const uint32_t code = codeOf(pc, CodeTag::access);
  if (*self.nextCode == code)
    ++self.nextCode;
  else
    followAccess(code, pc, kind);
  if (runningBlock().trace.on()) runningBlock().trace.noteAccess(self, address, size, kind, pc);
  *self.nextAddress = packAccess(address, size);
  self.nextAddress += warpWidth;
}

void forgetRecentRanges() {
  for (RecentRange& range : recent) range = {};
}

void blockMet() {
  Block& block = runningBlock();
  for (unsigned warp = 0; warp < block.warps(); ++warp) listAccesses(warp);
  for (unsigned warp = 0; warp < block.warps(); ++warp) {
    closeLog(warp);
    block.events.warpMet(warp);
  }
  block.races.forget();
  block.events.blockMet();
  if (block.paths.large()) clearPaths();
}

void beginBlock() {
  Block& block = runningBlock();
  if (block.trace.beginBlock()) block.plans.clear();
  forgetSharedWrites();
  block.races.forget();
  for (unsigned warp = 0; warp < block.warps(); ++warp) discardLog(warp);
  for (Thread& thread : block.allThreads()) thread.begun = false;
  block.pausedThreads = block.threadsAtActiveMask = 0;
  block.events.beginBlock();
}

void copyVector(void* to, const void* from, size_t size) {
  if (running) {
    const auto* pc = static_cast<const char*>(__builtin_return_address(0));
    access(from, size, Access::load, pc);
    access(to, size, Access::store, pc + 1);  // the same call: told apart by the address
  }
  std::memcpy(to, from, size);
}

}  // namespace simt
