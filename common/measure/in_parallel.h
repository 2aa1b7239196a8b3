// Work that is spread over copies of this process: the executor is of one thread.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

// Makes the text of item i. workers: in how many processes the executor may run its blocks
// (Settings::workers): 1 where other items take the other cores, and 0 for as many as there are.
using ItemBody = std::function<std::string(size_t i, unsigned workers)>;

// The body's text for each of count items, made in this process or in a copy of it, on as many
// cores as there are. Returns the texts in the order of the items; what else body leaves in memory
// may be lost. An item whose copy dies is done in this process, as are all where memory is short.
std::vector<std::string> inParallel(size_t count, const ItemBody& body);
