#include "simt/memory/arrays.h"

#include <sys/mman.h>

#include <memory>
#include <new>
#include <utility>

#include "simt/memory/dynamic_shared.h"
#include "simt/run/executor.h"
#include "simt/run/parallel_blocks.h"

namespace simt {
namespace {

// Never destroyed: global objects of programs release arrays at the very end.
template <typename T>
union Forever {
  constexpr Forever() : value() {}
  ~Forever() {}
  T value;
};
constinit Forever<std::vector<std::unique_ptr<Array>>> allOfThem;
auto& arrays = allOfThem.value;
constinit thread_local Array* lastArray = nullptr;

}  // namespace

SharedWrites sharedWritesNow;

Array* findArray(uintptr_t address) {
  if (lastArray && address >= lastArray->begin && address < lastArray->end) return lastArray;
  for (const auto& array : arrays)
    if (address >= array->begin && address < array->end) return lastArray = array.get();
  return nullptr;
}

void forgetLastArray() { lastArray = nullptr; }

std::vector<const Array*> allArrays() {
  std::vector<const Array*> all;
  for (const auto& array : arrays) all.push_back(array.get());
  return all;
}

// The shared memory that the launch asked for, as a variable.
static const Variable& dynamicVariable() {
  thread_local Variable variable{0, 0, ""};
  const DynamicShared now = dynamicSharedNow();
  variable.begin = now.begin;
  variable.end = now.end;
  if (variable.name != now.name) variable.name = now.name;
  return variable;
}

const Variable* findShared(uintptr_t address) {
  if (const DynamicShared now = dynamicSharedNow(); address >= now.begin && address < now.end)
    return &dynamicVariable();
  static thread_local const Variable* last = nullptr;
  if (last && address >= last->begin && address < last->end) return last;
  for (const Variable& variable : sharedVariables())
    if (address >= variable.begin && address < variable.end) return last = &variable;
  return nullptr;
}

void forgetSharedWrites() {
  SharedWrites& now = sharedWritesNow;
  if (now.words.empty())
    now.words.resize((sharedRange().end - sharedRange().begin) / wordBytes + 2);
  if (++now.serial == 0) {  // begins again: what is from before must not look new
    std::ranges::fill(now.words, SharedWord());
    now.serial = 1;
  }
}

Place placeOf(uintptr_t address, size_t size) {
  Place place;
  for (const auto& array : arrays) {
    const auto reserved = reinterpret_cast<uintptr_t>(array->reservation);
    if (address >= reserved && address < reserved + array->reservedBytes)
      place = {array->name, array->begin, array->end, array->elementSize};
  }
  uintptr_t nearest = UINTPTR_MAX;
  if (sharedRange().contains(address))
    for (const Variable& v : sharedVariables()) {
      const uintptr_t distance = address < v.begin ? v.begin - address
                                 : address < v.end ? 0
                                                   : address - v.end + 1;
      if (distance >= nearest) continue;
      nearest = distance;
      place = {v.name, v.begin, v.end, size};
    }
  if (const DynamicShared now = dynamicSharedNow();
      address >= now.begin && address < now.reservedEnd)
    place = {now.name, now.begin, now.end, now.elementSize};
  const auto offset = static_cast<long long>(address - place.begin);
  const auto element = static_cast<long long>(place.elementSize);
  place.index = offset >= 0 ? offset / element : -((-offset + element - 1) / element);
  return place;
}

// The first of these names that no array has.
static std::string nameOfNext() {
  const auto isTaken = [](const std::string& name) {
    return std::ranges::any_of(arrays, [&](const auto& array) { return array->name == name; });
  };
  std::string name = unnamed;
  for (int i = 2; isTaken(name); ++i) name = unnamed + (" " + std::to_string(i));
  return name;
}

void* allocate(size_t bytes, size_t elementSize, const std::string& name) {
  giveUpCopy();
  // Unreachable address space on both sides, as large as the array and a megabyte at least: an
  // index that misses the array does not land in another one.
  const size_t page = 1 << 16;
  if (bytes > size_t(1) << 46) throw std::bad_alloc();  // no address space has room for it thrice
  const size_t body = (bytes + page - 1) / page * page;
  const size_t gap = std::max<size_t>(body, 1 << 20);
  auto* reservation = static_cast<char*>(
      mmap(nullptr, body + 2 * gap, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  if (reservation == MAP_FAILED) throw std::bad_alloc();
  if (body > 0 && mprotect(reservation + gap, body, PROT_READ | PROT_WRITE) != 0) {
    munmap(reservation, body + 2 * gap);
    throw std::bad_alloc();
  }
  const auto begin = reinterpret_cast<uintptr_t>(reservation) + gap;
  const size_t words = settings().sample ? 0 : body / wordBytes;
  arrays.push_back(std::make_unique<Array>(Array{begin, begin + bytes, elementSize,
                                                 name == unnamed ? nameOfNext() : name, reservation,
                                                 body + 2 * gap, std::vector<uint8_t>(words)}));
  return reinterpret_cast<void*>(begin);
}

void release(void* pointer) {
  giveUpCopy();
  const auto begin = reinterpret_cast<uintptr_t>(pointer);
  std::erase_if(arrays, [&](const std::unique_ptr<Array>& array) {
    if (array->begin != begin) return false;
    munmap(array->reservation, array->reservedBytes);
    return true;
  });
  lastArray = nullptr;
}

void adoptVariable(const void* variable, size_t bytes, size_t elementSize, const std::string& name,
                   bool isConstant) {
  const auto begin = reinterpret_cast<uintptr_t>(variable);
  std::vector<uint8_t> written(bytes / wordBytes + 2, 0xf);
  const size_t reserved = begin % 256 == 0 ? (bytes + 255) / 256 * 256 : bytes;
  arrays.push_back(std::make_unique<Array>(Array{begin, begin + bytes, elementSize, name,
                                                 const_cast<void*>(variable), reserved,
                                                 std::move(written), isConstant}));
}

void forgetVariable(const void* variable) {
  std::erase_if(arrays, [&](const std::unique_ptr<Array>& array) {
    return array->begin == reinterpret_cast<uintptr_t>(variable);
  });
  lastArray = nullptr;
}

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
