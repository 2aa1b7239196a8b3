// All steps of the lessons in one process and one table, the library last.
#include "../../08_shuffle/steps.h"
#include "program/lesson.h"

#ifndef GPU_BACKEND
#include <iostream>

#include "base/errors.h"
#include "base/terminal.h"
#include "compare/reasons.h"
#include "program/estimates.h"
#include "program/recorded_kernels.h"

// Without a GPU: what these steps took on one, beside what was counted here.
static void showRecorded(const Report& counted, const Options& options) {
  if (gpuPresent()) return;
  try {
    std::optional<Report> ladder = recordedLadder(options, uint64_t(1) << 28, 512);
    if (!ladder) {
      std::cout << sentence("No recorded times: on this card nothing was recorded.") << '\n';
      return;
    }
    std::vector<Report> recorded = {std::move(*ladder)};
    Report& r = recorded.front();
    for (const Step& step : ladderTo08())
      if (step.runsHere() && !countsAsRecorded(step))
        std::erase_if(r.steps, [&](const StepResult& then) { return then.name == step.name; });
    std::cout << sentence(
        "Recorded, not measured here: " + describe(r) + ", on " + r.date.substr(0, 10) +
        (options.allCounters ? ", beside what was counted here per 1,000 elements:" : ":"));
    const ReasonColumns columns =
        options.allCounters ? ReasonColumns{} : ReasonColumns{.counters = false, .mostMoves = 2};
    reasonsTable(compareResults(recorded, StepOrder::lesson), counted, columns).print();
    std::cout << '\n';
  } catch (const Error& error) {
    std::cout << "No recorded times: " << error.what() << "\n\n";
  }
}
#else
static constexpr void (*showRecorded)(const Report&, const Options&) = nullptr;
#endif

int main(int argc, char** argv) {
  return runLesson(argc, argv,
                   {.program = "ladder",
                    .steps = ladderTo08(),
                    .perBlock = false,  // they differ in how many elements a block has
                    .afterwards = showRecorded});
}
