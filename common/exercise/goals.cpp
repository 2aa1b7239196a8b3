#include "exercise/goals.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iostream>

#include "base/table.h"

std::string Extent::text() const {
  return columns > 0 ? fmt::format("{} × {}", n, columns)
                     : fmt::format("n = {}, block {}", countName(n), block);
}

bool Limit::keptBy(double value, const Extent& extent) const {
  return side == Side::atMost ? value <= of(extent) : value >= of(extent);
}

Limit atMost(std::function<double(const Extent&)> limit) {
  return {Limit::Side::atMost, std::move(limit)};
}
Limit atLeast(std::function<double(const Extent&)> limit) {
  return {Limit::Side::atLeast, std::move(limit)};
}
Limit atMost(double limit) {
  return atMost([limit](const Extent&) { return limit; });
}
Limit atLeast(double limit) {
  return atLeast([limit](const Extent&) { return limit; });
}

std::function<double(const Extent&)> perThousandOf(unsigned elementsPerThread,
                                                   std::function<double(const Extent&)> each) {
  return [=](const Extent& extent) {
    return std::round(1000 * each(extent) / elementsPerThread / extent.block);
  };
}
std::function<double(const Extent&)> perWarp(double each) {
  return [each](const Extent& extent) { return std::max(1.0, each * extent.block / 32); };
}
std::function<double(const Extent&)> treeSteps(int more) {
  return [more](const Extent& extent) { return double(std::bit_width(extent.block) - 1 + more); };
}

Goal perBlock(const std::string& what, uint64_t simt::Counters::*counter, Limit limit,
              const std::string& missed) {
  return {what + " per block", [counter](const Count& c) { return double(c.*counter) / c.blocks; },
          std::move(limit), missed};
}

Goal perThousand(const std::string& what, double (*counter)(const simt::Counters& c), Limit limit,
                 const std::string& missed) {
  return {what + " per 1,000 elements",
          [counter](const Count& c) { return counter(c) / double(c.extent.elements()) * 1000; },
          std::move(limit), missed};
}

Goal eachWarpWorks(double busiestAtMost) {
  return {"elements that the busiest warp loads, × an even share",
          [](const Count& c) { return c.busiestWarp; }, atMost(busiestAtMost),
          "the other warps wait for it"};
}

Goal lanesWork(double activeLanesAtLeast) {
  return {"active lanes per memory request", [](const Count& c) { return c.activeLanes(); },
          atLeast(activeLanesAtLeast), "the other lanes of the warp watch"};
}

Goal blocksWork(unsigned elementsPerThread) {
  return {"blocks that load elements", [](const Count& c) { return c.workingBlocks; },
          atLeast([elementsPerThread](const Extent& extent) {
            return std::ceil(double(extent.elements()) / elementsPerThread / extent.block);
          }),
          "multiprocessors without a block stand idle"};
}

Goal threadsShare(double numbersAtMost) {
  return {"numbers that the busiest thread loads",
          [](const Count& c) { return double(c.numbersOfThread); }, atMost(numbersAtMost),
          "the other threads wait for it"};
}

Goal warpsShare(double numbersAtMost) {
  return {"numbers that the busiest warp loads or is handed",
          [](const Count& c) { return double(c.numbersOfWarp); }, atMost(numbersAtMost),
          "the other warps wait for it"};
}

Goal loadsUnderWay(double atLeastSoMany) {
  return {"loads of a thread under way at a time", [](const Count& c) { return c.underWay; },
          atLeast(atLeastSoMany), "each waits for the one before", true};
}

Goal noAtomics() {
  return perBlock("atomics", &simt::Counters::atomics, atMost(0),
                  "those of one address come one after the other");
}

namespace {

std::string sizeOf(const Extent& extent) {
  return extent.columns > 0 ? extent.text() : fmt::format("blocks of {}", extent.block);
}

constexpr char outOfSight[] =
    "out of its sight and cannot be counted, as what is marked no_sanitize, written in asm or left "
    "to a function of the host";

std::string number(double v) { return fixed(v, v == std::floor(v) ? 0 : v < 1 ? 3 : 1); }

std::string lineOf(const Goal& goal, const Count& count) {
  const double value = goal.value(count), limit = goal.limit.of(count.extent);
  const bool most = goal.limit.side == Limit::Side::atMost;
  std::string line =
      fmt::format("{}, {}: {}, goal {}{}: ", goal.what, sizeOf(count.extent), number(value),
                  !most       ? "at least "
                  : limit > 0 ? "at most "
                              : "",
                  number(limit));
  if (goal.limit.keptBy(value, count.extent)) return line + "met";
  std::string why = !most ? "too few" : limit > 0 ? fixed(value / limit, 1) + " × too many" : "";
  if (!why.empty() && !goal.missed.empty()) why += "; ";
  why += goal.missed;
  return line + "not yet" + (why.empty() ? "" : " (" + why + ")");
}

}  // namespace

size_t gradeCounts(const std::vector<Goal>& goals, const std::vector<Count>& counts) {
  size_t met = 0;
  for (const Goal& goal : goals) {
    const auto missed = std::ranges::find_if(
        counts, [&](const Count& c) { return !goal.limit.keptBy(goal.value(c), c.extent); });
    std::cout << lineOf(goal, missed == counts.end() ? counts.front() : *missed) << '\n';
    met += missed == counts.end();
  }
  return met;
}

std::string hiddenFrom(const Count& count, size_t results) {
  const size_t elements = count.extent.elements();
  std::string seen, why;
  if (count.loaded < elements) {
    seen = fmt::format("loads of {} of the {} elements", count.loaded, elements);
    why = "the others are left out, where each was to have its part; or they are loaded ";
  } else if (count.stored < results) {
    seen = fmt::format("stores of {} of the {} results", count.stored, results);
    why = "the others are stored ";
  } else if (2 * count.neverLoaded > count.keptInShared) {
    seen = fmt::format("stores to {} words of shared memory, and loads from only {} of them",
                       count.keptInShared, count.keptInShared - count.neverLoaded);
    why = "they are stored for nothing; or they are loaded ";
  } else {
    return "";
  }
  return sizeOf(count.extent) + ": the executor sees " + seen +
         ", though the results are right: " + why + outOfSight;
}

std::string hiddenWay(const Extent& extent, size_t element, size_t result) {
  return sizeOf(extent) +
         fmt::format(
             ": the executor does not see how element {} gets into result {}, though that is "
             "right: its way is ",
             element, result) +
         outOfSight;
}
