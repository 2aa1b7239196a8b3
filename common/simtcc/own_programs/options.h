// What the user of a program of its own asks for, in front of the program's own arguments.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

struct ProgramOptions {
  bool estimate = true, where = false, ptx = false, cardAsked = false;
  bool full = false, fast = false;  // all blocks are searched, none is
  bool run = true;                  // or the kernels are estimated only
  std::string card = "h200";        // whose time is estimated: a name of common/cards, or a file
  std::string explore = {};         // the page to step through a launch; empty for none
  std::string report = {};          // the page with everything; empty for none
  std::string program = {};         // its name
  std::string kernel = {};          // whose first launch that is; empty for the program's first
  uint64_t exploreFrom = 0;         // the first of the two blocks that it shows
};

// Takes these options from the beginning of the arguments, behind the program's name, as far as
// there are any; "--" ends them. Throws Error (exitUsage) where a value is missing or wrong.
ProgramOptions takeOptions(std::vector<std::string>& arguments);
