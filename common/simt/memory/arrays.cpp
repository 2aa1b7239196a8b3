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
// The mutex is recursive: the lists' own memory may be asked for, too, by free() while one of them
// grows. The pointers of `made` may be null then; what byBegin holds is copied before it is freed.
struct Place {
  uintptr_t begin;
  Array* array;
};
struct AllArrays {
  std::recursive_mutex mutex;
  std::vector<std::unique_ptr<Array>> made;  // one after the other
  std::vector<Place> byBegin;  // in ascending order; of equal ones the first made last
  size_t heapLimit = 8 << 20, heapTaken = 0;
};
constinit Forever<AllArrays> allOfThem;
auto& arrays = allOfThem.value.made;
constinit thread_local Array* lastArray = nullptr;

[[nodiscard]] auto lockArrays() { return std::unique_lock(allOfThem.value.mutex); }

auto afterThoseUpTo(uintptr_t address) {
  return std::ranges::upper_bound(allOfThem.value.byBegin, address, {}, &Place::begin);
}

}  // namespace

constinit thread_local SharedWrites* sharedWritesNow = nullptr;

Array* findArray(uintptr_t address) {
  if (lastArray && address >= lastArray->begin && address < lastArray->end) return lastArray;
  const auto lock = lockArrays();
  auto place = afterThoseUpTo(address);
  while (place != allOfThem.value.byBegin.begin())  // one may lie in another: registered memory
    if (address < (--place)->array->end) return lastArray = place->array;
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

void setHeapLimit(size_t bytes) {
  const auto lock = lockArrays();
  allOfThem.value.heapLimit = bytes;
}
size_t heapLimit() {
  const auto lock = lockArrays();
  return allOfThem.value.heapLimit;
}
bool takeFromHeap(size_t bytes) {
  const auto lock = lockArrays();
  AllArrays& all = allOfThem.value;
  if (all.heapTaken > all.heapLimit || bytes > all.heapLimit - all.heapTaken) return false;
  all.heapTaken += bytes;
  return true;
}
void giveBackToHeap(size_t bytes) {
  const auto lock = lockArrays();
  allOfThem.value.heapTaken -= bytes;
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

void countSharedAsWritten() {
  for (SharedWord& word : sharedWritesNow->words) word = {sharedWritesNow->serial, 0xf};
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
  Array& added = *arrays.emplace_back(std::make_unique<Array>(std::move(array)));
  auto& places = allOfThem.value.byBegin;
  places.insert(std::ranges::lower_bound(places, added.begin, {}, &Place::begin),
                {added.begin, &added});
  return added;
}

std::optional<Array> removeArray(uintptr_t begin) {
  lastArray = nullptr;
  const auto lock = lockArrays();
  const auto behind = afterThoseUpTo(begin);
  if (behind == allOfThem.value.byBegin.begin() || behind[-1].begin != begin) return {};
  const auto found = std::ranges::find(arrays, behind[-1].array, &std::unique_ptr<Array>::get);
  const std::unique_ptr<Array> removed = std::move(*found);  // freed when it is in no list any more
  allOfThem.value.byBegin.erase(behind - 1);
  arrays.erase(found);
  return std::move(*removed);
}

}  // namespace simt
