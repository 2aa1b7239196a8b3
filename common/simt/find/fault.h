// What a launch found wrong.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "simt/device/vectors.h"

namespace simt {

// What a launch found wrong. what() is a readable paragraph; the fields say the same for tests.
struct Fault : std::runtime_error {
  enum class Kind {
    outOfBounds,
    hostMemory,
    uninitialised,
    misaligned,
    race,
    barrier,
    warpOperation,
    assertion,
    benignRace,     // a race that loses nothing: formally undefined all the same
    missedBarrier,  // a barrier that completed though threads returned without reaching it
    endlessLoop,
    stackOverflow,
    nullPointer,
    divisionByZero,
    exception,
    programEnd,     // exit() or abort() in a kernel
    missingFence,   // behind a lock: loses nothing on the GPUs there are
    constantMemory  // a __constant__ variable that a kernel writes
  };
  Kind kind;
  bool mild = false;  // does not end the program
  std::string kernel;
  dim3 block{0, 0, 0};
  std::vector<dim3> threads;              // the one or two threads concerned, or those that wait
  std::string array;                      // name of the array or shared variable, when there is one
  long long index = 0;                    // element of that array
  std::vector<std::string> sources;       // file:line of each thread in threads, where known
  std::vector<const void*> instructions;  // likewise, for sourcePathsOf() of trace.h

  Fault(Kind kind_, const std::string& text) : std::runtime_error(text), kind(kind_) {}
};

const char* kindName(Fault::Kind kind);  // "out of bounds"

}  // namespace simt
