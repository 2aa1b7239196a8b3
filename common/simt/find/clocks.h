// Clocks of the operating system.
#pragma once

#include <ctime>

namespace simt {

inline double secondsOf(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

}  // namespace simt
