// All steps of the lessons in one process and one table, the library last.
#include "../02_neighbored/neighbored.cuh"
#include "../03_neighbored_less/neighbored_less.cuh"
#include "../04_interleaved/interleaved.cuh"
#include "../05_unroll2/unroll2.cuh"
#include "../06_unroll8_warp/unroll8_warp.cuh"
#include "../07_complete_unroll/complete_unroll.cuh"
#include "../08_shuffle/steps.h"
#include "lesson.h"

#ifdef RECORDED_LADDER
#include "compare/comparison.h"
#include "read_result.h"

// Without a GPU: what these steps took on one, beside what was counted here.
static void showRecorded(const Report& counted) {
  if (gpuPresent()) return;
  try {
    const std::vector<Report> recorded = {readResult(RECORDED_LADDER)};
    const Report& r = recorded.front();
    std::cout << "Recorded, not measured here: " << describe(r) << ", on " << r.date.substr(0, 10)
              << ",\nbeside what was counted here per 1,000 elements:\n";
    reasonsTable(compareResults(recorded, RowOrder::lesson), counted).print();
    std::cout << '\n';
  } catch (const Error& error) {
    std::cout << "No recorded times: " << error.what() << "\n\n";
  }
}
#else
static constexpr void (*showRecorded)(const Report&) = nullptr;
#endif

static int ladder(int argc, char** argv) {
  std::vector<Step> steps = {
      {.lesson = "02_neighbored", .name = "neighbored", .kernel = neighbored},
      {.lesson = "02_neighbored",
       .name = "neighbored, shared",
       .basedOn = "neighbored",
       .kernel = neighboredShared},
      {.lesson = "03_neighbored_less",
       .name = "neighbored less",
       .basedOn = "neighbored",
       .kernel = neighboredLess},
      {.lesson = "03_neighbored_less",
       .name = "neighbored less, shared",
       .basedOn = "neighbored, shared",
       .kernel = neighboredLessShared},
      {.lesson = "04_interleaved",
       .name = "interleaved",
       .basedOn = "neighbored less",
       .kernel = interleaved},
      {.lesson = "04_interleaved",
       .name = "interleaved, shared",
       .basedOn = "neighbored less, shared",
       .kernel = interleavedShared},
      {.lesson = "05_unroll2",
       .name = "unroll 2",
       .basedOn = "interleaved",
       .kernel = unroll2,
       .elementsPerThread = 2},
      {.lesson = "06_unroll8_warp",
       .name = "unroll 8",
       .basedOn = "unroll 2",
       .kernel = unroll8,
       .elementsPerThread = 8},
      {.lesson = "06_unroll8_warp",
       .name = "unroll 8 + warp",
       .basedOn = "unroll 8",
       .kernel = unroll8Warp,
       .elementsPerThread = 8},
      {.lesson = "07_complete_unroll",
       .name = "complete unroll",
       .basedOn = "unroll 8 + warp",
       .kernelFor = completeUnrollFor,
       .elementsPerThread = 8}};
  for (const Step& step : shuffleSteps()) steps.push_back(step);
  return runSteps(argc, argv, "ladder", steps, showRecorded);
}

int main(int argc, char** argv) { return runProgram("ladder", ladder, argc, argv); }
