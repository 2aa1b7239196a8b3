// What ends, doubles or leaves a program is no function for a kernel: a fault says so. What the
// executor calls on its own goes through. The program is linked with --wrap for each of these.
#include "simt/find/faults.h"
#include "simt/image/symbols.h"
#include "simt/memory/worker_process.h"
#include "simt/run/block.h"

#ifdef __linux__

static void refuseInKernel(const char* call, const void* pc) {
  if (simt::runningPlain) simt::giveUpWorker("ends the program");
  if (!simt::running) return;
  simt::giveUpWorker();
  const simt::Quiet quiet;
  const simt::Thread& self = *simt::runningBlock().current;
  simt::raise(simt::makeFault(simt::Fault::Kind::programEnd,
                              simt::threadName(self) + " calls " + call + simt::at(pc), {&self},
                              {pc}));
}

#define SIMT_ENDS(name)                                      \
  extern "C" [[noreturn]] void __real_##name(int status);    \
  extern "C" [[noreturn]] void __wrap_##name(int status) {   \
    refuseInKernel(#name "()", __builtin_return_address(0)); \
    __real_##name(status);                                   \
  }
SIMT_ENDS(exit)
SIMT_ENDS(_exit)
SIMT_ENDS(_Exit)
SIMT_ENDS(quick_exit)

// To a place that another thread may have set, on a stack of its own.
#define SIMT_JUMPS(name)                                               \
  extern "C" [[noreturn]] void __real_##name(void* place, int value);  \
  extern "C" [[noreturn]] void __wrap_##name(void* place, int value) { \
    refuseInKernel(#name "()", __builtin_return_address(0));           \
    __real_##name(place, value);                                       \
  }
SIMT_JUMPS(longjmp)
SIMT_JUMPS(siglongjmp)

// The new process would run the launch a second time, and its threads would fork again.
extern "C" int __real_fork();
extern "C" int __wrap_fork() {
  refuseInKernel("fork()", __builtin_return_address(0));
  return __real_fork();
}

#endif
