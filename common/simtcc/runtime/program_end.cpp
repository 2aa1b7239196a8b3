// Programs that end by abort(): a failed assertion of the host, an exception that nobody catches.
// What they have printed before is not lost, and the report follows as at every other end. They are
// linked with --wrap=abort and --wrap=__assert_fail.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>

#include "simt/run/block.h"
#include "simtcc/runtime/runtime.h"

namespace {

// Not in a kernel, of which it is a fault.
void endHere() {
  if (simt::isInKernel()) return;
  std::cout.flush();
  std::fflush(stdout);
  simt::printReport();
}

std::terminate_handler before = nullptr;

[[noreturn]] void onTerminate() {
  endHere();
  if (before) before();
  std::abort();
}

}  // namespace

void simt::watchTerminate() { before = std::set_terminate(onTerminate); }

#if defined(SIMT_WRAPPED_ABORT)
extern "C" [[noreturn]] void __real_abort();
extern "C" [[noreturn]] void __wrap_abort() {
  endHere();
  __real_abort();
}
extern "C" [[noreturn]] void __wrap___assert_fail(const char* condition, const char* file,
                                                  unsigned line, const char* function) {
  std::cout.flush();
  std::fflush(stdout);
  std::fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, condition);
  __wrap_abort();
}
#endif
