// What a stride costs: sectors of global memory, passes through the banks of shared memory.
#include <fmt/core.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "draw/knobs/knob_kernels.h"
#include "draw/knobs/knobs.h"
#include "estimate/launch_time.h"
#include "estimate/sampled.h"
#include "simt/hardware/requests.h"

using nlohmann::json;

namespace knobs {
namespace {

constexpr unsigned mostStride = 32;
using Lanes = std::array<uint64_t, simt::warpWidth>;

template <typename WordOfLane>
Lanes accessesOf(WordOfLane wordOfLane) {
  Lanes accesses = {};
  for (unsigned lane = 0; lane < simt::warpWidth; ++lane)
    accesses[lane] = simt::packAccess(wordOfLane(lane) * simt::wordBytes, simt::wordBytes);
  return accesses;
}

// Words of shared memory, each row of 32 followed by so many words that nobody uses.
json sharedOf(unsigned stride, unsigned padding) {
  const auto place = [&](unsigned lane) {
    const unsigned element = lane * stride;
    return element + element / simt::sharedBanks * padding;
  };
  const Lanes accesses = accessesOf(place);
  std::array<unsigned, simt::warpWidth> passes = {};
  const unsigned conflicts = simt::bankConflictsOf(~0u, accesses.data(), passes.data());
  json banks = json::array();
  for (unsigned lane = 0; lane < simt::warpWidth; ++lane)
    banks.push_back(place(lane) % simt::sharedBanks);
  return {{"banks", banks}, {"passes", conflicts + 1}, {"pass", passes}};
}

double strideGbps(const MeasuredCard& of, unsigned stride) {
  estimate::Sampler sampler(unsigned(of.card.multiprocessors));
  sampler.run([&] { launchStrided(stride); });
  const estimate::Launch launch = sampler.take().at(0);
  const double us = estimate::estimateLaunch(launch, of.card).ms * 1e3 - of.card.launchMicroseconds;
  return double(stridedElements * sizeof(int)) / us * 1e-3;
}

}  // namespace

json strides(const std::vector<MeasuredCard>& cards) {
  json counted = json::array(), all = json::array();
  for (unsigned stride = 1; stride <= mostStride; ++stride) {
    const Lanes global = accessesOf([&](unsigned lane) { return lane * stride; });
    counted.push_back({{"sectors", simt::sectorsOf(~0u, global.data())},
                       {"shared", {sharedOf(stride, 0), sharedOf(stride, 1)}}});
  }
  for (const MeasuredCard& of : cards) {
    json gbps = json::array(), passes = json::object();
    for (unsigned stride = 1; stride <= mostStride; ++stride)
      gbps.push_back(std::round(strideGbps(of, stride)));
    for (unsigned ways = 1; ways <= simt::sharedBanks; ways *= 2)
      if (const auto found =
              of.measured.find(fmt::format("shared load, 4 bytes, {}-way conflict", ways));
          found != of.measured.end())
        passes[std::to_string(ways)] = std::round(100 * found->second) / 100;
    all.push_back({{"name", of.card.name},
                   {"roof", std::round(of.card.readGbps)},
                   {"estimated", gbps},
                   {"measuredCycles", passes}});
  }
  return {{"counted", counted}, {"cards", all}};
}

}  // namespace knobs
