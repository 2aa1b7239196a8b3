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
// About as much as this is executed to learn what blocks do, and at most as much for whatever else
// is asked about them. Of a launch whose warps execute more, the block that does most is looked for
// by so many first instructions of each warp.
constexpr uint64_t mostCounted = 3'000'000, mostLookedAt = 6'000'000, firstInstructions = 64;
// Of blocks that do more and less, so many stand for all.
constexpr uint64_t chosenBlocks = 40;
constexpr double golden = 0.6180339887498949;

// Each once.
std::vector<uint64_t> inOrder(std::vector<uint64_t> numbers) {
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

// Of a grid, runs of neighbours from each of these on.
std::vector<uint64_t> withNeighbours(const std::vector<uint64_t>& firsts, uint64_t blocks) {
  std::vector<uint64_t> sample;
  for (const uint64_t first : firsts)
    for (uint64_t b = first; b < std::min(blocks, first + neighbours); ++b) sample.push_back(b);
  return inOrder(std::move(sample));
}

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

// Of blocks, or none where that takes longer than it should, or one of them cannot be executed.
std::vector<gpu_code::BlockWork> workOf(const gpu_code::Asked& asked,
                                        const std::vector<uint64_t>& blocks, double most) {
  try {
    return workOfBlocks(asked, blocks, uint64_t(most));
  } catch (const gpu_code::Unsupported&) {  // so is what takes too long
    return {};
  }
}

double averageOf(const std::vector<gpu_code::BlockWork>& work) {
  double sum = 0;
  for (const gpu_code::BlockWork& each : work) sum += double(each.all);
  return sum / double(work.size());
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

// What blocks execute: of a launch that is not large all, of another as many as that takes, spread
// over it.
struct Looked {
  std::vector<uint64_t> numbers;
  std::vector<gpu_code::BlockWork> work;
  bool areAll = false;
};

// count of a grid's blocks, none of its rows or columns preferred.
std::vector<uint64_t> spreadOver(uint64_t blocks, uint64_t count) {
  std::vector<uint64_t> numbers;
  if (count >= blocks) {
    numbers.resize(blocks);
    std::iota(numbers.begin(), numbers.end(), uint64_t(0));
    return numbers;
  }
  for (uint64_t i = 0; i < count; ++i)
    numbers.push_back(uint64_t(std::fmod(golden * (double(i) + 0.5), 1.0) * double(blocks)));
  return inOrder(std::move(numbers));
}

// Of long blocks few.
Looked lookedAt(const gpu_code::Asked& asked, const Launch& launch) {
  Looked looked;
  const auto look = [&](uint64_t count) {
    if (looked.areAll || count <= looked.numbers.size()) return false;
    std::vector<uint64_t> numbers = spreadOver(launch.blocks, count);
    std::vector<gpu_code::BlockWork> work = workOf(asked, numbers, double(mostLookedAt));
    if (work.empty()) return false;
    looked = {std::move(numbers), std::move(work), count >= launch.blocks};
    return true;
  };
  if (look(2 * chosenBlocks))
    look(uint64_t(double(mostCounted) / std::max(1.0, averageOf(looked.work))));
  else
    look(chosenBlocks / 2);
  return looked;
}

// Whether blocks do not all do about as much: their longest warps, or all.
bool areUneven(const Looked& looked) {
  const auto differ = [&](uint64_t gpu_code::BlockWork::*its) {
    double sum = 0, squares = 0;
    for (const gpu_code::BlockWork& each : looked.work) {
      const double value = double(each.*its);
      sum += value, squares += value * value;
    }
    return varyMuch(sum, squares, double(looked.work.size()));
  };
  return differ(&gpu_code::BlockWork::longest) || differ(&gpu_code::BlockWork::all);
}

// Of those that were looked at, which stand for as many each, by their longest warps; none where
// there are few.
std::vector<uint64_t> chosenOf(const Looked& looked) {
  std::vector<size_t> order(looked.work.size());
  if (order.size() < 2 * chosenBlocks) return {};
  std::iota(order.begin(), order.end(), size_t(0));
  std::ranges::stable_sort(
      order, {}, [&](size_t i) { return std::pair(looked.work[i].longest, looked.work[i].all); });
  std::vector<uint64_t> chosen;
  for (size_t i = 0; i < chosenBlocks; ++i)
    chosen.push_back(looked.numbers[order[(2 * i + 1) * order.size() / (2 * chosenBlocks)]]);
  return inOrder(std::move(chosen));
}

// Of a grid, or of so much of it as that takes, blocks that may do more than others.
std::vector<uint64_t> thoseThatMayDoMost(const gpu_code::Asked& asked) {
  const uint64_t ofBlock = firstInstructions * asked.block.warps();
  try {
    return furthestToGo(asked, spreadOver(asked.grid.all(), mostLookedAt / ofBlock),
                        firstInstructions);
  } catch (const gpu_code::Unsupported&) {
    return {};
  }
}

// The block that has the longest warp, or the first, and one that begins later and may end later.
// Where blocks are uneven, and only some were looked at, others may be it.
std::vector<uint64_t> lastToEnd(const gpu_code::Asked& asked, const Looked& looked,
                                bool areUneven) {
  if (looked.work.empty()) return {0};
  std::vector<std::pair<uint64_t, double>> longest;  // blocks, and their longest warps
  for (size_t i = 0; i < looked.work.size(); ++i)
    longest.emplace_back(looked.numbers[i], double(looked.work[i].longest));
  if (areUneven && !looked.areAll)
    for (const uint64_t block : thoseThatMayDoMost(asked))
      for (const gpu_code::BlockWork& work : workOf(asked, {block}, double(mostLookedAt)))
        longest.emplace_back(block, double(work.longest));
  const auto [first, its] =
      *std::ranges::max_element(longest, {}, &decltype(longest)::value_type::second);
  const auto end = [&, its = its](const auto& block) {
    return block.second / std::max(1.0, its) + double(block.first) / double(asked.grid.all());
  };
  const uint64_t last = std::ranges::max_element(longest, {}, end)->first;
  return last == first ? std::vector{first} : std::vector{first, last};
}

double longestWarpOf(const Block& block) {
  double longest = 0;
  for (const Warp& warp : block.warps) longest = std::max(longest, instructionsOf(warp));
  return longest;
}

// Of the blocks that are listed, one with a warp that is far longer than others': none ends later.
void findLongest(Launch& launch) {
  constexpr double far = 2;
  const auto longest = std::ranges::max_element(launch.sampled, {}, longestWarpOf);
  double others = 0;
  for (const Block& block : launch.sampled) others += longestWarpOf(block);
  if (longest == launch.sampled.end()) return;
  const double its = longestWarpOf(*longest), count = double(launch.sampled.size() - 1);
  if (its * count > far * (others - its)) launch.longest = {*longest};
}

// These blocks stand for themselves.
void setApart(Launch& launch, const std::vector<uint64_t>& numbers) {
  for (const uint64_t number : numbers) {
    const auto at = std::ranges::find(launch.sampled, number, &Block::number);
    launch.longest.push_back(*at);
    if (launch.sampled.size() < launch.blocks) launch.sampled.erase(at);
  }
}

// What the grid's blocks do on average, of what those do that stand for all.
void weigh(const gpu_code::Asked& asked, const Looked& looked, Launch& launch) {
  if (looked.work.empty() || launch.sampled.size() == launch.blocks) return;
  std::vector<uint64_t> typical;
  for (const Block* block : typicalBlocks(launch)) typical.push_back(block->number);
  const std::vector<gpu_code::BlockWork> work =
      workOf(asked, inOrder(std::move(typical)), double(mostLookedAt));
  if (!work.empty()) launch.workOfAll = averageOf(looked.work) / std::max(1.0, averageOf(work));
}

// Of a grid, some blocks that have neighbours on all sides.
std::vector<uint64_t> insideOf(const gpu_code::Extent& grid) {
  std::vector<uint64_t> inside;
  for (const double part : {0.382, 0.764}) {
    const auto x = uint64_t(part * grid.x), y = uint64_t(part * grid.y),
               z = grid.z > 2 ? 1 + uint64_t(part * (grid.z - 2)) : 0;
    if (x == 0 || x + 2 >= grid.x || y == 0 || y + 1 >= grid.y) continue;
    const uint64_t block = (z * grid.y + y) * grid.x + x;
    inside.insert(inside.end(), {block, block + 1});
  }
  return inside;
}

// The block and its neighbours on four sides, those that there are.
void addAround(uint64_t block, const gpu_code::Extent& grid, std::vector<uint64_t>& to) {
  for (const uint64_t b : {block - grid.x, block - 1, block, block + 1, block + grid.x})
    if (b < grid.all()) to.push_back(b);
}

}  // namespace

std::vector<uint64_t> sampleOf(uint64_t blocks) {
  // No simple parts of the grid: there images and rows begin, whose first blocks do less.
  return withNeighbours({0, uint64_t(0.382 * double(blocks)), uint64_t(0.764 * double(blocks)),
                         blocks - std::min(blocks, neighbours)},
                        blocks);
}

std::vector<uint64_t> fewOf(uint64_t blocks) {
  if (blocks == 0) return {};
  if (blocks == 1) return {0};
  return {(blocks - 1) / 2, blocks - 1};
}

static void lookAtOthers(const gpu_code::Asked& asked, Launch& launch, uint64_t most) {
  const bool differ = areDifferent(launch);
  const Looked looked = differ ? lookedAt(asked, launch) : Looked();
  const bool isUneven = areUneven(launch) || areUneven(looked) || isOneLong(looked.work);
  std::vector<uint64_t> chosen, blocks;
  if (isUneven) {
    chosen = chosenOf(looked);
    if (chosen.empty())
      blocks = withNeighbours(spreadOver(launch.blocks, chosenBlocks / 2), launch.blocks);
    for (const uint64_t b : chosen)  // beside each the one that touches things before it
      blocks.insert(blocks.end(), {b, std::max(b, uint64_t(1)) - 1});
  } else if (launch.sharesWithNeighbours) {
    chosen = insideOf(asked.grid);
    for (const uint64_t b : chosen) addAround(b, asked.grid, blocks);
    if (!chosen.empty()) addAround(launch.blocks - 1, asked.grid, blocks);
  }
  if (blocks.empty()) return weigh(asked, looked, launch);
  const std::vector<uint64_t> apart = lastToEnd(asked, looked, isUneven);
  blocks.insert(blocks.end(), apart.begin(), apart.end());
  blocks.insert(blocks.end(), {0, 1, launch.blocks - 1});
  try {
    launch = gpu_code::listed(asked, inOrder(std::move(blocks)), most);
  } catch (const gpu_code::Unsupported&) {  // then it stays as it is
    return weigh(asked, looked, launch);
  }
  launch.chosen = std::move(chosen);
  if (isUneven && !looked.work.empty()) setApart(launch, apart);
  weigh(asked, looked, launch);
}

void lookAtMore(const gpu_code::Asked& asked, Launch& launch, uint64_t most) {
  lookAtOthers(asked, launch, most);
  if (launch.longest.empty()) findLongest(launch);
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
