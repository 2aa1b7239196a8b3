#include "simt/find/signals.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>

#include <cstdlib>
#include <utility>

#include "simt/find/faults.h"
#include "simt/find/searched_block.h"
#include "simt/image/symbols.h"
#include "simt/memory/worker_process.h"

namespace simt {
namespace {

constexpr int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL};
constexpr size_t spareStackBytes = 256 * 1024;

struct sigaction before[NSIG];

// Where the thread was, and why it cannot go on. One per OS thread, as are the two stacks: one for
// the handler, and one on which the fault is raised, for the kernel's own may be full.
struct CaughtSignal {
  int signal = 0;
  uintptr_t address = 0, stackPointer = 0;
  const void* pc = nullptr;
};
thread_local CaughtSignal caught;
thread_local char* spareStack = nullptr;

constexpr uintptr_t firstPage = 1 << 16;  // nothing is ever there
constexpr uintptr_t largestFrame = uintptr_t(1) << 30;

// Also where a large frame reaches far below the guard.
bool isStackFull(uintptr_t stackBegin) {
  const bool nearBegin =
      caught.address + stackGuardBytes >= stackBegin && caught.address < stackBegin + 4096;
  return nearBegin ||
         (caught.stackPointer < stackBegin && stackBegin - caught.stackPointer < largestFrame);
}

// The kernel's call to abort() or to a library function is of more use than the place inside.
const void* kernelInstruction(const Thread& thread) {
  return sourceOf(caught.pc).empty() && lastInstruction(thread) ? lastInstruction(thread)
                                                                : caught.pc;
}

[[noreturn]] void raiseCaught() {
  giveUpWorker(caught.signal == SIGVTALRM ? goesOnForLong : hasFault);  // of a plain block
  {
    Quiet quiet;
    SearchedBlock& block = runningSearch();
    const Thread& self = *block.current;
    const void* pc = kernelInstruction(self);
    const std::string who = threadName(self);
    Fault::Kind kind = Fault::Kind::hostMemory;
    std::string text = who + " touches memory that is not there" + at(pc);
    if (caught.signal == SIGFPE) {
      kind = Fault::Kind::divisionByZero;
      text = who + " divides an integer by zero" + at(pc);
    } else if (caught.signal == SIGABRT) {
      kind = Fault::Kind::programEnd;
      text = who + " calls abort()" + at(pc);
    } else if (caught.signal == SIGILL) {
      kind = Fault::Kind::programEnd;
      text = who + " ends at a trap" + at(pc) +
             ": __trap(), or what C++ does not define (a missing return, 1 / 0)";
    } else if (caught.signal == SIGVTALRM) {
      kind = Fault::Kind::endlessLoop;
      text = who + " loops for ever" + at(pc) + ": nothing ends this loop";
    } else if (isStackFull(self.stackBegin)) {
      kind = Fault::Kind::stackOverflow;
      text =
          who + " has used up its stack of " + std::to_string(stackBytes / 1024) + " KiB" + at(pc);
    } else if (caught.address < firstPage) {
      kind = Fault::Kind::nullPointer;
      text = who + " uses a null pointer" + at(pc);
    }
    raise(makeFault(kind, text, {&self}, {pc}));
  }
  std::abort();  // never: the thread does not go on
}

// A call through a null pointer has left nothing but where it would return to.
const void* instructionOfSignal(uintptr_t pc, uintptr_t returnAddress) {
  return reinterpret_cast<const void*>(pc < firstPage ? returnAddress : pc + 1);
}

// Raises the fault instead of going on there.
void leaveKernel(int signal, const siginfo_t* info, void* context) {
#if defined(__x86_64__) && defined(__linux__)
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  const auto pc = uintptr_t(registers[REG_RIP]);
  const auto* const stack = reinterpret_cast<const uintptr_t*>(registers[REG_RSP]);
  caught = {signal, reinterpret_cast<uintptr_t>(info->si_addr), uintptr_t(registers[REG_RSP]),
            instructionOfSignal(pc, pc < firstPage ? *stack : 0)};
  registers[REG_RSP] = reinterpret_cast<greg_t>(spareStack + spareStackBytes - 72);
  registers[REG_RIP] = reinterpret_cast<greg_t>(&raiseCaught);
#elif defined(__aarch64__) && defined(__linux__)
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext;
  caught = {signal, reinterpret_cast<uintptr_t>(info->si_addr), uintptr_t(registers.sp),
            instructionOfSignal(registers.pc, registers.regs[30])};
  registers.sp = reinterpret_cast<uintptr_t>(spareStack + spareStackBytes - 64);
  registers.pc = reinterpret_cast<uintptr_t>(&raiseCaught);
#else
  (void)info, (void)context;
  sigaction(signal, &before[signal], nullptr);
#endif
}

void onSignal(int signal, siginfo_t* info, void* context) {
  const ThreadBlock* const block = blockOfThisOsThread;
  if (isInWorker() && block && block->isPlain) giveUpWorker();
  if (block && block->current && spareStack)
    leaveKernel(signal, info, context);
  else
    sigaction(signal, &before[signal], nullptr);  // not a kernel's: what would have happened
}

// Whether the instruction at which a signal came is a jump to itself: what compilers make of
// while (true); and nothing of it can be seen by instrumentation.
bool isJumpToItself(void* context) {
#if defined(__x86_64__) && defined(__linux__)
  const auto* const code = reinterpret_cast<const unsigned char*>(
      static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
  return code[0] == 0xeb && code[1] == 0xfe;
#elif defined(__aarch64__) && defined(__linux__)
  return *reinterpret_cast<const uint32_t*>(static_cast<ucontext_t*>(context)->uc_mcontext.pc) ==
         0x14000000;
#else
  (void)context;
  return false;
#endif
}

volatile sig_atomic_t ticksLeft = 0;

void onTick(int signal, siginfo_t* info, void* context) {
  ticksLeft = ticksLeft - 1;
  if (runningPlain && spareStack && ticksLeft < 0) leaveKernel(signal, info, context);
  if (running && spareStack && isJumpToItself(context)) leaveKernel(signal, info, context);
}

constexpr timeval eachTick{0, suseconds_t(LoopTimer::secondsOfTick * 1e6)};
constexpr itimerval ticks{eachTick, eachTick};

}  // namespace

void allowTicks(int count) { ticksLeft = count; }

void catchSignals() {
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
}

LoopTimer::LoopTimer() {
  struct sigaction other {};
  itimerval timer{};
  // The program has a use of its own for them, or another launch runs.
  if (sigaction(SIGVTALRM, nullptr, &other) != 0) return;
  const bool isOurs = (other.sa_flags & SA_SIGINFO) != 0 && other.sa_sigaction == onTick;
  if ((!isOurs && ((other.sa_flags & SA_SIGINFO) != 0 || other.sa_handler != SIG_DFL)) ||
      getitimer(ITIMER_VIRTUAL, &timer) != 0 || timer.it_value.tv_sec != 0 ||
      timer.it_value.tv_usec != 0)
    return;
  struct sigaction action {};
  action.sa_sigaction = onTick;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART;
  isSet_ = sigaction(SIGVTALRM, &action, nullptr) == 0;
  start();
}
LoopTimer::~LoopTimer() {
  if (!isSet_) return;
  const itimerval none{};
  setitimer(ITIMER_VIRTUAL, &none, nullptr);  // the handler stays: a tick may be on its way
}
void LoopTimer::start() const {
  if (isSet_) setitimer(ITIMER_VIRTUAL, &ticks, nullptr);
}

}  // namespace simt

#ifdef __linux__
// The program is linked with --wrap=__cxa_allocate_exception.
extern "C" void* __real___cxa_allocate_exception(size_t bytes) noexcept;
extern "C" void* __wrap___cxa_allocate_exception(size_t bytes) noexcept {
  void* const memory = __real___cxa_allocate_exception(bytes);
  if (simt::running) {
    simt::runningSearch().exceptionBegin = reinterpret_cast<uintptr_t>(memory);
    simt::runningSearch().exceptionBytes = bytes;
  }
  return memory;
}
#endif
