// What a step does, in words.
#pragma once

#include <string>
#include <vector>

#include "explore/page_steps.h"
#include "simt/hardware/memory_units.h"

// Whose lanes, of a block with others beside it or alone.
struct Speaker {
  unsigned warp = 0;
  uint32_t present = ~0u;  // the lanes that the warp has
  std::string block = {};  // "block 3, ", empty when there is one only
};

using simt::sectorBytes;

// What a request to memory touches.
struct Touched {
  std::vector<std::string> elements;  // as "data[3]", by lane
  size_t different = 0;               // of them
  struct Sector {
    uint64_t number;     // in its array
    unsigned usedBytes;  // of 32
  };
  std::vector<Sector> sectors;   // of global memory
  unsigned sectorsNeeded = 0;    // the fewest that could hold the bytes
  std::vector<unsigned> passes;  // of shared memory, by lane
  unsigned mostPasses = 0, fewestPasses = 0;
};

std::string sentenceOfAccess(const PageStep& step, const Speaker& speaker, const Touched& touched);

// Of every other step; places has the source line of each of its ways, or "".
std::string sentenceOf(const PageStep& step, const Speaker& speaker, const simt::Trace& trace,
                       const std::vector<std::string>& places = {});

// "lane 3", "lanes 0 to 15", "lanes 0, 2, 4, … 30".
std::string lanesText(uint32_t lanes);
