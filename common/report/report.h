// What a program found: the steps it ran, on which machine and how. What is printed, written to a
// result file and read from one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/machine.h"
#include "report/statistics.h"
#include "simt/hardware/counters.h"

using simt::Counters;

// What a row is for.
enum class Role {
  step,     // a step of the lesson
  cpu,      // the same work on the CPU; the last one is the yardstick
  library,  // NVIDIA's own answer to the whole task: the last one is the yardstick
  roof,     // what the memory gives: reads everything and adds up nothing
};

// What the timing model (common/estimate) says of a step: never a measured time.
struct StepEstimate {
  std::string card;  // its full name
  uint64_t n = 0;    // which may be another than what was run and counted
  double ms = 0;
  // What the warps' time goes into, the largest first: parts of 1.
  std::vector<std::pair<std::string, double>> shares = {};
  bool operator==(const StepEstimate&) const = default;
};

struct StepResult {
  std::string lesson, name;
  Role role = Role::step;
  std::string basedOn = {};  // the step it improves on, by name; empty for none
  bool ok = true;
  std::string fault = {};  // what the executor found wrong, empty for nothing
  int64_t result = 0, expected = 0;
  uint64_t blocks = 0;
  // Where they differ from the report's, or from a sum of int32:
  std::optional<uint64_t> n = {};
  unsigned block = 0, elementBytes = sizeof(int);
  std::string type = {}, cache = {};
  std::optional<double> realResult = {};  // of floating-point steps, instead of result
  double realExpected = 0;
  std::optional<double> relativeError = {};  // the largest of the step's results
  std::vector<double> kernelMs = {},
                      answerMs = {};      // one for each sample; empty where nothing was timed
  std::optional<Counters> counters = {};  // totals over the launch
  std::optional<StepEstimate> estimate = {};
  unsigned gpus = 1;  // how many worked on it together
  // Of these, what took how long: parts of a sample, each with a time for each sample.
  std::vector<std::pair<std::string, std::vector<double>>> partMs = {};

  bool isRight() const { return ok && fault.empty(); }
  bool isTimed() const { return !kernelMs.empty(); }
};

// How many times as fast the step gives the answer as the library does: by the time to the total on
// the host where both have one, as kernels that leave partial sums are not done yet, else by the
// kernel's time. Nothing where one of them was not timed, or only one has an answer.
std::optional<double> timesLibrary(const StepResult* library, const StepResult& step);

// Of the peak: more is shown as 100.1 %, and is no traffic of the memory.
constexpr double mostOfPeak = 1.0005;

struct Report {
  std::string program;
  Backend backend = Backend::cpu;
  Machine machine = {};
  uint64_t n = 0;
  unsigned block = 0, samples = 0;
  uint64_t seed = 0;
  std::string cache = {};  // how the input met the L2 cache
  std::string type = "int32";
  std::vector<std::pair<std::string, uint64_t>> sizes = {};  // instead of n and block in the file
  std::vector<StepResult> steps = {};
  std::string label = {};               // of the participant who ran it, empty for none
  std::string date = {}, command = {};  // when it ran (UTC, ISO 8601), and how
  std::string file = {};                // where it was read from

  // What a step has of its own, or has from the report.
  uint64_t elements(const StepResult& step) const { return step.n.value_or(n); }
  unsigned blockOf(const StepResult& step) const { return step.block > 0 ? step.block : block; }
  const std::string& typeOf(const StepResult& s) const { return s.type.empty() ? type : s.type; }
  const std::string& cacheOf(const StepResult& s) const {
    return s.cache.empty() ? cache : s.cache;
  }

  bool allRight() const;
  const StepResult* find(const std::string& name) const;  // the first step of this name, or null
  const StepResult* find(Role role) const;                // the last step of this role, or null
  double gbps(const StepResult& step) const;      // each input byte once; the step was timed
  double peakGbps(const StepResult& step) const;  // of the GPUs that worked on it; 0 if unknown
  double peakGbps() const;                        // of all of the machine
  // "NVIDIA H200", "4 × NVIDIA H200"; a CPU that imagines them is one.
  std::string machineName() const;
};

// The date and time now, as 2026-11-21T04:11:46Z.
std::string utcNow();

// Bytes of an element of bfloat16, int32, float, int64 or double; 0 for any other name.
unsigned elementBytesOf(const std::string& type);

// "wrong: 3 instead of 4", "wrong: a relative error of 0.1", or what the executor found; nothing
// for a right step.
std::string mistakeOf(const StepResult& step);
