// What a kernel does that stops a program: a stack that is full, a null pointer that nobody has
// looked at, a division by zero, abort(). The processor's or the system's signal becomes a fault.
#pragma once

#include <cstdint>

namespace simt {

// Whether this is memory of the exception that the running thread has thrown last.
bool isInException(uintptr_t address);

// From now on, signals that running kernels cause are faults. Asked for at every launch.
void catchTraps();

// While one lives, a loop without anything in it, of which instrumentation shows nothing, is
// noticed by a timer and a fault. Does nothing where the program uses that timer's signal.
struct WithTicks {
  WithTicks();
  ~WithTicks();
  WithTicks(const WithTicks&) = delete;
  WithTicks& operator=(const WithTicks&) = delete;
};
void startTicks();  // in a copy of the process, whose timer is not copied

}  // namespace simt
