#include "simt/run/access.h"

#include <cstring>

#include "simt/find/memory_faults.h"
#include "simt/find/race_reports.h"
#include "simt/find/races.h"
#include "simt/find/repetition.h"
#include "simt/find/settings.h"
#include "simt/find/signals.h"
#include "simt/find/watchdog.h"
#include "simt/memory/arrays.h"
#include "simt/paths/warp_log.h"
#include "simt/run/arrays_of_workers.h"
#include "simt/run/block.h"
#include "simt/run/grid_barrier.h"

extern constinit thread_local uint3 threadIdx, blockIdx, blockDim, gridDim;

namespace simt {
namespace {

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
  const Block& block = runningBlock();
  const KernelCall& call = block.kernelCall();
  if (address - reinterpret_cast<uintptr_t>(call.arguments) < call.argumentBytes) return false;
  Array* const array = findArray(address);
  const Range variable = array ? Range() : findShared(address);
  if (!array && !variable && isSharedOfAnother(address, size)) return false;
  if (!array && !variable && isBuiltIn(reinterpret_cast<const void*>(address))) return false;
  if (!array && !variable && kind == Access::load && isConstant(address)) return false;
  if (!array && !variable && address - block.exceptionBegin < block.exceptionBytes) return false;
  const uintptr_t end = array ? array->end : variable.end;
  if (address + size > end) reportOutside(*block.current, end != 0 ? end : address, size, kind, pc);
  if (array && array->isConstant) {
    if (kind == Access::load) return false;
    reportConstant(*block.current, address, size, kind, pc);
  }
  const uintptr_t begin = array ? array->begin : variable.begin;
  if (array && !array->touched) noteUnshared(kind);
  range = {begin, end - begin, array ? array->touched : nullptr, array, nullptr};
  if (array && begin % wordBytes == 0) range.written = array->written.data();
  return true;
}

// Whether it is one or two words, aligned and written: as nearly all that is accessed.
inline bool isWrittenWord(const RecentRange& range, uintptr_t address, size_t size) {
  if (size == wordBytes && address % wordBytes == 0 && range.written)
    return range.written[(address - range.begin) / wordBytes] == 0xf;
  if ((size != wordBytes && size != 2 * wordBytes) || address % size != 0) return false;
  return writtenBytes(range.array, address) == 0xf &&
         (size == wordBytes || writtenBytes(range.array, address + wordBytes) == 0xf);
}

// The same of a store, to what nobody else has touched lately: all that is to be done.
inline bool storesWord(const RecentRange& range, Thread& self, uintptr_t address, size_t size,
                       const void* pc) {
  if (size != wordBytes || address % wordBytes != 0) return false;
  if (!recordStore(self, address, pc, !range.array)) return false;
  (range.written ? range.written[(address - range.begin) / wordBytes]
                 : writtenBytes(range.array, address)) = 0xf;
  return true;
}

// What lies in the range, where that is all: a load of written words, a store to a word that is the
// thread's own by now, or a launch whose faults nobody asks for. False, and nothing is done: there
// is more to look for.
inline bool isPlain(Block& block, const RecentRange& range, Thread& self, uintptr_t address,
                    size_t size, Access kind, const void* pc) {
  if (!block.findFaults) {
    if (kind != Access::load) noteStore(address, size, kind == Access::store);
    return true;
  }
  if (kind == Access::load && isWrittenWord(range, address, size)) {
    noteLoad(self, block.accesses.firstEpoch, address, pc);
    return true;
  }
  if (kind != Access::store || !storesWord(range, self, address, size, pc)) return false;
  noteStore(address, size, true);
  return true;
}

// The path is behind it: its address is kept until the warp's lanes meet.
inline void writeDown(Thread& self, uintptr_t address, size_t size) {
  *self.nextAddress = packAccess(address, size);
  self.nextAddress += warpWidth;
}

bool isIn(const RecentRange& range, uintptr_t address, size_t size) {
  const uintptr_t offset = address - range.begin;
  return offset < range.bytes && range.bytes - offset >= size;
}

// Any access. What it reads may be unwritten where it is a piece of a whole object: padding.
void accessOne(uintptr_t address, size_t size, Access kind, const void* pc, Scope scope,
               bool mayBeUnwritten) {
  Thread& self = *running;
  Block& block = runningBlock();
  const bool isOwn = address - self.stackBegin < stackBytes;  // a variable of the thread
  RecentRange& range = block.recentRanges.of(pc);
  if (!isOwn && !isIn(range, address, size) && !locate(address, size, kind, pc, range)) return;
  if (self.hasBadIndex) reportIndex(self, address, size, pc);
  if (isOwn) return;
  if (range.touched) noteTouched(range.touched, address - range.begin, size, kind);
  if (!isPlain(block, range, self, address, size, kind, pc))
    checkAccess(self, address, size, kind, pc, scope, mayBeUnwritten, range.array);
  const uint32_t code = codeOf(pc, CodeTag::access);
  if (*self.nextCode == code)
    ++self.nextCode;
  else
    followAccess(self, code, pc, kind);
  if (block.trace.on()) block.trace.noteAccess(self, address, size, kind, pc);
  writeDown(self, address, size);
}

// One call loads and stores: the store's instruction is told apart from the load's by an address
// that is inside the call, too, and so of the same line.
const void* storeOf(const void* pc) { return static_cast<const char*>(pc) - 1; }

// A load leaves the last write pending: the compiler announces both sides of an assignment from
// memory to memory before it does either.
void settleBefore(Access kind) {
  if (kind != Access::load && !runningBlock().accesses.pending.empty()) settlePendingWrites();
}

}  // namespace

