// Stacks, and switching between them. Boost.Context does it on every processor. On x86-64 a few
// instructions of our own take its place, which make a barrier two to three times as fast: they
// leave the floating-point control words alone, and they end with a return, so that the processor
// goes on to predict where functions return to.
#pragma once

#include <cstddef>

#if !defined(__x86_64__) || defined(__ILP32__)
#define SIMT_BOOST_SWITCH 1
#include <boost/context/fiber.hpp>
#endif

namespace simt {

// To be called by an OS thread before it runs kernels: threads arrive at barriers on another stack
// than their own.
void makeBarrierStack();

// Where a stack that does not run goes on. No destructor: what is abandoned is not unwound.
class Stack {
 public:
  // Will call entry, which never returns, on these bytes: with what leftAt() takes to have it
  // called once more.
  void start(char* begin, size_t bytes, void (*entry)(void* unbegun));
  // Leaves the stack that runs, whose place is kept in from, for this one.
  void switchFrom(Stack& from);
  // Where it was left: what lies there and above is what it goes on with.
  const void* top() const { return top_; }
#if defined(__x86_64__) && !defined(SIMT_BOOST_SWITCH)
  // It was left by code that keeps registers as switchFrom does.
  void leftAt(void* top) { top_ = top; }
  // Goes on where a stack was left, and is not the end of the one that calls: for that to be called
  // as a kernel is, so that the processor expects the kernel to return to the same place.
  static void goOn(void* top);
#endif

 private:
  void* top_ = nullptr;
#ifdef SIMT_BOOST_SWITCH
  boost::context::fiber handle_;
#endif
};

}  // namespace simt
