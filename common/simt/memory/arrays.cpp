#include "simt/memory/arrays.h"

#include <memory>
#include <utility>

#include "simt/memory/dynamic_shared.h"

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

Array& addArray(Array array) {
  return *arrays.emplace_back(std::make_unique<Array>(std::move(array)));
}

std::optional<Array> removeArray(uintptr_t begin) {
  lastArray = nullptr;
  const auto found =
      std::ranges::find(arrays, begin, [](const auto& array) { return array->begin; });
  if (found == arrays.end()) return {};
  Array removed = std::move(**found);
  arrays.erase(found);
  return removed;
}

}  // namespace simt
