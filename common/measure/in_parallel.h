// Work that is spread over processes: the executor runs in one thread.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

// Has the body's text for each of count items, in their order: body(i) runs in this process or in a
// copy of it, on as many of the computer's cores as there are, and take(i, text) in this one. What
// body leaves in memory is lost. An item whose copy ends early is done in this process; so are all
// where there is but one core, or memory for no copy.
void inParallel(size_t count, const std::function<std::string(size_t i)>& body,
                const std::function<void(size_t i, const std::string& text)>& take);
