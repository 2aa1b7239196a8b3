// The command line, the same in every lesson program and the ladder.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/machine.h"

struct Options {
  std::optional<uint64_t> n;  // elements; the program chooses when it is not given
  unsigned block = 512;       // threads per block: 32, 64, 128, 256, 512 or 1024
  bool blockGiven = false;
  unsigned samples = 30;  // timed runs per step
  uint64_t seed = 1;
  std::string json;     // result file, empty for none
  std::string label;    // the participant's, for the result file
  std::string command;  // the command line as a shell would take it
  int device = 0;
  std::string schedule = "forward";  // or reverse, random, with the seed in scheduleSeed
  uint64_t scheduleSeed = 1;
  bool fast = false;            // cpu backend: no search for races and unwritten memory
  bool allCounters = false;     // cpu backend: every counter in the table
  std::string card = "h200";    // cpu backend: whose time is estimated, a name or a file
  bool estimate = true;         // cpu backend: whether any is
  bool where = false;           // cpu backend: source lines with their share of the estimated time
  std::vector<uint64_t> sizes;  // of a program with sizes of its own, in their order
  bool sizesGiven = false;      // any of them
  std::string explore;          // cpu backend: the page to write, empty for none
  std::vector<std::string> named;  // the steps that --step names
  std::string mode;                // which of the program's modes, by its flag; empty for none
  std::string modeFile;            // the file that the mode, or the one it goes with, was given
  std::string modeFileOf;          // the flag of the mode whose file that is
  unsigned number = 0;             // the number behind the mode's flag; 0 for none
  unsigned gpus = 0;               // how many GPUs the mode was given; 0 for all there are
};

// A size that a program asks for instead of --n and --block, from 1 to 2^31 - 1.
struct SizeOption {
  std::string flag, help;
  uint64_t standard;
};

// Something else that a program can do, chosen by a flag of its own such as --demo.
struct Mode {
  std::string flag, help;
  std::function<int(const Options&)> run;  // returns the exit code; throws Error
  bool takesFile = false;                  // the flag is followed by the name of a file
  bool takesGpus = false;                  // or by how many GPUs: a number or all
  unsigned numbers = 0;                    // or, if one likes, by a number of 1 to this
  std::optional<Backend> only = {};        // the one backend that has it
  // Options that do not go with it, and why: "--n" with a mode that "draws one small block".
  std::vector<std::pair<std::string, std::string>> leaveOut = {};
  bool explore = false;  // goes with --explore
  bool step = false;     // goes with --step, once
  std::vector<std::string> takesFileOf =
      {};  // goes with a mode of these flags, whose file it takes
};

// What the command line of a program takes.
struct CommandLine {
  std::string program;
  Backend backend = Backend::cpu;
  std::string usualN = {};  // what --n is when it is not given, for the help
  std::vector<Mode> modes = {};
  std::vector<SizeOption> sizes = {};
  bool explores = false;  // the cpu program has --explore and --step
};

// Reads the command line. Throws Error (exitUsage) with one line that says what is wrong; prints
// the help and returns nothing for --help.
std::optional<Options> parseOptions(int argc, char** argv, const CommandLine& commandLine);
