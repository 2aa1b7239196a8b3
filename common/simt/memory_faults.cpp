#include "simt/memory_faults.h"

#include <utility>

#include "simt/faults.h"
#include "simt/symbols.h"

namespace simt {

void report(Fault::Kind kind, const std::string& what, const Place& place,
            std::vector<const Thread*> who, std::vector<const void*> where) {
  Fault fault = makeFault(kind, what, std::move(who), std::move(where));
  fault.array = place.array;
  fault.index = place.index;
  raise(std::move(fault));
}

const char* verb(Access kind) {
  return kind == Access::load ? "reads" : kind == Access::store ? "writes" : "atomically updates";
}

void reportOutside(const Thread& self, uintptr_t address, size_t size, Access kind,
                   const void* pc) {
  const Place place = placeOf(address, size);
  const std::string who = threadName(self) + " " + verb(kind) + " ";
  if (place.array.empty())
    report(Fault::Kind::hostMemory,
           who + "memory that is neither a device array nor shared" + at(pc), place, {&self}, {pc});
  else
    report(Fault::Kind::outOfBounds,
           who + place.element() + at(pc) + ", but " + place.array + " has " +
               std::to_string((place.end - place.begin) / place.elementSize) + " elements",
           place, {&self}, {pc});
}

void checkAlignment(const Thread& self, uintptr_t address, size_t size, Access kind,
                    const void* pc) {
  if (size <= 1 || size > 16 || address % size == 0) return;
  const Place place = placeOf(address, size);
  report(Fault::Kind::misaligned,
         threadName(self) + " " + verb(kind) + " " + std::to_string(size) + " bytes at " +
             place.element() + at(pc) + ", an address that is not a multiple of " +
             std::to_string(size),
         place, {&self}, {pc});
}

void checkWritten(const Thread& self, Array* array, uintptr_t address, size_t size, Access kind,
                  const void* pc) {
  const uintptr_t end = address + size;
  for (uintptr_t word = address & ~(wordBytes - 1); word < end; word += wordBytes) {
    const uint8_t bytes = bytesOf(word, address, end);
    uint8_t& written = writtenBytes(array, word);
    if (kind != Access::store && (written & bytes) != bytes) {
      const Place place = placeOf(std::max(word, address), size);
      report(Fault::Kind::uninitialised,
             threadName(self) + " " + verb(kind) + " " + place.element() + at(pc) +
                 ", which nobody has written",
             place, {&self}, {pc});
    }
    if (kind != Access::load) written |= bytes;
  }
}

}  // namespace simt
