// What an estimate says of a launch, as a page shows it: who made the estimate fills it in.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

// What the warps of one multiprocessor do, cycle by cycle.
struct EstimatedTimeline {
  double clockGhz = 1;
  double cycles = 0;      // of what is shown
  bool goesOn = false;    // the multiprocessor is not done by then
  unsigned rowsEach = 1;  // places for warps that a block has
  unsigned residentBlocks = 1;
  struct Kind {
    std::string kind, name;  // a word for the style sheet; as it is said to people
    double share = 0;        // of the time of all warps of the whole launch
  };
  std::vector<Kind> kinds = {};           // the last one is what nothing happens in
  std::vector<std::string> sources = {};  // "file.cuh:12", or "" where unknown
  struct Segment {
    uint32_t row, block;  // rowsEach rows for each place; the number in the order of starts
    double begin, end;    // in cycles
    uint32_t kind, source;
  };
  std::vector<Segment> segments = {};
};

struct PageEstimate {
  std::string about;  // of which launch, on which card
  struct Line {
    std::string source;  // "file.cuh:12"
    double share;        // of the time of all warps
    std::string waits;   // what it goes into, in words
  };
  std::vector<Line> lines = {};
  EstimatedTimeline timeline = {};
};
