#include "simt/memory_faults.h"

#include <bit>
#include <utility>

#include "simt/block.h"
#include "simt/faults.h"
#include "simt/races.h"
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
  checkAll();  // what led here, perhaps
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

namespace {

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
      return;
    }
    if (kind != Access::load) written |= bytes;
  }
}

}  // namespace

void checkRequest(const Request& request, unsigned warp) {
  Block& block = runningBlock();
  for (uint32_t lanes = request.lanes; lanes != 0 && !block.fault; lanes &= lanes - 1) {
    const unsigned lane = unsigned(std::countr_zero(lanes));
    const Thread& self = block.threads[warp * warpWidth + lane];
    const uintptr_t address = addressOf(request.accesses[lane]);
    const uint32_t size = sizeOf(request.accesses[lane]);
    Array* const array = findArray(address);
    checkAlignment(self, address, size, request.kind, request.pc);
    if (!block.fault) checkWritten(self, array, address, size, request.kind, request.pc);
    if (!block.fault) checkRaces(self, address, size, request.kind, request.pc);
  }
}

}  // namespace simt
