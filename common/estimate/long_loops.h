// Loops of so many turns that playing each would take minutes.
#pragma once

#include <vector>

#include "estimate/multiprocessor.h"

namespace estimate {

// As runMultiprocessor(). Where the blocks have more operations than a few million, loops that are
// listed in part are played for a part of their turns, and for half of that: the other turns cost
// what the second half of these did.
Run runShortened(const std::vector<const Block*>& blocks, size_t sources, const Card& card,
                 const Setup& setup);

// Operations of a block with all turns of its loops.
double operationsOf(const Block& block);

}  // namespace estimate
