#include "simt/run/arrays_before.h"

#if defined(__linux__)
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace simt {
namespace {

constexpr size_t mostArrayBytes = size_t(1) << 30;

char* dataOf(const Array& array) { return reinterpret_cast<char*>(array.begin); }
size_t bytesOf(const Array& array) { return array.end - array.begin; }

// As quick as memory is.
bool isEach(const std::vector<uint8_t>& all, uint8_t value) {
  return all.empty() ||
         (all[0] == value && std::memcmp(all.data(), all.data() + 1, all.size() - 1) == 0);
}

// Room for what arrays held. Kept from launch to launch, for new memory takes longer than to fill
// it; and workers have none of it.
char* room(size_t bytes) {
  static char* memory = nullptr;
  static size_t size = 0;
  if (bytes <= size) return memory;
  if (memory) munmap(memory, size);
  size = 0;
  void* const made =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (made == MAP_FAILED) return memory = nullptr;
  madvise(made, bytes, MADV_DONTFORK);
  madvise(made, bytes, MADV_HUGEPAGE);
  size = bytes;
  return memory = static_cast<char*>(made);
}

}  // namespace

bool ArraysBefore::take() {
  const size_t bytes = bytesOfArrays();
  if (bytes > mostArrayBytes) return false;
  char* before = room(std::max<size_t>(bytes, 1));
  if (!before) return false;
  for (const Array* known : allArrays())
    if (Array* const array = findArray(known->begin); array && bytesOf(*array) > 0) {
      arrays_.push_back({array, before});
      std::memcpy(before, dataOf(*array), bytesOf(*array));
      before += bytesOf(*array);
    }
  return true;
}

bool ArraysBefore::hasChanged(const Kept& kept) {
  return std::memcmp(dataOf(*kept.array), kept.before, bytesOf(*kept.array)) != 0;
}

void ArraysBefore::putBack() const {
  for (const Kept& kept : arrays_)
    if (hasChanged(kept)) std::memcpy(dataOf(*kept.array), kept.before, bytesOf(*kept.array));
}

bool ArraysBefore::someConstantChanged() const {
  return std::ranges::any_of(
      arrays_, [](const Kept& kept) { return kept.array->isConstant && hasChanged(kept); });
}

void ArraysBefore::noteWritten() const {
  for (const Kept& kept : arrays_) {
    std::vector<uint8_t>& known = kept.array->written;
    if (isEach(known, 0xf)) continue;
    if (!isEach(known, 0) || hasChanged(kept)) std::ranges::fill(known, uint8_t(0xf));
  }
}

}  // namespace simt
#endif
