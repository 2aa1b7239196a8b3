// Races are found from what is told of accesses: no kernel runs here, and there is no launch but
// for the object that one is.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "simt/find/block_races.h"
#include "simt/find/race_reports.h"
#include "simt/find/races.h"
#include "simt/find/searched_block.h"
#include "simt/run/device_arrays.h"

using namespace simt;

namespace {

// Instructions have addresses, and these are some.
const char code[8] = {};

// Two blocks of 64 threads, which take turns as the tests tell them to.
class Launched {
 public:
  Launched() {
    launch.call.grid = {2, 1, 1};
    launch.call.block = {64, 1, 1};
    launch.kernelName = "kernel";
    block->launch_ = &launch;
    block->size = 64;
    for (Thread& thread : block->allThreads())
      thread.index = indexOf(thread.rank, launch.call.block);
  }
  ~Launched() { blockOfThisOsThread = nullptr; }

  void runBlock(unsigned number) {
    blockOfThisOsThread = block.get();
    block->index = {number, 0, 0};
    beginBlockAccesses(number + 1);
  }
  void endBlock() {
    settlePendingWrites();
    checkAgainstOtherBlocks(true);
  }
  void stores(unsigned thread, int& word, int value, const void* pc = &code[1]) {
    settlePendingWrites();
    checkRaces(block->threads[thread], reinterpret_cast<uintptr_t>(&word), sizeof word,
               Access::store, pc, Scope::device, false);
    word = value;
  }
  void loads(unsigned thread, const int& word, const void* pc = &code[2]) {
    Thread& self = block->threads[thread];
    lookUp({&self, reinterpret_cast<uintptr_t>(&word), sizeof word, Access::load, pc},
           AccessRecord(block->accesses.epoch, thread, false, siteOf(pc)), false);
  }
  void atomics(unsigned thread, int& word, MemoryOrder order, bool writes) {
    block->current = &block->threads[thread];
    orderByAtomic(&word, {writes, nullptr}, order, Scope::device);
    block->current = nullptr;
  }
  std::vector<Fault> found() {
    blockOfThisOsThread = block.get();
    settlePendingWrites();
    return launch.faults.settle({});
  }

 private:
  SearchedLaunch launch;
  const std::unique_ptr<SearchedBlock> block = std::make_unique<SearchedBlock>();
};

struct Array16 {
  int* const data = static_cast<int*>(allocate(16 * sizeof(int), sizeof(int), "data"));
  ~Array16() { release(data); }
  int& operator[](size_t i) const { return data[i]; }
};

}  // namespace

TEST(Races, AreBetweenTwoThreadsThatNothingOrders) {
  const Array16 data;
  Launched launched;
  launched.runBlock(0);
  launched.stores(3, data[5], 1);
  launched.loads(40, data[5]);
  const std::vector<Fault> found = launched.found();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, Fault::Kind::race);
  EXPECT_EQ(found[0].array, "data");
  EXPECT_EQ(found[0].index, 5);
  ASSERT_EQ(found[0].threads.size(), 2u);
  EXPECT_EQ(found[0].threads[0].x, 3u);
  EXPECT_EQ(found[0].threads[1].x, 40u);
}

TEST(Races, OfTwoWarpsAreToldWhereLanesOfOneDoTheSameFirst) {
  const Array16 data;
  for (const bool reads : {true, false}) {
    Launched launched;
    launched.runBlock(0);
    const auto race = [&](int& word, unsigned thread) {
      launched.stores(3, word, 1);
      reads ? launched.loads(thread, word) : launched.stores(thread, word, 2, &code[3]);
    };
    race(data[5], 4);
    race(data[6], 40);
    race(data[7], 4);
    const std::vector<Fault> found = launched.found();
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].index, 6);
    EXPECT_EQ(std::string(found[0].what()).find("same warp"), std::string::npos);
  }
}

TEST(Races, AreNoneBehindABarrierOrOfOneThread) {
  const Array16 data;
  Launched launched;
  launched.runBlock(0);
  launched.stores(3, data[5], 1);
  launched.loads(3, data[5]);
  orderAllThreads();
  launched.loads(40, data[5]);
  EXPECT_TRUE(launched.found().empty());
}

TEST(Races, OfEqualWritesAreBenign) {
  const Array16 data;
  Launched launched;
  launched.runBlock(0);
  launched.stores(3, data[5], 7);
  launched.stores(40, data[5], 7);
  launched.stores(3, data[6], 7);
  launched.stores(40, data[6], 8, &code[3]);
  const std::vector<Fault> found = launched.found();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].kind, Fault::Kind::benignRace);
  EXPECT_EQ(found[1].kind, Fault::Kind::race);
}

TEST(Races, OfBlocksAreHeldAgainstWhatEarlierBlocksDid) {
  const Array16 data;
  Launched launched;
  launched.runBlock(0);
  launched.stores(3, data[5], 1);
  orderAllThreads();  // of no use to other blocks
  launched.endBlock();
  launched.runBlock(1);
  launched.loads(3, data[5]);
  launched.endBlock();
  const std::vector<Fault> found = launched.found();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, Fault::Kind::race);
  EXPECT_NE(std::string(found[0].what()).find("thread 3 of block 0"), std::string::npos);
  EXPECT_NE(std::string(found[0].what()).find("thread 3 of block 1"), std::string::npos);
}

TEST(Races, OfBlocksAreNoneBehindAReleaseAndAnAcquisition) {
  const Array16 data;
  Launched launched;
  launched.runBlock(0);
  launched.stores(3, data[5], 1);
  launched.atomics(3, data[0], MemoryOrder::release, true);
  launched.endBlock();
  launched.runBlock(1);
  launched.atomics(8, data[0], MemoryOrder::acquire, false);
  launched.loads(8, data[5]);
  launched.endBlock();
  EXPECT_TRUE(launched.found().empty());
}

TEST(Races, OfOneLaunchAreNoOthers) {
  const Array16 data;
  Launched one, other;
  one.runBlock(0);
  one.stores(3, data[5], 1);
  one.endBlock();
  other.runBlock(1);
  other.loads(3, data[5]);
  other.endBlock();
  one.runBlock(1);
  one.loads(3, data[6]);
  one.endBlock();
  EXPECT_TRUE(one.found().empty());
  EXPECT_TRUE(other.found().empty());
}
