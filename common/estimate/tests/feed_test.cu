// What the timing model is fed with: the operations of sampled blocks.
#include <algorithm>

#include "cuda/device.h"
#include "estimate/sampled.h"
#include "feed_test_kernels.cuh"
#include "test_support/kernel_testing.h"

namespace {

using estimate::Launch;
using estimate::Operation;
using Kind = Operation::Kind;

template <typename Kernel>
Launch launchOf(Kernel kernel, unsigned blocks, unsigned threads, size_t n = 1 << 20) {
  estimate::Sampler sampler(132);
  sampler.run([&] {
    DeviceArray<int> data(n, "data"), out(n, "out");
    launch(blocks, threads, kernel, data.data(), out.data());
  });
  return sampler.take().at(0);
}

std::vector<Operation> operationsOf(const Launch& launch, Kind kind, size_t block = 0) {
  std::vector<Operation> found;
  for (const estimate::Warp& warp : launch.sampled.at(block).warps)
    for (const Operation& o : warp.operations)
      if (o.kind == kind) found.push_back(o);
  return found;
}

// Of the instructions of a block.
float sumOf(float Operation::*what, const Launch& launch) {
  float sum = 0;
  for (const Operation& o : operationsOf(launch, Kind::instructions)) sum += o.*what;
  return sum;
}

}  // namespace

TEST(Feed, WhatIsLeftOutOfAGridIsCounted) {
  NEEDS_GPU_CODE();
  for (const unsigned blocks : {2u, 16u, 17u, 4096u})
    for (const Launch& launch :
         {launchOf(lastBlockReads<1>, blocks, 32), launchOf(lastBlockReads<3>, blocks, 32)}) {
      const size_t last = launch.sampled.size() - 1;
      EXPECT_EQ(operationsOf(launch, Kind::load, last).size(), 1u) << blocks;
      EXPECT_TRUE(operationsOf(launch, Kind::load, last / 2).empty()) << blocks;
    }
}

TEST(Feed, AnAtomicTakesATurnForEachLaneOfAnAddressInEverySector) {
  NEEDS_GPU_CODE();
  const Launch launch = launchOf(updates, 64, 32, size_t(1) << 20);
  const std::vector<Operation> atomics = operationsOf(launch, Kind::atomic);
  ASSERT_EQ(atomics.size(), 3u);
  EXPECT_EQ(atomics[0].passes, 1);  // a warp adds up first
  EXPECT_EQ(atomics[0].wholeSectors, 0);
  EXPECT_EQ(atomics[1].passes, 4);
  EXPECT_EQ(atomics[1].wholeSectors, 4);
  EXPECT_EQ(atomics[2].passes, 32);
  EXPECT_EQ(atomics[2].wholeSectors, 0);
  // Four pieces of each block, and one of all.
  EXPECT_NEAR(launch.atomicPieces, 4 * 64, 8);
}

TEST(Feed, NeighboursThatUpdateThePiecesBetweenThemAreNotAll) {
  NEEDS_GPU_CODE();
  EXPECT_GT(launchOf(updatesBySixteen, 4096, 256).atomicPieces, 1000);
  EXPECT_LE(launchOf(updatesAgain, 4096, 256).atomicPieces, 5);
}

TEST(Feed, APieceThatIsUpdatedMoreThanOthersIsKnown) {
  NEEDS_GPU_CODE();
  const double one = launchOf(updatesMostlyOne, 4096, 256, size_t(1) << 20).mostUpdated;
  EXPECT_GT(one, 0.4);
  EXPECT_LT(one, 0.5);
  const double row = launchOf(updatesRows, 4096, 64, size_t(1) << 21).mostUpdated;
  EXPECT_GT(row, 0.2) << "half of all blocks'";
  EXPECT_LT(row, 0.5);
  const double lanes = launchOf(updatesOneByLanes, 4096, 256).mostUpdated,
               floats = launchOf(updatesOneByLanesOfFloats, 4096, 256).mostUpdated;
  EXPECT_NEAR(lanes, 1.0 / 32, 0.01);
  EXPECT_NEAR(floats / lanes, 2.5, 0.3) << "in one sector";
  EXPECT_EQ(launchOf(updatesAgain, 4096, 256).mostUpdated, 0) << "of four pieces in turn";
  EXPECT_EQ(launchOf(updatesBySixteen, 4096, 256).mostUpdated, 0) << "each block its own";
}

