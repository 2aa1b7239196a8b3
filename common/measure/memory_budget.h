// What a program needs, against what the machine has.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/machine.h"

// Bytes of GPU memory (none on the cpu backend) and of host memory.
struct Needs {
  double device = 0, host = 0;
  bool gridTooLarge = false;  // more blocks than a launch can have

  bool fit(const Machine& machine) const;

  // Throws Error (exitUsage): "WHAT needs 12 MiB of GPU memory and 3 MiB are free: INSTEAD".
  [[noreturn]] void refuse(const std::string& what, const Machine& machine,
                           const std::string& instead) const;
};

// For so many bytes of arrays on the device and on the host: with the flush of L2, some room, and
// on the executor, whose device arrays are in host memory, what it remembers of every byte.
Needs needsOf(double deviceArrays, double hostArrays, const Machine& machine);

// The n that was asked for; else the usual one or, where that does not fit, the largest power of
// two that does, and says so on standard output. Throws Error (exitUsage) when what was asked for
// does not fit.
uint64_t chooseN(std::optional<uint64_t> asked, uint64_t usual, const Machine& machine,
                 const std::function<Needs(uint64_t n)>& needs);
