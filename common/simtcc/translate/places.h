// Where headers and libraries are: in the repository, or where simtcc is installed.
#pragma once

#include <string>

namespace simt::cc {

// A path of the repository or of its build folder, also behind -I or an option's "=", as it is
// where this simtcc stands. Others stay.
std::string placed(std::string text);
// The folder of graphics cards, where simtcc is installed; else empty.
std::string installedCards();
// The folder that has what was built.
std::string besideLibraries();

}  // namespace simt::cc
