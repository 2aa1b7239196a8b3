// What a kernel prints: nothing of the many runs that check it, all of one.
#pragma once

#include <functional>
#include <string>

// Standard output goes nowhere as long as one lives.
class SilentOutput {
 public:
  SilentOutput();
  ~SilentOutput();
  SilentOutput(const SilentOutput&) = delete;
  SilentOutput& operator=(const SilentOutput&) = delete;

 private:
  int kept_;  // the descriptor of standard output, or -1 where there is nothing to be silenced
};

// What body leaves on standard output, which gets nothing of it; empty where that cannot be had.
std::string printedBy(const std::function<void()>& body);
