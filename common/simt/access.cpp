#include "simt/access.h"

#include <cstring>

#include "simt/arrays.h"
#include "simt/block.h"
#include "simt/branches.h"
#include "simt/memory_faults.h"
#include "simt/races.h"
#include "simt/requests.h"
#include "simt/watchdog.h"

extern uint3 threadIdx, blockIdx, blockDim, gridDim;

namespace simt {
namespace {

// threadIdx and friends: a kernel may read them, and that is not a memory access.
bool isBuiltIn(const void* address) {
  for (const uint3* variable : {&::threadIdx, &::blockIdx, &::blockDim, &::gridDim})
    if (address >= variable && address < variable + 1) return true;
  return false;
}

// Whether the kernel may touch these bytes without being watched: a thread's own variables, its
// parameters, constants.
bool isPrivate(const Thread& self, const void* pointer, Access kind) {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  const auto stack = reinterpret_cast<uintptr_t>(self.stack);
  if (address >= stack && address < stack + stackBytes) return true;
  const KernelCall& call = runningBlock().kernelCall;
  const auto parameters = reinterpret_cast<uintptr_t>(call.arguments);
  if (address >= parameters && address < parameters + call.argumentBytes) return true;
  if (findArray(address) || sharedRange().contains(address)) return false;
  return isBuiltIn(pointer) || (kind == Access::load && isConstant(address));
}

enum class Unwritten { isFault, isPadding };

void accessOne(const void* pointer, size_t size, Access kind, const void* pc, Scope scope,
               Unwritten unwritten) {
  Thread& self = *runningBlock().current;
  if (isPrivate(self, pointer, kind)) return;
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  const uintptr_t end = address + size;
  Array* array = findArray(address);
  const Range& shared = sharedRange();
  const bool isShared = !array && shared.contains(address);
  const Variable* variable = isShared ? findShared(address) : nullptr;
  if (array ? end > array->end : !variable || end > variable->end)
    reportOutside(self, array ? array->end : variable ? variable->end : address, size, kind, pc);

  if (settings().findFaults) {
    checkAlignment(self, address, size, kind, pc);
    if (kind != Access::store && unwritten == Unwritten::isFault)
      checkWritten(self, array, address, size, kind, pc);
    if (kind != Access::load) rememberWritten(array, address, size);
    checkRaces(self, address, size, kind, pc, scope);
  }
  if (kind == Access::store) noteProgress();

  const SiteKind site = kind == Access::atomic ? atomicUpdate
                        : isShared             ? (kind == Access::load ? sharedLoad : sharedStore)
                                               : (kind == Access::load ? globalLoad : globalStore);
  recordRequest(self, address, size, site, pc);
  runningBlock().events.addAccess(self, address, size, kind, isShared);
}

}  // namespace

void access(const void* pointer, size_t size, Access kind, const void* pc, Scope scope) {
  if (!instrumented()) return;  // atomics and vectors alone would give half a picture
  Quiet quiet;
  settlePendingWrites();
  accessOne(pointer, size, kind, pc, scope, Unwritten::isFault);
}

void accessRange(const void* begin, size_t size, Access kind, const void* pc) {
  Quiet quiet;
  settlePendingWrites();
  Thread& self = *runningBlock().current;
  if (settings().findFaults && kind == Access::load && !isPrivate(self, begin, kind))
    checkWrittenRange(self, reinterpret_cast<uintptr_t>(begin), size, pc);
  for (size_t i = 0; i < size;) {
    const char* address = static_cast<const char*>(begin) + i;
    const size_t step = size - i >= 4 && reinterpret_cast<uintptr_t>(address) % 4 == 0 ? 4 : 1;
    accessOne(address, step, kind, pc, Scope::device, Unwritten::isPadding);
    i += step;
  }
}

void warpMet(unsigned warp) {
  closeRequests(warp, true);
  closeTraces(warp);
  runningBlock().events.warpMet(warp);
}

void blockMet() {
  orderAllThreads();
  for (unsigned warp = 0; warp * warpWidth < runningBlock().kernelCall.threads; ++warp)
    warpMet(warp);
  runningBlock().events.blockMet();
}

void beginBlock() {
  forgetSharedWrites();
  const KernelCall& call = runningBlock().kernelCall;
  const dim3 at = runningBlock().index;
  beginBlockAccesses(1 + at.x + call.grid.x * (at.y + call.grid.y * at.z));
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
