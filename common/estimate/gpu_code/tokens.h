// The words of PTX, one after the other.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace estimate::gpu_code {

// A name, a number, a string or a character of its own; "\n" where a line ends that began with a
// directive which needs no semicolon.
std::vector<std::string_view> wordsOf(std::string_view text);

}  // namespace estimate::gpu_code
