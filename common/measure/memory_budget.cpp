#include "measure/memory_budget.h"

#include <fmt/core.h>

#include <algorithm>
#include <iostream>

#include "base/counts.h"
#include "base/errors.h"
#include "cuda/backend.h"

bool Needs::fit(const Machine& machine) const {
  return !gridTooLarge && device <= double(machine.freeBytes) &&
         host <= double(machine.hostFreeBytes);
}

void Needs::refuse(const std::string& what, const Machine& machine,
                   const std::string& instead) const {
  const bool onDevice = device > double(machine.freeBytes);
  if (gridTooLarge && !onDevice && host <= double(machine.hostFreeBytes))
    throw Error(exitUsage, what + " needs more than 2^31 - 1 blocks: " + instead);
  throw Error(exitUsage,
              fmt::format("{} needs {:.0f} MiB of {} memory and {} MiB are free: {}", what,
                          (onDevice ? device : host) / 1048576, onDevice ? "GPU" : "host",
                          (onDevice ? machine.freeBytes : machine.hostFreeBytes) >> 20, instead));
}

Needs needsOf(double deviceArrays, double hostArrays, const Machine& machine) {
  const double room = 64e6;
  if (thisBackend == Backend::cpu) return {0, hostArrays + 1.75 * deviceArrays + room};
  return {deviceArrays + 4.0 * double(machine.l2Bytes) + room, hostArrays + room};
}

uint64_t chooseN(std::optional<uint64_t> asked, uint64_t usual, const Machine& machine,
                 const std::function<Needs(uint64_t n)>& needs) {
  uint64_t largest = uint64_t(1) << 40;
  while (largest > 1 && !needs(largest).fit(machine)) largest /= 2;
  if (asked && needs(*asked).fit(machine)) return *asked;
  if (asked)
    needs(*asked).refuse("--n " + countName(*asked), machine,
                         "--n " + countName(largest) + " fits");
  if (needs(usual).fit(machine)) return usual;
  std::cout << "the default n = " << countName(usual)
            << " does not fit in memory: n = " << countName(largest) << '\n';
  return largest;
}