TEST(Feed, KnowsWhatAllBlocksStoreToAndWhichArraysAtomicsUpdate) {
  NEEDS_GPU_CODE();
  const Launch all = launchOf(flagged, 4096, 256), each = launchOf(addOne, 4096, 256);
  EXPECT_EQ(all.sectorsOfAll, 1);
  EXPECT_EQ(operationsOf(all, Kind::store).at(0).sectorsOfAll, 1);
  EXPECT_EQ(each.sectorsOfAll, 0);
  EXPECT_EQ(operationsOf(each, Kind::store).at(0).sectorsOfAll, 0);
  const auto loads = operationsOf(launchOf(updatesWhatItReads, 256, 256), Kind::load);
  unsigned updated = 0;
  for (const Operation& load : loads) updated += load.updatedSectors > 0;
  EXPECT_EQ(2 * updated, loads.size());
}

TEST(Feed, ARootStaysInItsIf) {
  NEEDS_GPU_CODE();
  EXPECT_EQ(sumOf(&Operation::special, launchOf(rootInAnIf, 1, 32)), 0)
      << "no number is greater than 0";
}

TEST(Feed, AFenceStandsWhereAWarpMakesOneOrReleases) {
  NEEDS_GPU_CODE();
  const Launch launch = launchOf(fences, 1, 32);
  std::vector<Kind> kinds;
  for (const Operation& o : launch.sampled.at(0).warps.at(0).operations)
    if (o.kind == Kind::store || o.kind == Kind::atomic || o.kind == Kind::fence)
      kinds.push_back(o.kind);
  EXPECT_EQ(kinds, (std::vector{Kind::store, Kind::fence, Kind::fence, Kind::atomic, Kind::store,
                                Kind::atomic}));
}

TEST(Feed, AProductOfTensorCoresIsOneInstruction) {
  NEEDS_GPU_CODE();
  const Launch products = launchOf(tensorProducts, 1, 32);
  EXPECT_TRUE(operationsOf(products, Kind::shuffle).empty());
  float cycles = 0;
  for (const Operation& o : operationsOf(products, Kind::instructions)) cycles += o.unitCycles[2];
  EXPECT_GE(cycles, 4 * 16);
  EXPECT_LT(cycles, 5 * 16) << "besides, a comparison and what is filled";
  EXPECT_EQ(operationsOf(launchOf(twelveShuffles, 1, 32), Kind::shuffle).size(), 12u);
}

// What a function of the mathematics is called with has to be there, and what it returns comes
// later.
TEST(Feed, AFunctionWaitsForWhatItIsCalledWith) {
  NEEDS_GPU_CODE();
  const auto chainBehind = [](const Launch& launch) {
    const std::vector<Operation>& all = launch.sampled.at(0).warps.at(0).operations;
    float chain = 0;
    for (const Operation& o : all) {
      if (o.kind != Kind::load) continue;
      EXPECT_LT(o.neededAt, all.size());
      for (size_t i = o.neededAt; i < all.size(); ++i)
        if (all[i].kind == Kind::instructions) chain += all[i].chain;
    }
    return chain;
  };
  const float once = chainBehind(launchOf(exponential, 1, 32));
  EXPECT_GE(once, 8);
  EXPECT_GE(chainBehind(launchOf(exponentialOfAnother, 1, 32)), once + 8);
}

