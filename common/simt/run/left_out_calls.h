// Calls of the compiler's instrumentation in the kernels' code, taken out of it where blocks run
// plain: in a worker process, which has a copy of the code of its own, or for a while.
#pragma once

namespace simt {

// The call of this hook that returns to pc: from now on an instruction that does nothing. Where
// that cannot be, nothing happens.
void leaveOutCall(const void* hook, const void* pc);

// In a process that is no worker: while one lives, and this kernel runs plain. What was left out
// for it before is left out at once. No other OS thread may run this code meanwhile.
class CallsLeftOut {
 public:
  explicit CallsLeftOut(const void* kernel);
  ~CallsLeftOut();  // the calls are there again
  CallsLeftOut(const CallsLeftOut&) = delete;
  CallsLeftOut& operator=(const CallsLeftOut&) = delete;
};

}  // namespace simt
