// Pictures: what the executor recorded of each kernel that has one, and what is drawn of it.
#include "draw/block_picture.h"

#include <array>

#include "../../../08_shuffle/steps.h"
#include "draw/step_picture.h"
#include "test_support/host_testing.h"
#include "test_support/kernel_testing.h"
#include "test_support/wrong_kernels.h"

namespace {

// A step and its picture: elements, and the file from the top of the repository.
struct Drawn {
  Step step;
  unsigned elements;
  std::string file;
};

Drawn drawnStep(const std::string& name, unsigned elements, const std::string& file) {
  return {findStep(ladderTo08(), name), elements, file};
}

const Drawn neighboredStep = drawnStep("neighbored", 64, "02_neighbored/neighbored.svg");
const Drawn lessStep = drawnStep("neighbored less", 64, "03_neighbored_less/neighbored_less.svg");
const Drawn interleavedStep = drawnStep("interleaved", 64, "04_interleaved/interleaved.svg");
const Drawn unroll2Step = drawnStep("unroll 2", 128, "05_unroll2/unroll2.svg");
const Drawn shuffleStep = drawnStep("unroll 8 + shuffle", 64, "08_shuffle/shuffle.svg");
const std::vector<Drawn> drawn = {neighboredStep, lessStep, interleavedStep, unroll2Step,
                                  shuffleStep};

std::vector<Stage> stagesOf(const Drawn& d) { return stagesOf(d.step, d.elements); }

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

// The options that a program with these modes makes of words.
std::optional<Options> optionsOf(std::vector<std::string> words, const std::vector<Mode>& modes,
                                 Backend backend = Backend::cpu) {
  words.insert(words.begin(), "program");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  return parseOptions(int(argv.size()), argv.data(),
                      {.program = "program", .backend = backend, .usualN = "2^20", .modes = modes});
}

}  // namespace

