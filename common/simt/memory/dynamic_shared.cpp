#include "simt/memory/dynamic_shared.h"

#include <atomic>

// The fence behind it takes the first bytes of an overrun. Named by translated programs (simtcc).
extern "C" {
extern thread_local char simt_dynamic_shared[simt::maxDynamicShared + 4096];
alignas(1024) constinit thread_local char simt_dynamic_shared[simt::maxDynamicShared + 4096]{};
}

namespace simt {
namespace {

constinit thread_local size_t launchBytes = 0;

// Its elements, as a kernel has declared them last.
struct Elements {
  std::atomic<const char*> name = "dynamic shared memory";
  std::atomic<size_t> size = 1, alignment = 1;
};
constinit Elements elements;

}  // namespace

bool nameDynamicShared(const char* name, size_t elementSize, size_t elementAlignment) {
  elements.name.store(name, std::memory_order_relaxed);
  elements.size.store(elementSize, std::memory_order_relaxed);
  elements.alignment.store(elementAlignment, std::memory_order_relaxed);
  return true;
}

void* dynamicShared(const char* name, size_t elementSize, size_t elementAlignment) {
  nameDynamicShared(name, elementSize, elementAlignment);
  return simt_dynamic_shared;
}

size_t dynamicSharedAlignment(uintptr_t address) {
  const auto begin = reinterpret_cast<uintptr_t>(simt_dynamic_shared);
  return address - begin < launchBytes ? elements.alignment.load() : 0;
}

// Static shared variables are thread-local like it, and so not far away.
constexpr uint32_t middleOfWindow = 1u << 30;
uint32_t sharedAddress(const void* pointer) {
  return uint32_t(static_cast<const char*>(pointer) - simt_dynamic_shared) + middleOfWindow;
}
void* sharedPointer(uint64_t address) {
  return simt_dynamic_shared + (int64_t(address) - int64_t(middleOfWindow));
}

void setDynamicShared(size_t bytes) { launchBytes = bytes; }

DynamicShared dynamicSharedNow() {
  const auto begin = reinterpret_cast<uintptr_t>(simt_dynamic_shared);
  return {begin, begin + launchBytes, begin + sizeof simt_dynamic_shared, elements.name.load(),
          elements.size.load()};
}

}  // namespace simt
