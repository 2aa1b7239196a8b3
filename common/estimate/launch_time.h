// What a launch costs on a card: milliseconds, and what its warps wait for.
#pragma once

#include <string>
#include <vector>

#include "estimate/multiprocessor.h"

namespace estimate {

// What warps waited for at a line of source, as shares of all warps' time in the launch.
struct SourceShare {
  std::string source;  // as in Launch::sources
  WaitTimes shares = {};
  double total() const;
};

struct Estimate {
  double ms = 0;                     // as events around the launch would say
  double profiledMs = 0;             // as a profiler would, from its beginning to its end
  double pagesMs = 0;                // of both: until pages of managed memory have come
  double cyclesPerBlock = 0;         // of a multiprocessor, in the long run
  double instructions = 0;           // of warps, of the whole launch
  unsigned residentBlocks = 0;       // of a multiprocessor
  WaitTimes shares = {};             // of the time of all places for warps; they add up to 1
  std::vector<SourceShare> sources;  // the largest first; those without any time are left out
  std::vector<Interval> timeline;    // of the first blocks of a multiprocessor, when asked for
};

// Blocks of the launch that fit on one multiprocessor of the card. Throws Error (exitUsage) with
// one line when not even one does.
unsigned residentBlocks(const Launch& launch, const Card& card);

// Simulates some blocks of one multiprocessor and scales up to the whole grid. Without sampled
// blocks, the time of an empty launch. Throws Error as residentBlocks() does.
Estimate estimateLaunch(const Launch& launch, const Card& card, const WhatIf& whatIf = {},
                        bool timeline = false);

}  // namespace estimate