TEST(Feed, ASineWithItsCosineIsLittleMoreThanTheSine) {
  NEEDS_GPU_CODE();
  EXPECT_GT(sumOf(&Operation::count, launchOf(sinesAndCosines, 1, 32)),
            sumOf(&Operation::count, launchOf(sinesWithCosines, 1, 32)) + 15);
}

TEST(Feed, WhatALoopLoadsBesideAFunctionIsLoadedBeforeIt) {
  NEEDS_GPU_CODE();
  EXPECT_EQ(operationsOf(launchOf(sinesOfOne, 1, 32), Kind::load).size(), 1u);
}

// It has branches: no turn of a loop does anything while another has one.
TEST(Feed, ExponentialsOfDoublesComeOneAfterTheOther) {
  NEEDS_GPU_CODE();
  EXPECT_LT(sumOf(&Operation::chain, launchOf(exponentialsInTurn<float>, 1, 32)), 64 * 8);
  EXPECT_GT(sumOf(&Operation::chain, launchOf(exponentialsInTurn<double>, 1, 32)), 64 * 30);
}

TEST(Feed, LoopsAreUnrolledAsNvccUnrollsThem) {
  NEEDS_GPU_CODE();
  for (const Launch& launch :
       {launchOf(stepsByAVariable, 1, 32), launchOf(functionsInAnIf, 1, 32)}) {
    const auto& all = launch.sampled.at(0).warps.at(0).operations;
    unsigned together = 0;  // with the next
    for (size_t i = 0, last = 0; i < all.size(); ++i) {
      if (all[i].kind != Kind::load) continue;
      together += last > 0 && all[last].neededAt > i;
      last = i;
    }
    EXPECT_GE(together, 9u) << "of sixteen turns, twelve by four";
  }
}

TEST(Feed, WhatIsAnInstructionOfBitsComesToTheSame) {
  NEEDS_GPU_CODE();
  EXPECT_TRUE(operationsOf(launchOf(bitsOtherwise, 1, 32), Kind::atomic).empty());
}

TEST(Feed, KnowsFunctionsThatAreRare) {
  NEEDS_GPU_CODE();
  EXPECT_EQ(operationsOf(launchOf(rareFunctions, 1, 32), Kind::store).size(), 1u);
}

TEST(Feed, HasTheWholeGridAndSomeOfItsBlocks) {
  NEEDS_GPU_CODE();
  const Launch launch = launchOf(addOne, 4096, 64);
  EXPECT_NE(launch.kernel.find("addOne"), std::string::npos) << launch.kernel;
  EXPECT_EQ(launch.blocks, 4096u);
  EXPECT_EQ(launch.threads, 64u);
  ASSERT_EQ(launch.sampled.size(), estimate::sampleOf(4096).size());
  EXPECT_EQ(launch.sampled.back().number, 4095u);
  EXPECT_EQ(launch.sampled[0].warps.size(), 2u);
}

// A grid that fills the GPU goes through an array, of which a GPU of one multiprocessor would have
// its few blocks make very many turns.
TEST(Feed, OfAGpuOfOneMultiprocessorNoMoreIsListedThanOfALargeOne) {
  NEEDS_GPU_CODE();
  struct Listed {
    uint64_t blocks;
    double operations;  // of the first block's first warp
  };
  const auto listedOn = [](unsigned card) -> Listed {
    estimate::Sampler sampler(card);
    sampler.run([] {
      const size_t n = size_t(1) << 24;
      DeviceArray<int> data(n, "data"), out(size_t(1) << 17, "out");
      launch(2 * multiprocessors(), 256, throughArray, data.data(), out.data(), n);
    });
    const std::vector<Launch> launches = sampler.take();
    EXPECT_EQ(launches.size(), 1u);
    const Launch& only = launches.at(0);
    const estimate::Warp& warp = only.sampled.at(0).warps.at(0);
    return {only.blocks, double(warp.operations.size()) +
                             warp.repeats * (double(warp.repeatTo) - double(warp.repeatFrom))};
  };
  const Listed large = listedOn(132), one = listedOn(1);
  EXPECT_EQ(large.blocks, 264u);
  EXPECT_GT(large.operations, 100);
  EXPECT_EQ(one.blocks, 256u);  // as on a GPU of 128
  EXPECT_LT(one.operations, 1.2 * large.operations);
  EXPECT_EQ(listedOn(66).blocks, 132u);  // twice the turns of 132 are no trouble
}

