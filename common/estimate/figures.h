// What build/gpu/card measured on a card.
#pragma once

#include <map>
#include <string>

namespace estimate {

// Figures by their names, from a file that build/gpu/card wrote. Throws Error.
std::map<std::string, double> readFigures(const std::string& path);

}  // namespace estimate
