#include "simt/memory/dynamic_shared.h"

#include <atomic>

// The fence behind it takes the first bytes of an overrun. Named by translated programs (simtcc).
extern "C" {
extern thread_local char simt_dynamic_shared[simt::maxDynamicShared + 4096];
alignas(1024) constinit thread_local char simt_dynamic_shared[simt::maxDynamicShared + 4096]{};
}

namespace simt {
namespace {

size_t launchBytes = 0;
std::atomic<const char*> launchName = "dynamic shared memory";
std::atomic<size_t> launchElementSize = 1, launchElementAlignment = 1;

}  // namespace

bool nameDynamicShared(const char* name, size_t elementSize, size_t elementAlignment) {
  launchName.store(name, std::memory_order_relaxed);
  launchElementSize.store(elementSize, std::memory_order_relaxed);
  launchElementAlignment.store(elementAlignment, std::memory_order_relaxed);
  return true;
}

void* dynamicShared(const char* name, size_t elementSize, size_t elementAlignment) {
  nameDynamicShared(name, elementSize, elementAlignment);
  return simt_dynamic_shared;
}

size_t dynamicSharedAlignment(uintptr_t address) {
  const auto begin = reinterpret_cast<uintptr_t>(simt_dynamic_shared);
  return address - begin < launchBytes ? launchElementAlignment.load() : 0;
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
  return {begin, begin + launchBytes, begin + sizeof simt_dynamic_shared, launchName.load(),
          launchElementSize.load()};
}

}  // namespace simt
