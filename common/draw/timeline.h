// --timeline: a picture of the warps of one multiprocessor while a step runs, from its estimate.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "measure/step.h"
#include "program/options.h"

// The mode --timeline FILE of a program with these steps: it shows the one that --step names, or
// the last.
Mode timelineMode(const std::vector<Step>& steps);

#ifndef GPU_BACKEND
#include "draw/timeline_picture.h"
#include "estimate/card.h"

// What the picture shows of a launch on arrays that it allocates itself: of the longest, where
// there are more. Cut off when twice as many blocks have ended as the multiprocessor has room for.
struct TimedLaunch {
  Timeline timeline;
  estimate::WaitTimes shares = {};  // of the whole launch
};
TimedLaunch timelineOf(const std::string& kernel, const std::string& about,
                       const estimate::Card& card, const std::function<void()>& launch);

// Draws that on the card of the options to their file, and prints the shares. Returns the exit
// code; throws simt::Fault.
int drawTimeline(const Options& options, const std::string& kernel, const std::string& about,
                 const std::function<void()>& launch);
#endif
