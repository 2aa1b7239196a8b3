// The one loop that measures: warm up, take samples of all tasks in turn, catch faults, check every
// result.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "report/report.h"

// What one sample of a task does, in this order. Each may be empty but run.
struct Task {
  // A stretch of the work with a time of its own.
  struct Part {
    StepResult step;
    std::function<void()> run;
  };

  StepResult step;  // its names and what is expected; measure() adds what it found
  std::function<void()> prepare = {};  // fresh input and poisoned results; not timed
  std::function<void()> run = {};      // what is timed: launches on the default stream, or CPU code
  std::vector<Part> parts = {};        // or this, one after the other: timed alone and together
  std::function<void()> finish = {};   // fetches the result to the host
  std::function<void(StepResult&)> check = {};  // after finish: sets what was found, and ok
  bool timesAnswer = false;  // also times run and finish together by the host's clock, in a run of
                             // its own that starts when the GPU is idle
  bool onCpu = false;        // run is CPU code, timed by the host's clock on either backend

  void runAll() const;  // run, or all parts
};

// How a sample finds the GPU.
enum class Before {
  flushed,  // L2 holds nothing of the input; the GPU is still busy while the launch is queued
  queued,   // L2 holds what it can of the input; the GPU is busy likewise
  idle      // L2 likewise; the GPU is idle, so that a launch is in the time
};

// How samples are taken. Of what is counted and not timed, one is taken.
struct Sampling {
  unsigned samples = 30;
  unsigned warmUps = 3;
  double slowMs = 1e300;  // a task whose first sample takes longer gets no more than three
  Before before = Before::flushed;
};

// Takes samples of CPU code; DeviceStopwatch those of kernels, too.
class Stopwatch {
 public:
  // program: its name, for the line that says on a terminal what it is doing.
  explicit Stopwatch(std::string program) : program_(std::move(program)) {}
  virtual ~Stopwatch() = default;

  // The steps of the tasks in their order, each followed by those of its parts. Throws Error; a
  // fault that the executor finds is in the step's fault, and the other tasks go on.
  std::vector<StepResult> measure(const std::vector<Task>& tasks, const Sampling& sampling);

 protected:
  // Runs a task that is not CPU code, finish and check included. What is kept goes into *step and
  // those of the parts behind it.
  virtual void sampleOnDevice(const Task& task, Before before, bool kept, StepResult* step);
  virtual bool countsOnly() const { return false; }
  virtual std::string position() const { return ""; }  // within a sample that takes long

 private:
  const std::string program_;
};
