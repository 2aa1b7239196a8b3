#include "explore/passes.h"

#include <algorithm>
#include <bit>

namespace {

constexpr uint64_t wordBytes = 4, banks = 32;

// Words that are handed out in one pass or another, of a group of lanes that is served together.
class Group {
 public:
  // The pass, from 0, in which the last of the words from first to before end is handed out.
  unsigned serve(uint64_t first, uint64_t end) {
    unsigned last = 0;
    for (uint64_t word = first; word < end; ++word) {
      std::vector<uint64_t>& words = inBank_[word % banks];
      const auto known = std::ranges::find(words, word);
      last = std::max(last, unsigned(known - words.begin()));
      if (known == words.end()) words.push_back(word);
    }
    passes_ = std::max(passes_, last + 1);
    return last;
  }
  unsigned passes() const { return passes_; }

 private:
  std::vector<uint64_t> inBank_[banks];
  unsigned passes_ = 0;
};

}  // namespace

std::vector<unsigned> passesOf(const simt::Trace& trace, const simt::TraceStep& step) {
  const unsigned lanesTogether = step.bytes >= 16 ? 8 : step.bytes == 8 ? 16 : 32;
  std::vector<unsigned> passes;
  unsigned before = 0;
  for (unsigned first = 0; first < 32; first += lanesTogether) {
    Group group;
    for (unsigned lane = first; lane < first + lanesTogether; ++lane) {
      if (!(step.lanes >> lane & 1)) continue;
      const uint64_t address = trace.address(step, lane);
      passes.push_back(
          before + 1 +
          group.serve(address / wordBytes, (address + step.bytes + wordBytes - 1) / wordBytes));
    }
    before += group.passes();
  }
  return passes;
}
