// What an exercise is graded by: limits for what its kernel does, counted by the executor. Goals
// have floors as well as ceilings, since a kernel in which one lane, one warp or one block does
// everything makes few requests, too.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/counts.h"
#include "simt/hardware/counters.h"

// What a kernel works on: an array of n elements, or a matrix of n rows.
struct Extent {
  size_t n;
  unsigned block = 512;
  size_t columns = 0;  // of a matrix, else 0

  size_t elements() const { return columns > 0 ? n * columns : n; }
  std::string text() const;
};

// What launches over an extent did: the counters, and what these do not tell. Numbers are elements,
// or what is as large.
struct Count : simt::Counters {
  Extent extent = {0};
  double blocks = 0;         // of the launches
  double workingBlocks = 0;  // of these, the blocks that load elements
  double busiestWarp = 0;    // elements that it loads, in shares of what a warp loads on average
  size_t numbersOfWarp = 0;  // that the busiest warp gets, from memory of any kind or by shuffles,
  size_t numbersOfThread = 0;  // and the busiest thread
  double underWay = 0;         // elements that a thread loads on average before it waits for them
  size_t loaded = 0;           // elements that were loaded, each counted once
  size_t stored = 0;           // results that were stored, likewise
  size_t keptInShared = 0;     // words of shared memory that were stored to,
  size_t neverLoaded = 0;      // and those of them from which nobody loads
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
std::function<double(const Extent&)> perWarp(double each);  // for each warp, and 1 at least
// Of 1,000 elements, where a block of so many elements for each thread may have each(extent).
std::function<double(const Extent&)> perThousandOf(unsigned elementsPerThread,
                                                   std::function<double(const Extent&)> each);
std::function<double(const Extent&)> treeSteps(int more);  // log2 of the block size, and more

struct Goal {
  std::string what;
  std::function<double(const Count& c)> value;
  Limit limit;
  std::string missed = "";      // what it means when it is missed
  bool needsOtherData = false;  // whether it takes a second look, at what other data change
};

Goal perBlock(const std::string& what, uint64_t simt::Counters::*counter, Limit limit,
              const std::string& missed = "");
Goal perThousand(const std::string& what, double (*counter)(const simt::Counters& c), Limit limit,
                 const std::string& missed = "");

// Floors that most exercises share.
Goal eachWarpWorks(double busiestAtMost = 1.5);
Goal lanesWork(double activeLanesAtLeast);
Goal blocksWork(unsigned elementsPerThread);  // as many as such threads need for all elements
Goal threadsShare(double numbersAtMost);      // of the busiest thread: after loading, too
Goal warpsShare(double numbersAtMost);        // likewise of the busiest warp
Goal loadsUnderWay(double atLeast);           // elements of a thread at the same time
Goal noAtomics();                             // which threads of one address take in turn

// Prints each goal and how far it is: at the first of these extents, or at the one where it is
// missed. Returns how many goals are met.
size_t gradeCounts(const std::vector<Goal>& goals, const std::vector<Count>& counts);

// Why the counts are no counts of this kernel, or nothing: it works where the executor does not see
// it. There are so many results.
std::string hiddenFrom(const Count& count, size_t results);
// The same where an element got into a result unseen.
std::string hiddenWay(const Extent& extent, size_t element, size_t result);
