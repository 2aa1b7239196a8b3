// What a kernel does that stops a program: a stack that is full, a null pointer that nobody has
// looked at, a division by zero, abort(). The processor's or the system's signal becomes a fault.
#pragma once

namespace simt {

// From now on, signals that running kernels cause are faults. Asked for at every launch.
void catchSignals();

// While one lives, a loop without anything in it, of which instrumentation shows nothing, is
// noticed by a timer and a fault. Does nothing where the program uses that timer's signal, or
// another launch has one.
class LoopTimer {
 public:
  LoopTimer();
  ~LoopTimer();
  LoopTimer(const LoopTimer&) = delete;
  LoopTimer& operator=(const LoopTimer&) = delete;
  void start() const;  // in a worker process: it has none yet
  bool isSet() const { return isSet_; }
  static constexpr double secondsOfTick = 0.2;  // of the process's own time

 private:
  [[maybe_unused]] bool isSet_ = false;
};

// A block that runs plain in this process is given up after so many ticks from now.
void allowTicks(int count);

}  // namespace simt
