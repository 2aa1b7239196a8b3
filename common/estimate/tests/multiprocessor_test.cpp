// Long, as everything that warps can wait for has a test.
#include "estimate/multiprocessor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "estimate/memory_path.h"
#include "program_builder.h"

namespace estimate {
namespace {

using Kind = Operation::Kind;

// Round numbers, so that what a program takes can be said beforehand.
Card simpleCard() {
  Card card = findCard("h200");
  card.arithmeticLatency = 4;
  card.l1Latency = 30;
  card.sharedLatency = 20;
  card.memoryLatency = 500;
  card.memoryLatencySpread = 0;
  card.barrierLatency = 10;
  card.barrierCyclesPerWarp = 0;
  return card;
}

estimate::Run run(const Block& block, const Setup& setup = {}, size_t blocks = 1) {
  return runMultiprocessor(std::vector<const Block*>(blocks, &block), 4, simpleCard(), setup);
}

double total(const WaitTimes& times) { return std::accumulate(times.begin(), times.end(), 0.0); }

TEST(Multiprocessor, AChainOfInstructionsTakesTheirLatencies) {
  const Block chain = uniformBlock(ProgramBuilder().instructions(100).warp(), 1);
  EXPECT_NEAR(run(chain).cycles, 400, 5);
  const Block free = uniformBlock(ProgramBuilder().instructions(100, 1).warp(), 1);
  EXPECT_NEAR(run(free).cycles, 100, 5);
}

TEST(Multiprocessor, FourSchedulersIssueOneInstructionEachInACycle) {
  const Block block = uniformBlock(ProgramBuilder().instructions(100).warp(), 32);
  const auto all = run(block);
  EXPECT_NEAR(all.cycles, 32 * 100 / 4, 10);
  EXPECT_EQ(all.instructions, 32 * 100);
}

// … not one that waits for the load, nor where L2 has it; and of many not all do so.
TEST(Multiprocessor, AStoreToWhatMemoryStillBringsHoldsUpL2) {
  estimate::Setup setup;
  setup.activeMultiprocessors = 132;
  const auto cycles = [&](bool overwrites, unsigned memory, bool waits = false,
                          unsigned warps = 1) {
    ProgramBuilder program;
    for (unsigned row = 0; row < 8; ++row) {
      program.load({.memory = memory, .l2 = 4 - memory});
      if (waits) program.needAll();
      program.store({.memory = 4}).needAll().instructions(1);
    }
    Warp warp = program.warp();
    for (size_t i = 0; i < warp.operations.size(); ++i) {
      Operation& o = warp.operations[i];
      o.address = 4096 * (1 + i / 3);
      o.overwrites = overwrites && o.kind == Kind::store;
    }
    Block block = uniformBlock(warp, warps);
    for (size_t w = 0; w < warps; ++w)
      for (Operation& o : block.warps[w].operations) o.address += 128 * w;
    return run(block, setup).cycles;
  };
  const auto longer = [&](unsigned warps) {
    return (cycles(true, 4, false, warps) - cycles(false, 4, false, warps)) / 8;
  };
  const double each = 4 * 0.5 * simpleCard().clockGhz * 132;
  EXPECT_NEAR(longer(8) - longer(4), 4 * each, each);
  EXPECT_NEAR(longer(4), 4 * each - simpleCard().memoryLatency, each) << "while warps wait";
  EXPECT_NEAR(longer(32), 16 * each, 2 * each);
  EXPECT_NEAR(cycles(true, 4, true, 8), cycles(false, 4, true, 8), 1e-9);
  EXPECT_NEAR(cycles(true, 0, false, 8), cycles(false, 0, false, 8), 1e-9);
}

// Blocks that stand for many have the same addresses.
TEST(Multiprocessor, AStoreToWhatAnotherBlockAsksForHoldsUpNothing) {
  estimate::Setup setup;
  setup.activeMultiprocessors = 132;
  setup.residentBlocks = 2;
  const auto cycles = [&](bool overwrites) {
    ProgramBuilder stores, loads;
    stores.load({.memory = 4}).needAll().store({.memory = 4}).load({.memory = 4});
    loads.instructions(100).load({.memory = 4});
    Warp first = stores.warp();
    for (Operation& o : first.operations) o.overwrites = overwrites && o.kind == Kind::store;
    const Block one = uniformBlock(first, 1), other = uniformBlock(loads.warp(), 1);
    return runMultiprocessor({&one, &other}, 4, simpleCard(), setup).cycles;
  };
  EXPECT_EQ(cycles(true), cycles(false));
}

TEST(Multiprocessor, ALoadStopsItsWarpOnlyWhereTheValueIsNeeded) {
  const auto after = [](double instructions) {
    ProgramBuilder program;
    program.load({.memory = 4}).instructions(instructions).needAll().instructions(1);
    return run(uniformBlock(program.warp(), 1)).cycles;
  };
  EXPECT_NEAR(after(1), after(100), 5);
  EXPECT_NEAR(after(1000) - after(1), 4 * 1000 - after(1), 30);
}

TEST(Multiprocessor, LoadsThatNeedEachOtherWaitForEachOther) {
  ProgramBuilder together, oneByOne;
  for (unsigned i = 0; i < 4; ++i) together.load({.memory = 4});
  for (unsigned i = 0; i < 4; ++i) oneByOne.load({.memory = 4}).needAll();
  const double few = run(uniformBlock(together.warp(), 1)).cycles;
  EXPECT_GT(run(uniformBlock(oneByOne.instructions(1).warp(), 1)).cycles, 3.5 * few);
}

// Of two warps that ask for the same: who comes first brings it, and the other waits for it.
TEST(Multiprocessor, WhatWarpsReadTogetherTheFirstBrings) {
  const auto ends = [](double before, bool together) {
    ProgramBuilder owner, other;
    owner.instructions(before).load({.memory = 4}).needAll().instructions(1);
    other.load({.l1 = 4}).needAll().instructions(1);
    Block block = uniformBlock(owner.warp(), 2);
    block.warps[1] = other.warp();
    for (Warp& warp : block.warps)
      for (Operation& o : warp.operations)
        if (o.kind == Kind::load && together)
          o.together = Block::numberOf(0, uint32_t(block.warps[0].operations.size()) - 2);
    // How long the second waits, and how long it takes until both are through.
    const estimate::Run run = runMultiprocessor({&block}, 4, simpleCard(), {});
    return std::pair(run.warpCycles[size_t(Wait::memory)], run.cycles);
  };
  const auto [alone, until] = ends(0, false);
  EXPECT_NEAR(ends(0, true).first, 2 * alone, 10) << "both wait";
  EXPECT_NEAR(ends(0, true).second, until, 5) << "for the same";
  // The one that has it comes later, and finds it.
  EXPECT_NEAR(ends(500, true).first, alone, 10);
  EXPECT_NEAR(ends(500, false).second - ends(500, true).second, alone, 40);
}

TEST(Multiprocessor, BankConflictsTakePassesAndCanBeSwitchedOff) {
  const auto block = [](unsigned ways) {
    ProgramBuilder program;
    for (unsigned i = 0; i < 64; ++i) program.shared(Kind::sharedStore, ways, ways - 1);
    return uniformBlock(program.warp(), 8);
  };
  const double free = run(block(1)).cycles;
  EXPECT_NEAR(run(block(8)).cycles, 8 * free, 0.1 * 8 * free);
  EXPECT_GT(run(block(8)).warpCycles[size_t(Wait::bankConflicts)], 0);
  EXPECT_EQ(run(block(8), {.whatIf = {.noBankConflicts = true}}).cycles, free);
}

TEST(Multiprocessor, ABarrierHoldsAllWarpsUntilTheLastHasCome) {
  Block block{0, {}};
  for (unsigned w = 0; w < 4; ++w)
    block.warps.push_back(
        ProgramBuilder().instructions(w == 3 ? 200 : 1).barrier().instructions(1).warp());
  const auto all = run(block);
  EXPECT_NEAR(all.cycles, 4 * 200 + 10, 10);
  EXPECT_NEAR(all.warpCycles[size_t(Wait::barrier)], 3 * 4 * 200, 100);
  const auto free = run(block, {.whatIf = {.freeBarriers = true}});
  EXPECT_EQ(free.warpCycles[size_t(Wait::barrier)], 0);
}

TEST(Multiprocessor, AWarpThatHasEndedIsNotWaitedFor) {
  Block block{
      0,
      {ProgramBuilder().instructions(1).warp(), ProgramBuilder().barrier().instructions(1).warp()}};
  EXPECT_LT(run(block).cycles, 100);
}

TEST(Multiprocessor, APerfectL2TakesMemoryAway) {
  ProgramBuilder program;
  for (unsigned i = 0; i < 16; ++i) program.load({.memory = 16, .lines = 4, .bytes = 16});
  const Block block = uniformBlock(program.warp(), 16);
  estimate::Setup perfect{.activeMultiprocessors = 132};
  const double before = run(block, perfect).cycles;
  perfect.whatIf.perfectL2 = true;
  const auto after = run(block, perfect);
  EXPECT_LT(after.cycles, before / 1.5);
  EXPECT_EQ(after.warpCycles[size_t(Wait::memory)], 0);
}

TEST(Multiprocessor, AWarpEndsWhenItsStoresAreOnTheirWay) {
  const auto stored = [](unsigned lines) {
    ProgramBuilder program;
    program.instructions(1).store({.memory = lines, .lines = lines});
    return run(uniformBlock(program.warp(), 1));
  };
  EXPECT_GT(stored(32).cycles, stored(1).cycles + 50);
  EXPECT_GT(stored(32).warpCycles[size_t(Wait::pipe)], 50);
}

// L2 updates an address once in so many cycles, whether anybody waits for the old value or not.
TEST(Multiprocessor, AtomicsOnOneAddressTakeTheirTurns) {
  estimate::Setup setup;
  setup.activeMultiprocessors = 100;
  const double cycles = simpleCard().atomicSameAddressCycles;
  for (const unsigned lanes : {1u, 32u}) {
    ProgramBuilder program;
    for (unsigned i = 0; i < 50; ++i) program.atomic(lanes);
    EXPECT_GE(run(uniformBlock(program.warp(), 2), setup).cycles, 100 * lanes * 100 * cycles);
  }
}

TEST(Multiprocessor, AtomicsThatFillTheirSectorsOrAreSpreadOverL2AreFaster) {
  const auto cycles = [](unsigned turns, unsigned whole, double units) {
    ProgramBuilder program;
    for (unsigned i = 0; i < 200; ++i) program.atomic(turns, whole);
    return run(uniformBlock(program.warp(), 1),
               {.activeMultiprocessors = 100, .atomicUnits = units})
        .cycles;
  };
  const Card card = simpleCard();
  EXPECT_NEAR(cycles(4, 4, 1) / cycles(4, 0, 1),
              card.atomicWholeSectorCycles / card.atomicSameAddressCycles, 0.01);
  EXPECT_NEAR(cycles(4, 0, 1) / cycles(4, 0, 10), 10, 0.5);
}

TEST(Multiprocessor, AnAddressThatALaneHasUpdatedIsSentAgainLater) {
  const auto cycles = [](unsigned turns, unsigned sectors) {
    ProgramBuilder program;
    for (unsigned i = 0; i < 100; ++i) program.atomic(turns);
    Warp warp = program.warp();
    for (Operation& o : warp.operations) o.l2Sectors = uint16_t(sectors);
    return run(uniformBlock(warp, 1), {.atomicUnits = 50}).cycles;
  };
  EXPECT_GT(cycles(16, 1), 100 * 15 * 5);
  EXPECT_LT(cycles(16, 16), 100 * 15 * 2);
}

TEST(Multiprocessor, LoadsAndAtomicsShareTheUnitsOfL2) {
  const estimate::Setup setup = {.activeMultiprocessors = 132,
                                 .atomicUnits = simpleCard().atomicUnits};
  const auto cycles = [&](bool loads, bool updates, bool ofUpdated) {
    ProgramBuilder program;
    for (unsigned i = 0; i < 200; ++i) {
      if (loads) program.load({.l2 = 32, .lines = 32});
      if (updates) program.atomic(32);
    }
    Warp warp = program.warp();
    for (Operation& o : warp.operations) {
      if (o.kind == Kind::atomic) o.l2Sectors = 32;
      if (o.kind == Kind::load && ofUpdated) o.updatedSectors = 32;
    }
    return run(uniformBlock(warp, 4), setup).cycles;
  };
  const double loads = cycles(true, false, false), updates = cycles(false, true, false),
               both = cycles(true, true, false);
  EXPECT_GT(both, 0.9 * (loads + updates));
  EXPECT_NEAR(cycles(true, true, true) - both, 0.4 * updates, 0.1 * updates);
}

TEST(Multiprocessor, WhatAllStoreToOnePlaceIsTakenOneAfterTheOther) {
  const auto cycles = [](unsigned ofAll, double units) {
    ProgramBuilder program;
    for (unsigned i = 0; i < 200; ++i) program.store({.l2 = 1, .lanes = 1});
    program.load({.l2 = 1}).needAll().instructions(1);
    Warp warp = program.warp();
    for (Operation& o : warp.operations)
      o.sectorsOfAll = o.kind == Kind::store ? uint16_t(ofAll) : 0;
    return run(uniformBlock(warp, 1), {.activeMultiprocessors = 132, .unitsOfAll = units}).cycles;
  };
  EXPECT_GE(cycles(1, 1), 200 * 132);
  EXPECT_LT(cycles(1, 10), 0.2 * cycles(1, 1));
  EXPECT_LT(cycles(0, 1), 0.2 * cycles(1, 1));
}

double cyclesOf(Operation o, unsigned count = 1, const Setup& setup = {}) {
  Warp warp;
  o.lanes = 32, o.bytes = 4;
  for (unsigned i = 0; i < count; ++i) o.neededAt = i + 1, warp.operations.push_back(o);
  warp.operations.emplace_back();
  return run(uniformBlock(warp, 1), setup).cycles;
}

TEST(Multiprocessor, BarriersOfAllItsBlocksTakeInOneWarpAfterTheOther) {
  Card card = simpleCard();
  card.barrierCyclesPerWarp = 2;
  const auto cycles = [&](unsigned blocks, unsigned warps) {
    ProgramBuilder program;
    for (unsigned i = 0; i < 1000; ++i) program.barrier();
    const Block block = uniformBlock(program.warp(), warps);
    const estimate::Setup setup{.residentBlocks = blocks};
    return runMultiprocessor(std::vector<const Block*>(blocks, &block), 1, card, setup).cycles /
           1000;
  };
  EXPECT_NEAR(cycles(1, 32), 2 * 32 + card.barrierLatency, 2);
  EXPECT_NEAR(cycles(2, 32), 2 * 64, 6);
  EXPECT_NEAR(cycles(16, 4), 2 * 64, 6);
  EXPECT_NEAR(cycles(2, 4), 2 * 4 + card.barrierLatency, 5) << "there is time for both";
}

TEST(Multiprocessor, SectorsThatAreAloneInTheirLinesTakeLongerInL2) {
  const estimate::Setup all{.activeMultiprocessors = 132};
  const auto cycles = [&](uint16_t lines) {
    return cyclesOf({.kind = Kind::load, .l2Sectors = 32, .lines = lines}, 2000, all);
  };
  EXPECT_NEAR((cycles(32) - cycles(8)) / 2000 / 32, 0.7 * 32 * 132 * 1.98 / simpleCard().l2Gbps,
              0.8);
  EXPECT_NEAR(cycles(16) / cycles(8), 1, 0.1);
}

TEST(Multiprocessor, AnAtomicOfWhatIsNotInL2TakesWhatMemoryTakes) {
  Operation found{.kind = Kind::atomic, .l2Sectors = 32, .lines = 32, .passes = 32};
  Operation far = found;
  far.memorySectors = far.aloneSectors = 32, far.l2Sectors = 0;
  const Card card = simpleCard();
  const Operation near{.kind = Kind::atomic, .l2Sectors = 1, .lines = 1, .passes = 1};
  const Operation away{.kind = Kind::atomic, .memorySectors = 1, .lines = 1, .passes = 1};
  EXPECT_NEAR(cyclesOf(away) - cyclesOf(near), card.memoryLatency - card.l2Latency, 20);
  const estimate::Setup all{
      .activeMultiprocessors = 132, .writesReachMemory = true, .atomicUnits = 74};
  const estimate::Setup kept{
      .activeMultiprocessors = 132, .writesReachMemory = false, .atomicUnits = 74};
  const double rate = 100 * 32 * 32 * 132 * card.clockGhz / card.randomReadGbps;
  EXPECT_GT(cyclesOf(far, 100, kept), rate);
  EXPECT_GT(cyclesOf(far, 100, all), 1.3 * rate) << "and goes back there";
}

TEST(Multiprocessor, FloatsAtPlacesOfTheirOwnAreAddedAsIntegersAre) {
  const estimate::Setup setup{.activeMultiprocessors = 132, .atomicUnits = 10};
  Operation spread{.kind = Kind::atomic, .l2Sectors = 32, .lines = 32, .passes = 32};
  Operation one{.kind = Kind::atomic, .l2Sectors = 1, .lines = 1, .passes = 32};
  const auto asFloats = [&](Operation o) {
    const double integers = cyclesOf(o, 50, setup);
    o.ofFloats = true;
    return cyclesOf(o, 50, setup) / integers;
  };
  EXPECT_NEAR(asFloats(spread), 1, 0.01);
  EXPECT_GT(asFloats(one), 1.5);
}

TEST(Multiprocessor, WhatCameWithTheOtherHalfIsInL2) {
  const Operation first{.kind = Kind::load, .memorySectors = 1, .lines = 1};
  Operation second = first;
  second.broughtSectors = 1;
  const Card card = simpleCard();
  EXPECT_NEAR(cyclesOf(first) - cyclesOf(second), card.memoryLatency - card.l2Latency, 5);
}

// 50 loads, one after the other, of 32 lines each: side by side, and each in a page of its own.
TEST(Multiprocessor, OfManyPlacesOneComesLast) {
  Card card = simpleCard();
  const auto cycles = [&](uint64_t extent) {
    Warp warp;
    for (unsigned i = 0; i < 50; ++i)
      warp.operations.push_back({.kind = Kind::load,
                                 .lanes = 32,
                                 .bytes = 4,
                                 .memorySectors = 32,
                                 .lines = 32,
                                 .neededAt = i + 1,
                                 .address = (1ull + i) << 24,
                                 .extent = extent});
    warp.operations.emplace_back();
    const Block block = uniformBlock(warp, 1);
    return runMultiprocessor({&block}, 4, card, {}).cycles / 50;
  };
  const uint64_t apart = 32 * 16384, beside = 32 * 128;
  EXPECT_NEAR(cycles(apart), cycles(beside), 5);
  card.memoryLatencySpread = 130;
  EXPECT_GT(cycles(apart), cycles(beside) + 150);
}

TEST(Multiprocessor, WhatL1HasTakesItsPassesAndWhatItLacksItsLines) {
  const auto cycles = [](unsigned near, unsigned far, unsigned passes) {
    return cyclesOf({.kind = Kind::load,
                     .l2Sectors = uint16_t(far),
                     .l1Sectors = uint16_t(near),
                     .lines = 32,
                     .passes = uint16_t(passes)},
                    100);
  };
  const double pass = simpleCard().loadPassCycles;
  EXPECT_NEAR(cycles(32, 0, 32) - cycles(32, 0, 8), 100 * 24 * pass, 100);
  EXPECT_NEAR(cycles(0, 32, 32), cycles(0, 32, 8), 1);
}

TEST(Multiprocessor, PartsOfACycleBetweenInstructionsAreNotLost) {
  const double chain = 2600 / simpleCard().arithmeticLatency;
  const auto cycles =
      run(uniformBlock(ProgramBuilder().instructions(1000, chain).warp(), 1)).cycles;
  EXPECT_NEAR(cycles, 2600, 10);
}

TEST(Multiprocessor, WhatComesNextWaitsNoLongerThanPtxasSays) {
  const auto cycles = [](bool isInOrder) {
    Operation one{.count = 4, .chain = 1, .isInOrder = isInOrder};
    Warp warp;
    warp.operations.assign(1000, one);
    return run(uniformBlock(warp, 1)).cycles / 1000;
  };
  EXPECT_NEAR(cycles(true), std::max(4.0, simpleCard().arithmeticLatency), 0.1);
  EXPECT_NEAR(cycles(false), 3 + simpleCard().arithmeticLatency, 1);
}

// Two blocks at a time, each with enough warps to keep all schedulers busy.
TEST(Multiprocessor, TheOldestBlockGoesFirst) {
  const Block block = uniformBlock(ProgramBuilder().instructions(1000, 1).warp(), 16);
  const std::vector<double> ends = run(block, {.residentBlocks = 2}, 6).ends;
  ASSERT_EQ(ends.size(), 6u);
  for (size_t i = 0; i < ends.size(); ++i)
    EXPECT_NEAR(ends[i], 4000.0 * double(i + 1), 500) << "they do not end in pairs";
}

// When the first of a block's 16 warps ends that all do the same, as a part of when the last does.
double firstEndOf(const Warp& warp) {
  std::vector<double> all(16);
  for (const Interval& i : run(uniformBlock(warp, 16), {.timeline = true}).timeline)
    if (i.wait == Wait::issuing) all[i.warp] = std::max(all[i.warp], i.end);
  const auto [first, last] = std::ranges::minmax_element(all);
  return *first / *last;
}

// Its warps take turns, each as long as it need not wait for memory.
TEST(Multiprocessor, WarpsOfABlockTakeTurns) {
  ProgramBuilder loads;
  for (unsigned i = 0; i < 20; ++i) loads.load({.l1 = 4}).needAll().instructions(60, 1);
  EXPECT_GT(firstEndOf(loads.warp()), 0.9) << "the first is far ahead";
  EXPECT_LT(firstEndOf(ProgramBuilder().instructions(1000, 1).warp()), 0.3)
      << "each waits for the others";
}

TEST(Multiprocessor, WarpsOfABlockTakeTurnsWherePtxasSaysSo) {
  const auto firstEnd = [](float yields) {
    Warp warp;
    warp.operations = {{.count = 1000, .isInOrder = true, .yields = yields}};
    return firstEndOf(warp);
  };
  EXPECT_LT(firstEnd(0), 0.3);
  EXPECT_NEAR(firstEnd(100), 0.97, 0.03);
  EXPECT_GT(firstEnd(1000), 0.99);
}

TEST(Multiprocessor, NothingIsIssuedWhileRegistersAreRead) {
  const auto cycles = [](float registerCycles) {
    Warp warp;
    warp.operations = {{.count = 1000, .isInOrder = true, .registerCycles = registerCycles}};
    return run(uniformBlock(warp, 16)).cycles;
  };
  EXPECT_NEAR(cycles(500) / cycles(0), 1.5, 0.01);
}

// … which is no wait for another warp's turn.
TEST(Multiprocessor, AWarpThatIsHeldUpByRegistersWaitsForArithmetic) {
  const auto waits = [](float registerCycles) {
    Warp warp;
    warp.operations = {{.count = 1000, .chain = 1, .registerCycles = registerCycles}};
    return run(uniformBlock(warp, 32)).warpCycles;
  };
  const WaitTimes none = waits(0), half = waits(1000);
  EXPECT_LT(none[size_t(Wait::arithmetic)], none[size_t(Wait::issueSlot)] / 50);
  EXPECT_NEAR(half[size_t(Wait::arithmetic)] / half[size_t(Wait::issueSlot)], 1, 0.1);
}

// A block that begins asks which threads it has behind what others have in the pipe.
TEST(Multiprocessor, SpecialRegistersComeByThePipeForSharedMemory) {
  const auto cycles = [](bool asks) {
    ProgramBuilder program;
    for (unsigned i = 0; i < 16; ++i) program.shared(Kind::sharedLoad, 1);
    Warp warp = program.instructions(1).warp();
    const Operation read{.kind = Kind::specialRegister, .lanes = 32, .neededAt = 4};
    if (asks) warp.operations.insert(warp.operations.begin(), 4, read);
    return run(uniformBlock(warp, 64)).cycles;
  };
  EXPECT_NEAR(cycles(true) / cycles(false), 20.0 / 16, 0.05);
}

// What memory brings, and what is written whole, takes more of L2's time than what is read there;
// and what is written does so the more among what is brought.
TEST(Multiprocessor, L2TakesLongerForWhatIsBroughtAndForWhatIsWritten) {
  const estimate::Setup all{.activeMultiprocessors = 132, .writesReachMemory = false};
  Card card = simpleCard();
  card.readGbps *= 100, card.mixedGbps *= 100;  // memory that is as fast as can be
  const auto cycles = [&](Operation o) {
    o.lanes = 32, o.bytes = 16, o.lines = 4;
    Warp warp;
    for (uint32_t i = 0; i < 500; ++i) {
      if (o.kind == Kind::load) o.neededAt = i + 4;  // four on their way
      warp.operations.push_back(o);
    }
    const Block block = uniformBlock(warp, 32);
    return runMultiprocessor({&block}, 1, card, all).cycles;
  };
  const double read = cycles({.kind = Kind::load, .l2Sectors = 16});
  EXPECT_NEAR(cycles({.kind = Kind::load, .memorySectors = 16}) / read, fillInL2, 0.1);
  EXPECT_NEAR(cycles({.kind = Kind::store, .l2Sectors = 16}) / read, 1.9, 0.1);
  EXPECT_NEAR(wholeInL2(0, 100), 1.9, 1e-9);
  EXPECT_NEAR(wholeInL2(50, 100), 2.33, 1e-9);
}

TEST(Multiprocessor, L1PutsTogetherWhatAWarpStoresToASectorSoonAfterOneAnother) {
  Operation apart{.kind = Kind::store, .lanes = 32, .bytes = 4, .l1Sectors = 32, .lines = 8};
  Operation merged = apart;
  merged.mergedSectors = 32;
  EXPECT_LT(2 * cyclesOf(merged, 100), cyclesOf(apart, 100));
  // Of as many lines as 64 warps store to at a time hardly any is there still, unless the warps are
  // of many blocks.
  const estimate::Setup crowded{.residentBlocks = 1, .residentWarps = 64, .warpsOfBlock = 64};
  EXPECT_GT(cyclesOf(merged, 100, crowded), 0.85 * cyclesOf(apart, 100, crowded));
  const estimate::Setup small{.residentBlocks = 64, .residentWarps = 64};
  EXPECT_LT(cyclesOf(merged, 100, small), 0.5 * cyclesOf(apart, 100, crowded));
}

TEST(Multiprocessor, WarpsStoreInTurnThatHaveWaitedForValuesAndAtATimeBehindTheFirstBarrier) {
  const auto cycles = [](const std::string& steps) {
    ProgramBuilder program;
    for (const char step : steps)
      if (step == 'l')
        program.load({.memory = 4, .lines = 4}).needAll();
      else
        program.barrier();
    estimate::Warp warp = program.instructions(1).warp();
    Operation store{.kind = Kind::store, .lanes = 32, .bytes = 4, .l1Sectors = 16, .lines = 4};
    store.mergedSectors = 16;
    for (unsigned i = 0; i < 1000; ++i) warp.operations.push_back(store);
    return run(uniformBlock(warp, 1),
               {.residentBlocks = 1, .residentWarps = 16, .warpsOfBlock = 16})
        .cycles;
  };
  EXPECT_GT(cycles("lb"), 1.5 * cycles("l"));
  EXPECT_GT(cycles("lbb"), 1.5 * cycles("l"));
  EXPECT_LT(cycles("lblb"), 1.1 * cycles("ll"));
}

TEST(Multiprocessor, AFenceWaitsUntilAllWouldSeeWhatWasStored) {
  const auto cycles = [](bool fence, unsigned lines) {
    ProgramBuilder program;
    program.store({.memory = lines, .lines = lines});
    if (fence) program.fence();
    return run(uniformBlock(program.instructions(1).warp(), 1));
  };
  const double latency = simpleCard().fenceLatency;
  for (const unsigned lines : {1u, 32u})
    EXPECT_NEAR(cycles(true, lines).cycles, cycles(false, lines).cycles + latency, 5);
  EXPECT_NEAR(cycles(true, 1).warpCycles[size_t(Wait::fence)], latency, 5);
}

TEST(Multiprocessor, StoresThatFillTheirSectorsNeedNoMasks) {
  const auto cycles = [](unsigned bytes, unsigned sectors, unsigned lines) {
    ProgramBuilder program;
    for (unsigned i = 0; i < 64; ++i)
      program.store({.l1 = sectors, .lines = lines, .bytes = bytes});
    return run(uniformBlock(program.warp(), 1)).cycles / 64;
  };
  const Card card = simpleCard();
  EXPECT_NEAR(cycles(4, 4, 1), 4 * card.storeSectorCycles, 0.5);
  EXPECT_NEAR(cycles(16, 16, 4), 16 * card.storeSectorCycles, 0.5);
  EXPECT_NEAR(cycles(4, 32, 8), 32 * card.storeSectorCycles + 8 * card.storeMaskCycles, 0.5);
  EXPECT_NEAR(cycles(4, 32, 32), 32 * (card.storeSectorCycles + card.storeMaskCycles), 1);
}

// A block of as many warps as there are schedulers has one for each, and the next block's first is
// not the same one's: where only first warps work, they do not wait for one another.
TEST(Multiprocessor, BlocksBeginAtOneSchedulerAfterTheOther) {
  const auto cycles = [](unsigned warps) {
    ProgramBuilder works, rests;
    Block block = uniformBlock(rests.instructions(1).warp(), warps);
    block.warps[0] = works.instructions(1000, 1).warp();
    const std::vector<const Block*> blocks(4, &block);
    return runMultiprocessor(blocks, warps, simpleCard(), {.residentBlocks = 4}).cycles;
  };
  for (const unsigned warps : {1u, 4u, 8u, 16u}) EXPECT_NEAR(cycles(warps), 1000, 700) << warps;
  EXPECT_GT(cycles(2), 1900);
}

// A small grid leaves places empty that nobody waits in.
TEST(Multiprocessor, PlacesThatNoBlockIsForAreNoneThatWait) {
  estimate::Setup setup;
  setup.residentBlocks = 32;
  ProgramBuilder program;
  program.load({.memory = 4}).needAll().instructions(1);
  const auto alone = run(uniformBlock(program.warp(), 1), setup);
  EXPECT_GT(alone.warpCycles[size_t(Wait::memory)], 0.9 * total(alone.warpCycles));
}

TEST(Multiprocessor, AReadWaitsLongerAmongManyWrites) {
  const auto waited = [](bool writes, unsigned warps) {
    ProgramBuilder program;
    for (unsigned i = 0; i < 64; ++i) {
      program.load({.memory = 4}).needAll().instructions(1);
      if (writes) program.store({.memory = 4});
    }
    const Block block = uniformBlock(program.warp(), warps);
    return run(block, {.activeMultiprocessors = 132}).warpCycles[size_t(Wait::memory)];
  };
  EXPECT_GT(waited(true, 32), 1.1 * waited(false, 32));
  EXPECT_NEAR(waited(true, 1) / waited(false, 1), 1, 0.05) << "the memory seldom writes";
}

TEST(Multiprocessor, ALoadWithoutLanesTakesAsLongAsAnother) {
  const auto cycles = [](unsigned lanes, unsigned warps) {
    ProgramBuilder program;
    for (unsigned i = 0; i < 64; ++i) program.shared(Kind::sharedLoad, 1, 0, 4, lanes);
    return run(uniformBlock(program.needAll().instructions(1).warp(), warps)).cycles;
  };
  EXPECT_EQ(cycles(0, 1), cycles(32, 1));
  EXPECT_EQ(cycles(0, 16), cycles(32, 16));
  EXPECT_GT(cycles(0, 1), simpleCard().sharedLatency);
}

TEST(Multiprocessor, LoadsAndStoresOfSharedMemoryHaveOnePipe) {
  const auto cycles = [](unsigned loaded, unsigned stored) {
    ProgramBuilder program;
    for (unsigned i = 0; i < 64; ++i) {
      program.shared(Kind::sharedLoad, loaded);
      if (stored > 0) program.shared(Kind::sharedStore, stored);
    }
    return run(uniformBlock(program.needAll().instructions(1).warp(), 8)).cycles;
  };
  EXPECT_NEAR(cycles(4, 4) / cycles(4, 0), 2, 0.1);
  EXPECT_NEAR(cycles(4, 16) / cycles(4, 0), 5, 0.3);
}

TEST(Multiprocessor, ASchedulerIssuesAStoreToSharedMemoryInFourCyclesAndALoadInTwo) {
  constexpr unsigned requests = 64;
  const auto cycles = [](Kind kind, unsigned warps) {  // of one scheduler's warps, or of all
    ProgramBuilder program;
    for (unsigned i = 0; i < requests; ++i) program.shared(kind, 1);
    Block block = uniformBlock(program.warp(), warps);
    for (size_t w = 0; w < warps; ++w)
      if (warps == 8 && w % 4 != 0) block.warps[w] = ProgramBuilder().instructions(1).warp();
    return run(block).cycles;
  };
  EXPECT_NEAR(cycles(Kind::sharedStore, 8), 4 * 2 * requests, 10);
  EXPECT_NEAR(cycles(Kind::sharedLoad, 8), 2 * 2 * requests, 30);
  EXPECT_NEAR(cycles(Kind::sharedStore, 16), 16 * requests, 10);
  EXPECT_NEAR(cycles(Kind::sharedLoad, 16), 16 * requests, 30);
}

// Loops with a barrier, and steps of a tree, by events around launches on all multiprocessors of an
// H200: clocks in blocks say less, as some blocks are through before others.
TEST(Multiprocessor, LoopsWithBarriersTakeAsLongAsOnTheCard) {
  constexpr double turns = 256;
  const Card card = findCard("h200");
  const auto cycles = [&](bool isTree, unsigned blocks, unsigned warps) {
    ProgramBuilder program;
    program.beginLoop().instructions(1);
    if (isTree) {
      program.shared(Kind::sharedLoad, 1).shared(Kind::sharedLoad, 1).needAll().instructions(1);
      program.shared(Kind::sharedStore, 1);
    }
    program.barrier().instructions(2, 2, 0, isTree ? 0 : 1).endLoop(turns);
    const Block block = uniformBlock(program.warp(), warps);
    const estimate::Setup setup{.residentBlocks = blocks};
    return runMultiprocessor(std::vector<const Block*>(blocks, &block), 1, card, setup).cycles /
           turns;
  };
  EXPECT_NEAR(cycles(false, 1, 16), 55, 7);
  EXPECT_NEAR(cycles(false, 2, 32), 128, 6);
  EXPECT_NEAR(cycles(false, 4, 16), 136, 8);
  EXPECT_NEAR(cycles(true, 1, 16), 94, 9);
  EXPECT_NEAR(cycles(true, 4, 16), 224, 24);
}

TEST(Multiprocessor, ABarrierTakesAPartOfACycleOfThePipeForSharedMemory) {
  const auto cycles = [](unsigned barriers) {
    ProgramBuilder program;
    for (unsigned i = 0; i < 64; ++i) {
      program.shared(Kind::sharedLoad, 4);
      for (unsigned b = 0; b < barriers; ++b) program.barrier();
    }
    Block block = uniformBlock(program.warp(), 1);
    return run(block, {.residentBlocks = 64}, 64).cycles / 64 / 64;
  };
  EXPECT_NEAR(cycles(0), 4, 0.2);
  EXPECT_NEAR(cycles(4) - cycles(0), 4 * 0.4, 0.5);
  // … which its warp waits for, not for other warps.
  Block behind = uniformBlock(ProgramBuilder().barrier().warp(), 8);
  behind.warps[0] = ProgramBuilder().shared(Kind::sharedLoad, 32).instructions(1).warp();
  EXPECT_NEAR(run(behind).warpCycles[size_t(Wait::pipe)], 7 * 32, 50);
}

TEST(Multiprocessor, WhatDirectsAWarpTakesMoreOfItsScheduler) {
  Card card = simpleCard();
  const auto cycles = [&](double control) {
    const Block block =
        uniformBlock(ProgramBuilder().instructions(100, 1, 0, 0, control).warp(), 16);
    return runMultiprocessor({&block}, 1, card, {}).cycles;
  };
  card.controlCycles = 2;
  EXPECT_NEAR(cycles(50) / cycles(0), 1.5, 0.05);
  card.controlCycles = 1;
  EXPECT_EQ(cycles(50), cycles(0));
}

// 4 warps, each at a scheduler of its own, and loads of 32 lines.
TEST(Multiprocessor, LoadsWaitInFrontOfThePipeUntil72Do) {
  const auto waited = [](unsigned loads) {
    ProgramBuilder program;
    for (unsigned i = 0; i < loads; ++i) program.load({.l1 = 32, .lines = 32});
    return run(uniformBlock(program.warp(), 4)).warpCycles[size_t(Wait::pipe)];
  };
  EXPECT_EQ(waited(18), 0);
  EXPECT_GT(waited(20), 32);
}

TEST(Multiprocessor, RegistersPortsThatAreTakenHoldUpTheScheduler) {
  const Card card = simpleCard();
  const auto cycles = [&](ProgramBuilder& with) {
    const Block block = uniformBlock(with.warp(), 32);
    return runMultiprocessor({&block}, 1, card, {}).cycles;
  };
  ProgramBuilder none, shuffles, wide, narrow, loads, stores, sharedStores;
  for (int i = 0; i < 50; ++i) {
    none.instructions(21, 1);
    shuffles.instructions(20, 1).shuffle();
    wide.instructions(20, 1).shared(Operation::Kind::sharedLoad, 4, 0, 16);
    narrow.instructions(20, 1).shared(Operation::Kind::sharedLoad, 1, 0, 4);
    loads.instructions(20, 1).load({.l1 = 4});
    stores.instructions(20, 1).store({.l2 = 1});
    sharedStores.instructions(20, 1).shared(Operation::Kind::sharedStore, 1);
  }
  const double each = 50 * 8;  // of a scheduler's warps
  EXPECT_NEAR((cycles(shuffles) - cycles(none)) / each, 0.65, 0.2);
  EXPECT_NEAR((cycles(wide) - cycles(none)) / each, 1.4, 0.2);
  EXPECT_NEAR((cycles(narrow) - cycles(none)) / each, 0, 0.2);
  EXPECT_NEAR((cycles(loads) - cycles(none)) / each, 1.1, 0.2);
  EXPECT_NEAR((cycles(stores) - cycles(none)) / each, 1.5, 0.2);
  EXPECT_NEAR((cycles(sharedStores) - cycles(none)) / each, 0.5, 0.2);
}

TEST(Multiprocessor, ALoopThatIsListedInPartTakesAsLongAsTheWholeLoop) {
  ProgramBuilder whole, part;
  const auto turn = [](ProgramBuilder& program) {
    program.load({.l1 = 4}).instructions(3).needAll().instructions(5);
  };
  for (unsigned i = 0; i < 20; ++i) turn(whole);
  part.beginLoop();
  turn(part);
  part.endLoop(20);
  EXPECT_EQ(run(uniformBlock(part.warp(), 4)).cycles, run(uniformBlock(whole.warp(), 4)).cycles);
}

TEST(Multiprocessor, ANewBlockStartsSomeTimeAfterOneHasEnded) {
  const Card card = simpleCard();
  const Block block = uniformBlock(ProgramBuilder().instructions(100).warp(), 1);
  const auto ten = run(block, {}, 10);
  const double seen = 100;  // later than it is, that a block has ended
  const double each = 400 + card.blockTurnaroundCycles + card.blockTurnaroundCyclesPerWarp - seen;
  EXPECT_NEAR(ten.cycles, 9 * each + 400, 20);
  EXPECT_EQ(ten.ends.size(), 10u);
  const auto many = run(block, {.residentBlocks = 10}, 100);
  EXPECT_NEAR(many.cycles, 100 * card.blockStartCycles, 600);
}

// A kernel with a bit of everything.
Block mixedBlock() {
  Block block{0, {}};
  for (unsigned w = 0; w < 8; ++w) {
    ProgramBuilder program;
    program.at(1).instructions(20 + 3 * w, 5, 1, 2);
    program.at(2).load({.memory = 4}).needAll().instructions(1);
    program.at(3).shared(Kind::sharedStore, 2, 1).barrier();
    program.shared(Kind::sharedLoad, 1).needAll().instructions(1).shuffle().needAll();
    program.at(0).store({.memory = 4}).instructions(2);
    block.warps.push_back(program.warp());
  }
  return block;
}

TEST(Multiprocessor, EveryCycleOfEveryPlaceIsAccountedFor) {
  const auto all = run(mixedBlock(), {.residentBlocks = 3, .activeMultiprocessors = 132}, 20);
  EXPECT_NEAR(total(all.warpCycles), all.cycles * 3 * 8, all.cycles * 0.01);
  WaitTimes lines = {};
  for (const WaitTimes& line : all.lines)
    for (size_t i = 0; i < waitCount; ++i) lines[i] += line[i];
  for (size_t i = 0; i + 1 < waitCount; ++i)  // who has no work left is at no line
    EXPECT_NEAR(lines[i], Wait(i) == Wait::noWork ? 0 : all.warpCycles[i], 1e-3);
}

TEST(Multiprocessor, TheTimelineOfAWarpHasNoGapsAndNoOverlaps) {
  const auto all = run(mixedBlock(), {.residentBlocks = 2, .timeline = true}, 6);
  std::map<std::pair<uint32_t, uint32_t>, double> ends;  // by warp and block
  ASSERT_FALSE(all.timeline.empty());
  for (const Interval& interval : all.timeline) {
    EXPECT_LT(interval.begin, interval.end);
    const auto [at, isFirst] = ends.try_emplace({interval.warp, interval.block}, interval.begin);
    EXPECT_EQ(at->second, interval.begin);
    at->second = interval.end;
  }
  EXPECT_EQ(ends.size(), 6 * 8u);
}

TEST(Multiprocessor, TheSameInputGivesTheSameNumbers) {
  const estimate::Setup setup{.residentBlocks = 3, .activeMultiprocessors = 132};
  const auto one = run(mixedBlock(), setup, 20), two = run(mixedBlock(), setup, 20);
  EXPECT_EQ(one.cycles, two.cycles);
  EXPECT_EQ(one.warpCycles, two.warpCycles);
  EXPECT_EQ(one.ends, two.ends);
}

TEST(Multiprocessor, BlocksWithoutOperationsEnd) {
  const Block empty = uniformBlock(Warp{}, 2);
  EXPECT_EQ(run(empty, {.residentBlocks = 2}, 5).ends.size(), 5u);
}

}  // namespace
}  // namespace estimate
