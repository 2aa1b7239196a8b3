// Pictures: what the executor recorded of each kernel that has one, and what is drawn of it.
#include "draw/block_picture.h"

#include <array>

#include "../02_neighbored/neighbored.cuh"
#include "../03_neighbored_less/neighbored_less.cuh"
#include "../04_interleaved/interleaved.cuh"
#include "../05_unroll2/unroll2.cuh"
#include "../08_shuffle/shuffle.cuh"
#include "test_support/host_testing.h"
#include "test_support/kernel_testing.h"

namespace {

struct Drawn {
  Step step;
  std::string file;  // from the top of the repository
};

const Step neighboredStep{
    .lesson = "", .name = "neighbored", .kernel = neighbored, .drawnElements = 64};
const Step lessStep{
    .lesson = "", .name = "neighbored less", .kernel = neighboredLess, .drawnElements = 64};
const Step interleavedStep{
    .lesson = "", .name = "interleaved", .kernel = interleaved, .drawnElements = 64};
const Step unroll2Step{.lesson = "",
                       .name = "unroll 2",
                       .kernel = unroll2,
                       .elementsPerThread = 2,
                       .drawnElements = 128};
const Step shuffleStep{.lesson = "",
                       .name = "unroll 8 + shuffle",
                       .kernel = unroll8Shuffle,
                       .elementsPerThread = 8,
                       .drawnElements = 64};

const std::vector<Drawn> drawn = {{neighboredStep, "02_neighbored/neighbored.svg"},
                                  {lessStep, "03_neighbored_less/neighbored_less.svg"},
                                  {interleavedStep, "04_interleaved/interleaved.svg"},
                                  {unroll2Step, "05_unroll2/unroll2.svg"},
                                  {shuffleStep, "08_shuffle/shuffle.svg"}};

// As a table of numbers, which GoogleTest prints: thread, from, to.
using Additions = std::vector<std::array<unsigned, 3>>;

Additions additionsOf(const Stage& stage) {
  Additions additions;
  for (const Arrow& arrow : stage.arrows)
    if (arrow.addition) additions.push_back({arrow.thread, arrow.from, arrow.to});
  return additions;
}

size_t occurrences(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// The last stage of a tree in memory: thread 0 copies the sum.
void expectStoresTheSum(const Stage& stage) {
  EXPECT_EQ(stage.from, "data");
  EXPECT_EQ(stage.to, "blockSums");
  EXPECT_EQ(stage.arrows, (std::vector<Arrow>{{0, 0, 0}}));
}

// The six additions of lesson 04's tree, from this stage on, and the store.
void expectInterleavedFrom(size_t first, const std::vector<Stage>& stages) {
  ASSERT_EQ(stages.size(), first + 7);
  for (size_t k = 0; k < 6; ++k) {
    const unsigned stride = 32u >> k;
    Additions expected;
    for (unsigned t = 0; t < stride; ++t) expected.push_back({t, t + stride, t});
    EXPECT_EQ(additionsOf(stages[first + k]), expected) << "stride " << stride;
  }
  expectStoresTheSum(stages.back());
}

// The shuffles of one warp's sum: all lanes with a source add, the lanes below delta for the sum.
void expectWarpSums(size_t first, const std::vector<Stage>& stages, unsigned warps) {
  for (unsigned delta = 16; delta > 0; delta /= 2) {
    Additions expected;
    for (unsigned t = 0; t < warps * 32; ++t)
      if (t % 32 + delta < 32) expected.push_back({t, t + delta, t});
    EXPECT_EQ(additionsOf(stages[first]), expected) << "delta " << delta;
    EXPECT_EQ(stages[first].counted.shuffles, warps);
    ++first;
  }
}

size_t thatCount(const Stage& stage) {
  return size_t(std::ranges::count_if(stage.arrows, [](const Arrow& a) { return a.counts; }));
}

Options optionsOf(std::vector<std::string> words, bool draws, Backend backend = Backend::cpu) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  return *parseOptions(int(argv.size()), argv.data(), "program", backend, "2^20", {}, {}, draws);
}

// What a program says that refuses these words.
std::string refusal(const std::vector<std::string>& words, bool draws, Backend backend) {
  try {
    optionsOf(words, draws, backend);
  } catch (const Error& error) {
    EXPECT_EQ(error.code, exitUsage);
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST(Picture, NeighboredAddsNeighboursByTheThreadsOfTheirElements) {
  NEEDS_COUNTERS();
  const std::vector<Stage> stages = stagesOf(neighboredStep);
  ASSERT_EQ(stages.size(), 7u);
  for (unsigned k = 0; k < 6; ++k) {
    const unsigned stride = 1u << k;
    Additions expected;
    for (unsigned t = 0; t < 64; t += 2 * stride) expected.push_back({t, t + stride, t});
    EXPECT_EQ(additionsOf(stages[k]), expected) << "stride " << stride;
    EXPECT_EQ(stages[k].counted.barriers, 1u);
  }
  expectStoresTheSum(stages.back());
}

TEST(Picture, NeighboredLessAddsTheSamePairsByTheFirstThreads) {
  NEEDS_COUNTERS();
  const std::vector<Stage> stages = stagesOf(lessStep);
  ASSERT_EQ(stages.size(), 7u);
  for (unsigned k = 0; k < 6; ++k) {
    const unsigned stride = 1u << k;
    Additions expected;
    for (unsigned t = 0; 2 * stride * t < 64; ++t)
      expected.push_back({t, 2 * stride * t + stride, 2 * stride * t});
    EXPECT_EQ(additionsOf(stages[k]), expected) << "stride " << stride;
  }
  expectStoresTheSum(stages.back());
}

TEST(Picture, InterleavedAddsTheOtherHalf) {
  NEEDS_COUNTERS();
  expectInterleavedFrom(0, stagesOf(interleavedStep));
}

TEST(Picture, Unroll2AddsTheSecondDataBlockFirst) {
  NEEDS_COUNTERS();
  const std::vector<Stage> stages = stagesOf(unroll2Step);
  Additions expected;
  for (unsigned t = 0; t < 64; ++t) expected.push_back({t, t + 64, t});
  EXPECT_EQ(additionsOf(stages[0]), expected);
  expectInterleavedFrom(1, stages);
}

TEST(Picture, ShufflesAddUpEachWarpAndThenTheWarpSums) {
  NEEDS_COUNTERS();
  const std::vector<Stage> stages = stagesOf(shuffleStep);
  ASSERT_EQ(stages.size(), 14u);
  EXPECT_EQ(stages[0].arrows.size(), 64u);
  expectWarpSums(1, stages, 2);
  EXPECT_EQ(stages[6].to, "warpSums");
  EXPECT_EQ(stages[6].arrows, (std::vector<Arrow>{{0, 0, 0}, {32, 32, 1}}));
  EXPECT_EQ(stages[7].arrows, (std::vector<Arrow>{{0, 0, 0}, {1, 1, 1}}));
  expectWarpSums(8, stages, 1);
  EXPECT_EQ(stages[13].to, "blockSums");
}

// 16, 8, 4, 2 and 1 in each of two warps; of the two warp sums the last shuffle moves one.
TEST(Picture, FindsTheShufflesThatTheSumNeeds) {
  NEEDS_COUNTERS();
  const std::vector<Stage> stages = stagesOf(shuffleStep);
  ASSERT_EQ(stages.size(), 14u);
  for (unsigned k = 0; k < 5; ++k) EXPECT_EQ(thatCount(stages[1 + k]), 2 * (16u >> k));
  for (unsigned k = 0; k < 5; ++k) EXPECT_EQ(thatCount(stages[8 + k]), k == 4 ? 1u : 0u);
}

TEST(Picture, CountsInStagesWhatTheLaunchCounts) {
  NEEDS_COUNTERS();
  for (const Drawn& d : drawn) {
    Counters all;
    for (const Stage& stage : stagesOf(d.step)) all += stage.counted;
    const Input input = makeInput(d.step.drawnElements, 7);
    Workspace workspace(input, drawnThreads, 0);
    int64_t sum = 0;
    EXPECT_EQ(all, workspace.run(d.step, &sum).counters) << d.step.name;
  }
}

TEST(Picture, DrawsAnArrowForEveryAddition) {
  NEEDS_COUNTERS();
  for (const Drawn& d : drawn) {
    const std::vector<Stage> stages = stagesOf(d.step);
    size_t additions = 0;
    for (const Stage& stage : stages) additions += additionsOf(stage).size();
    const std::string svg = blockPicture(d.step.name, stages);
    EXPECT_EQ(occurrences(svg, "class=\"line add "), additions) << d.step.name;
    EXPECT_TRUE(isBlockPicture(svg));
  }
}

TEST(Picture, IsTheSameUnderAnySchedule) {
  NEEDS_COUNTERS();
  for (const Drawn& d : drawn) {
    const std::string forward = blockPicture(d.step.name, stagesOf(d.step));
    for (const uint64_t seed : {0, 1, 2, 3}) {
      const WithSchedule schedule(
          seed == 0 ? simt::Schedule::Order::reverse : simt::Schedule::Order::random, seed);
      EXPECT_EQ(blockPicture(d.step.name, stagesOf(d.step)), forward) << d.step.name;
    }
  }
}

TEST(Picture, IsTheOneInTheLessonsFolder) {
  NEEDS_COUNTERS();
  for (const Drawn& d : drawn)
    EXPECT_TRUE(contentsOf(std::string(LESSONS_DIR "/") + d.file) ==
                blockPicture(d.step.name, stagesOf(d.step)))
        << d.file << " is not what is drawn now: run the lesson's cpu program with --svg "
        << d.file;
}

TEST(Picture, IsWrittenAndReplacesOnlyAPicture) {
  NEEDS_COUNTERS();
  const TemporaryFolder folder;
  const Captured out(std::cout);
  Options options;
  options.svg = folder.path("a.svg");
  const std::string note = ": neighbored, 1 block of 64 threads, 64 elements\n";
  EXPECT_EQ(drawStep(options, "program", neighboredStep), exitRight);
  EXPECT_EQ(drawStep(options, "program", neighboredStep), exitRight);
  EXPECT_EQ(out.text(), "wrote " + options.svg + note + "replaced " + options.svg + note);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.svg"});

  options.svg = folder.path("other.svg");
  writeFile(options.svg, "<svg/>");
  EXPECT_THROW(drawStep(options, "program", neighboredStep), Error);
  EXPECT_EQ(contentsOf(options.svg), "<svg/>");
}

TEST(Picture, IsRefusedWhereThereIsNone) {
  const std::vector<std::string> words = {"program", "--svg", "a.svg"};
  EXPECT_EQ(optionsOf(words, true).svg, "a.svg");
  EXPECT_TRUE(contains(refusal(words, false, Backend::cpu), "this program has no picture"));
  EXPECT_TRUE(
      contains(refusal(words, true, Backend::gpu), "--svg is for the cpu programs, in build/cpu"));
  for (const std::string flag : {"--n", "--block", "--json"})
    EXPECT_TRUE(contains(refusal({"program", "--svg", "a.svg", flag, "64"}, true, Backend::cpu),
                         "leave out " + flag));
}

// A kernel that is wrong has no picture, but a fault.
__global__ static void readsPastTheEnd(int* data, int* blockSums, size_t n) {
  if (threadIdx.x == 0) blockSums[0] = data[n];
}

TEST(Picture, IsNotDrawnOfAFault) {
  NEEDS_COUNTERS();
  const Step step{.lesson = "", .name = "wrong", .kernel = readsPastTheEnd, .drawnElements = 64};
  EXPECT_THROW(stagesOf(step), simt::Fault);
  EXPECT_EQ(stagesOf(neighboredStep).size(), 7u);
}
