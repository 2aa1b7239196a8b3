// What the page and the picture of a comparison share.
#pragma once

#include <algorithm>
#include <string>

#include "base/text.h"
#include "report/report.h"

// "4814 GB/s".
inline std::string rateText(double gbps) { return fixed(gbps, gbps < 100 ? 1 : 0) + " GB/s"; }

// Whether a step has a rate to draw.
inline bool hasRate(const StepResult& step) { return step.isTimed() && step.elementBytes > 0; }

// The rate that reaches across a chart: the peak of all of the machine, where it is known and above
// all bars.
inline double roofOf(const Report& report) {
  double top = report.peakGbps();
  for (const StepResult& step : report.steps)
    if (hasRate(step)) top = std::max(top, report.gbps(step));
  return top;
}