TEST(Feed, StoresWaitForTheLoadsBeforeThem) {
  NEEDS_GPU_CODE();
  const Launch launch = launchOf(addOne, 1, 32);
  const auto& operations = launch.sampled[0].warps[0].operations;
  const auto load = std::ranges::find(operations, Kind::load, &Operation::kind);
  ASSERT_NE(load, operations.end());
  const auto store = std::ranges::find(operations, Kind::store, &Operation::kind);
  ASSERT_NE(store, operations.end());
  EXPECT_LE(load->neededAt, store - operations.begin());
  EXPECT_EQ(load->memorySectors, 4u);
  EXPECT_EQ(load->lines, 1u);
  EXPECT_TRUE(launch.sources.at(load->source).starts_with("feed_test_kernels.cuh:"));
}

TEST(Feed, AnAddressWaitsForTheValueThatItIsComputedFrom) {
  NEEDS_GPU_CODE();
  const auto mostTogether = [](auto kernel) {  // loads on their way at a time
    const Launch launch = launchOf(kernel, 1, 32);
    const auto& operations = launch.sampled[0].warps[0].operations;
    size_t most = 0;
    for (size_t i = 0; i < operations.size(); ++i) {
      size_t together = 0;
      for (size_t k = 0; k <= i; ++k)
        together += operations[k].kind == Kind::load && operations[k].neededAt > i;
      most = std::max(most, together);
    }
    return most;
  };
  EXPECT_EQ(mostTogether(list), 1u);
  EXPECT_GE(mostTogether(array), 4u);
}

TEST(Feed, SectorsAreFromMemoryFirstAndFromL1InTheBlockThatHasThem) {
  NEEDS_GPU_CODE();
  EXPECT_EQ(operationsOf(launchOf(strided, 1, 32), Kind::load)[0].memorySectors, 32u);
  const auto loads = operationsOf(launchOf(again, 1, 32), Kind::load);
  ASSERT_EQ(loads.size(), 2u);
  EXPECT_EQ(loads[0].memorySectors, 4u);
  EXPECT_EQ(loads[1].memorySectors, 0u);
  EXPECT_EQ(loads[1].l1Sectors, 4u);
  const Launch launch = launchOf(sameForAll, 4, 32);
  EXPECT_EQ(operationsOf(launch, Kind::load, 0)[0].memorySectors, 4u);
  EXPECT_EQ(operationsOf(launch, Kind::load, 1)[0].l2Sectors, 4u);
}

TEST(Feed, StoresToASectorSoonAfterOneAnotherAreMerged) {
  NEEDS_GPU_CODE();
  const auto stores = operationsOf(launchOf(eightAtOnce, 1, 32), Kind::store);
  ASSERT_EQ(stores.size(), 8u);
  EXPECT_EQ(stores[0].mergedSectors, 0u);
  EXPECT_EQ(stores[7].mergedSectors, 32u);
  const auto amongLoads = operationsOf(launchOf(eightOfEach, 1, 32), Kind::store);
  ASSERT_EQ(amongLoads.size(), 8u);
  EXPECT_EQ(amongLoads[7].mergedSectors, 0u);
}

