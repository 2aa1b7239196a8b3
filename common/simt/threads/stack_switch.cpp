#include "simt/threads/stack_switch.h"

#include <sys/mman.h>

#include <new>
#include <utility>

#ifndef SIMT_BOOST_SWITCH

// The barrier that kernels call. Where the thread goes the way that was expected, it leaves its
// stack at once, and what there is to do is done on another: the next thread's is all that is
// touched. (A number that is odd says that the next thread has not begun: a jump is expected there,
// a return would not be.)
//   int blockBarrier(int predicate, int mode, int place)
asm(R"(
.text
.p2align 4
.globl _ZN4simt12blockBarrierEiii
.type _ZN4simt12blockBarrierEiii, @function
_ZN4simt12blockBarrierEiii:
  movq (%rsp), %rcx
  testl %esi, %esi
  jne simtSlowBarrier
  movq _ZN4simt7runningE@gottpoff(%rip), %rax
  movq %fs:(%rax), %rdi
  testq %rdi, %rdi
  je 2f
  movq (%rdi), %r8
  leal 2(,%rcx,4), %r9d
  cmpl %r9d, (%r8)
  jne simtSlowBarrier
  addq $4, %r8
  movq %r8, (%rdi)
3:
  leaq -48(%rsp), %rsi
  movq %r15, (%rsi)
  movq %r14, 8(%rsi)
  movq %r13, 16(%rsi)
  movq %r12, 24(%rsi)
  movq %rbx, 32(%rsi)
  movq %rbp, 40(%rsi)
  movq simtBarrierStackTop@gottpoff(%rip), %rax
  movq %fs:(%rax), %rsp
  call simtArriveAtBarrier
  testb $1, %al
  jne 1f
  movq (%rax), %r15
  movq 8(%rax), %r14
  movq 16(%rax), %r13
  movq 24(%rax), %r12
  movq 32(%rax), %rbx
  movq 40(%rax), %rbp
  leaq 48(%rax), %rsp
  ret
1:
  leaq 55(%rax), %rsp
  jmp simtBeginStack
2:
  movq _ZN4simt12runningPlainE@gottpoff(%rip), %rax
  movq %fs:(%rax), %rdi
  jmp 3b
.size _ZN4simt12blockBarrierEiii, .-_ZN4simt12blockBarrierEiii
)");
extern "C" {
extern constinit thread_local char* simtBarrierStackTop;
constinit thread_local char* simtBarrierStackTop = nullptr;
}

// Keeps the registers that a call must preserve on the stack that is left.
asm(R"(
.text
.p2align 4
.globl simtSwitchStack
.type simtSwitchStack, @function
simtSwitchStack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size simtSwitchStack, .-simtSwitchStack

.p2align 4
.globl simtGoOn
.type simtGoOn, @function
simtGoOn:
  movq %rdi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  popq %rcx
  jmp *%rcx
.size simtGoOn, .-simtGoOn

.p2align 4
.globl simtBeginStack
.type simtBeginStack, @function
simtBeginStack:
  movq (%rsp), %rax
  leaq -56(%rsp), %rdi
  subq $64, %rsp
  pushq $0
  jmp *%rax
.size simtBeginStack, .-simtBeginStack
)");
extern "C" {
void simtSwitchStack(void** leftTop, void* top);
void simtGoOn(void* top);
void simtBeginStack();  // as what start() writes has it: calls entry below that, which stays
}

namespace simt {

void Stack::start(char* begin, size_t bytes, void (*entry)(void* unbegun)) {
  auto** top = reinterpret_cast<void**>(begin + bytes / 16 * 16);
  *--top = nullptr;
  *--top = reinterpret_cast<void*>(entry);
  *--top = reinterpret_cast<void*>(simtBeginStack);
  for (int preserved = 0; preserved < 6; ++preserved) *--top = nullptr;
  top_ = top;
}

void makeBarrierStack() {
  if (simtBarrierStackTop) return;
  constexpr size_t bytes = 256 * 1024;
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  simtBarrierStackTop = static_cast<char*>(memory) + bytes;
}

void Stack::switchFrom(Stack& from) { simtSwitchStack(&from.top_, top_); }

void Stack::goOn(void* top) { simtGoOn(top); }

}  // namespace simt

#else

namespace simt {

void makeBarrierStack() {}  // only the few instructions above need one

namespace {

// What runs on a stack cannot be told who switched to it otherwise.
thread_local Stack* left = nullptr;

struct KeptStack {
  char* begin;
  size_t bytes;
  boost::context::stack_context allocate() const {
    boost::context::stack_context context;
    context.size = bytes;
    context.sp = begin + bytes;
    return context;
  }
  void deallocate(boost::context::stack_context&) const {}
};

}  // namespace

void Stack::start(char* begin, size_t bytes, void (*entry)(void* unbegun)) {
  // Written over the old handle, which is not destroyed: that would unwind the abandoned stack.
  new (&handle_) boost::context::fiber(
      std::allocator_arg, KeptStack{begin, bytes}, [entry](boost::context::fiber&& caller) {
        new (&left->handle_) boost::context::fiber(std::move(caller));
        entry(nullptr);
        return boost::context::fiber();
      });
}

void Stack::switchFrom(Stack& from) {
  left = &from;
  from.top_ = __builtin_frame_address(0);
  boost::context::fiber handle = std::move(handle_).resume();
  left->handle_ = std::move(handle);
}

}  // namespace simt

#endif
