#include "estimate/launch_time.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/errors.h"
#include "estimate/found_in_caches.h"
#include "estimate/typical_blocks.h"
#include "program_builder.h"

namespace estimate {
namespace {

Launch smallLaunch(uint64_t blocks) {
  ProgramBuilder program;
  program.at(1).load({.memory = 4}).instructions(10).needAll().instructions(5);
  Launch launch;
  launch.kernel = "small";
  launch.blocks = blocks;
  launch.threads = 256;
  launch.sources = {"", "small.cuh:3"};
  launch.sampled.push_back(uniformBlock(program.warp(), 8, blocks / 2));
  return launch;
}

// Each block loads 1,024 bytes of its own and waits for them, and then a sector of another's.
TEST(LaunchTime, WhatOtherBlocksLoadedAtTheStartIsInL2WhereAllAreResident) {
  const auto memory = [](uint64_t place, uint64_t step, bool waits) {
    Launch launch = smallLaunch(8);
    launch.sampled.clear();
    for (uint64_t number = 0; number < 3; ++number) {
      ProgramBuilder program;
      program.load({.memory = 32});
      if (waits) program.needAll().instructions(1);
      Warp warp = program.load({.memory = 1}).needAll().instructions(1).warp();
      for (Operation& o : warp.operations) o.array = 1, o.address = place, o.extent = 32;
      warp.operations[0].address = 0x10000 + number * step, warp.operations[0].extent = 1024;
      launch.sampled.push_back(uniformBlock(warp, 1, number));
    }
    const estimate::BroughtInStep start(launch);
    const Block applied = start.applied(launch.sampled[1]);
    const std::vector<Operation>& operations = applied.warps[0].operations;
    EXPECT_EQ(operations[0].memorySectors, 32) << "its own";
    const Operation& its = operations[operations.size() - 2];
    EXPECT_EQ(its.memorySectors + its.l2Sectors, 1);
    return its.memorySectors;
  };
  EXPECT_EQ(memory(0x10000 + 5 * 1024, 1024, true), 0);
  EXPECT_EQ(memory(0x10000 + 8 * 1024, 1024, true), 1) << "no block has that";
  EXPECT_EQ(memory(0x10000 + 5 * 1024, 2048, true), 1) << "there are gaps";
  EXPECT_EQ(memory(0x10000 + 5 * 1024, 1024, false), 1) << "it has not come yet";
}

// In each turn of a loop each block loads a part, and then what a block further on has loaded in
// the same turn; the first block does something else before.
TEST(LaunchTime, WhatOtherBlocksLoadInTheSameTurnIsInL2WhereAllAreResident) {
  const auto memory = [](uint64_t extent) {
    constexpr uint64_t blocks = 20, bytes = 1024;
    Launch launch = smallLaunch(blocks);
    launch.sampled.clear();
    for (const uint64_t number : {0, 1, 9, 10, 18, 19}) {
      Warp warp;
      if (number == 0) warp.operations.resize(4);
      for (uint64_t turn = 0; turn < 6; ++turn) {
        const uint64_t place = 0x10000 + (turn * blocks + number) * bytes;
        for (const bool others : {false, true}) {
          Operation load;
          load.kind = Operation::Kind::load, load.lanes = 32, load.array = 1;
          load.source = others ? 2 : 1;
          load.memorySectors = uint16_t(extent / 32), load.extent = extent;
          load.address = place + (others ? 5 * bytes : 0);
          load.neededAt = uint32_t(warp.operations.size() + 1);
          warp.operations.push_back(load);
          warp.operations.emplace_back();
        }
      }
      launch.sampled.push_back(uniformBlock(warp, 1, number));
    }
    const BroughtInStep step(launch);
    unsigned own = 0, others = 0;
    const Block applied = step.applied(launch.sampled[2]);
    for (const Operation& o : applied.warps[0].operations)
      if (o.kind == Operation::Kind::load) (o.source == 1 ? own : others) += o.memorySectors;
    EXPECT_EQ(own, 6 * extent / 32);
    return others;
  };
  EXPECT_EQ(memory(1024), 0);
  EXPECT_EQ(memory(512), 6 * 512 / 32) << "half of what lies between blocks nobody loads";
}

TEST(LaunchTime, WhatAllBlocksReadComesFromMemoryOnce) {
  const Card card = findCard("h200");
  ProgramBuilder program;
  for (unsigned i = 0; i < 8; ++i) program.load({.memory = 16, .lines = 4, .bytes = 16});
  Launch launch = smallLaunch(4096);
  launch.sampled = {uniformBlock(program.warp(), 8, 2048)};
  for (Warp& warp : launch.sampled[0].warps)
    for (Operation& o : warp.operations)
      if (o.kind == Operation::Kind::load) o.array = 1;
  const auto memory = [&](uint64_t bytes) {
    launch.arrays = {0, bytes};
    return estimateLaunch(launch, card).shares[size_t(Wait::memory)];
  };
  const uint64_t all = 4096 * 8 * 8 * 16 * 32;
  EXPECT_EQ(memory(all), memory(2 * all));  // each block has its own part
  EXPECT_LT(memory(32 * 1024), 0.1 * memory(all));
  EXPECT_EQ(memory(uint64_t(card.l2Bytes) + 1), memory(all));  // too much to stay in L2
}

TEST(LaunchTime, WhatIsReadAgainWhenItsReadersAreGoneWholeBlocksFind) {
  Launch launch = smallLaunch(4096);
  launch.arrays = {0, 1024 * 8 * 32 * 32};  // read four times
  // Sectors from memory of each of 16 blocks, which have so many loads.
  const auto fromMemory = [&](double atOnce, unsigned loads) {
    ProgramBuilder program;
    for (unsigned i = 0; i < loads; ++i) program.load({.memory = 32 / loads, .lines = 4});
    launch.sampled = {uniformBlock(program.warp(), 8, 2048)};
    for (Warp& warp : launch.sampled[0].warps)
      for (Operation& o : warp.operations) o.array = 1;
    ComesOnce once(launch, {&launch.sampled[0]}, findCard("h200"), atOnce);
    std::vector<unsigned> sectors;
    for (int i = 0; i < 16; ++i) {
      sectors.push_back(0);
      for (const Warp& warp : once.applied(launch.sampled[0]).warps)
        for (const Operation& o : warp.operations) sectors.back() += o.memorySectors;
    }
    return sectors;
  };
  const auto later = fromMemory(512, 2);
  EXPECT_EQ(std::ranges::count(later, 8 * 32u), 4);
  EXPECT_EQ(std::ranges::count(later, 0u), 12);
  EXPECT_EQ(std::ranges::count(fromMemory(2048, 2), 8 * 8u), 16) << "while they are there";
  EXPECT_EQ(std::ranges::count(fromMemory(512, 4), 8 * 8u), 16) << "each goes through it once";
}

// A volume larger than L2, of which each block reads two planes, and so does the block behind it.
TEST(LaunchTime, WhatIsReadAgainSoonIsInL2HoweverLargeTheArrayIs) {
  const Card card = findCard("h200");
  const auto part = [&](uint64_t between, bool isThrough) {
    Launch launch = smallLaunch(3 << 20);
    const uint64_t bytes = uint64_t(64 * 32) * launch.blocks;  // each block's own 64 sectors
    launch.arrays = {0, bytes};
    launch.sampled.clear();
    for (const uint64_t number : {0, 1 << 20, 2 << 20}) {
      ProgramBuilder program;
      for (unsigned i = 0; i < 4; ++i) program.load({.memory = 4, .lines = 1, .bytes = 16});
      launch.sampled.push_back(uniformBlock(program.warp(), 8, number));
      for (Warp& warp : launch.sampled.back().warps)
        for (size_t i = 0; i < warp.operations.size(); ++i) {
          Operation& o = warp.operations[i];
          o.array = 1, o.extent = 512;
          o.address = (1 << 30) + (isThrough ? number * 64 * 32 : 0) + i % 2 * between;
        }
    }
    std::vector<const Block*> typical;
    for (const Block& block : launch.sampled) typical.push_back(&block);
    ComesOnce once(launch, typical, card, 1056);
    double sectors = 0;
    for (const Block* block : typical)
      for (const Warp& warp : once.applied(*block).warps)
        for (const Operation& o : warp.operations) sectors += o.memorySectors;
    return sectors / (3 * 8 * 4 * 4);
  };
  EXPECT_NEAR(part(1 << 20, true), 0.5, 0.02);
  EXPECT_EQ(part(uint64_t(card.l2Bytes), true), 1) << "too late";
  EXPECT_EQ(part(1 << 20, false), 1) << "all blocks are somewhere else";
}

TEST(LaunchTime, PagesOfManagedMemoryAreWaitedForByWhoeverWroteThemLast) {
  const Card card = findCard("h200");
  Launch launch = smallLaunch(1 << 20);
  const auto ms = [&](uint64_t mib, WithHost withHost) {
    launch.arrays = {0, mib << 20};
    launch.withHost = {{}, withHost};
    return estimateLaunch(launch, card).pagesMs;
  };
  EXPECT_EQ(ms(16, {}), 0);
  const double first = 1e-3 * card.managedFirstMicroseconds, four = ms(4, {1, 0}),
               sixteen = ms(16, {1, 0});
  EXPECT_NEAR((sixteen - first) / (four - first), 4, 0.01);
  EXPECT_NEAR(ms(16, {0.25, 0}), four, 0.001);
  EXPECT_LT(ms(16, {0, 1}), 0.7 * sixteen);
  EXPECT_GT(ms(16, {0, 1}), 0.4 * sixteen);
}

// Of a volume the faces are left out: the first blocks of the grid and its last do nothing. Of an
// array that is shorter than the grid only the last ones do.
TEST(LaunchTime, EndsOfAGridThatDoNothingDoNotStandForTheRest) {
  const Card card = findCard("h200");
  const Block busy = uniformBlock(ProgramBuilder().instructions(5000).warp(), 8),
              idle = uniformBlock(ProgramBuilder().instructions(5).warp(), 8);
  const auto ms = [&](bool firstIsIdle, bool lastIsIdle) {
    Launch launch = smallLaunch(30000);
    launch.sampled.clear();
    for (const uint64_t first : {0u, 10000u, 20000u, 29996u})
      for (uint64_t b = first; b < first + 4; ++b) {
        launch.sampled.push_back((b < 4 && firstIsIdle) || (b > 29990 && lastIsIdle) ? idle : busy);
        launch.sampled.back().number = b;
      }
    return estimateLaunch(launch, card).ms;
  };
  EXPECT_NEAR(ms(true, true) / ms(false, false), 1, 0.02);
  EXPECT_NEAR(ms(false, true) / ms(false, false), 1, 0.02);
  EXPECT_NEAR(ms(true, false) / ms(false, false), 1, 0.02);
}

// Of three blocks on some multiprocessors the grid's last is one, unless others have three as well.
TEST(LaunchTime, AnIdleLastBlockStandsForNoOther) {
  const Card card = findCard("h200");
  const Block busy = uniformBlock(ProgramBuilder().instructions(5000, 1).warp(), 32),
              idle = uniformBlock(ProgramBuilder().instructions(5).warp(), 32);
  const auto ms = [&](unsigned blocks, const Block& last) {
    Launch launch = smallLaunch(blocks);
    launch.threads = 1024;
    launch.sampled = {busy, last};
    launch.sampled[0].number = blocks / 2, launch.sampled[1].number = blocks - 1;
    return estimateLaunch(launch, card).ms;
  };
  EXPECT_NEAR(ms(2 * 132 + 10, idle) / ms(2 * 132 + 10, busy), 1, 0.01);
  EXPECT_LT(ms(2 * 132 + 1, idle), 0.8 * ms(2 * 132 + 1, busy));
}

// With eight blocks resident it is the only one of the second generation.
TEST(LaunchTime, TheLastBlockFindsInCachesWhatOthersBroughtAsTheRestDo) {
  ProgramBuilder program;
  for (unsigned i = 0; i < 50; ++i)
    program.load({.memory = 32, .lines = 32}).needAll().instructions(1);
  const auto ms = [&](uint64_t last) {
    Launch launch = smallLaunch(9 * 132);
    launch.arrays = {0, 1 << 20};
    launch.sampled = {uniformBlock(program.warp(), 8, 100), uniformBlock(program.warp(), 8, last)};
    for (Block& block : launch.sampled)
      for (Warp& warp : block.warps)
        for (Operation& o : warp.operations)
          if (o.kind == Operation::Kind::load) o.array = 1;
    return estimateLaunch(launch, findCard("h200")).ms;
  };
  EXPECT_NEAR(ms(9 * 132 - 1) / ms(200), 1, 0.1);
}

// 64 warps have 32 lines of L1 each.
TEST(LaunchTime, WhatAWarpReadsAgainIsInL1AsLongAsThereIsRoomForAllThatCameBetween) {
  const auto ms = [](uint32_t since, unsigned commonLines, double allCommon, unsigned l1) {
    ProgramBuilder program;
    for (unsigned i = 0; i < 50; ++i)
      program.load({.l2 = 32 - l1, .l1 = l1, .lines = 32}).needAll().instructions(1);
    Launch launch = smallLaunch(1 << 14);
    launch.commonLines = allCommon;
    launch.sampled = {uniformBlock(program.warp(), 8, 2048)};
    for (Warp& warp : launch.sampled[0].warps)
      for (Operation& o : warp.operations)
        if (o.kind == Operation::Kind::load)
          o.linesSince = since, o.commonLines = uint16_t(commonLines);
    return estimateLaunch(launch, findCard("h200")).ms;
  };
  const double near = ms(0, 0, 0, 32), far = ms(0, 0, 0, 0);
  EXPECT_GT(far, 1.3 * near);
  EXPECT_EQ(ms(25, 0, 0, 32), near);
  EXPECT_NEAR(ms(50, 0, 0, 32), far, 0.02 * far);
  EXPECT_NEAR(ms(0, 32, 900, 0), near, 0.1 * near) << "other blocks brought it";
  EXPECT_EQ(ms(0, 32, 3000, 0), far) << "too much for L1";
}

TEST(LaunchTime, WhatABlockAloneReadsAgainIsInL2AsLongAsThereIsRoomForAllThatCameBetween) {
  const Card card = findCard("h200");
  const auto memory = [&](double ofL2, uint64_t ofOneBlock, bool isStored = false) {
    ProgramBuilder program;
    const auto request = [&](ProgramBuilder::Sectors sectors) {
      isStored ? program.store(sectors) : program.load(sectors);
    };
    request({.memory = 4, .lines = 1, .bytes = 16});
    for (unsigned i = 0; i < 100; ++i) request({.l1 = 4, .lines = 1, .bytes = 16});
    Launch launch = smallLaunch(1 << 14);
    launch.arrays = {0, ofOneBlock * launch.blocks};
    launch.sampled = {uniformBlock(program.warp(), 8, 2048)};
    for (Warp& warp : launch.sampled[0].warps)
      for (Operation& o : warp.operations) {
        o.array = 1;
        if (o.l1Sectors > 0)
          o.linesSince = uint32_t(ofL2 * card.l2Bytes / 128 / (64 * card.multiprocessors) + 0.5);
      }
    InL1 caches(launch, {&launch.sampled[0]}, card, 8, 100);
    double sectors = 0;
    const Block applied = caches.applied(launch.sampled[0]);
    for (const Operation& o : applied.warps[0].operations) sectors += o.memorySectors;
    return (sectors - 4) / 400;
  };
  const uint64_t own = 8 * 4 * 32;
  EXPECT_EQ(memory(0.7, own), 0);
  EXPECT_NEAR(memory(1.1, own), 0.4 / 0.85, 0.03);
  EXPECT_EQ(memory(1.6, own), 1);
  EXPECT_EQ(memory(1.6, own / 4), 0) << "other blocks read the same";
  EXPECT_EQ(memory(0.7, own, true), 0);
  EXPECT_EQ(memory(1.6, own, true), 1) << "written again";
}

TEST(LaunchTime, WhatThreadsWriteOfTheirOwnGoesOnToMemoryWhereL2HasNoRoomForAll) {
  const Card card = findCard("h100");
  const auto memory = [&](uint32_t words) {
    ProgramBuilder program;
    for (unsigned i = 0; i < 50; ++i) program.load({.l1 = 4}).needAll().store({.l1 = 4});
    Launch launch = smallLaunch(1 << 14);
    launch.sampled = {uniformBlock(program.warp(), 8, 2048)};
    for (Warp& warp : launch.sampled[0].warps)
      for (Operation& o : warp.operations) {
        o.isLocal = true;
        if (o.kind == Operation::Kind::load) o.linesSince = words;
      }
    InL1 caches(launch, {&launch.sampled[0]}, card, 8, 100);
    const Block applied = caches.applied(launch.sampled[0]);
    double sectors = 0;
    for (const Operation& o : applied.warps[0].operations)
      if (o.kind == Operation::Kind::store) sectors += o.memorySectors;
    return sectors / 200;
  };
  const double all = 128.0 * 128 * 64 * card.multiprocessors;
  EXPECT_NEAR(memory(128), 1 - 0.7 * card.l2Bytes / all, 0.02);
  EXPECT_EQ(memory(16), 0);
}

TEST(LaunchTime, WhatIsReadAtRandomPlacesFindsThePartThatL2HasRoomFor) {
  const Card card = findCard("h200");
  ProgramBuilder program;
  for (unsigned i = 0; i < 8; ++i) program.load({.memory = 32, .lines = 32});
  const auto ms = [&](double bytes, unsigned alone) {
    Launch launch = smallLaunch(1 << 16);
    launch.sampled = {uniformBlock(program.warp(), 8, 2048)};
    for (Warp& warp : launch.sampled[0].warps)
      for (Operation& o : warp.operations)
        if (o.kind == Operation::Kind::load)
          o.array = 1, o.aloneSectors = uint16_t(alone), o.extent = uint64_t(bytes);
    launch.arrays = {0, uint64_t(bytes)};
    return estimateLaunch(launch, card).ms;
  };
  const double all = 32.0 * 32 * 8 * 8 * (1 << 16);
  EXPECT_NEAR(ms(card.l2Bytes, 32) / ms(2 * all, 32), 0.6, 0.05);
  EXPECT_NEAR(ms(4 * card.l2Bytes, 0) / ms(2 * all, 0), 1, 0.01) << "in their order";
}

// Of 2 MiB that each of 128 rounds reads as much of.
TEST(LaunchTime, WhatIsReadAtRandomPlacesComesFromMemoryInTheBeginning) {
  const Card card = findCard("h200");
  ProgramBuilder program;
  for (unsigned i = 0; i < 128; ++i) program.load({.memory = 32, .lines = 32}).needAll();
  Launch launch = smallLaunch(512);
  launch.sampled = {uniformBlock(program.warp(), 4, 0)};
  launch.arrays = {0, 2 << 20};
  for (Warp& warp : launch.sampled[0].warps)
    for (Operation& o : warp.operations)
      o.array = 1, o.aloneSectors = 32, o.othersSectors = 1, o.extent = 2 << 20;
  ComesOnce once(launch, {launch.sampled.data()}, card, 512);
  const std::vector<Operation> all = once.applied(launch.sampled[0]).warps[0].operations;
  EXPECT_GT(all.front().memorySectors, 28);
  EXPECT_EQ(all[64].memorySectors, 0);
  EXPECT_EQ(all[64].l2Sectors, 32);
  EXPECT_EQ(all[64].othersSectors, 0) << "who read it did so long before";
}

TEST(LaunchTime, LinesThatOthersReadBeforeAreFoundAsAWhole) {
  const Card card = findCard("h200");
  ProgramBuilder program;
  for (unsigned i = 0; i < 128; ++i) program.load({.memory = 4}).needAll();
  Launch launch = smallLaunch(512);
  launch.sampled = {uniformBlock(program.warp(), 8, 0)};
  for (Warp& warp : launch.sampled[0].warps)
    for (Operation& o : warp.operations) o.array = 1;
  launch.arrays = {0, uint64_t(512) * 8 * 128 * 128 * 3 / 8};  // each is read by two or three
  ComesOnce once(launch, {launch.sampled.data()}, card, 512);
  const std::vector<Operation> all = once.applied(launch.sampled[0]).warps[0].operations;
  double memory = 0;
  for (const Operation& o : all) {
    EXPECT_TRUE(o.memorySectors == 0 || o.memorySectors == 4) << o.memorySectors;
    memory += o.memorySectors;
  }
  EXPECT_NEAR(memory / (4 * 128), 3.0 / 8, 0.02);
}

TEST(LaunchTime, WhatIsWrittenAtRandomPlacesFindsThePartThatAFifthOfL2HasRoomFor) {
  const Card card = findCard("h200");
  ProgramBuilder program;
  for (unsigned i = 0; i < 8; ++i) program.store({.memory = 32, .lines = 32});
  const auto ms = [&](double bytes) {
    Launch launch = smallLaunch(1 << 16);
    launch.sampled = {uniformBlock(program.warp(), 8, 2048)};
    for (Warp& warp : launch.sampled[0].warps)
      for (Operation& o : warp.operations)
        if (o.kind == Operation::Kind::store)
          o.array = 1, o.aloneSectors = o.partialSectors = uint16_t(32);
    launch.arrays = {0, uint64_t(bytes)};
    return estimateLaunch(launch, card).ms;
  };
  const double all = 2 * 32.0 * 32 * 8 * 8 * (1 << 16);
  EXPECT_NEAR(ms(2 * card.l2Bytes) / ms(all), 0.9, 0.02);
  EXPECT_NEAR(ms(card.l2Bytes) / ms(all), 0.7, 0.02);
}

// Of an array that L2 has room for; of a larger one both ways, the more so the larger it is.
TEST(LaunchTime, AtomicsAtRandomPlacesBringAndWriteBackWhatL2HasNoRoomFor) {
  const Card card = findCard("h200");
  ProgramBuilder program;
  for (unsigned i = 0; i < 8; ++i) program.atomic(32);
  const auto ms = [&](double ofL2, uint16_t found = 0, uint16_t sparse = 0) {
    Launch launch = smallLaunch(1 << 16);
    launch.atomicPieces = 1 << 20;
    launch.sampled = {uniformBlock(program.warp(), 8, 2048)};
    for (Warp& warp : launch.sampled[0].warps)
      for (Operation& o : warp.operations) {
        if (o.kind != Operation::Kind::atomic) continue;
        o.array = 1, o.memorySectors = o.partialSectors = uint16_t(32 - found);
        o.aloneSectors = uint16_t(o.memorySectors - sparse), o.sparseSectors = sparse;
        o.l2Sectors = found, o.passes = o.lines = 32, o.extent = uint64_t(ofL2 * card.l2Bytes);
      }
    launch.arrays = {0, uint64_t(ofL2 * card.l2Bytes)};
    return estimateLaunch(launch, card).ms;
  };
  const double fits = ms(0.25);
  EXPECT_NEAR(ms(0.1) / fits, 1, 0.05);
  EXPECT_GT(ms(1.07), 2 * fits);
  EXPECT_GT(ms(2.13), 1.3 * ms(1.07));
  EXPECT_LT(ms(8.5), 1.5 * ms(2.13));
  EXPECT_NEAR(ms(2.13, 16) / ms(2.13), 1, 0.02)
      << "touched by another block, which was long before";
  EXPECT_NEAR(ms(2.13, 0, 16) / ms(2.13), 1, 0.02) << "and so was what is beside it";
}

// What one piece has more than others comes on top of what all wait for.
TEST(LaunchTime, AtomicsOfOnePieceTakeTimeBesideThoseOfOthers) {
  const Card card = findCard("h200");
  ProgramBuilder program;
  for (unsigned i = 0; i < 8; ++i) program.atomic(32);
  const auto ms = [&](double mostUpdated, double pieces = 10'000) {
    Launch launch = smallLaunch(1 << 16);
    launch.atomicPieces = pieces, launch.mostUpdated = mostUpdated;
    launch.sampled = {uniformBlock(program.warp(), 8, 2048)};
    for (Warp& warp : launch.sampled[0].warps)
      for (Operation& o : warp.operations)
        if (o.kind == Operation::Kind::atomic)
          o.memorySectors = 0, o.l2Sectors = o.passes = o.lines = 32;
    return estimateLaunch(launch, card).ms;
  };
  const double evenly = ms(0);
  EXPECT_NEAR(ms(1e-4) / evenly, 1, 0.02);
  EXPECT_NEAR((ms(0.1) - evenly) / (ms(0.05) - evenly), 2, 0.1);
  EXPECT_NEAR(ms(0.25, 4) / ms(0, 4), 1, 0.01) << "no more than others";
}

TEST(LaunchTime, MultiprocessorsWithFewerBlocksLeaveTheOthersTheMemory) {
  const Card card = findCard("h200");
  ProgramBuilder program;
  for (unsigned i = 0; i < 64; ++i) program.load({.memory = 16, .lines = 4, .bytes = 16});
  const auto ms = [&](double each) {
    Launch launch = smallLaunch(uint64_t(each * card.multiprocessors));
    launch.sampled = {uniformBlock(program.warp(), 8, 1)};
    return estimateLaunch(launch, card).ms - card.launchMicroseconds * 1e-3;
  };
  EXPECT_NEAR(ms(2.5) / ms(3), 2.5 / 3, 0.05);
  EXPECT_GT(ms(2.5), 1.1 * ms(2));
}

TEST(LaunchTime, ResidentBlocksAreLimitedByWhateverRunsOutFirst) {
  const Card card = findCard("h200");
  const auto resident = [&](uint32_t threads, uint32_t shared, uint32_t registers) {
    Launch launch;
    launch.threads = threads;
    launch.sharedBytes = shared;
    launch.registers = registers;
    return residentBlocks(launch, card);
  };
  EXPECT_EQ(resident(512, 0, 16), 4u);
  EXPECT_EQ(resident(1024, 0, 32), 2u);
  EXPECT_EQ(resident(32, 0, 16), 32u);
  EXPECT_EQ(resident(512, 0, 64), 2u);
  EXPECT_EQ(resident(512, 98304, 26), 2u);
  EXPECT_EQ(resident(256, 4096, 0), 8u);
  EXPECT_THROW(resident(1024, 0, 255), Error);
  EXPECT_THROW(resident(32, 1 << 20, 0), Error);
}

TEST(LaunchTime, AnEmptyLaunchTakesTheTimeOfALaunch) {
  const Card card = findCard("h200");
  EXPECT_EQ(estimateLaunch(Launch{}, card).ms, card.launchMicroseconds * 1e-3);
}

TEST(LaunchTime, AProfilerSaysLessThanEventsAndLeastOfAnEmptyKernel) {
  for (const char* name : {"h200", "h100"}) {
    const Card card = findCard(name);
    Launch launch = smallLaunch(1);
    ProgramBuilder program;
    program.instructions(2);
    launch.sampled = {uniformBlock(program.warp(), 1, 0)};
    const Estimate empty = estimateLaunch(launch, card);
    EXPECT_NEAR(empty.profiledMs, name == std::string("h200") ? 0.00157 : 0.00211, 0.0001);
    EXPECT_NEAR(empty.ms - empty.profiledMs, 0.0014, 0.0001);
    launch.arrays = {0, 64 << 20};
    program.load({.memory = 4, .lines = 1, .bytes = 4});
    launch.sampled = {uniformBlock(program.warp(), 1, 1)};
    const Estimate reads = estimateLaunch(launch, card);
    EXPECT_GT(reads.profiledMs, empty.profiledMs + 1e-6 * card.memoryLatency / card.clockGhz);
  }
}

TEST(LaunchTime, WhoFindsALineOnItsWayWaitsForIt) {
  const Card card = findCard("h200");
  const auto ms = [&](uint64_t blocks, uint16_t others, uint16_t neighbours = 0,
                      uint16_t common = 0) {
    Launch launch = smallLaunch(blocks);
    ProgramBuilder program;
    for (unsigned i = 0; i < 16; ++i) program.load({.l2 = 4}).needAll().instructions(1);
    Warp warp = program.warp();
    for (Operation& o : warp.operations)
      o.othersSectors = others, o.neighboursSectors = neighbours, o.commonLines = common;
    launch.sampled = {uniformBlock(warp, 1, 1)};
    return estimateLaunch(launch, card).ms;
  };
  const double later = 10e-6 * (card.memoryLatency - card.l2Latency) / card.clockGhz;
  EXPECT_GT(ms(4, 4), ms(4, 0) + later);
  // Of a large grid those that begin together: neighbours, but not where all have read it before.
  const double large = ms(5000, 0);
  EXPECT_NEAR(ms(5000, 4), large, 1e-9);
  EXPECT_GT(ms(5000, 4, 4), large + later);
  EXPECT_LT(ms(5000, 4, 4, 1), large);
}

TEST(LaunchTime, OfUnevenBlocksTheSlowestDecides) {
  const Card card = findCard("h200");
  const auto ms = [&](unsigned longest) {
    Launch launch = smallLaunch(100);
    launch.sampled.clear();
    for (unsigned i = 0; i < 20; ++i) {
      ProgramBuilder program;
      program.instructions(i == 13 ? longest : 1000);
      launch.sampled.push_back(uniformBlock(program.warp(), 1, 4 * i + 4));
    }
    EXPECT_EQ(areUneven(launch), longest != 1000);
    return estimateLaunch(launch, card).ms;
  };
  const double more = ms(100'000) - ms(1000);
  EXPECT_NEAR(more, 99'000 * card.arithmeticLatency / card.clockGhz * 1e-6, 0.1 * more);
}

// Blocks are dealt to multiprocessors in turn: where each has more to do than the one before, all
// multiprocessors have some of the long ones.
TEST(LaunchTime, BlocksOfGrowingWorkAreDealtInTurn) {
  const Card card = findCard("h200");
  const auto ms = [&](bool grows) {
    Launch launch = smallLaunch(4 * 132);
    launch.sampled.clear();
    for (unsigned i = 0; i < 4 * 132; ++i) {
      const unsigned count = grows ? 20 * (i + 1) : 20 * 2 * 132;
      launch.sampled.push_back(
          uniformBlock(ProgramBuilder().instructions(count, count / 8.0).warp(), 16, i));
    }
    return estimateLaunch(launch, card).ms - estimateLaunch(smallLaunch(1), card).ms;
  };
  EXPECT_LT(ms(true), 1.3 * ms(false));
}

// Of two blocks for each multiprocessor none has two of the quarter that do more. Where many come
// after one another, their average decides.
TEST(LaunchTime, OfFewBlocksEachMultiprocessorHasSomeOfEitherKind) {
  const auto ms = [](uint64_t blocks, unsigned less, double workOfAll = 1) {
    Launch launch = smallLaunch(blocks);
    launch.sampled.clear();
    for (const uint64_t number : {0, 1, 2, 3, 100, 101, 102, 103, 200, 201, 202, 203}) {
      const unsigned count = number < 4 ? 50'000 : less;
      launch.sampled.push_back(
          uniformBlock(ProgramBuilder().instructions(count).warp(), 8, number));
    }
    launch.workOfAll = workOfAll;
    return estimateLaunch(launch, findCard("h200")).ms;
  };
  const double all = ms(264, 50'000), many = ms(26'400, 50'000);
  EXPECT_LT(ms(264, 40'000), all);
  EXPECT_EQ(ms(264, 50'000, 0.9), all);
  EXPECT_NEAR(ms(26'400, 50'000, 0.9) / many, 0.9, 0.01) << "of others they do not know";
}

// How many blocks the multiprocessor has that is waited for, where there are as many more than are
// resident as there are multiprocessors: each gets one where a multiprocessor's blocks end one
// after the other; where they end together, the fastest get several.
TEST(LaunchTime, BlocksMoreThanAreResidentGoToWhoHasRoomFirst) {
  const auto blocks = [](bool waits) {
    ProgramBuilder program;
    for (unsigned i = 0; i < 400; ++i)
      waits ? program.load({.l2 = 1}).needAll().instructions(1) : program.instructions(40, 4);
    Launch launch = smallLaunch(132 * 9);
    launch.sampled = {uniformBlock(program.instructions(1).warp(), 8)};
    const Card& card = findCard("h200");
    const Estimate its = estimateLaunch(launch, card);
    const double microseconds = 1e3 * its.ms - card.launchMicroseconds;
    return (1e3 * microseconds * card.clockGhz - card.memoryLatency) / its.cyclesPerBlock;
  };
  EXPECT_NEAR(blocks(false), 9, 0.1);
  EXPECT_GT(blocks(true), 11);
}

// It begins when as many before it have ended, and goes on alone.
TEST(LaunchTime, OfManyBlocksOneThatIsLongEndsLast) {
  const Card card = findCard("h200");
  const auto ms = [&](unsigned longest, uint64_t number) {
    Launch launch = smallLaunch(100'000);
    launch.longest = {uniformBlock(ProgramBuilder().instructions(longest).warp(), 8, number)};
    return estimateLaunch(launch, card).ms;
  };
  const double without = estimateLaunch(smallLaunch(100'000), card).ms;
  EXPECT_EQ(ms(100, 5000), without);
  const double early = ms(1'000'000, 5000), late = ms(1'000'000, 95'000);
  EXPECT_NEAR(late - early, 0.9 * without, 0.1 * without);
  EXPECT_GT(early, 1e6 * card.arithmeticLatency / card.clockGhz * 1e-6);
}

// Of two long blocks the shorter one ends last, if it begins late enough.
TEST(LaunchTime, OfSeveralLongBlocksTheOneThatEndsLastDecides) {
  const Card card = findCard("h200");
  const auto ms = [&](std::vector<std::pair<unsigned, uint64_t>> longest) {
    Launch launch = smallLaunch(100'000);
    for (const auto& [count, number] : longest)
      launch.longest.push_back(
          uniformBlock(ProgramBuilder().instructions(count).warp(), 8, number));
    return estimateLaunch(launch, card).ms;
  };
  const double first = ms({{1'000'000, 5000}}), late = ms({{999'000, 95'000}});
  ASSERT_GT(late, first);
  EXPECT_EQ(ms({{1'000'000, 5000}, {999'000, 95'000}}), late);
  EXPECT_EQ(ms({{999'000, 95'000}, {1'000'000, 5000}}), late);
}

// Where all blocks are simulated it is one of them.
TEST(LaunchTime, ALongBlockIsNotCountedTwice) {
  const Card card = findCard("h200");
  Launch launch = smallLaunch(40);
  launch.sampled.clear();
  for (unsigned i = 0; i < 40; ++i) {
    ProgramBuilder program;
    for (unsigned turn = 0; turn < (i == 7 ? 4000u : 40u); ++turn)
      program.load({.memory = 32, .lines = 8, .bytes = 16}).needAll().instructions(1);
    launch.sampled.push_back(uniformBlock(program.warp(), 8, i));
  }
  const double without = estimateLaunch(launch, card).ms;
  launch.longest = {launch.sampled[7]};
  EXPECT_NEAR(estimateLaunch(launch, card).ms, without, 0.05 * without);
}

// Others keep memory busy as long as they go on.
TEST(LaunchTime, ALongBlockTakesLongerBesideOthersThatLoad) {
  const Card card = findCard("h200");
  const auto ms = [&](bool othersLoad, unsigned turns) {
    const auto loads = [](unsigned count) {
      ProgramBuilder program;
      for (unsigned i = 0; i < count; ++i)
        program.load({.memory = 32, .lines = 8, .bytes = 16}).needAll().instructions(1);
      return program.warp();
    };
    Launch launch = smallLaunch(20'000);
    const Warp others =
        othersLoad ? loads(16) : ProgramBuilder().instructions(9000, 9000 / 8.0).warp();
    launch.sampled = {uniformBlock(others, 8, 500)};
    launch.longest = {uniformBlock(loads(turns), 8, 0)};
    return estimateLaunch(launch, card).ms;
  };
  const double alone = ms(false, 5000) - ms(false, 4000), beside = ms(true, 5000) - ms(true, 4000);
  ASSERT_GT(alone, 0);
  EXPECT_NEAR(beside, alone, 0.15 * alone) << "behind the others";
  EXPECT_GT(ms(true, 4000), ms(false, 4000) + 0.1 * ms(true, 0));
}

// It reads what all have read, when they have ended: from L2, if that has room for it.
TEST(LaunchTime, ALongBlockFindsWhatOthersBrought) {
  const Card card = findCard("h200");
  const auto ms = [&](double readByOthers) {
    const auto loads = [](unsigned count) {
      ProgramBuilder program;
      for (unsigned i = 0; i < count; ++i) program.load({.memory = 4}).needAll().instructions(1);
      return program.warp();
    };
    Launch launch = smallLaunch(1000);
    launch.sampled = {uniformBlock(loads(1), 1, 500)};
    launch.longest = {uniformBlock(loads(2000), 1, 0)};
    for (Block* block : {launch.sampled.data(), launch.longest.data()})
      for (Operation& o : block->warps[0].operations) o.array = 1;
    const double touched = 32.0 * 4 * 1000;
    launch.arrays = {0, uint64_t(touched / readByOthers)};
    return estimateLaunch(launch, card).ms;
  };
  const double none = ms(0.001), half = ms(0.5), all = ms(1);
  EXPECT_NEAR((none - half) / (none - all), 0.5, 0.05);
  EXPECT_NEAR(none - all, 2000 * (card.memoryLatency - card.l2Latency) / card.clockGhz * 1e-6,
              0.3 * (none - all));
}

TEST(LaunchTime, SharesAddUpToOne) {
  for (const uint64_t blocks : {1, 100, 132 * 40, 1 << 20}) {
    const Estimate estimate = estimateLaunch(smallLaunch(blocks), findCard("h200"));
    EXPECT_NEAR(std::accumulate(estimate.shares.begin(), estimate.shares.end(), 0.0), 1, 1e-9);
    ASSERT_FALSE(estimate.sources.empty());
    EXPECT_EQ(estimate.sources[0].source, "small.cuh:3");
    EXPECT_LE(estimate.sources[0].total(), 1);
  }
}

TEST(LaunchTime, InTheLongRunTwiceTheBlocksTakeTwiceAsLong) {
  const Card card = findCard("h200");
  const double once = estimateLaunch(smallLaunch(1 << 20), card).ms;
  const double twice = estimateLaunch(smallLaunch(1 << 21), card).ms;
  EXPECT_NEAR(twice / once, 2, 0.02);
  EXPECT_NEAR(estimateLaunch(smallLaunch(1 << 20), card).instructions, 8 * 16.0 * (1 << 20),
              8 * 16.0 * (1 << 20) * 0.02);
}

TEST(LaunchTime, AFewBlocksAreNearlyAllStartAndLatency) {
  const Card card = findCard("h200");
  const double one = estimateLaunch(smallLaunch(1), card).ms;
  EXPECT_LT(one, card.launchMicroseconds * 1e-3 + 0.001);
  EXPECT_NEAR(estimateLaunch(smallLaunch(132), card).ms, one, 0.001);
}

TEST(LaunchTime, OfALoopOfVeryManyTurnsOnlyAPartIsPlayed) {
  const auto launchOf = [](double turns) {
    ProgramBuilder program;
    program.beginLoop().load({.memory = 4}).needAll().instructions(4).endLoop(turns);
    Launch launch = smallLaunch(1);
    launch.sampled = {uniformBlock(program.warp(), 8, 0)};
    return launch;
  };
  Card one = findCard("h200");
  one.multiprocessors = 1;
  const double few = estimateLaunch(launchOf(1e4), one).ms,
               most = estimateLaunch(launchOf(1e5), one).ms;
  const double launch = one.launchMicroseconds * 1e-3;
  EXPECT_NEAR((most - launch) / (few - launch), 10, 0.1) << "each turn is played";
  // These would take an hour.
  const Estimate many = estimateLaunch(launchOf(1e10), one);
  EXPECT_NEAR((many.ms - launch) / (most - launch), 1e5, 1e3);
  EXPECT_NEAR(many.instructions, 8 * 5 * 1e10, 0.01 * 8 * 5 * 1e10);
  EXPECT_NEAR(std::accumulate(many.shares.begin(), many.shares.end(), 0.0), 1, 1e-9);
}

}  // namespace
}  // namespace estimate
