// A picture of the warps of one multiprocessor over cycles, from the timing model: what each does
// or waits for.
#pragma once

#include <string>
#include <vector>

#include "estimate/timeline.h"

using estimate::Timeline;

// The parts of the picture that have one colour: their name, and their share of all warps' time in
// it. They add up to 1.
struct TimelineShare {
  std::string name;
  double share = 0;
};
std::vector<TimelineShare> timelineShares(const Timeline& timeline);
// The same of a whole launch.
std::vector<TimelineShare> timelineShares(const estimate::WaitTimes& shares);

// The picture, for an SVG file. Each row of it is some hundred cells, each of one colour; the areas
// of the colours are their shares, but for a cell in a row.
std::string timelinePicture(const Timeline& timeline);

// Whether a text is such a picture, and nothing else.
bool isTimelinePicture(const std::string& text);
