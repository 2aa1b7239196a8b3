// What an exercise is graded by: limits for what its kernel does, counted by the executor. Goals
// have floors as well as ceilings, since a kernel in which one lane, one warp or one block does
// everything makes few requests, too.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/counts.h"
#include "simt/observe/counters.h"

// What a kernel works on: an array of n elements, or a matrix of n rows.
struct Extent {
  size_t n;
  unsigned block = 512;
  size_t columns = 0;  // of a matrix, else 0

  size_t elements() const { return columns > 0 ? n * columns : n; }
  std::string text() const;
};

// What launches over an extent did: the counters, and what these do not tell.
struct Count : simt::Counters {
  Extent extent = {0};
  double blocks = 0;         // of the launches
  double workingBlocks = 0;  // of these, the blocks that load elements
  double busiestWarp = 0;    // elements that it loads, in shares of what a warp loads on average
  size_t loaded = 0;         // elements that were loaded, each counted once
  size_t stored = 0;         // results that were stored, likewise
  size_t keptInShared = 0;   // words of shared memory that were stored to,
  size_t neverLoaded = 0;    // and those of them from which nobody loads
};

struct Limit {
  enum class Side { atMost, atLeast } side;
  std::function<double(const Extent& extent)> of;

  bool keptBy(double value, const Extent& extent) const;
};
Limit atMost(double limit);
Limit atLeast(double limit);
Limit atMost(std::function<double(const Extent& extent)> limit);
Limit atLeast(std::function<double(const Extent& extent)> limit);

// Limits that follow the block size.
std::function<double(const Extent&)> blocksOf512And128(double of512, double of128);
std::function<double(const Extent&)> perWarp(double each);  // for each warp of the block
std::function<double(const Extent&)> treeSteps(int more);   // log2 of the block size, and more

struct Goal {
  std::string what;
  std::function<double(const Count& c)> value;
  Limit limit;
  std::string missed = "";  // what it means when it is missed
};

Goal perBlock(const std::string& what, uint64_t simt::Counters::*counter, Limit limit,
              const std::string& missed = "");
Goal perThousand(const std::string& what, double (*counter)(const simt::Counters& c), Limit limit,
                 const std::string& missed = "");

// Floors that most exercises share.
Goal eachWarpWorks(double busiestAtMost = 1.5);
Goal lanesWork(double activeLanesAtLeast);
Goal blocksWork(unsigned elementsPerThread);  // as many as such threads need for all elements

// Prints each goal and how far it is: at the first of these extents, or at the one where it is
// missed. Returns how many goals are met.
size_t gradeCounts(const std::vector<Goal>& goals, const std::vector<Count>& counts);

// Why the counts are no counts of this kernel, or nothing: it works where the executor does not see
// it. There are so many results.
std::string hiddenFrom(const Count& count, size_t results);

#ifndef GPU_BACKEND
struct DeviceSpan {
  const void* begin;
  size_t elements, elementSize;
};
// Counts what is launched.
Count countLaunches(const std::function<void()>& launches, DeviceSpan data, DeviceSpan results,
                    const Extent& extent);
#endif
