// Text that is made in a process of its own, so that whatever happens there the program goes on.
#pragma once

#include <functional>
#include <string>

struct MadeApart {
  std::string text;  // what make() returned
  std::string
      problem;  // empty, or why there is none: what make() threw, "it took too long", "it failed"
};

// Has a copy of this process call make(), for 20 s at most.
MadeApart makeApart(const std::function<std::string()>& make);
