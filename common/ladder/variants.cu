// What the exercises ask for, beside the steps that it changes: the answers' counts and times.
#include "variants.h"

#include "program/lesson.h"

int main(int argc, char** argv) {
  const std::vector<Step> steps =
      selectSteps(ladderTo04(), {"neighbored", "neighbored less, shared", "interleaved"});
  return runLesson(argc, argv,
                   {.program = "variants", .steps = joinSteps({steps, variantSteps()})});
}
