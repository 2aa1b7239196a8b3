// What a kernel does that stops a program: a stack that is full, a null pointer that nobody has
// looked at, a division by zero, abort(). The processor's or the system's signal becomes a fault.
#pragma once

namespace simt {

// From now on, signals that running kernels cause are faults. Asked for at every launch.
void catchTraps();

}  // namespace simt
