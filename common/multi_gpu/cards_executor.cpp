// The GPUs that the executor imagines.
#include "multi_gpu/cards.h"

Cards::Cards(unsigned count, const Machine& machine, const std::string&)
    : count_(count == 0 ? 4 : count), freeBytes_(machine.freeBytes / count_) {}

Cards::~Cards() = default;

void Cards::run(unsigned cards, const Work& work, const Work& afterAll, const char*, double) {
  for (unsigned card = 0; card < cards; ++card) work(card);
  for (unsigned card = 0; card < cards && afterAll; ++card) afterAll(card);
}

void Cards::mark(unsigned, unsigned) {}

double Cards::millisecondsBetween(unsigned, unsigned, unsigned) const { return 0; }
