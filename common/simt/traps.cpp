#include "simt/traps.h"

#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <cstdlib>

#include "simt/block.h"
#include "simt/faults.h"
#include "simt/symbols.h"

namespace simt {
namespace {

constexpr int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL};
constexpr size_t spareStackBytes = 256 * 1024;

struct sigaction before[NSIG];

// Where the thread was, and why it cannot go on. One per OS thread, as are the two stacks: one for
// the handler, and one on which the fault is raised, for the kernel's own may be full.
struct Trap {
  int signal = 0;
  uintptr_t address = 0, stackPointer = 0;
  const void* pc = nullptr;
};
thread_local Trap trap;
thread_local char* spareStack = nullptr;

constexpr uintptr_t largestFrame = uintptr_t(1) << 30;

// Also where a large frame reaches far below the guard.
bool isStackFull(uintptr_t stackBegin) {
  const bool nearBegin =
      trap.address + stackGuardBytes >= stackBegin && trap.address < stackBegin + 4096;
  return nearBegin ||
         (trap.stackPointer < stackBegin && stackBegin - trap.stackPointer < largestFrame);
}

// The kernel's call to abort() or to a library function is of more use than the place inside.
const void* kernelPlace(const Thread& thread) {
  return sourceOf(trap.pc).empty() && lastPlace(thread) ? lastPlace(thread) : trap.pc;
}

[[noreturn]] void raiseTrapped() {
  {
    Quiet quiet;
    Block& block = runningBlock();
    const Thread& self = *block.current;
    const void* pc = kernelPlace(self);
    const std::string who = threadName(self);
    Fault::Kind kind = Fault::Kind::hostMemory;
    std::string text = who + " touches memory that is not there" + at(pc);
    if (trap.signal == SIGFPE) {
      kind = Fault::Kind::divisionByZero;
      text = who + " divides an integer by zero" + at(pc);
    } else if (trap.signal == SIGABRT) {
      kind = Fault::Kind::programEnd;
      text = who + " calls abort()" + at(pc);
    } else if (trap.signal == SIGILL) {
      kind = Fault::Kind::programEnd;
      text = who + " ends at a trap" + at(pc) +
             ": __trap(), or what C++ does not define (a missing return, 1 / 0)";
    } else if (isStackFull(self.stackBegin)) {
      kind = Fault::Kind::stackOverflow;
      text =
          who + " has used up its stack of " + std::to_string(stackBytes / 1024) + " KiB" + at(pc);
    } else if (trap.address < 1 << 16) {
      kind = Fault::Kind::nullPointer;
      text = who + " uses a null pointer" + at(pc);
    }
    raise(makeFault(kind, text, {&self}, {pc}));
  }
  std::abort();  // never: the thread is not resumed
}

void onSignal(int signal, siginfo_t* info, void* context) {
  Block* const block = blockOfThisOsThread;
  if (!block || !block->current || !spareStack) {
    sigaction(signal, &before[signal], nullptr);  // not a kernel's: what would have happened
    return;
  }
#if defined(__x86_64__) && defined(__linux__)
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  trap = {signal, reinterpret_cast<uintptr_t>(info->si_addr), uintptr_t(registers[REG_RSP]),
          reinterpret_cast<const void*>(registers[REG_RIP] + 1)};
  registers[REG_RSP] = reinterpret_cast<greg_t>(spareStack + spareStackBytes - 72);
  registers[REG_RIP] = reinterpret_cast<greg_t>(&raiseTrapped);
#elif defined(__aarch64__) && defined(__linux__)
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext;
  trap = {signal, reinterpret_cast<uintptr_t>(info->si_addr), uintptr_t(registers.sp),
          reinterpret_cast<const void*>(registers.pc + 1)};
  registers.sp = reinterpret_cast<uintptr_t>(spareStack + spareStackBytes - 64);
  registers.pc = reinterpret_cast<uintptr_t>(&raiseTrapped);
#else
  (void)info, (void)context;
  sigaction(signal, &before[signal], nullptr);
#endif
}

}  // namespace

void catchTraps() {
#ifndef SIMT_ASAN
  if (!spareStack) {
    const size_t handlerBytes = 64 * 1024;
    void* const memory = mmap(nullptr, spareStackBytes + handlerBytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    spareStack = static_cast<char*>(memory);
    stack_t stack{};
    stack.ss_sp = spareStack + spareStackBytes;
    stack.ss_size = handlerBytes;
    sigaltstack(&stack, nullptr);
  }
  static const bool once = [] {
    for (const int signal : signals) {
      struct sigaction action {};
      action.sa_sigaction = onSignal;
      action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
      sigaction(signal, &action, &before[signal]);
    }
    return true;
  }();
  (void)once;
#endif
}

}  // namespace simt

#if defined(SIMT_INSTRUMENTED) && defined(__linux__)
// The program is linked with --wrap=exit and --wrap=fork.
extern "C" [[noreturn]] void __real_exit(int status);
extern "C" int __real_fork();

static void refuseInKernel(const char* call, const void* pc) {
  if (!simt::running) return;
  const simt::Quiet quiet;
  const simt::Thread& self = *simt::runningBlock().current;
  simt::raise(simt::makeFault(simt::Fault::Kind::programEnd,
                              simt::threadName(self) + " calls " + call + simt::at(pc), {&self},
                              {pc}));
}

extern "C" [[noreturn]] void __wrap_exit(int status) {
  refuseInKernel("exit()", __builtin_return_address(0));
  __real_exit(status);
}

// The new process would run the launch a second time, and its threads would fork again.
extern "C" int __wrap_fork() {
  refuseInKernel("fork()", __builtin_return_address(0));
  return __real_fork();
}
#endif
