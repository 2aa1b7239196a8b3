#include "modes.h"

#include "../floating_point/mode.h"
#include "../several_gpus/mode.h"
#include "demo.h"
#include "lengths.h"
#include "operators.h"
#include "segments.h"
#include "sweep.h"

std::vector<Mode> modesOf08(Ranks& ranks) {
  return {demoMode(),    segmentsMode(segmentSteps()), operatorsMode(), floatsMode(), sweepMode(),
          lengthsMode(), severalGpusMode(ranks)};
}