TEST(Picture, NeighboredAddsNeighboursByTheThreadsOfTheirElements) {
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

TEST(Picture, InterleavedAddsTheOtherHalf) { expectInterleavedFrom(0, stagesOf(interleavedStep)); }

TEST(Picture, Unroll2AddsTheSecondDataBlockFirst) {
  const std::vector<Stage> stages = stagesOf(unroll2Step);
  Additions expected;
  for (unsigned t = 0; t < 64; ++t) expected.push_back({t, t + 64, t});
  EXPECT_EQ(additionsOf(stages[0]), expected);
  expectInterleavedFrom(1, stages);
}

TEST(Picture, ShufflesAddUpEachWarpAndThenTheWarpSums) {
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
  const std::vector<Stage> stages = stagesOf(shuffleStep);
  ASSERT_EQ(stages.size(), 14u);
  for (unsigned k = 0; k < 5; ++k) EXPECT_EQ(thatCount(stages[1 + k]), 2 * (16u >> k));
  for (unsigned k = 0; k < 5; ++k) EXPECT_EQ(thatCount(stages[8 + k]), k == 4 ? 1u : 0u);
}

TEST(Picture, CountsInStagesWhatTheLaunchCounts) {
  for (const Drawn& d : drawn) {
    Counters all;
    for (const Stage& stage : stagesOf(d)) all += stage.counted;
    const Input input = makeInput(d.elements, 7);
    Workspace workspace(input, 64);
    simt::takeCounters();
    workspace.totalOf(d.step);
    EXPECT_EQ(all, simt::takeCounters()) << d.step.name;
  }
}

TEST(Picture, DrawsAnArrowForEveryAddition) {
  for (const Drawn& d : drawn) {
    const std::vector<Stage> stages = stagesOf(d);
    size_t additions = 0;
    for (const Stage& stage : stages) additions += additionsOf(stage).size();
    const std::string svg = blockPicture(d.step.name, stages);
    EXPECT_EQ(occurrences(svg, "class=\"line add "), additions) << d.step.name;
    EXPECT_TRUE(isBlockPicture(svg));
  }
}

TEST(Picture, IsTheSameUnderAnySchedule) {
  for (const Drawn& d : drawn) {
    const std::string forward = blockPicture(d.step.name, stagesOf(d));
    for (const uint64_t seed : {0, 1, 2, 3}) {
      const WithSchedule schedule(
          seed == 0 ? simt::Schedule::Order::reverse : simt::Schedule::Order::random, seed);
      EXPECT_EQ(blockPicture(d.step.name, stagesOf(d)), forward) << d.step.name;
    }
  }
}

TEST(Picture, IsTheOneInTheLessonsFolder) {
  for (const Drawn& d : drawn)
    EXPECT_TRUE(contentsOf(std::string(LESSONS_DIR "/") + d.file) ==
                blockPicture(d.step.name, stagesOf(d)))
        << d.file << " is not what is drawn now: run the lesson's cpu program with --svg "
        << d.file;
}

TEST(Picture, IsWrittenAndReplacesOnlyAPicture) {
  const TemporaryFolder folder;
  const Captured out(std::cout);
  const Mode mode = pictureMode(neighboredStep.step, neighboredStep.elements);
  Options options;
  options.modeFile = folder.path("a.svg");
  const std::string note = ": neighbored, 1 block of 64 threads, 64 elements\n";
  EXPECT_EQ(mode.run(options), exitRight);
  EXPECT_EQ(mode.run(options), exitRight);
  EXPECT_EQ(out.text(), "wrote " + options.modeFile + note + "replaced " + options.modeFile + note);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.svg"});

  // Somebody's drawing, and a page with ours in it.
  const std::string ours = contentsOf(options.modeFile);
  options.modeFile = folder.path("other.svg");
  for (const std::string& theirs :
       {std::string("<svg/>"), "<svg>\n<p>mine</p>" + ours + "</svg>\n", "<p>" + ours + "</p>",
        ours + "mine", ours.substr(0, ours.size() / 2)}) {
    writeFile(options.modeFile, theirs);
    EXPECT_THROW(mode.run(options), Error);
    EXPECT_EQ(contentsOf(options.modeFile), theirs);
  }
}

TEST(Picture, IsRefusedWhereThereIsNone) {
  const std::vector<Mode> modes = {pictureMode(neighboredStep.step, neighboredStep.elements)};
  const auto refusal = [](const std::vector<std::string>& words, const std::vector<Mode>& modes,
                          Backend backend) {
    return refusalOf([&] { optionsOf(words, modes, backend); });
  };
  EXPECT_EQ(optionsOf({"--svg", "a.svg"}, modes)->modeFile, "a.svg");
  EXPECT_TRUE(contains(refusal({"--svg", "a.svg"}, {}, Backend::cpu), "--svg"));
  EXPECT_TRUE(contains(refusal({"--svg", ""}, modes, Backend::cpu), "expected a file name"));
  EXPECT_TRUE(contains(refusal({"--svg", "a.svg"}, modes, Backend::gpu),
                       "--svg is for the cpu programs, in build/cpu"));
  for (const std::string flag : {"--n", "--block", "--json"})
    EXPECT_TRUE(contains(refusal({"--svg", "a.svg", flag, "64"}, modes, Backend::cpu),
                         flag + ": not with --svg, which draws one small block"));
}

// A kernel that is wrong has no picture, but a fault.
TEST(Picture, IsNotDrawnOfAFault) {
  const Step step{.lesson = "", .name = "wrong", .kernel = readsBehindTheEnd};
  EXPECT_THROW(stagesOf(step, 64), simt::Fault);
  EXPECT_EQ(stagesOf(neighboredStep).size(), 7u);
}

// Without a fault, and wrong: one element is forgotten.
TEST(Picture, IsNotDrawnOfAWrongSum) {
  const Step step{.lesson = "", .name = "forgetful", .kernel = forgetsTheFirst};
  try {
    stagesOf(step, 64);
    ADD_FAILURE() << "drawn";
  } catch (const Error& error) {
    EXPECT_EQ(error.code, exitWrong);
    EXPECT_STREQ(error.what(), "forgetful is wrong: 63 instead of 64");
  }
}
