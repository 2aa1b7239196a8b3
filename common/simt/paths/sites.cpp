#include "simt/paths/sites.h"

#include <atomic>
#include <mutex>
#include <unordered_map>

namespace simt {
namespace {

constexpr uint32_t most = 1u << 21;

// All instructions that records name, by number. 0 is none.
struct Sites {
  std::mutex mutex;
  std::unordered_map<const void*, uint32_t> numbers;
  uint32_t count = 1;
};
const void* instructions[most] = {};  // what nobody touches takes no memory
std::atomic<bool> volatileOnes[most] = {};
Sites& sites() {
  static auto& all = *new Sites;
  return all;
}

uint32_t numberOfSite(const void* pc) {
  const std::scoped_lock lock(sites().mutex);
  const auto [it, isNew] = sites().numbers.try_emplace(pc, 0);
  if (isNew && sites().count < most) {
    it->second = sites().count++;
    instructions[it->second] = pc;
  }
  return it->second;
}

}  // namespace

uint32_t siteOf(const void* pc) {
  struct Known {
    const void* pc;
    uint32_t site;
  };
  constexpr size_t lately = 256;
  constinit static thread_local Known recent[lately] = {};
  Known& known = recent[reinterpret_cast<uintptr_t>(pc) % lately];
  if (known.pc != pc) known = {pc, numberOfSite(pc)};
  return known.site;
}
const void* pcOf(uint32_t site) { return instructions[site]; }

void noteVolatile(uint32_t site) {
  if (!isVolatile(site)) volatileOnes[site].store(true, std::memory_order_relaxed);
}
bool isVolatile(uint32_t site) {
  return site != 0 && volatileOnes[site].load(std::memory_order_relaxed);
}

}  // namespace simt
