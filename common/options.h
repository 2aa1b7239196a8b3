// The command line, the same in every lesson program and the ladder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

enum class Backend { gpu, cpu };

struct Options {
  std::optional<uint64_t> n;  // elements; the program chooses when it is not given
  unsigned block = 512;       // threads per block: 32, 64, 128, 256, 512 or 1024
  bool sizeGiven = false;     // --block, or one of the program's own sizes, was on the command line
  unsigned samples = 30;      // timed runs per step
  uint64_t seed = 1;
  std::string json;     // result file, empty for none
  std::string label;    // the participant's, for the result file
  std::string command;  // the command line as a shell would take it
  int device = 0;
  std::string schedule = "forward";  // or reverse, random, with the seed in scheduleSeed
  uint64_t scheduleSeed = 1;
  bool fast = false;            // cpu backend: no search for races and unwritten memory
  bool allCounters = false;     // cpu backend: every counter in the table
  std::string svg;              // cpu backend: the picture to draw instead, empty for none
  std::string mode;             // which of the program's modes, by its flag; empty for none
  std::vector<uint64_t> sizes;  // of a program with sizes of its own, in their order
};

// Something else that a program can do, chosen by a flag of its own such as --demo.
struct Mode {
  std::string flag, help;
  bool gpuOnly = false;
};

// A size that a program asks for instead of --n and --block, from 1 to 2^31 - 1.
struct Size {
  std::string flag, help;
  uint64_t standard;
};

// Reads a count such as 1000003 or 2^28. Throws Error (exitUsage) with one line for anything else,
// and for what does not fit in 63 bits.
uint64_t parseCount(const std::string& option, const std::string& text);

// 268435456 as "2^28", 268435469 as "2^28 + 13", other numbers in digits.
std::string countName(uint64_t n);

// Reads the command line; draws says whether the program knows --svg. Throws Error (exitUsage) with
// one line that says what is wrong; prints the help and returns nothing for --help.
std::optional<Options> parseOptions(int argc, char** argv, const std::string& program,
                                    Backend backend, const std::string& defaultN,
                                    const std::vector<Mode>& modes = {},
                                    const std::vector<Size>& sizes = {}, bool draws = false);

// The words as one line that a shell takes apart again.
std::string shellCommand(int argc, char** argv);

// Runs body and turns what it throws into one line on stderr and the program's exit code; a
// standard output that could not be written is exit code 2.
int runProgram(const std::string& program, int (*body)(int, char**), int argc, char** argv);