TEST(Feed, SectorsAreAloneWhereTheBlockReadsNothingElseOfTheirLine) {
  NEEDS_GPU_CODE();
  EXPECT_EQ(operationsOf(launchOf(strided, 1, 32), Kind::load)[0].aloneSectors, 0u);
  unsigned memory = 0, alone = 0;
  for (const Operation& o : operationsOf(launchOf(linesOfLanes, 1, 32), Kind::load))
    memory += o.memorySectors, alone += o.aloneSectors;
  EXPECT_EQ(memory, 128u);
  EXPECT_EQ(alone, 0u);
  const auto loads = operationsOf(launchOf(intoTheNextBlock, 1, 64), Kind::load);
  EXPECT_EQ(loads[1].memorySectors, 1u);
  EXPECT_EQ(loads[1].aloneSectors, 0u);  // the line beside it is read
  EXPECT_EQ(loads[1].sparseSectors, 1u);
}

TEST(Feed, ASectorOfTwoNeighboursComesFromMemoryForTheOneThatReadsItFirst) {
  NEEDS_GPU_CODE();
  const Launch launch = launchOf(intoTheNextBlock, 64, 64);
  const auto first = operationsOf(launch, Kind::load, 0),
             next = operationsOf(launch, Kind::load, 1);
  EXPECT_EQ(first.at(1).memorySectors, 0u);
  EXPECT_EQ(first.at(1).l2Sectors, 1u);
  EXPECT_EQ(first.at(1).aloneSectors, 0u);
  EXPECT_EQ(next.at(0).memorySectors, 4u);
}

// Warps of a block begin together, though they are executed one after the other.
TEST(Feed, ASectorOfTwoWarpsComesFromMemoryForTheOneThatHasWaitedForLess) {
  NEEDS_GPU_CODE();
  const auto memory = [](auto kernel) {
    std::vector<unsigned> of;
    for (const Operation& o : operationsOf(launchOf(kernel, 1, 64), Kind::load))
      of.push_back(o.memorySectors), of.push_back(o.l1Sectors);
    return of;
  };
  EXPECT_EQ(memory(laterFromTheNextWarp), (std::vector<unsigned>{4, 0, 0, 4, 4, 0}));
  EXPECT_EQ(memory(behindABarrier).at(2), 4u) << "the second load";
  EXPECT_EQ(memory(alsoFromTheNextWarp), (std::vector<unsigned>{4, 0, 4, 0, 0, 4, 0, 0}));
}

TEST(Feed, KnowsStoresToWhatWasJustLoaded) {
  NEEDS_GPU_CODE();
  const auto stores = operationsOf(launchOf(sumsInPlace, 1, 32), Kind::store);
  ASSERT_EQ(stores.size(), 5u);
  for (size_t i = 0; i < 5; ++i) EXPECT_EQ(stores[i].overwrites, i < 4) << i;
}

// Those that are looked at have neighbours on all sides.
TEST(Feed, WhatANeighbourHasWaitedForIsInL2) {
  NEEDS_GPU_CODE();
  const auto launched = [](unsigned planes) {
    estimate::Sampler sampler(132);
    sampler.run([&] {
      DeviceArray<int> data(9 * 64 * 512, "data"), out(64 * 512, "out");
      launch(dim3(16, 16, planes), 128, throughPlanes, data.data(), out.data());
    });
    return sampler.take().at(0);
  };
  EXPECT_EQ(launched(3).chosen, (std::vector<uint64_t>{358, 359, 460, 461})) << "in no face";
  const Launch launch = launched(1);
  ASSERT_EQ(launch.chosen.size(), 4u);
  for (const estimate::Block& block : launch.sampled) {
    if (std::ranges::find(launch.chosen, block.number) == launch.chosen.end()) continue;
    unsigned fromMemory = 0, fromL2 = 0, onTheirWay = 0;
    for (const Operation& o : block.warps.at(3).operations) {
      if (o.kind != Kind::load) continue;
      fromMemory += o.memorySectors, fromL2 += o.l2Sectors, onTheirWay += o.othersSectors;
    }
    EXPECT_EQ(fromMemory, 8 * 4 + 5u) << "of the first plane nobody has read anything";
    EXPECT_EQ(fromL2, 7 * 5u);
    EXPECT_EQ(onTheirWay, 0u);
  }
}

