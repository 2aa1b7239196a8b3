#include "simt/memory/arrays.h"

#include <memory>
#include <mutex>
#include <new>
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
// The mutex is recursive: the list's own memory may be asked for, too, by free() while the list
// changes. Its pointers may be null then.
struct AllArrays {
  std::recursive_mutex mutex;
  std::vector<std::unique_ptr<Array>> list;
};
constinit Forever<AllArrays> allOfThem;
auto& arrays = allOfThem.value.list;
constinit thread_local Array* lastArray = nullptr;

[[nodiscard]] auto lockArrays() { return std::unique_lock(allOfThem.value.mutex); }

}  // namespace

constinit thread_local SharedWrites* sharedWritesNow = nullptr;

Array* findArray(uintptr_t address) {
  if (lastArray && address >= lastArray->begin && address < lastArray->end) return lastArray;
  const auto lock = lockArrays();
  for (const auto& array : arrays)
    if (array && address >= array->begin && address < array->end) return lastArray = array.get();
  return nullptr;
}

void forgetLastArray() { lastArray = nullptr; }

std::vector<const Array*> allArrays() {
  const auto lock = lockArrays();
  std::vector<const Array*> all;
  for (const auto& array : arrays) all.push_back(array.get());
  return all;
}

size_t bytesOfArrays() {
  const auto lock = lockArrays();
  size_t bytes = 0;
  for (const auto& array : arrays) bytes += array->end - array->begin;
  return bytes;
}

ArraysStay::ArraysStay() { allOfThem.value.mutex.lock(); }
ArraysStay::~ArraysStay() { allOfThem.value.mutex.unlock(); }
void ArraysStay::endInFork() {  // it belongs to a thread of the other process
  new (&allOfThem.value.mutex) std::recursive_mutex;
}

Range findShared(uintptr_t address) {
  const DynamicShared dynamic = dynamicSharedNow();
  if (address >= dynamic.begin && address < dynamic.end) return {dynamic.begin, dynamic.end};
  const std::vector<Variable>& variables = sharedVariables();
  auto variable = std::ranges::upper_bound(variables, address, {}, &Variable::begin);
  while (variable != variables.begin())  // several may begin at one address
    if (--variable; address < variable->end)
      return {variable->begin, variable->end};
    else if (variable == variables.begin() || variable[-1].begin != variable->begin)
      break;
  return {};
}

void forgetSharedWrites() {
  SharedWrites& now = *sharedWritesNow;
  if (now.words.empty())
    now.words.resize((sharedRange().end - sharedRange().begin) / wordBytes + 2);
  if (++now.serial == 0) {  // begins again: what is from before must not look new
    std::ranges::fill(now.words, SharedWord());
    now.serial = 1;
  }
}

ArrayElement elementAt(uintptr_t address, size_t size) {
  ArrayElement place;
  auto lock = lockArrays();
  for (const auto& array : arrays) {
    const auto reserved = reinterpret_cast<uintptr_t>(array->reservation);
    if (address >= reserved && address < reserved + array->reservedBytes)
      place = {array->name, array->begin, array->end, array->elementSize};
  }
  lock.unlock();
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
  const auto lock = lockArrays();
  return *arrays.emplace_back(std::make_unique<Array>(std::move(array)));
}

std::optional<Array> removeArray(uintptr_t begin) {
  lastArray = nullptr;
  const auto lock = lockArrays();
  const auto found =
      std::ranges::find(arrays, begin, [](const auto& array) { return array->begin; });
  if (found == arrays.end()) return {};
  const std::unique_ptr<Array> removed = std::move(*found);  // freed when it is in no list any more
  arrays.erase(found);
  return std::move(*removed);
}

}  // namespace simt
