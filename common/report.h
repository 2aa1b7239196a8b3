// What a program found: tables on standard output and the result file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "counters.h"
#include "machine.h"
#include "options.h"
#include "output_file.h"

struct StepResult {
  std::string lesson, name;
  std::string basedOn = {};  // the step it improves on, by name; empty for none
  bool ok = false;
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
};

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

  bool allRight() const;
  const StepResult* find(const std::string& name) const;  // the first step of this name, or null
  uint64_t elements(const StepResult& step) const { return step.n.value_or(n); }
  double gbps(const StepResult& step) const;  // each input byte once; the step was timed
};

// The date and time now, as 2026-11-21T04:11:46Z.
std::string utcNow();

// Bytes of an element of int32, float, int64 or double; 0 for any other name.
unsigned elementBytesOf(const std::string& type);

// Median, minimum and maximum of at least one time.
struct Spread {
  double median, min, max;
};
Spread spreadOf(std::vector<double> samples);

// A time with four significant digits or so, and the median with its spread: "1.52 (1.50–1.57)".
std::string milliseconds(double ms);
std::string timeAndSpread(const std::vector<double>& samples);

// Times, GB/s counting each of the n input bytes once, % of peak and speedups.
void printTimes(const Report& report);
// Counts per block and per 1,000 elements, for reports of the executor: those that tell the lessons
// apart, or all of them.
void printCounters(const Report& report, bool all);

// The counts of whole steps, for programs whose blocks are not alike.
void printWholeCounters(const Report& report);

// True for the text of a result file, of whatever content.
bool isResultFile(const std::string& text);

// Where a result file will go. Made before the run: throws Error (exitUsage) when the file cannot
// be written, or exists and is not a result file. An empty path writes nothing.
class ResultFile {
 public:
  explicit ResultFile(const std::string& path);
  void write(const Report& report);

 private:
  OutputFile file_;
};
