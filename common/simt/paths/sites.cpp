#include "simt/paths/sites.h"

#include <iterator>
#include <unordered_map>
#include <vector>

namespace simt {

// All instructions that records name, by number. 0 is none.
static std::vector<const void*>& sites() {
  static auto& all = *new std::vector<const void*>(1);
  return all;
}

uint32_t siteOf(const void* pc) {
  struct Known {
    const void* pc = nullptr;
    uint32_t site = 0;
  };
  static Known recent[256];
  static auto& numbers = *new std::unordered_map<const void*, uint32_t>;
  Known& known = recent[reinterpret_cast<uintptr_t>(pc) % std::size(recent)];
  if (known.pc == pc) return known.site;
  constexpr size_t most = size_t(1) << 21;
  const auto [it, isNew] = numbers.try_emplace(pc, uint32_t(sites().size() % most));
  if (isNew && sites().size() < most) sites().push_back(pc);
  if (isNew && sites().size() == most) it->second = 0;
  known = {pc, it->second};
  return known.site;
}
const void* pcOf(uint32_t site) { return sites()[site]; }

}  // namespace simt
