#include "simt/find/memory_faults.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "simt/find/faults.h"
#include "simt/find/races.h"
#include "simt/find/searched_block.h"
#include "simt/find/watchdog.h"
#include "simt/image/symbols.h"

namespace simt {

constexpr uintptr_t firstPage = 1 << 16;  // nothing is ever there: a null pointer's members

void report(Fault::Kind kind, const std::string& what, const ArrayElement& place,
            std::vector<const Thread*> who, std::vector<const void*> where) {
  Fault fault = makeFault(kind, what, std::move(who), std::move(where));
  fault.array = place.array;
  fault.index = place.index;
  raise(std::move(fault));
}

void reportConstant(const Thread& self, uintptr_t address, size_t size, Access kind,
                    const void* pc) {
  const ArrayElement place = elementAt(address, size);
  report(Fault::Kind::constantMemory,
         threadName(self) + " " + verb(kind) + " " + place.element() + at(pc) +
             ", which is __constant__: only the host may write it (cudaMemcpyToSymbol)",
         place, {&self}, {pc});
}

// Shared memory has addresses of 32 bits on a GPU, and of 64 here. The place that such an address
// is there, where it is one of shared memory.
static ArrayElement wrappedPlace(uintptr_t address, size_t size) {
  const Range& shared = sharedRange();
  constexpr uintptr_t mostBeyond = uintptr_t(1) << 37;  // an index of 32 bits, of 16 bytes each
  if (address - shared.begin + mostBeyond > 2 * mostBeyond) return {};
  const uintptr_t wrapped = shared.begin + uintptr_t(int32_t(uint32_t(address - shared.begin)));
  return wrapped != address && findShared(wrapped) ? elementAt(wrapped, size) : ArrayElement();
}

void reportOutside(const Thread& self, uintptr_t address, size_t size, Access kind,
                   const void* pc) {
  const ArrayElement place = elementAt(address, size);
  const std::string who = threadName(self) + " " + verb(kind) + " ";
  const ArrayElement wrapped = place.array.empty() ? wrappedPlace(address, size) : ArrayElement();
  if (!wrapped.array.empty())
    report(Fault::Kind::outOfBounds,
           who + "shared memory" + at(pc) + " at an address beyond 32 bits: on a GPU it wraps to " +
               wrapped.element() + ", in C++ the index is outside " + wrapped.array,
           wrapped, {&self}, {pc});
  else if (address < firstPage)
    report(Fault::Kind::nullPointer, who + "through a null pointer" + at(pc), place, {&self}, {pc});
  else if (place.array.empty())
    report(Fault::Kind::hostMemory,
           who + "memory that is neither a device array nor shared" + at(pc), place, {&self}, {pc});
  else
    report(Fault::Kind::outOfBounds,
           who + place.element() + at(pc) + ", but " + place.array + " has " +
               std::to_string((place.end - place.begin) / place.elementSize) + " elements",
           place, {&self}, {pc});
}

void reportIndex(Thread& self, uintptr_t address, size_t size, const void* pc) {
  const Quiet quiet;
  self.hasBadIndex = false;
  const BadIndex bad = self.history->badIndex;
  // A thread's own array may be in registers: then the access is another one.
  ArrayElement place = sourceOf(pc) == sourceOf(bad.pc) ? elementAt(address, size) : ArrayElement();
  // So is that to a number of a device array, which has no such array in it.
  if (!sharedRange().contains(address) && place.elementSize <= size) place = {};
  place.index = bad.index;
  report(Fault::Kind::outOfBounds,
         threadName(self) + " uses index " + std::to_string(bad.index) + at(bad.pc) +
             " in an array of type " + bad.arrayType +
             (place.array.empty() ? "" : ", which is in " + place.array),
         place, {&self}, {bad.pc});
}

static bool isMisaligned(uintptr_t address, size_t size) {
  const bool isPower = (size & (size - 1)) == 0;  // others are pieces of larger objects
  return isPower && size <= 16 && (address & (size - 1)) != 0;
}

static void reportMisaligned(const Thread& self, uintptr_t address, size_t size, Access kind,
                             const void* pc) {
  const ArrayElement place = elementAt(address, size);
  report(Fault::Kind::misaligned,
         threadName(self) + " " + verb(kind) + " " + std::to_string(size) + " bytes at " +
             place.element() + at(pc) + ", an address that is not a multiple of " +
             std::to_string(size),
         place, {&self}, {pc});
}

static void reportUnwritten(const Thread& self, uintptr_t address, size_t size, Access kind,
                            const void* pc) {
  FaultLog& faults = launchNow().faults;
  if (faults.has(Fault::Kind::uninitialised, nullptr, pc)) return;
  const ArrayElement place = elementAt(address, size);
  Fault fault = makeFault(Fault::Kind::uninitialised,
                          threadName(self) + " " + verb(kind) + " " + place.element() + at(pc) +
                              ", which nobody has written",
                          {&self}, {pc});
  fault.array = place.array;
  fault.index = place.index;
  faults.add({std::move(fault), nullptr, pc, address});
}

// A struct of one or two words may have padding as well: a word of it is unwritten when nothing of
// it is written, or less than a char and a short.
static bool isUnwritten(uint8_t written, uint8_t bytes, size_t size) {
  const auto unwritten = uint8_t(bytes & ~written);
  if (unwritten == 0) return false;
  const int missing = std::popcount(unwritten);
  if (size == 4) return missing > 1;
  return size == 8 ? missing == 4 : missing > 0;
}

static void checkWritten(const Thread& self, Array* array, uintptr_t address, size_t size,
                         Access kind, const void* pc) {
  const uintptr_t end = address + size;
  for (uintptr_t word = address & ~(wordBytes - 1); word < end; word += wordBytes)
    if (isUnwritten(writtenBytes(array, word), bytesOf(word, address, end), size))
      reportUnwritten(self, std::max(word, address), size, kind, pc);
}

void checkWrittenRange(const Thread& self, uintptr_t address, size_t size, const void* pc) {
  const Quiet quiet;
  Array* const array = findArray(address);
  if (!array && !findShared(address)) return;  // reported where it is accessed
#ifdef __clang__  // what the C++ library copies comes here, too, and it writes the heap unseen
  if (array && array->name == heapName) return;
#endif
  const uintptr_t end = std::min(address + size, array ? array->end : findShared(address).end);
  for (uintptr_t word = address & ~(wordBytes - 1); word < end; word += wordBytes)
    if (writtenBytes(array, word) & bytesOf(word, address, end)) return;
  reportUnwritten(self, address, size, Access::load, pc);
}

static void rememberWritten(Array* array, uintptr_t address, size_t size) {
  const uintptr_t end = address + size;
  for (uintptr_t word = address & ~(wordBytes - 1); word < end; word += wordBytes)
    writtenBytes(array, word) |= bytesOf(word, address, end);
}

void checkAccess(Thread& self, uintptr_t address, size_t size, Access kind, const void* pc,
                 Scope scope, bool mayBeUnwritten, Array* array) {
  const Quiet quiet;
  if (isMisaligned(address, size)) reportMisaligned(self, address, size, kind, pc);
  if (kind != Access::store && !mayBeUnwritten) checkWritten(self, array, address, size, kind, pc);
  if (kind != Access::load) rememberWritten(array, address, size);
  checkRaces(self, address, size, kind, pc, scope, array == nullptr);
  if (kind != Access::load) noteStore(address, size, kind == Access::store);
}

}  // namespace simt
