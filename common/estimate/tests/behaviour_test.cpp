// What must be so whatever the parameters are: more work takes longer, nothing is faster than the
// card can be, and each kind of request has its price.
#include <gtest/gtest.h>

#include <random>

#include "estimate/launch_time.h"
#include "estimate/multiprocessor.h"
#include "program_builder.h"

namespace estimate {
namespace {

using Kind = Operation::Kind;

Launch launchOf(const Warp& warp, unsigned threads, uint64_t blocks) {
  Launch launch;
  launch.kernel = "behaves";
  launch.threads = threads;
  launch.blocks = blocks;
  launch.registers = 32;
  launch.sampled.push_back(uniformBlock(warp, threads / 32, blocks / 2));
  return launch;
}
double msOf(const Launch& launch) { return estimateLaunch(launch, findCard("h200")).ms; }

// Each operation of a warp, changed.
template <typename Change>
Launch with(Launch launch, Change change) {
  for (Block& block : launch.sampled)
    for (Warp& warp : block.warps)
      for (Operation& o : warp.operations) change(o);
  return launch;
}

TEST(Behaviour, ALastBlockThatIsIdleDoesNotStandForTheLaunch) {
  const Card card = findCard("h200");
  const auto blocks = uint64_t(card.multiprocessors);
  Launch launch = launchOf(ProgramBuilder().instructions(100'000).warp(), 256, blocks);
  const double all = msOf(launch);
  launch.sampled.push_back(uniformBlock(ProgramBuilder().instructions(1).warp(), 8, blocks - 1));
  EXPECT_NEAR(msOf(launch) / all, 1, 0.01);
}

TEST(Behaviour, AStoreThatLeavesHolesSendsAMaskForEachOfItsLines) {
  const auto ms = [](unsigned lines) {
    ProgramBuilder program;
    for (int i = 0; i < 64; ++i) program.store({.l2 = 8, .lines = lines, .lanes = 8});
    return msOf(launchOf(program.warp(), 256, 1 << 14));
  };
  EXPECT_NEAR(ms(8) / ms(2), 1.6, 0.1);
}

// Blocks that read the same in step bring it once for each multiprocessor, and L2 is asked for them
// together; what each reads again itself, other lines meanwhile, it brings again.
TEST(Behaviour, WhatAllBlocksReadInStepOneBrings) {
  ProgramBuilder program;
  program.beginLoop();
  for (int i = 0; i < 16; ++i) program.load({.l2 = 32, .lines = 8, .bytes = 32});
  const Launch each = launchOf(program.needAll().instructions(4).endLoop(64).warp(), 256, 132 * 8);
  const auto read = [&](bool isOfAll) {
    uint64_t place = 0;
    return with(each, [&](Operation& o) {
      o.address = 1024 * ++place;
      o.isOfAll = isOfAll && o.kind == Kind::load;
    });
  };
  EXPECT_LT(msOf(read(true)), 0.5 * msOf(read(false)));
  Launch alone = read(true), own = read(false);
  alone.sharedBytes = own.sharedBytes = 120 << 10;  // one block on each
  EXPECT_LT(msOf(alone), msOf(own)) << "asked for together";
  EXPECT_GT(msOf(alone), 1.05 * msOf(read(true))) << "nobody of its multiprocessor brings it";
}

TEST(Behaviour, StoresOfPartsOfSectorsBringTheRestAndLoneSectorsCostMore) {
  const Launch whole = launchOf(
      ProgramBuilder().instructions(4).store({.memory = 32, .lines = 8}).warp(), 256, 1 << 16);
  const double full = msOf(whole);
  const double inParts =
      msOf(with(whole, [](Operation& o) { o.partialSectors = o.memorySectors; }));
  const double apart =
      msOf(with(whole, [](Operation& o) { o.partialSectors = o.sparseSectors = o.memorySectors; }));
  const double alone =
      msOf(with(whole, [](Operation& o) { o.partialSectors = o.aloneSectors = o.memorySectors; }));
  EXPECT_GT(inParts, 1.3 * full);
  EXPECT_GT(apart, 1.5 * inParts);
  EXPECT_GT(alone, 1.2 * apart);
}

TEST(Behaviour, AtomicsOfFloatsTakeMoreTurnsThanThoseOfIntegers) {
  const Launch integers =
      launchOf(ProgramBuilder().instructions(10).atomic(32).instructions(1).warp(), 256, 1 << 10);
  const double ratio =
      msOf(with(integers, [](Operation& o) { o.ofFloats = true; })) / msOf(integers);
  EXPECT_GT(ratio, 2);
  EXPECT_LT(ratio, 2.5);
}

TEST(Behaviour, ConstantsAreReadPlaceAfterPlace) {
  const auto ms = [](unsigned places) {
    ProgramBuilder program;
    program.beginLoop().shared(Kind::constantLoad, places).instructions(4).endLoop(256);
    return msOf(launchOf(program.warp(), 256, 8 * 132));
  };
  EXPECT_GT(ms(4), ms(1));
  EXPECT_NEAR(ms(32) / ms(4), 8, 1);
}

// 32 places of each of 32 warps at random in 2, 4 and 16 KiB take 2.0, 9.0 and 26 cycles each on
// all multiprocessors of an H100, and 9.8 in 16 KiB on one that is alone.
TEST(Behaviour, ConstantsAreSlowerWhereTheirCachesHaveNoRoomForThem) {
  constexpr unsigned turns = 64;
  const auto cycles = [](uint32_t lines, double multiprocessors) {
    const Card card = findCard("h100");
    std::vector<uint32_t> read;
    std::mt19937 random(1);
    Block block = uniformBlock(ProgramBuilder()
                                   .beginLoop()
                                   .shared(Kind::constantLoad, 32)
                                   .instructions(2)
                                   .endLoop(turns)
                                   .warp(),
                               32);
    for (Warp& warp : block.warps)
      for (size_t place = 0; place < warp.operations.size(); ++place) {
        Operation& o = warp.operations[place];
        if (o.kind != Kind::constantLoad) continue;
        o.neededAt = uint32_t(place + 1);
        o.address = read.size();
        for (unsigned i = 0; i < 32; ++i) read.push_back(uint32_t(random()) % lines);
      }
    estimate::Setup setup;
    setup.activeMultiprocessors = multiprocessors;
    setup.constantLines = &read;
    return runMultiprocessor({&block}, 4, card, setup).cycles / (32 * 32 * turns);
  };
  EXPECT_NEAR(cycles(32, 132), 2.0, 0.3);
  EXPECT_NEAR(cycles(64, 132), 9.0, 2);
  EXPECT_NEAR(cycles(256, 132), 26, 4);
  EXPECT_NEAR(cycles(256, 1), 9.8, 2);
}

// One warp on each multiprocessor of an H100 takes 40 cycles for a turn through 4 lines that a
// register tells and 104 through 8; 32 warps that are not side by side up to 36 for each line.
// Where instructions tell them, 32 lines are there.
TEST(Behaviour, ConstantsForAllLanesComeThroughASmallCache) {
  const auto cycles = [](uint32_t lines, bool isIndexed, unsigned warps, double multiprocessors) {
    constexpr unsigned turns = 512;
    ProgramBuilder program;
    for (unsigned turn = 0; turn < turns; ++turn) program.instructions(5);
    Block block = uniformBlock(program.warp(), warps);
    for (size_t w = 0; w < block.warps.size(); ++w) {
      uint64_t line = 37 * w;
      for (Operation& o : block.warps[w].operations)
        o.uniformReads = 1, o.isIndexed = isIndexed, o.address = line++ % lines;
    }
    estimate::Setup setup;
    setup.activeMultiprocessors = multiprocessors;
    const auto run = runMultiprocessor({&block}, 4, findCard("h100"), setup);
    return run.cycles / double(turns) / warps;
  };
  EXPECT_NEAR(cycles(8, true, 1, 132) - cycles(4, true, 1, 132), 65, 5);
  EXPECT_NEAR(cycles(32, false, 1, 132), cycles(4, false, 1, 132), 15) << "but for the first time";
  EXPECT_NEAR(cycles(64, false, 1, 132) - cycles(32, false, 1, 132), 65, 8);
  EXPECT_GT(cycles(64, true, 32, 132), 14) << "some find what others brought";
  EXPECT_LT(cycles(64, true, 32, 1), 6);
  EXPECT_LT(cycles(4, true, 32, 132), 6);
}

TEST(Behaviour, WhatAThreadsOwnArrayHadLongAgoIsNoLongerInL1) {
  ProgramBuilder program;
  program.beginLoop().load({.l1 = 4}).needAll().instructions(4).endLoop(256);
  const Launch near = launchOf(program.warp(), 256, 8 * 132);
  const auto since = [&](uint32_t lines) {
    return msOf(with(near, [&](Operation& o) { o.linesSince = lines, o.isLocal = true; }));
  };
  EXPECT_EQ(since(0), since(8));  // of 2,048 lines, each of 64 warps has 32
  EXPECT_GT(since(64), 1.5 * since(8));
}

TEST(Behaviour, AnArrayThatFitsIntoL1IsBroughtOnceByEachMultiprocessor) {
  ProgramBuilder program;
  for (unsigned i = 0; i < 8; ++i) program.load({.l2 = 4}).needAll().instructions(2);
  Launch launch = with(launchOf(program.warp(), 256, 1 << 14), [](Operation& o) { o.array = 1; });
  const auto shareOfL2 = [&](uint64_t bytes) {
    launch.arrays = {0, bytes};
    return estimateLaunch(launch, findCard("h200")).shares[size_t(Wait::l2)];
  };
  EXPECT_LT(shareOfL2(16 << 10), 0.2 * shareOfL2(16 << 20));
}

TEST(Behaviour, SumsGoToEitherUnitOfIntegersAndBitsToOne) {
  const auto ms = [](UnitCycles each) {
    ProgramBuilder program;
    program.beginLoop().instructions(64, 1).endLoop(64);
    return msOf(with(launchOf(program.warp(), 256, 8 * 132), [&](Operation& o) {
      for (size_t u = 0; u < each.size(); ++u) o.unitCycles[u] = 64 * each[u];
    }));
  };
  const double free = ms({}), sums = ms({0, 0, 0, 2}), bits = ms({2, 0, 0, 0});
  EXPECT_NEAR(sums / free, 1, 0.05);
  EXPECT_GT(bits, 1.7 * free);
  EXPECT_NEAR(ms({1, 0, 0, 1}) / free, 1, 0.1);  // a sum and a bit operation by turns
}

TEST(Behaviour, WarpsThatHaveNothingLeftToDoAreSaidToHaveNoWork) {
  const Card card = findCard("h200");
  Launch launch = launchOf(ProgramBuilder().instructions(1).warp(), 512, 1);
  launch.sampled[0].number = 0;
  launch.sampled[0].warps[0] = ProgramBuilder().instructions(100'000).warp();
  const Estimate e = estimateLaunch(launch, card);
  EXPECT_NEAR(e.shares[size_t(Wait::noWork)], 15.0 / 16, 0.01);
  EXPECT_LT(e.shares[size_t(Wait::startAndTail)], 0.02);
}

TEST(Behaviour, MoreTurnsOfALoopTakeLongerAndNoneIsFasterThanTheCard) {
  const Card card = findCard("h200");
  double before = 0;
  for (const double turns : {1, 2, 4, 64, 1024}) {
    ProgramBuilder program;
    program.beginLoop().instructions(30, 10).load({.l1 = 4}).needAll().instructions(2).endLoop(
        turns);
    const Launch launch = launchOf(program.warp(), 256, 8 * 132);
    const double ms = msOf(launch);
    EXPECT_GT(ms, before);
    const double issued = 33 * turns * 64 / 4 / card.clockGhz * 1e-6;
    EXPECT_GT(ms, issued);
    before = ms;
  }
}

}  // namespace
}  // namespace estimate
