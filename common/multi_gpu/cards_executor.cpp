// The GPUs that the executor imagines.
#include "base/program_main.h"
#include "multi_gpu/cards.h"

namespace {
// A process may have to wait for another that counts a long slice.
constexpr double longest = 600;
}  // namespace

int deviceFor(const Ranks&) { return 0; }

Cards::Cards(unsigned count, Machine& machine, const std::string&, Ranks& ranks) : ranks_(ranks) {
  take(count, 4);
  machine.freeBytes /= count_;
  agree({{.freeBytes = machine.freeBytes, .hostFreeBytes = machine.hostFreeBytes}}, machine);
}

Cards::~Cards() = default;

void Cards::run(unsigned cards, const Work& work, const Work& afterAll, const char* what, double) {
  try {
    for (const Work* const part : {&work, &afterAll})
      for (unsigned card = 0; card < cards && *part; ++card)
        if (isHere(card)) (*part)(card);
  } catch (...) {
    ranks_.fail(errorOf(std::current_exception()));
    throw;
  }
  meet(what, longest, 0);
}

void Cards::mark(unsigned, unsigned) {}

std::vector<double> Cards::millisecondsBetween(unsigned cards, unsigned, unsigned) const {
  return std::vector<double>(cards);
}
