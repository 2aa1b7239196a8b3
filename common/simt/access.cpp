#include "simt/access.h"

#include <cstring>

#include "simt/arrays.h"
#include "simt/block.h"
#include "simt/branches.h"
#include "simt/memory_faults.h"
#include "simt/races.h"
#include "simt/requests.h"

extern uint3 threadIdx, blockIdx, blockDim, gridDim;

namespace simt {
namespace {

// threadIdx and friends: a kernel may read them, and that is not a memory access.
bool isBuiltIn(const void* address) {
  for (const uint3* variable : {&::threadIdx, &::blockIdx, &::blockDim, &::gridDim})
    if (address >= variable && address < variable + 1) return true;
  return false;
}

}  // namespace

void access(const void* pointer, size_t size, Access kind, const void* pc) {
  if (!instrumented()) return;  // atomics and vectors alone would give half a picture
  Quiet quiet;
  Thread& self = *runningBlock().current;
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  const uintptr_t end = address + size;
  const auto stack = reinterpret_cast<uintptr_t>(self.stack);
  if (address >= stack && address < stack + stackBytes) return;  // the thread's own variables
  const auto parameters = reinterpret_cast<uintptr_t>(runningBlock().kernelCall.arguments);
  if (address >= parameters && address < parameters + runningBlock().kernelCall.argumentBytes)
    return;

  Array* array = findArray(address);
  const Range& shared = sharedRange();
  const bool isShared = !array && shared.contains(address);
  const Variable* variable = isShared ? findShared(address) : nullptr;
  if (!array && !isShared && isBuiltIn(pointer)) return;
  if (array ? end > array->end : !variable || end > variable->end)
    reportOutside(self, array ? array->end : variable ? variable->end : address, size, kind, pc);

  if (settings().findFaults) {
    checkAlignment(self, address, size, kind, pc);
    checkWritten(self, array, address, size, kind, pc);
    checkRaces(self, address, size, kind, pc);
  }

  const SiteKind site = kind == Access::atomic ? atomicUpdate
                        : isShared             ? (kind == Access::load ? sharedLoad : sharedStore)
                                               : (kind == Access::load ? globalLoad : globalStore);
  recordRequest(self, address, size, site, pc);
  runningBlock().events.addAccess(self, address, size, kind, isShared);
}

void warpMet(unsigned warp) {
  closeRequests(warp, true);
  closeTraces(warp);
  runningBlock().events.warpMet(warp);
}

void blockMet() {
  runningBlock().races.forget();
  for (unsigned warp = 0; warp * warpWidth < runningBlock().kernelCall.threads; ++warp)
    warpMet(warp);
  runningBlock().events.blockMet();
}

void beginBlock() {
  forgetSharedWrites();
  runningBlock().races.forget();
  for (unsigned warp = 0; warp * warpWidth < runningBlock().kernelCall.threads; ++warp)
    closeRequests(warp, false);
  forgetTraces();
  runningBlock().events.beginBlock();
}

void copyVector(void* to, const void* from, size_t size) {
  if (running) {
    const void* pc = __builtin_return_address(0);
    access(from, size, Access::load, pc);
    access(to, size, Access::store, pc);
  }
  std::memcpy(to, from, size);
}

}  // namespace simt
