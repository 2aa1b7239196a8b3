#include "measure/device_stopwatch.h"

#include <fmt/core.h>

#include <deque>

#include "cuda/device.h"
#include "measure/timer.h"
#ifndef GPU_BACKEND
#include <cstring>
#include <type_traits>

#include "measure/in_parallel.h"
#endif

#ifdef GPU_BACKEND

DeviceStopwatch::DeviceStopwatch(std::string program, const Machine& machine)
    : Stopwatch(std::move(program)), flush_(4 * machine.l2Bytes, "the cache flush") {
  flush_.poison();
}

std::vector<StepResult> DeviceStopwatch::measureApart(const std::vector<Task>& tasks,
                                                      const Sampling& sampling) {
  return measure(tasks, sampling);
}

bool DeviceStopwatch::countsOnly() const { return false; }
std::string DeviceStopwatch::position() const { return ""; }

void DeviceStopwatch::prepare(const Task& task, Before before) {
  if (task.prepare) task.prepare();
  switch (before) {
    case Before::flushed: flushCache(flush_.data(), flush_.size()); break;
    case Before::queued: break;
    case Before::idle: CUDA_CHECK(cudaDeviceSynchronize()); break;
  }
}

// The time of the task's run, or of its parts and of all of them, by events. Where the GPU is held
// until everything is queued, the time that the host takes for a launch is not in them.
static void timeOnDevice(const Task& task, const Sampling& sampling, bool kept, StepResult* step) {
  static std::deque<Mark> marks;
  while (marks.size() < task.parts.size() + 2) marks.emplace_back();
  if (sampling.before != Before::idle) hold();
  marks[0].record();
  for (size_t i = 0; i < task.parts.size(); ++i) {
    task.parts[i].run();
    marks[i + 1].record();
  }
  Mark& end = task.run ? marks[task.parts.size() + 1] : marks[task.parts.size()];
  if (task.run) {
    for (unsigned i = 0; i < sampling.launches; ++i) task.run();
    end.record();
  }
  if (sampling.before != Before::idle) letGo();
  const double all = end.millisecondsSince(marks[0]) / sampling.launches;
  if (!kept) return;
  step[0].kernelMs.push_back(all);
  for (size_t i = 0; i < task.parts.size(); ++i)
    step[i + 1].kernelMs.push_back(marks[i + 1].millisecondsSince(marks[i]));
}

void DeviceStopwatch::sampleOnDevice(const Task& task, const Sampling& sampling, bool kept,
                                     StepResult* step) {
  prepare(task, sampling.before);
  timeOnDevice(task, sampling, kept, step);
  if (task.timesAnswer) {
    prepare(task, sampling.before);
    CUDA_CHECK(cudaDeviceSynchronize());
    const double ms = hostMilliseconds([&] {
      task.runAll();
      if (task.finish) task.finish();
    });
    if (kept) step->answerMs.push_back(ms);
  } else if (task.finish) {
    task.finish();
  }
  if (task.check) task.check(*step);
}

#else

DeviceStopwatch::DeviceStopwatch(std::string program, const Machine&, simt::Settings executor)
    : Stopwatch(std::move(program)), executor_(executor) {}

bool DeviceStopwatch::countsOnly() const { return true; }

// How far the executor is with a launch of many blocks.
std::string DeviceStopwatch::position() const {
  const simt::Position at = simt::position();
  return at.ended < at.blocks ? fmt::format(", block {} of {}", at.ended + 1, at.blocks) : "";
}

// What is found of a step, as a text that a copy of this process can send.
struct Found {
  bool ok, hasCounters, someForgotten;
  int64_t result;
  Counters counters;
};
static_assert(std::is_trivially_copyable_v<Found>);

static std::string packed(const StepResult& step) {
  const Found found{.ok = step.ok,
                    .hasCounters = step.counters.has_value(),
                    .someForgotten = simt::someForgotten(),
                    .result = step.result,
                    .counters = step.counters.value_or(Counters{})};
  return std::string(reinterpret_cast<const char*>(&found), sizeof found) + step.fault;
}

static StepResult unpacked(StepResult step, const std::string& text) {
  Found found;
  std::memcpy(&found, text.data(), sizeof found);
  step.ok = found.ok;
  if (found.hasCounters) step.counters = found.counters;
  if (found.someForgotten) simt::noteForgotten();
  step.result = found.result;
  step.fault = text.substr(sizeof found);
  return step;
}

std::vector<StepResult> DeviceStopwatch::measureApart(const std::vector<Task>& tasks,
                                                      const Sampling& sampling) {
  const std::vector<std::string> found = inParallel(tasks.size(), [&](size_t i, unsigned workers) {
    DeviceStopwatch alone = *this;
    if (workers > 0) alone.executor_.workers = workers;
    return packed(alone.measure({tasks[i]}, sampling).front());
  });
  std::vector<StepResult> results;
  for (size_t i = 0; i < tasks.size(); ++i) results.push_back(unpacked(tasks[i].step, found[i]));
  return results;
}

void DeviceStopwatch::sampleOnDevice(const Task& task, const Sampling&, bool, StepResult* step) {
  const simt::WithSettings settings(executor_);
  try {
    if (task.prepare) task.prepare();
    simt::takeCounters();
    if (task.run) task.run();
    step->counters = simt::takeCounters();
    for (size_t i = 0; i < task.parts.size(); ++i) {
      task.parts[i].run();
      step[i + 1].counters = simt::takeCounters();
    }
    if (!task.parts.empty()) step->counters.reset();
    if (task.finish) task.finish();
    if (task.check) task.check(*step);
  } catch (const simt::Fault& fault) {
    step->fault = fault.what();
    step->ok = false;
  }
}

#endif
