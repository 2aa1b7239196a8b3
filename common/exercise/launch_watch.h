// What launches of an exercise do, from the executor's trace: its counts, which way elements take
// into results, and which loads of a warp wait for others. For the executor's backend only.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "exercise/goals.h"

struct DeviceSpan {
  const void* begin;
  size_t elements, elementSize;
};

// A warp's request for elements.
struct ElementLoad {
  uint64_t places;    // a hash of its lanes and of what they load
  uint32_t lanes;     // a bit for each
  unsigned elements;  // of all lanes together
  bool waits;         // something that uses what was loaded stands before it
};
using LoadsOfWarps =
    std::map<std::pair<size_t, unsigned>, std::vector<ElementLoad>>;  // block, warp

struct Watched {
  Count count;
  // For each result, a bit for each element that was asked after: whether who stored the result had
  // it, or something made of it.
  std::vector<uint64_t> ways;
  LoadsOfWarps loads;
};

// Watches what is launched; after 64 elements at most is asked which way they take.
Watched watchLaunches(const std::function<void()>& launches, DeviceSpan data, DeviceSpan results,
                      const Extent& extent, const std::vector<size_t>& asked = {});

// Elements that a thread loads, on average, before it waits for one of them: where the same launch
// on other data loads something else, a load waits for those before it.
double loadsUnderWay(const LoadsOfWarps& loads, const LoadsOfWarps& onOtherData);