TEST(Feed, BlocksThatStandForAllDoAsMuchAsAll) {
  NEEDS_GPU_CODE();
  for (const unsigned some : {3u, 5u, 8u, 10u, 20u}) {
    estimate::Sampler sampler(132);
    sampler.run([&] {
      DeviceArray<int> data(1024, "data"), out(32 * 200'000, "out");
      launch(200'000, 32, oneOfSome, data.data(), out.data(), some);
    });
    const Launch launch = sampler.take().at(0);
    ASSERT_EQ(launch.chosen.size(), 40u);
    unsigned many = 0;
    for (const estimate::Block& block : launch.sampled)
      many += std::ranges::find(launch.chosen, block.number) != launch.chosen.end() &&
              ((uint32_t(block.number) * 2654435769u) >> 8) % some == 0;
    EXPECT_NEAR(many, 40.0 / some, 1.01) << some;
  }
}

TEST(Feed, WhereBlocksDifferALittleTheGridsAverageIsKnown) {
  NEEDS_GPU_CODE();
  const Launch launch = launchOf(firstBlocksDoMore, 4000, 32);
  EXPECT_TRUE(launch.chosen.empty());
  EXPECT_LT(launch.workOfAll, 0.99);
  EXPECT_GT(launch.workOfAll, 0.94);
  EXPECT_EQ(launchOf(someDoHalfMore, 4000, 32).chosen.size(), 40u) << "a fifth more and less";
}

TEST(Feed, OfBlocksThatMayEndLastTheLongestAndALaterOneStandForThemselves) {
  NEEDS_GPU_CODE();
  const Launch launch = launchOf(twoLongBlocks, 4000, 32);
  ASSERT_EQ(launch.longest.size(), 2u);
  EXPECT_EQ(launch.longest[0].number, 300u);
  EXPECT_EQ(launch.longest[1].number, 3900u);
  const Launch one = launchOf(oneLongBlock, 2000, 32);
  ASSERT_FALSE(one.longest.empty());
  EXPECT_EQ(one.longest[0].number, 300u);
}

TEST(Feed, AnExchangeThatNobodyReadsIsNoStore) {
  NEEDS_GPU_CODE();
  EXPECT_EQ(operationsOf(launchOf(exchanges, 1, 32), Kind::atomic).size(), 2u);
}

TEST(Feed, BankConflictsArePasses) {
  NEEDS_GPU_CODE();
  const auto stores = operationsOf(launchOf(conflicts, 1, 32), Kind::sharedStore);
  ASSERT_EQ(stores.size(), 1u);
  EXPECT_EQ(stores[0].passes, 32u);
  EXPECT_EQ(stores[0].conflicts, 31u);
}

// The second warp has nothing to add, but its loads and its store are issued all the same.
TEST(Feed, AWarpWithoutAPredicateIssuesItsAccessesToSharedMemoryWithoutLanes) {
  NEEDS_GPU_CODE();
  const Launch launch = launchOf(predicated, 1, 64);
  const auto& operations = launch.sampled[0].warps.at(1).operations;
  const auto without = [&](Kind kind) {
    return std::ranges::count_if(
        operations, [&](const Operation& o) { return o.kind == kind && o.lanes == 0; });
  };
  EXPECT_GE(without(Kind::sharedLoad), 5 * 2);
  EXPECT_GE(without(Kind::sharedStore), 5);
  for (const Operation& o : launch.sampled[0].warps[0].operations)
    EXPECT_TRUE(o.lanes > 0 || (o.kind != Kind::sharedLoad && o.kind != Kind::sharedStore));
}

TEST(Feed, WordsSideBySideInSharedMemoryAreLoadedTogether) {
  NEEDS_GPU_CODE();
  const auto loads = operationsOf(launchOf(sideBySide, 1, 32), Kind::sharedLoad);
  ASSERT_EQ(loads.size(), 2u);
  for (const Operation& load : loads) {
    EXPECT_EQ(load.bytes, 16u);
    EXPECT_EQ(load.passes, 2u);  // all lanes load the same: a pass for each half of the warp
  }
  EXPECT_EQ(operationsOf(launchOf(atADistance, 1, 32), Kind::sharedLoad).size(), 2u);
}

TEST(Feed, KnowsTheArraysAndHowMuchOfThemIsTouched) {
  NEEDS_GPU_CODE();
  const Launch launch = launchOf(addOne, 4096, 64);
  ASSERT_EQ(launch.arrays.size(), 3u);
  EXPECT_EQ(launch.arrays[1], 4u * 64 * 4096);
  EXPECT_EQ(launch.arrays[2], 4u * 64 * 4096);
  const Operation load = operationsOf(launch, Kind::load)[0];
  const Operation store = operationsOf(launch, Kind::store)[0];
  EXPECT_NE(load.array, store.array);
  EXPECT_GT(load.array * store.array, 0);
}

TEST(Feed, KnowsTheSharedMemoryThatAKernelUses) {
  NEEDS_GPU_CODE();
  EXPECT_EQ(launchOf(conflicts, 1, 32).sharedBytes, 4096u);
  EXPECT_EQ(launchOf(addOne, 1, 32).sharedBytes, 0u);
}

TEST(Feed, ArraysOfAThreadAreInRegistersWhereLoopsCanBeUnrolled) {
  NEEDS_GPU_CODE();
  EXPECT_EQ(operationsOf(launchOf(triangleOfSums, 1, 32), Kind::store).size(), 65u);
  EXPECT_EQ(operationsOf(launchOf(sortsInRegisters, 1, 32), Kind::store).size(), 1u);
}

TEST(Feed, ListsALongLoopInPart) {
  NEEDS_GPU_CODE();
  const Launch launch = launchOf(longLoop, 1, 32);
  const estimate::Warp& warp = launch.sampled[0].warps[0];
  ASSERT_GT(warp.repeats, 0);
  EXPECT_LT(warp.operations.size(), 1000u);
  double loads = 0;
  for (size_t i = 0; i < warp.operations.size(); ++i)
    if (warp.operations[i].kind == Kind::load)
      loads += i >= warp.repeatFrom && i < warp.repeatTo ? 1 + warp.repeats : 1;
  EXPECT_NEAR(loads, (1 << 18) / 32, 1);
}

TEST(Feed, AFunctionOfHalvesIsOneOfFloats) {
  NEEDS_GPU_CODE();
  const Launch launch = launchOf(exponentials, 1, 32);
  double doubles = 0;
  for (const Operation& o : operationsOf(launch, Kind::instructions)) doubles += o.unitCycles[2];
  EXPECT_EQ(doubles, 0);
  for (const Operation& o : operationsOf(launch, Kind::atomic)) EXPECT_EQ(o.lanes, 0);
}

TEST(Feed, IsTheSameEveryTime) {
  NEEDS_GPU_CODE();
  const Launch one = launchOf(again, 64, 256), two = launchOf(again, 64, 256);
  for (size_t w = 0; w < one.sampled[5].warps.size(); ++w) {
    const auto &a = one.sampled[5].warps[w].operations, &b = two.sampled[5].warps[w].operations;
    ASSERT_EQ(a.size(), b.size());
    for (size_t i = 0; i < a.size(); ++i) {
      EXPECT_EQ(a[i].count, b[i].count);
      EXPECT_EQ(a[i].memorySectors, b[i].memorySectors);
      EXPECT_EQ(a[i].neededAt, b[i].neededAt);
    }
  }
}
