#include "estimate/gpu_code/read_again.h"

#include <bit>
#include <map>

#include "estimate/gpu_code/distances.h"

namespace estimate::gpu_code {
namespace {

// A line that blocks of so many runs of neighbours touch is one that all blocks do.
constexpr uint32_t common = 3;
constexpr double ofAll = 0.75;         // … and this part of the blocks, one that all read in step
constexpr size_t mostLines = 1 << 22;  // that are kept in mind; of what comes then nothing is known

}  // namespace

void ReadAgain::blockBegins(uint64_t number) {
  runs_ += runs_ == 0 || number != number_ + 1;
  number_ = number;
  warpsOfLine_ = {};
  ofBlock_ = {};
}

bool ReadAgain::Runs::areMany() const { return count >= common; }

void ReadAgain::note(uint32_t warp, uint32_t place, bool isLoad, std::span<const uint64_t> lines) {
  if (ofBlock_.lines.size() + kept_.lines.size() > mostLines) return;
  ofBlock_.all.push_back({block_, warp, place, uint32_t(lines.size())});
  for (const uint64_t line : lines) {
    ofBlock_.lines.push_back({line, 0});
    warpsOfLine_.tryEmplace(line, 0).first |= 1u << warp;
    if (!isLoad) continue;
    Runs& runs = runsOfLine_.tryEmplace(line, {}).first;
    if (runs.lastBlock != block_ + 1) runs.lastBlock = block_ + 1, ++runs.blocks;
    if (runs.last == runs_) continue;
    runs.last = runs_;
    commonLines_ += ++runs.count == common;
  }
}

// How many lines a warp has asked for since it touched one last: each as a part where other warps
// touch it, too. A line that others touch is touched the more often, where they do not do so at the
// same time.
void ReadAgain::blockEnds(bool haveMet) {
  constexpr float near = 4;
  std::map<uint32_t, Distances> distances;  // of each warp
  size_t first = 0;
  for (const Request& request : ofBlock_.all) {
    bool matters = false;
    const std::span lines = std::span(ofBlock_.lines).subspan(first, request.count);
    first += request.count;
    for (Touched& touched : lines) {
      const int warps = std::popcount(*warpsOfLine_.find(touched.line));
      const Runs* const runs = runsOfLine_.find(touched.line);
      const double weight = runs && runs->areMany() ? 0 : 1.0 / warps;
      const std::optional<double> since = distances[request.warp].touch(touched.line, weight);
      touched.since = float(since.value_or(0) / (haveMet ? 1 : warps));
      touched.warps = uint8_t(haveMet ? warps : 1);
      matters |= touched.since > near || !since;
    }
    if (!matters) continue;
    kept_.all.push_back(request);
    kept_.lines.insert(kept_.lines.end(), lines.begin(), lines.end());
  }
  ++block_;
}

void ReadAgain::finish(Launch& launch) {
  launch.commonLines = commonLines_;
  size_t first = 0;
  for (const Request& request : kept_.all) {
    Operation& o = launch.sampled[request.block].warps[request.warp].operations[request.place];
    double since = 0, warps = 0;
    bool areOfAll = true;
    for (const Touched& touched : std::span(kept_.lines).subspan(first, request.count)) {
      const Runs* const runs = runsOfLine_.find(touched.line);
      const bool isEverywhere = runs && runs->areMany();
      o.commonLines += isEverywhere;
      areOfAll &= runs && runs->blocks >= ofAll * block_;
      since += isEverywhere ? 0 : touched.since;
      warps += touched.warps;
    }
    first += request.count;
    o.isOfAll = areOfAll && block_ > 1;
    o.linesSince = uint32_t(since / request.count + 0.5);
    o.warpsOfLines = uint8_t(warps / request.count + 0.5);
  }
}

}  // namespace estimate::gpu_code
