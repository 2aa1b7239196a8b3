// A program run to its end, without a shell.
#pragma once

#include <chrono>
#include <string>
#include <vector>

struct Ended {
  int exitCode = -1;  // 128 + the signal for a program that a signal ended, as shells say it
  bool tookTooLong = false;
  std::string output;  // standard output and standard error, as they came
};

// Runs words[0], a path, with the other words as its arguments, in a folder, without standard
// input; kills it when it takes longer than the limit, and then whatever else holds its output
// open. Throws std::system_error where no process can be made.
Ended runToItsEnd(const std::vector<std::string>& words, const std::string& workingFolder,
                  std::chrono::milliseconds limit);