// Nearly all accesses are plain and on the path that was expected: these in few instructions.
template <unsigned size, Access kind>
void accessNumber(Thread& self, uintptr_t address, const void* pc) {
  settleBefore(kind);
  Block& block = runningBlock();
  const RecentRange& range = block.recentRanges.of(pc);
  const bool isExpected = isIn(range, address, size) && !range.touched && !self.hasBadIndex &&
                          !block.trace.on() && *self.nextCode == codeOf(pc, CodeTag::access);
  if (!isExpected || !isPlain(block, range, self, address, size, kind, pc)) [[unlikely]]
    return accessOne(address, size, kind, pc, Scope::device, false);
  ++self.nextCode;
  writeDown(self, address, size);
}

#define SIMT_ACCESS_NUMBER(size)                                                   \
  template void accessNumber<size, Access::load>(Thread&, uintptr_t, const void*); \
  template void accessNumber<size, Access::store>(Thread&, uintptr_t, const void*);
SIMT_ACCESS_NUMBER(1)
SIMT_ACCESS_NUMBER(2)
SIMT_ACCESS_NUMBER(4)
SIMT_ACCESS_NUMBER(8)
SIMT_ACCESS_NUMBER(16)
#undef SIMT_ACCESS_NUMBER

void access(const void* pointer, size_t size, Access kind, const void* pc, Scope scope,
            bool mayBeUnwritten) {
  // Where nothing is instrumented, atomics and vectors alone would give half a picture.
  if (!running) return;
  settleBefore(kind);
  accessOne(reinterpret_cast<uintptr_t>(pointer), size, kind, pc, scope, mayBeUnwritten);
}

void accessRange(const void* begin, size_t size, Access kind, const void* pc) {
  settleBefore(kind);
  const auto address = reinterpret_cast<uintptr_t>(begin);
  if (address - running->stackBegin < stackBytes) return;
  if (runningBlock().findFaults && kind == Access::load)
    checkWrittenRange(*running, address, size, pc);
  const void* const site = kind == Access::store ? storeOf(pc) : pc;
  for (size_t i = 0; i < size;) {
    const size_t step = size - i >= 4 && (address + i) % 4 == 0 ? 4 : 1;
    accessOne(address + i, step, kind, site, Scope::device, true);
    i += step;
  }
}

void copyVector(void* to, const void* from, size_t size) {
  if (running) {
    const void* const pc = __builtin_return_address(0);
    access(from, size, Access::load, pc);
    access(to, size, Access::store, storeOf(pc));
  }
  std::memcpy(to, from, size);
}

}  // namespace simt
