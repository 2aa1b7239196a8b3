// Calls of the compiler's instrumentation in the kernels' code, taken out of it: in a worker
// process whose blocks run plain, and which has a copy of the code of its own.
#pragma once

namespace simt {

// The call of this hook that returns to pc: from now on an instruction that does nothing. Where
// that cannot be, nothing happens.
void leaveOutCall(const void* hook, const void* pc);

}  // namespace simt
