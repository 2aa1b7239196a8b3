#include "estimate/sampled.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/errors.h"
#include "base/escape.h"
#include "estimate/gpu_code/launched.h"
#include "estimate/gpu_code/of_executor.h"
#include "estimate/typical_blocks.h"
#include "simt/run/executor.h"

namespace estimate {
namespace {

// On a GPU of few multiprocessors, a block of a grid that fills it can go through a large part of
// an array. Where its warps execute more instructions than this, the launch is looked at as on a
// GPU of so many: blocks do the less, and one multiprocessor gets the more of them, one after the
// other.
constexpr uint64_t longBlocks = 2'000'000;
constexpr unsigned manyMultiprocessors = 128;
// Of a launch whose warps execute more than this, nobody looks for the block that does most.
constexpr uint64_t mostCounted = 3'000'000;

// Whether the sampled blocks, but for the grid's last, do not all execute as much.
bool areDifferent(const Launch& launch) {
  double least = INFINITY, most = 0;
  for (const Block& block : launch.sampled) {
    if (block.number + 1 == launch.blocks) continue;
    const double its = instructionsOf(block);
    least = std::min(least, its), most = std::max(most, its);
  }
  return most > 1.01 * least;
}

// What sampled blocks execute on average (one that does much among them says too much): all, or
// those at neither end of a large grid, as blocks there often do less.
double averageOf(const Launch& launch, bool inside) {
  double sum = 0, count = 0;
  for (const Block& block : launch.sampled) {
    if (inside && isAtEnd(block, launch.blocks)) continue;
    sum += instructionsOf(block), ++count;
  }
  return count > 0 ? sum / count : averageOf(launch, false);
}

// Of blocks, or none where that takes longer than it should, or one of them cannot be executed.
std::vector<gpu_code::BlockWork> workOf(const gpu_code::Asked& asked,
                                        const std::vector<uint64_t>& blocks, double most) {
  try {
    return workOfBlocks(asked, blocks, uint64_t(most));
  } catch (const gpu_code::Unsupported&) {
    return {};
  }
}

double averageOf(const std::vector<gpu_code::BlockWork>& work) {
  double sum = 0;
  for (const gpu_code::BlockWork& each : work) sum += double(each.all);
  return sum / double(work.size());
}

// Whether the grid's blocks do not execute on average what the sampled ones do: of an image, the
// work may lie in a part of it. work: of all blocks, where anybody knows; otherwise many are asked.
bool doOthersDiffer(const gpu_code::Asked& asked, const Launch& launch,
                    const std::vector<gpu_code::BlockWork>& work,
                    const std::vector<uint64_t>& many) {
  constexpr double much = 1.1;
  std::vector<uint64_t> inside;
  for (const Block& block : launch.sampled)
    if (!isAtEnd(block, launch.blocks)) inside.push_back(block.number);
  const double expected = averageOf(launch, true) * double(many.size());
  if (inside.empty() || (work.empty() && expected > 4 * double(mostCounted))) return false;
  const auto count = [&](const auto& blocks) {
    return workOf(asked, blocks, double(mostCounted) + 2 * expected);
  };
  const std::vector<gpu_code::BlockWork> sampled = count(inside),
                                         all = work.empty() ? count(many) : work;
  if (sampled.empty() || all.empty()) return true;
  const double its = averageOf(sampled), others = averageOf(all);
  return others > much * its || its > much * others;
}

// Whether one has a warp that executes far more than the others' do.
bool isOneLong(const std::vector<gpu_code::BlockWork>& work) {
  double sum = 0, most = 0;
  for (const gpu_code::BlockWork& each : work) {
    sum += double(each.longest);
    most = std::max(most, double(each.longest));
  }
  return most * double(work.size()) > 3 * sum;
}

// Of all blocks, where the launch is not large.
std::vector<gpu_code::BlockWork> workOfSmall(const gpu_code::Asked& asked, const Launch& launch) {
  if (averageOf(launch, false) * double(launch.blocks) >= 4 * double(mostCounted)) return {};
  std::vector<uint64_t> all(launch.blocks);
  std::iota(all.begin(), all.end(), uint64_t(0));
  return workOf(asked, all, mostCounted);
}

// The block that has the longest warp, or the first.
uint64_t longestOf(const std::vector<gpu_code::BlockWork>& work) {
  return uint64_t(std::ranges::max_element(work, {}, &gpu_code::BlockWork::longest) - work.begin());
}

// The sampled blocks stand for all, whose work is known; that with the longest warp for itself.
void weigh(Launch& launch, const std::vector<gpu_code::BlockWork>& work, uint64_t longest) {
  const auto at = std::ranges::find(launch.sampled, longest, &Block::number);
  launch.longest = {*at};
  if (launch.sampled.size() == launch.blocks) return;
  launch.sampled.erase(at);
  double sampled = 0;
  for (const Block& block : launch.sampled) sampled += double(work[block.number].all);
  launch.workOfAll = averageOf(work) / std::max(1.0, sampled / double(launch.sampled.size()));
}

// Neighbours from each of these on, and single blocks, in their order.
std::vector<uint64_t> runsFrom(const std::vector<uint64_t>& firsts, uint64_t blocks,
                               std::vector<uint64_t> sample = {}) {
  for (const uint64_t first : firsts)
    for (uint64_t b = first; b < std::min(blocks, first + neighbours); ++b) sample.push_back(b);
  std::ranges::sort(sample);
  sample.erase(std::unique(sample.begin(), sample.end()), sample.end());
  return sample;
}

}  // namespace

std::vector<uint64_t> sampleOf(uint64_t blocks) {
  // No simple parts of the grid: there images and rows begin, whose first blocks do less.
  return runsFrom({0, uint64_t(0.382 * double(blocks)), uint64_t(0.764 * double(blocks)),
                   blocks - std::min(blocks, neighbours)},
                  blocks);
}

std::vector<uint64_t> fewOf(uint64_t blocks) {
  if (blocks == 0) return {};
  if (blocks == 1) return {0};
  return {(blocks - 1) / 2, blocks - 1};
}

std::vector<uint64_t> manyOf(uint64_t blocks) {
  constexpr unsigned runs = 20;
  constexpr double golden =
      0.6180339887498949;  // so that no row or column of the grid is preferred
  std::vector<uint64_t> firsts;
  for (unsigned i = 0; i < runs; ++i) {
    const double place = std::fmod(golden * (i + 0.5), 1.0);
    firsts.push_back(uint64_t(place * double(blocks)));
  }
  return runsFrom(firsts, blocks, {0, blocks - 1});
}

void lookAtMore(const gpu_code::Asked& asked, Launch& launch, uint64_t most) {
  const bool differ = areDifferent(launch);
  std::vector<gpu_code::BlockWork> work;
  if (differ) work = workOfSmall(asked, launch);
  std::vector<uint64_t> blocks = manyOf(launch.blocks);
  if (!areUneven(launch) && !isOneLong(work) &&
      !(differ && doOthersDiffer(asked, launch, work, blocks)))
    return;
  const uint64_t longest = longestOf(work);
  const auto place = std::ranges::lower_bound(blocks, longest);
  if (!work.empty() && (place == blocks.end() || *place != longest)) blocks.insert(place, longest);
  try {
    launch = gpu_code::listed(asked, blocks, most);
  } catch (const gpu_code::Unsupported&) {  // then it stays as it is
    return;
  }
  if (!work.empty()) weigh(launch, work, longest);
}

Sampler::Sampler(unsigned multiprocessors, std::vector<uint64_t> (*sample)(uint64_t blocks))
    : multiprocessors_(multiprocessors), sample_(sample) {}

void Sampler::collect(const std::function<void()>& launch, unsigned multiprocessors,
                      uint64_t most) {
  simt::Settings settings = simt::settings();
  settings.multiprocessors = multiprocessors;
  settings.instead = [&](const simt::LaunchCall& call) {
    const gpu_code::Asked asked = gpu_code::askedOf(call);
    launches_.push_back(gpu_code::listed(asked, sample_(asked.grid.all()), most));
    if (sample_ == sampleOf) lookAtMore(asked, launches_.back(), most);
  };
  const simt::WithSettings scope(settings);
  launch();
}

size_t Sampler::run(const std::function<void()>& launch) {
  if (const std::string lack = whatEstimatesLack(); !lack.empty()) throw Error(exitUsage, lack);
  const size_t before = launches_.size();
  const bool few = multiprocessors_ < manyMultiprocessors;
  try {
    try {
      collect(launch, multiprocessors_, few ? longBlocks : gpu_code::mostInstructions);
    } catch (const gpu_code::TooLong&) {
      launches_.resize(before);
      if (!few) throw;
      collect(launch, manyMultiprocessors, gpu_code::mostInstructions);
    }
  } catch (const gpu_code::Unsupported& problem) {
    launches_.resize(before);
    throw Error(exitUsage, "no estimate of " + terminalText(problem.what()));
  }
  return launches_.size();
}

std::string whatEstimatesLack() {
  return gpu_code::isThere()
             ? ""
             : "no estimates: they need clang++, which makes the code of a GPU, when "
               "programs are built (./common/setup.sh installs it)";
}

}  // namespace estimate
