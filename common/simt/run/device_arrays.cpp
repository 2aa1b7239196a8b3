#include "simt/run/device_arrays.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>
#include <utility>

#include "simt/find/settings.h"
#include "simt/memory/arrays.h"
#include "simt/memory/worker_process.h"

namespace simt {

// 1 of unnamed, 2 of "array 2"; 0 of any other name.
static size_t numberOf(const std::string& name) {
  if (!name.starts_with(unnamed)) return 0;
  if (name == unnamed) return 1;
  const size_t number = std::strtoul(name.c_str() + std::size(unnamed), nullptr, 10);
  return number > 1 && name == unnamed + (" " + std::to_string(number)) ? number : 0;
}

// The first of these names that no array has.
static std::string nameOfNext() {
  const std::vector<const Array*> arrays = allArrays();
  std::vector<bool> taken(arrays.size() + 2);  // one of the numbers from 1 on is free
  for (const Array* array : arrays)
    if (const size_t number = numberOf(array->name); number < taken.size()) taken[number] = true;
  const auto free = std::find(taken.begin() + 1, taken.end(), false) - taken.begin();
  return free == 1 ? unnamed : unnamed + (" " + std::to_string(free));
}

// Arrays lie at the same places in every run, if there is room: what depends on their places, as
// which lines meet in a cache, does not change from run to run. On a GPU large ones begin where a
// page of 2 MiB does. What has been reserved is counted round: places that are taken the system
// replaces.
static constexpr size_t alignment = 2 << 20;
static constexpr uintptr_t firstPlace = uintptr_t(1) << 45;
static std::atomic<uintptr_t> reservedSoFar = 0;

void* allocate(size_t bytes, size_t elementSize, const std::string& name) {
  giveUpWorker();
  // Unreachable address space on both sides, as large as the array and a megabyte at least: an
  // index that misses the array does not land in another one.
  const size_t page = 1 << 16;
  if (bytes > size_t(1) << 46) throw std::bad_alloc();  // no address space has room for it thrice
  const auto upTo = [](size_t whole, size_t part) { return (whole + part - 1) / part * part; };
  const size_t body = upTo(bytes, page), gap = upTo(std::max(body, alignment / 2), alignment);
  const uintptr_t place =
      firstPlace + reservedSoFar.fetch_add(upTo(body + 2 * gap, alignment)) % firstPlace;
  auto* reservation =
      static_cast<char*>(mmap(reinterpret_cast<void*>(place), body + 2 * gap, PROT_NONE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  if (reservation == MAP_FAILED) throw std::bad_alloc();
  if (body > 0 && mprotect(reservation + gap, body, PROT_READ | PROT_WRITE) != 0) {
    munmap(reservation, body + 2 * gap);
    throw std::bad_alloc();
  }
  const auto begin = reinterpret_cast<uintptr_t>(reservation) + gap;
  const size_t words = settings().sample || settings().instead ? 0 : body / wordBytes;
  addArray({begin, begin + bytes, elementSize, name == unnamed ? nameOfNext() : name, reservation,
            body + 2 * gap, std::vector<uint8_t>(words)});
  return reinterpret_cast<void*>(begin);
}

void release(void* pointer) {
  giveUpWorker();
  if (const auto array = removeArray(reinterpret_cast<uintptr_t>(pointer)))
    munmap(array->reservation, array->reservedBytes);
}

void adoptVariable(const void* variable, size_t bytes, size_t elementSize, const std::string& name,
                   bool isConstant) {
  const auto begin = reinterpret_cast<uintptr_t>(variable);
  std::vector<uint8_t> written(bytes / wordBytes + 2, 0xf);
  const size_t reserved = begin % 256 == 0 ? (bytes + 255) / 256 * 256 : bytes;
  addArray({begin, begin + bytes, elementSize, name, const_cast<void*>(variable), reserved,
            std::move(written), isConstant});
}

void forgetVariable(const void* variable) { removeArray(reinterpret_cast<uintptr_t>(variable)); }

void markWritten(const void* pointer, size_t bytes) {
  const auto begin = reinterpret_cast<uintptr_t>(pointer);
  if (Array* array = findArray(begin); array && !array->written.empty())
    for (uintptr_t word = begin & ~(wordBytes - 1); word < begin + bytes; word += wordBytes)
      array->written[(word - array->begin) / wordBytes] |= bytesOf(word, begin, begin + bytes);
}

void markUnwritten(const void* pointer, size_t bytes) {
  const auto begin = reinterpret_cast<uintptr_t>(pointer);
  if (Array* array = findArray(begin); array && !array->written.empty())
    for (uintptr_t word = begin & ~(wordBytes - 1); word < begin + bytes; word += wordBytes)
      array->written[(word - array->begin) / wordBytes] &=
          uint8_t(~bytesOf(word, begin, begin + bytes));
}

}  // namespace simt
