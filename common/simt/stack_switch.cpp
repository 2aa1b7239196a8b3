#include "simt/stack_switch.h"

#include <new>
#include <utility>

#ifdef SIMT_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

#ifndef SIMT_BOOST_SWITCH

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
)");
extern "C" void simtSwitchStack(void** leftTop, void* top);

namespace simt {

void Stack::start(char* begin, size_t bytes, void (*entry)()) {
  auto** top = reinterpret_cast<void**>(begin + bytes / 16 * 16);
  *--top = nullptr;  // entry returns to nobody
  *--top = reinterpret_cast<void*>(entry);
  for (int preserved = 0; preserved < 6; ++preserved) *--top = nullptr;
  top_ = top;
}

void Stack::switchFrom(Stack& from) { simtSwitchStack(&from.top_, top_); }

}  // namespace simt

#else

namespace simt {
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

// On the stack that was switched to.
void Stack::finishSwitch([[maybe_unused]] Stack& cameFrom) {
#ifdef SIMT_ASAN
  __sanitizer_finish_switch_fiber(fakeStack_, &cameFrom.begin_, &cameFrom.bytes_);
#endif
}

void Stack::start(char* begin, size_t bytes, void (*entry)()) {
#ifdef SIMT_ASAN
  __asan_unpoison_memory_region(begin, bytes);
  begin_ = begin;
  bytes_ = bytes;
  fakeStack_ = nullptr;
#endif
  // Written over the old handle, which is not destroyed: that would unwind the abandoned stack.
  new (&handle_) boost::context::fiber(
      std::allocator_arg, KeptStack{begin, bytes}, [this, entry](boost::context::fiber&& caller) {
        finishSwitch(*left);
        new (&left->handle_) boost::context::fiber(std::move(caller));
        entry();
        return boost::context::fiber();
      });
}

void Stack::switchFrom(Stack& from) {
  left = &from;
  from.top_ = __builtin_frame_address(0);
#ifdef SIMT_ASAN
  __sanitizer_start_switch_fiber(&from.fakeStack_, begin_, bytes_);
#endif
  boost::context::fiber handle = std::move(handle_).resume();
  from.finishSwitch(*left);
  left->handle_ = std::move(handle);
}

}  // namespace simt

#endif
