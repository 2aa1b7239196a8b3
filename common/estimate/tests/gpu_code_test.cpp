// The interpreter of PTX by itself: what code written by hand computes, costs and asks for.
// Long, as the code of each test stands in it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <list>
#include <memory>
#include <numeric>
#include <set>
#include <tuple>

#include "estimate/gpu_code/feed.h"
#include "estimate/gpu_code/lanes.h"
#include "estimate/gpu_code/machine.h"
#include "estimate/gpu_code/machine_code.h"
#include "estimate/repeated_loops.h"
#include "estimate/sampled.h"

namespace estimate::gpu_code {
namespace {

std::string times(unsigned count, const std::string& what) {
  std::string all;
  for (unsigned k = 0; k < count; ++k) all += what;
  return all;
}

// A kernel of an array and a number; the body has the array's address in %rd1, the number in %r1
// and the thread's place in %r2.
std::string kernelOf(const std::string& body) {
  return R"(.version 7.5
.target sm_80
.address_size 64
.visible .entry k(.param .u64 k_param_0, .param .u32 k_param_1)
{
	.reg .pred %p<9>;
	.reg .b32 %r<40>;
	.reg .f32 %f<9>; .reg .b16 %h<3>;
	.reg .b64 %rd<30>;
	.shared .align 4 .b8 block[4096];
	ld.param.u64 %rd1, [k_param_0];
	ld.param.u32 %r1, [k_param_1];
	mov.u32 %r2, %tid.x;
	mov.u32 %r3, %ctaid.x;
	mov.u32 %r4, %ntid.x;
	mad.lo.s32 %r5, %r3, %r4, %r2;
	mul.wide.u32 %rd2, %r5, 4;
	add.s64 %rd3, %rd1, %rd2;
)" + body +
         "\n\tret;\n}\n";
}

struct Ran {
  std::vector<int> array;  // as the kernel left it
  Launch launch;
};

Ran ran(const std::string& body, const std::vector<int>& array, uint32_t number, uint32_t threads,
        uint32_t grid = 1, uint64_t most = 1'000'000, std::vector<uint64_t> blocks = {}) {
  const std::string code = kernelOf(body);
  const Module module = readModule(code);
  const Function& kernel = module.functions.at("k");
  LaunchOfCode launch;
  launch.grid.x = grid;
  launch.block.x = threads;
  launch.parameters.resize(kernel.paramBytes);
  std::vector<int> room(array.size() + 64);
  void* begin = room.data();
  size_t bytes = room.size() * sizeof(int);
  // Where cudaMalloc's arrays begin.
  int* const data = static_cast<int*>(std::align(256, array.size() * sizeof(int), begin, bytes));
  std::copy(array.begin(), array.end(), data);
  std::memcpy(launch.parameters.data(), &data, sizeof data);
  std::memcpy(launch.parameters.data() + 8, &number, sizeof number);
  Memory memory([](uint64_t, uint8_t*) {});
  Feed feed(module, kernel, launch, "k", {});
  if (blocks.empty()) {
    blocks.resize(grid);
    std::iota(blocks.begin(), blocks.end(), 0);
  }
  execute(module, kernel, launch, blocks, memory, feed, most);
  EXPECT_TRUE(std::equal(array.begin(), array.end(), data));  // the program's memory is as it was
  std::vector<int> after(array.size());
  memory.read(reinterpret_cast<uint64_t>(data), after.data(), 4 * after.size());
  return {std::move(after), feed.take()};
}

std::vector<int> numbers(size_t count) {
  std::vector<int> all(count);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

unsigned countOf(const Launch& launch, Operation::Kind kind) {
  unsigned count = 0;
  for (const Operation& o : launch.sampled.at(0).warps.at(0).operations) count += o.kind == kind;
  return count;
}

Operation lastLoadOf(const Block& block) {
  Operation last;
  for (const Operation& o : block.warps.at(0).operations)
    if (o.kind == Operation::Kind::load) last = o;
  return last;
}

// How often a warp waits for loads: those that go together are one.
size_t waitsForLoadsOf(const Launch& launch) {
  std::set<uint32_t> needed;
  for (const Operation& o : launch.sampled.at(0).warps.at(0).operations)
    if (o.kind == Operation::Kind::load) needed.insert(o.neededAt);
  return needed.size();
}

// Whether the second of its first two loads goes before the first is waited for.
bool areTogether(const Launch& launch) {
  const std::vector<Operation>& all = launch.sampled.at(0).warps.at(0).operations;
  std::vector<size_t> loads;
  for (size_t k = 0; k < all.size(); ++k)
    if (all[k].kind == Operation::Kind::load) loads.push_back(k);
  return all[loads.at(0)].neededAt > loads.at(1);
}

TEST(GpuCode, EveryLaneComputesAndStoresInACopyOfMemory) {
  const Ran end =
      ran("ld.global.u32 %r6, [%rd3]; mad.lo.s32 %r7, %r6, %r1, 1; st.global.u32 [%rd3], %r7;",
          numbers(64), 3, 64);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(end.array[size_t(i)], 3 * i + 1);
}

TEST(GpuCode, LanesThatPartMeetAgain) {
  const Ran end = ran(R"(
	and.b32 %r6, %r2, 1;
	setp.eq.s32 %p1, %r6, 0;
	@%p1 bra EVEN;
	mov.u32 %r7, 100;
	bra.uni MEET;
EVEN:
	mov.u32 %r7, 200;
MEET:
	shfl.sync.bfly.b32 %r8, %r7, 1, 31, -1;
	add.s32 %r9, %r7, %r8;
	st.global.u32 [%rd3], %r9;)",
                      numbers(32), 0, 32);
  for (const int value : end.array) EXPECT_EQ(value, 300);
  EXPECT_EQ(countOf(end.launch, Operation::Kind::shuffle), 1u);
  for (const Operation& o : end.launch.sampled[0].warps[0].operations)
    EXPECT_TRUE(o.kind != Operation::Kind::store || o.lanes == 32);
}

TEST(GpuCode, LoopsEndForEachLaneByItself) {
  const Ran end = ran(R"(
	mov.u32 %r7, 0;
	mov.u32 %r6, 0;
LOOP:
	add.s32 %r7, %r7, %r6;
	add.s32 %r6, %r6, 1;
	setp.le.u32 %p1, %r6, %r2;
	@%p1 bra LOOP;
	st.global.u32 [%rd3], %r7;)",
                      numbers(32), 0, 32);
  for (int i = 0; i < 32; ++i) EXPECT_EQ(end.array[size_t(i)], i * (i + 1) / 2);
}

// Some turns end early, some lanes leave the loop from either side: who stays goes on together.
TEST(GpuCode, LanesMeetAgainInALoopThatSomeLeave) {
  const Ran end = ran(R"(
	mov.u32 %r6, 0;
	mov.u32 %r7, 0;
	bra.uni LOOP;
EARLY:
	add.s32 %r7, %r7, 1;
	add.s32 %r9, %r2, 20;
	setp.ge.u32 %p2, %r6, %r9;
	@%p2 bra END;
LOOP:
	add.s32 %r6, %r6, 1;
	ld.global.u32 %r8, [%rd3];
	add.s32 %r8, %r8, %r6;
	and.b32 %r8, %r8, 1;
	setp.eq.s32 %p1, %r8, 0;
	@%p1 bra EARLY;
	setp.ge.u32 %p3, %r6, 40;
	@%p3 bra DONE;
	bra.uni LOOP;
DONE:
	add.s32 %r7, %r7, 100;
END:
	st.global.u32 [%rd3], %r7;)",
                      numbers(32), 0, 32);
  for (int i = 0; i < 32; ++i) {
    int turn = 0, early = 0;
    for (bool goesOn = true; goesOn;) {
      ++turn;
      if ((i + turn) % 2 == 0) {
        ++early;
        goesOn = turn < i + 20;
      } else if (turn >= 40) {
        early += 100;
        goesOn = false;
      }
    }
    EXPECT_EQ(end.array[size_t(i)], early) << i;
  }
  double loads = 0;
  const estimate::Warp& warp = end.launch.sampled[0].warps[0];
  for (size_t i = 0; i < warp.operations.size(); ++i)
    if (warp.operations[i].kind == Operation::Kind::load) loads += warp.timesOf(i);
  EXPECT_LE(loads, 50);  // not so many for each lane
}

TEST(GpuCode, BarriersLetNoWarpPastTheOthers) {
  const Ran end = ran(R"(
	mov.u64 %rd4, block;
	mul.wide.u32 %rd5, %r2, 4;
	add.s64 %rd6, %rd4, %rd5;
	st.shared.u32 [%rd6], %r2;
	bar.sync 0;
	xor.b32 %r6, %r2, 127;
	mul.wide.u32 %rd7, %r6, 4;
	add.s64 %rd8, %rd4, %rd7;
	ld.shared.u32 %r7, [%rd8];
	st.global.u32 [%rd3], %r7;)",
                      numbers(128), 0, 128);
  for (int i = 0; i < 128; ++i) EXPECT_EQ(end.array[size_t(i)], 127 - i);
  EXPECT_EQ(countOf(end.launch, Operation::Kind::blockBarrier), 1u);
  EXPECT_EQ(end.launch.sharedBytes, 4096u);
}

TEST(GpuCode, AtomicsAddUpOverLanesAndBlocks) {
  const auto passes = [](const Ran& end) {
    unsigned most = 0;
    for (const Operation& o : end.launch.sampled[0].warps[0].operations)
      if (o.kind == Operation::Kind::atomic) most = std::max<unsigned>(most, o.passes);
    return most;
  };
  const Ran end = ran("atom.global.add.u32 %r6, [%rd1], 1;", numbers(64), 0, 64, 4);
  EXPECT_EQ(end.array[0], 256);
  EXPECT_EQ(passes(end), 1u);  // ptxas has a warp add up first, for one address of all
  const Ran wrapping = ran("atom.global.inc.u32 %r6, [%rd1], 1000;", numbers(64), 0, 64, 4);
  EXPECT_EQ(wrapping.array[0], 256);
  EXPECT_EQ(passes(wrapping), 32u);
}

// A counter that each block adds another number to is none; nor is what blocks exchange.
TEST(GpuCode, BlocksThatAreLeftOutAddToCountersOfAllAndToNothingElse) {
  const Ran end = ran(R"(
	atom.global.add.u32 %r6, [%rd1], 2;
	atom.global.add.u32 %r7, [%rd1+4], %r3;
	atom.global.exch.b32 %r8, [%rd1+8], %r3;
	atom.global.max.u32 %r9, [%rd1+12], 7;)",
                      {0, 0, 0, 0}, 0, 1, 100, 1'000'000, {0, 1, 40, 41, 99});
  EXPECT_EQ(end.array, (std::vector{200, 0 + 1 + 40 + 41 + 99, 99, 7}));
}

TEST(GpuCode, LinesOfHeadersThatStandInForCudasAreThoseOfTheirCallers) {
  const std::string code =
      kernelOf(".loc 1 12 3\n\tadd.s32 %r6, %r2, 1;\n.loc 2 99 1\n\tst.global.u32 [%rd3], %r6;") +
      "\n.file 1 \"/home/me/kernel.cuh\"\n.file 2 \"/home/me/common/simt/device/warp.h\"\n";
  const Module module = readModule(code);
  EXPECT_EQ(module.lines, (std::vector<std::string>{"", "kernel.cuh:12"}));
}

TEST(GpuCode, AValueThatIsNotNeededYetIsNotWaitedFor) {
  const Ran end = ran(R"(
	ld.global.u32 %r6, [%rd3];
	ld.global.u32 %r7, [%rd3+128];
	add.s32 %r8, %r6, %r7;
	st.global.u32 [%rd3], %r8;)",
                      numbers(64), 0, 32);
  const std::vector<Operation>& all = end.launch.sampled[0].warps[0].operations;
  std::vector<size_t> loads;
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i].kind == Operation::Kind::load) loads.push_back(i);
  ASSERT_EQ(loads.size(), 2u);
  EXPECT_EQ(loads[1], loads[0] + 1);
  for (const size_t load : loads) EXPECT_GT(all[load].neededAt, loads[1]);
  EXPECT_EQ(all[loads[0]].memorySectors, 4);
}

TEST(GpuCode, LoadsStayBehindStoresThatMayWriteWhatTheyRead) {
  const auto waited = [](const std::string& load) {
    const Ran end = ran("mov.u32 %r9, 0; add.s64 %rd4, %rd1, 4096;\nLOOP: " + load +
                            R"( %r6, [%rd3];
	add.s32 %r7, %r6, %r1;
	st.global.u32 [%rd4], %r7;
	add.s64 %rd3, %rd3, 128;
	add.s64 %rd4, %rd4, 128;
	add.s32 %r9, %r9, 1;
	setp.lt.u32 %p1, %r9, 32;
	@%p1 bra LOOP;)",
                        numbers(2048), 1, 32);
    std::set<uint32_t> places;
    for (const Operation& o : end.launch.sampled[0].warps[0].operations)
      if (o.kind == Operation::Kind::load) places.insert(o.neededAt);
    return places;
  };
  EXPECT_EQ(waited("ld.global.u32").size(), 32u);
  // ptxas has the loads of sixteen turns together, and what uses one of them waits for all.
  EXPECT_EQ(waited("ld.global.nc.u32").size(), 2u);
  EXPECT_FALSE(waited("ld.global.nc.u32").contains(Operation::never));
}

TEST(GpuCode, PlacesAreToldApartByTheNumbersInThem) {
  // Whether the second of two places is read before the first is written.
  const auto areApart = [](const std::string& first, const std::string& second) {
    const Ran end = ran(first +
                            "ld.global.u32 %r6, [%rd5]; add.s32 %r7, %r6, 1;"
                            "st.global.u32 [%rd5], %r7;" +
                            second +
                            "ld.global.u32 %r8, [%rd7]; add.s32 %r9, %r8, %r7;"
                            "st.global.u32 [%rd7], %r9;",
                        numbers(2048), 1, 32);
    const std::vector<Operation>& all = end.launch.sampled.at(0).warps.at(0).operations;
    const auto isStore = [](const Operation& o) { return o.kind == Operation::Kind::store; };
    const auto store = std::ranges::find_if(all, isStore);
    return std::count_if(all.begin(), store,
                         [](const Operation& o) { return o.kind == Operation::Kind::load; }) == 2;
  };
  const std::string same = "add.s64 %rd5, %rd3, 0; ";
  EXPECT_TRUE(areApart(same, "add.s64 %rd7, %rd3, 256; "));
  EXPECT_FALSE(areApart(same, "add.s64 %rd7, %rd3, 0; "));
  EXPECT_FALSE(areApart(same, "add.s64 %rd7, %rd3, -4; sub.s64 %rd7, %rd7, -4; "));
  EXPECT_FALSE(areApart(same, "add.s64 %rd7, %rd1, 256; ")) << "nobody knows";
  const std::string index = "mul.wide.s32 %rd4, %r5, 4; add.s64 %rd5, %rd1, %rd4; ",
                    other = "mul.wide.s32 %rd6, %r10, 4; add.s64 %rd7, %rd1, %rd6; ";
  EXPECT_TRUE(areApart(index, "add.s32 %r10, %r5, 64; " + other));
  EXPECT_TRUE(areApart(index, "mad.lo.s32 %r10, %r5, 1, 64; " + other));
  EXPECT_FALSE(areApart(index, "add.u32 %r10, %r5, 64; " + other)) << "it may go round";
  EXPECT_FALSE(areApart(index, "mad.lo.s32 %r10, %r2, 3, %r5; " + other));
}

TEST(GpuCode, TurnsOfALoopWaitForWhatTheOneBeforeLoaded) {
  const auto waited = [](const std::string& next, const std::string& goesOn) {
    const Ran end = ran("mov.u32 %r9, 0;\nLOOP: ld.global.nc.u32 %r6, [%rd3];\n\t" + next + R"(
	add.s32 %r9, %r9, 1;
	setp.lt.u32 %p1, )" +
                            goesOn + R"(;
	@%p1 bra LOOP;)",
                        std::vector<int>(2048, 0), 1, 32);
    std::set<uint32_t> places;
    for (const Operation& o : end.launch.sampled[0].warps[0].operations)
      if (o.kind == Operation::Kind::load) places.insert(o.neededAt);
    return places.size();
  };
  const std::string further = "add.s64 %rd3, %rd3, 128; add.s32 %r7, %r7, %r6;";
  const std::string there = "mul.wide.u32 %rd4, %r6, 4; add.s64 %rd3, %rd1, %rd4;";
  EXPECT_EQ(waited(further, "%r9, 32"), 2u);
  EXPECT_EQ(waited(there, "%r9, 32"), 32u) << "its address is what was loaded";
  const std::string sum = further + "add.s32 %r8, %r6, %r9;";
  EXPECT_EQ(waited(sum, "%r8, 31"), 32u) << "what was loaded says whether it goes on";
}

double instructionsOf(const Launch& launch) {
  double sum = 0;
  for (const Operation& o : launch.sampled.at(0).warps.at(0).operations) sum += o.count;
  return sum;
}

double branchesOf(const Launch& launch) {
  double sum = 0;
  for (const Operation& o : launch.sampled.at(0).warps.at(0).operations) sum += o.control;
  return sum;
}

// 32 lanes do it to one address: one lane does it for all, or each comes in turn.
TEST(GpuCode, AWarpPutsTogetherWhatItsLanesDoToOneAddress) {
  const auto turns = [](const std::string& what) {
    const Ran end = ran("red.global." + what + " [%rd1], %r1;", numbers(32), 0, 32);
    double sum = 0;
    for (const Operation& o : end.launch.sampled.at(0).warps.at(0).operations)
      if (o.kind == Operation::Kind::atomic) sum += o.passes;
    return sum;
  };
  for (const char* what : {"add.u32", "min.u32", "max.u32", "and.b32", "or.b32", "xor.b32"})
    EXPECT_EQ(turns(what), 1) << what;
  EXPECT_EQ(turns("inc.u32"), 32);
}

// What 64 turns cost beside as many that none are.
double costOf64(const std::string& turn, const std::string& jump) {
  const auto all = [&](const std::string& loop) {
    return instructionsOf(
        ran("mov.u32 %r9, 0; mov.u32 %r6, %r1;\n" + loop + "\nEND: st.global.u32 [%rd3], %r6;",
            numbers(32), 5, 32)
            .launch);
  };
  return all("LOOP: " + turn + "\n" + jump) - all("");
}

TEST(GpuCode, ShortLoopsFromAConstantToAConstantAreUnrolledWholeHoweverTheyJumpBack) {
  const std::string turn = "xor.b32 %r6, %r6, %r2; add.s32 %r9, %r9, 1;";
  EXPECT_NEAR(costOf64(turn, "setp.lt.s32 %p1, %r9, 64; @%p1 bra LOOP;"), 64 + 4, 2);
  EXPECT_NEAR(costOf64(turn, "setp.ge.s32 %p1, %r9, 64; @%p1 bra END; bra.uni LOOP;"), 64 + 4, 2);
  // Of 1,024 turns 256 at a time, of 32 instructions eight.
  EXPECT_NEAR(costOf64(turn, "setp.lt.s32 %p1, %r9, 1024; @%p1 bra LOOP;"), 1024 + 4 * 3, 8);
  EXPECT_NEAR(costOf64(times(32, "xor.b32 %r6, %r6, %r2; ") + "add.s32 %r9, %r9, 1;",
                       "setp.lt.s32 %p1, %r9, 64; @%p1 bra LOOP;"),
              64 * 32 + 2 * 64 / 4, 64);
  const double load =
      costOf64("ld.global.u32 %r7, [%rd1]; " + turn, "setp.lt.s32 %p1, %r9, 64; @%p1 bra LOOP;");
  EXPECT_GT(costOf64("atom.global.add.u32 %r7, [%rd1], 1; " + turn,
                     "setp.lt.s32 %p1, %r9, 64; @%p1 bra LOOP;"),
            load + 2 * 64 / 4 - 2 * 64 / 16 - 1)
      << "of atomics four";
}

TEST(GpuCode, LoopsAreUnrolledAsFarAsTheirTurnsAreShortAndNoneAreLeft) {
  // Instructions that only count turns, three where they are not unrolled.
  const auto counting = [](const std::string& what, unsigned many, unsigned turns) {
    std::string all;
    for (unsigned k = 0; k < many; ++k) all += what;
    const std::string jump = "setp.lt.s32 %p1, %r9, " + std::to_string(turns) + "; @%p1 bra LOOP;";
    return costOf64(all + "add.s32 %r9, %r9, 1;", jump) - double(many * turns);
  };
  const std::string step = "shl.b32 %r6, %r6, %r2; ";
  EXPECT_NEAR(counting(step, 40, 62), 3 * 62 / 4.0, 8);
  EXPECT_NEAR(counting(step, 80, 62), 3 * 62 / 2.0, 8);
  EXPECT_NEAR(counting(step, 120, 62), 3 * 62, 8);
  EXPECT_NEAR(counting("fma.rn.f32 %f1, %f1, %f2, %f1; ", 40, 62), 3 * 62 / 2.0, 8)
      << "two of a product and a sum";
  EXPECT_NEAR(counting(step, 16, 64), 3 * 64 / 16.0, 4);
  EXPECT_NEAR(counting(step, 16, 68), 3 * 68 / 4.0, 4) << "17 times 4";
}

TEST(GpuCode, TurnsLeftOverOfAnUnrolledLoopComeFirst) {
  const auto lanesOfLoads = [](const std::string& begin, uint32_t end, const std::string& bound) {
    const Ran turns = ran("mov.u32 %r6, 0; " + begin +
                              "LOOP: ld.global.u32 %r7, [%rd3]; add.s32 %r6, %r6, %r7;"
                              "add.s32 %r9, %r9, 8; setp.lt.s32 %p1, %r9, " +
                              bound + "; @%p1 bra LOOP;\nst.global.u32 [%rd3], %r6;",
                          numbers(32), end, 32);
    std::vector<unsigned> lanes;
    for (const Operation& o : turns.launch.sampled.at(0).warps.at(0).operations)
      if (o.kind == Operation::Kind::load) lanes.push_back(o.lanes);
    return lanes;
  };
  using Lanes = std::vector<unsigned>;
  const std::string same = "shr.u32 %r9, %r2, 5;",
                    uneven = "shr.u32 %r9, %r2, 1; and.b32 %r9, %r9, 8;";
  EXPECT_EQ(lanesOfLoads(same, 32, "%r1"), Lanes(4, 32));
  // Half of the warp goes round four times, and half three times: these are left over.
  EXPECT_EQ(lanesOfLoads(uneven, 32, "%r1"), Lanes(7, 16));
  // As it is known that there are no four.
  EXPECT_EQ(lanesOfLoads(uneven, 0, "24"), (Lanes{32, 32, 16}));
}

TEST(GpuCode, TurnsLeftOverWaitOneForTheOther) {
  const auto waitsOf = [](uint32_t end, const std::string& bound) {
    const Ran turns =
        ran("mov.u32 %r6, 0; shr.u32 %r9, %r2, 5; LOOP: ld.global.u32 %r7, [%rd3];"
            "add.s32 %r6, %r6, %r7; add.s32 %r9, %r9, 1; setp.lt.s32 %p1, %r9, " +
                bound +
                "; @%p1 bra LOOP;\n"
                "st.global.u32 [%rd3], %r6;",
            numbers(32), end, 32);
    return waitsForLoadsOf(turns.launch);
  };
  EXPECT_EQ(waitsOf(4, "%r1"), 1u);
  EXPECT_EQ(waitsOf(7, "%r1"), 4u);
  EXPECT_EQ(waitsOf(8, "%r1"), 1u);
  EXPECT_EQ(waitsOf(0, "3"), 1u) << "as it is known that there are no four";
}

// In a variable of constants there is room for 64 words.
std::string withConstants(std::string code) {
  const std::string entry = ".visible .entry";
  return code.insert(code.find(entry), ".visible .const .align 4 .b8 words[256];\n");
}

Launch ofConstants(const std::string& body) {
  const std::string code = withConstants(kernelOf(body));
  const Module module = readModule(code);
  const Function& kernel = module.functions.at("k");
  LaunchOfCode launch;
  launch.block.x = 32;
  launch.parameters.resize(kernel.paramBytes);
  const uint32_t turns = 64;
  std::memcpy(launch.parameters.data() + 8, &turns, sizeof turns);
  Memory memory([](uint64_t, uint8_t* bytes) { std::memset(bytes, 0, 1); });
  Feed feed(module, kernel, launch, "k", {});
  execute(module, kernel, launch, {0}, memory, feed, 1'000'000);
  return feed.take();
}

TEST(GpuCode, ConstantsThatALoopCountsAreNoRequests) {
  const auto requests = [](const std::string& begin, const std::string& turn,
                           const std::string& end) {
    return countOf(ofConstants("mov.u32 %r9, 0; mov.u32 %r10, words; " + begin + "\nLOOP: " + turn +
                               "add.f32 %f1, %f1, %f2; add.s32 %r10, %r10, 4; add.s32 %r9, %r9, 1;"
                               "setp.lt.s32 %p1, %r9, " +
                               end + "; @%p1 bra LOOP;"),
                   Operation::Kind::constantLoad);
  };
  const std::string load = "ld.const.f32 %f2, [%r10]; ";
  EXPECT_EQ(requests("", load, "64"), 0u);
  EXPECT_EQ(requests("", load, "%r1"), 0u);
  EXPECT_EQ(requests("add.s32 %r10, %r10, %r3; ", load, "%r1"), 64u) << "another for each block";
  for (const char* end : {"%r1", "64"})
    for (const char* turn : {"mul.f32 %f2, %f2, %f2; ", "fma.rn.f32 %f2, %f1, 0f3F000000, %f2; "})
      EXPECT_EQ(requests("", load + turn, end), 32u) << turn << end << ": two turns have one";
  EXPECT_EQ(requests("", load, "%r2"), 17u) << "31, not as often for all lanes";
}

TEST(GpuCode, ConstantsAreRequestsBesideNumbersThatAreWrittenInTheInstruction) {
  const auto requests = [](const std::string& code) {
    return countOf(ofConstants("mov.u32 %r10, words; ld.const.f32 %f1, [%r10]; "
                               "ld.const.f32 %f2, [%r10+64]; ld.const.u32 %r11, [%r10+128]; "
                               "ld.const.u32 %r12, [%r10+192]; cvt.rn.f32.u32 %f3, %r2; " +
                               code),
                   Operation::Kind::constantLoad);
  };
  EXPECT_EQ(requests(""), 0u);
  EXPECT_EQ(requests("fma.rn.f32 %f3, %f3, %f1, %f3; add.s32 %r7, %r11, %r2;"), 0u);
  EXPECT_EQ(requests("fma.rn.f32 %f3, %f3, 0f3F000000, %f1;"), 1u);
  EXPECT_EQ(requests("mad.lo.s32 %r7, %r2, 31, %r11;"), 1u);
  EXPECT_EQ(requests("fma.rn.f32 %f3, %f3, %f1, %f2;"), 1u) << "one of two";
  EXPECT_EQ(requests("add.s32 %r2, %r2, %r11; add.s32 %r2, %r2, %r12;"), 2u) << "a sum of three";
}

// Instructions that read a constant for all lanes: the line, counted from the first; whether a
// register has it; and how many they are.
std::vector<std::tuple<uint64_t, bool, float>> uniformReadsOf(const Launch& launch) {
  std::vector<std::tuple<uint64_t, bool, float>> reads;
  uint64_t first = 0;
  for (const Operation& o : launch.sampled[0].warps[0].operations)
    if (o.uniformReads > 0) {
      if (reads.empty()) first = o.address;
      reads.emplace_back(o.address - first, o.isIndexed, o.uniformReads);
    }
  return reads;
}

TEST(GpuCode, TheLinesOfConstantsThatAreReadForAllLanesAreListed) {
  using Reads = std::vector<std::tuple<uint64_t, bool, float>>;
  const auto reads = [](const std::string& code) { return uniformReadsOf(ofConstants(code)); };
  EXPECT_EQ(reads("mov.u32 %r10, words; ld.const.f32 %f1, [%r10]; ld.const.f32 %f2, [%r10+4];"
                  "ld.const.v2.f32 {%f3, %f4}, [words+64];"),
            (Reads{{0, false, 1}, {1, false, 1}}));
  const std::string loop =
      "ld.const.f32 %f2, [%r10]; add.f32 %f1, %f1, %f2;"
      "add.s32 %r10, %r10, 4; add.s32 %r9, %r9, 1; setp.lt.s32 %p1, %r9, ";
  const std::string begin = "mov.u32 %r9, 0; mov.u32 %r10, words;\nLOOP: ";
  EXPECT_EQ(reads(begin + loop + "32; @%p1 bra LOOP;"), (Reads{{0, false, 8}, {1, false, 8}}));
  EXPECT_EQ(reads(begin + loop + "%r1; @%p1 bra LOOP;"),
            (Reads{{0, true, 8}, {1, true, 8}, {2, true, 8}, {3, true, 8}}));
  EXPECT_EQ(reads(begin + ".pragma \"nounroll\"; " + loop + "32; @%p1 bra LOOP;"),
            (Reads{{0, true, 16}, {1, true, 16}}));
  EXPECT_EQ(reads("mov.u32 %r9, 0;\nOUTER: mov.u32 %r10, words;\nLOOP: " + loop +
                  "%r1; @%p1 bra LOOP; setp.lt.s32 %p2, %r9, %r1; @%p2 bra OUTER;"),
            Reads{})
      << "a loop around it";
}

// Four chains: one after the other, where there are more constants than stay at hand.
TEST(GpuCode, ManyConstantsAreReadInTheOrderOfTheProgram) {
  const auto goesBack = [](unsigned steps) {
    std::string code;
    for (unsigned chain = 0; chain < 4; ++chain)
      for (unsigned step = 0; step < steps; ++step) {
        const std::string sum = "%f" + std::to_string(1 + chain);
        code += "ld.const.f32 %f" + std::to_string(5 + chain) + ", [words+" +
                std::to_string(4 * (chain * steps + step)) + "]; fma.rn.f32 " + sum + ", " + sum +
                ", %f" + std::to_string(5 + chain) + ", " + sum + ";\n";
      }
    const auto reads = uniformReadsOf(ofConstants(code));
    return !std::ranges::is_sorted(reads, {}, [](const auto& read) { return std::get<0>(read); });
  };
  EXPECT_TRUE(goesBack(64));
  EXPECT_FALSE(goesBack(160));
}

TEST(GpuCode, ALoopOverConstantsThatIsFoldedGoesOnThroughThem) {
  const auto linesOfTurns = [](uint64_t lines) {
    Block block;
    block.warps.resize(1);
    for (uint64_t turn = 0; turn < 4096; ++turn) {
      Operation o;
      o.uniformReads = 1, o.address = turn / 4 % lines;
      block.warps[0].operations.push_back(o);
    }
    foldLoops(block);
    EXPECT_GT(block.warps[0].repeats, 0);
    return block.warps[0].linesOfTurns;
  };
  EXPECT_EQ(linesOfTurns(1000), 4u);
  EXPECT_EQ(linesOfTurns(4), 0u);
}

// Of a folded loop, what goes together still does: the same turns stay in both warps.
TEST(GpuCode, LoopsThatAreFoldedKeepWhatIsReadTogether) {
  Block block;
  block.warps.resize(2);
  for (uint32_t turn = 0; turn < 4096; ++turn)
    for (Warp& warp : block.warps) {
      Operation o;
      o.kind = Operation::Kind::load;
      o.together = Block::numberOf(0, turn);
      warp.operations.push_back(o);
    }
  block.warps[1].operations.front().together = Block::numberOf(0, 2000);  // which is left out
  foldLoops(block);
  const std::vector<Operation>& all = block.warps[1].operations;
  ASSERT_LT(all.size(), 100u);
  EXPECT_EQ(all[0].together, 0u);
  for (uint32_t place = 1; place < all.size(); ++place)
    EXPECT_EQ(all[place].together, Block::numberOf(0, place));
}

TEST(GpuCode, ALoopOverConstantsIsUnrolledWholly) {
  const auto count = [](const std::string& turns) {
    return instructionsOf(
        ofConstants("mov.u32 %r9, 0; mov.u32 %r10, words;\nLOOP: ld.const.f32 %f2, [%r10];"
                    "fma.rn.f32 %f1, %f1, %f2, %f1; add.s32 %r10, %r10, 4; add.s32 %r9, %r9, 1;"
                    "setp.lt.s32 %p1, %r9, " +
                    turns + "; @%p1 bra LOOP;"));
  };
  EXPECT_NEAR(count("64") - count("32"), 32 * 1.5, 1) << "a product, and half of an ULDC.64";
}

TEST(GpuCode, NeighbouringConstantsAreOneLoadWhereTheirPlaceIsAMultipleOf8) {
  const auto loads = [](const std::string& first, const std::string& second) {
    const std::string body =
        "mov.u32 %r10, words; shl.b32 %r8, %r2, 2; and.b32 %r9, %r8, 120; add.s32 %r11, %r10, %r9;";
    return countOf(ofConstants(body + "ld.const.f32 %f1, [%r11+" + first +
                               "]; ld.const.f32 %f2, [%r11+" + second + "];"),
                   Operation::Kind::constantLoad);
  };
  EXPECT_EQ(loads("8", "12"), 1u);
  EXPECT_EQ(loads("4", "8"), 2u);
}

TEST(GpuCode, TwoTurnsOfAnUnrolledLoopAreMixed) {
  std::string chain;
  for (int i = 0; i < 10; ++i) chain += "mul.f32 %f2, %f2, %f2; ";
  const Launch launch =
      ran("mov.u32 %r9, 0; mov.u64 %rd4, block; mov.f32 %f1, 0f00000000;\nLOOP: "
          "ld.shared.f32 %f2, [%rd4]; " +
              chain +
              "add.f32 %f1, %f1, %f2; add.s64 %rd4, %rd4, 4; add.s32 %r9, %r9, 1;"
              "setp.lt.s32 %p1, %r9, %r1; @%p1 bra LOOP;\nst.global.f32 [%rd3], %f1;",
          numbers(32), 64, 32)
          .launch;
  unsigned mixed = 0;
  for (const Operation& o : launch.sampled.at(0).warps.at(0).operations)
    mixed += o.kind == Operation::Kind::instructions && o.count > 20 && o.chain < 15;
  EXPECT_NEAR(mixed, 32, 2);
}

TEST(GpuCode, AnIfWithLittleInItIsNoBranch) {
  const auto end = [](const std::string& body, const std::string& otherwise = "") {
    return ran("setp.lt.u32 %p1, %r2, %r1; mov.u32 %r7, 5; @!%p1 bra " +
                   std::string(otherwise.empty() ? "MEET" : "OTHERWISE") + "; " + body +
                   (otherwise.empty() ? "" : "bra.uni MEET;\nOTHERWISE: " + otherwise) +
                   "\nMEET: add.s32 %r7, %r7, 1; st.global.u32 [%rd3], %r7;",
               numbers(32), 8, 32);
  };
  const Ran plain = end("add.s32 %r7, %r2, 100;");
  for (int i = 0; i < 32; ++i) EXPECT_EQ(plain.array[size_t(i)], i < 8 ? i + 101 : 6);
  const Ran both = end("add.s32 %r7, %r2, 100; ", "mul.lo.u32 %r7, %r2, 3; ");
  for (int i = 0; i < 32; ++i) EXPECT_EQ(both.array[size_t(i)], i < 8 ? i + 101 : 3 * i + 1);
  EXPECT_EQ(instructionsOf(both.launch) - instructionsOf(plain.launch), 1);
  // Wherever the other side stands; of one that has another in it the outer stays a branch.
  const Ran before =
      ran("setp.lt.u32 %p1, %r2, %r1; bra.uni BEGIN;\nOTHERWISE: mul.lo.u32 %r7, %r2, 3;"
          "\nMEET: add.s32 %r7, %r7, 1; st.global.u32 [%rd3], %r7; ret;"
          "\nBEGIN: mov.u32 %r7, 5; @!%p1 bra OTHERWISE; add.s32 %r7, %r2, 100; bra.uni MEET;",
          numbers(32), 8, 32);
  EXPECT_EQ(before.array, both.array);
  EXPECT_EQ(branchesOf(before.launch), branchesOf(both.launch));
  const Ran nested = end("add.s32 %r7, %r2, 100; ",
                         "setp.gt.u32 %p2, %r2, 15; @%p2 bra LAST; mul.lo.u32 %r7, %r2, 3; "
                         "bra.uni MEET;\nLAST: xor.b32 %r7, %r2, 1; ");
  EXPECT_GT(branchesOf(nested.launch), branchesOf(both.launch));
  // One in another: both predicates hold. One that stores stays behind a branch.
  for (const std::string store : {"", "st.global.u32 [%rd3+4], %r7;"}) {
    const Ran inner =
        end("setp.gt.u32 %p2, %r2, 3; @!%p2 bra IN; mov.u32 %r7, 70;" + store + "\nIN:");
    EXPECT_EQ(countOf(inner.launch, Operation::Kind::store), store.empty() ? 1u : 2u);
    for (int i = 0; i < 32; ++i) EXPECT_EQ(inner.array[size_t(i)], i > 3 && i < 8 ? 71 : 6) << i;
  }
  // What is the same in two of them is made once.
  const std::string address = "mul.wide.u32 %rd5, %r5, 4; add.s64 %rd6, %rd1, %rd5; ";
  const std::string again = "mul.wide.u32 %rd7, %r5, 4; add.s64 %rd8, %rd1, %rd7; ";
  const auto twice = [&](const std::string& second) {
    return instructionsOf(
        ran("setp.lt.u32 %p1, %r2, %r1; @!%p1 bra A; " + address +
                "ld.global.u32 %r8, [%rd6];\nA: setp.gt.u32 %p2, %r2, 3; @!%p2 bra B; " + second +
                "\nB: st.global.u32 [%rd3], %r8;",
            numbers(32), 8, 32)
            .launch);
  };
  EXPECT_EQ(twice(again + "ld.global.u32 %r9, [%rd8];"), twice("ld.global.u32 %r9, [%rd6];"));
}

TEST(GpuCode, AnIfHasMoreInItWithoutABranchWhereALoadIsOnItsWay) {
  const auto sums = [](unsigned count) { return times(count, "mul.lo.u32 %r7, %r7, %r2; "); };
  // With this in front of the if, and the sides in it.
  const auto branches = [](const std::string& front, const std::string& body,
                           const std::string& otherwise = "") {
    return branchesOf(
        ran("mov.u32 %r7, 5; mov.u32 %r6, 7; " + front + "setp.lt.u32 %p1, %r6, %r1; @!%p1 bra " +
                (otherwise.empty() ? "MEET; " + body
                                   : "OTHER; " + body + "bra.uni MEET;\nOTHER: " + otherwise) +
                "\nMEET: st.global.u32 [%rd3], %r7;",
            numbers(64), 8, 32)
            .launch);
  };
  const std::string load = "ld.global.u32 %r8, [%rd3];", asked = "ld.global.u32 %r6, [%rd3];",
                    shared = "ld.shared.u32 %r8, [block];";
  const double none = branches("", sums(1));
  EXPECT_EQ(branches("", sums(8)), none);
  EXPECT_GT(branches("", sums(9)), none);
  for (const std::string& front : {std::string(), load, asked, shared})
    for (const std::string& first : {std::string(), load, shared}) {
      const bool isLong = front == load || first == load;
      const unsigned most = (isLong ? 19 : 8) - !first.empty();
      EXPECT_EQ(branches(front, first + sums(most)), none) << front << first;
      EXPECT_GT(branches(front, first + sums(most + 1)), none) << front << first;
    }
  const auto sides = [&](const std::string& front, const std::string& one, const std::string& other,
                         unsigned most) {
    EXPECT_EQ(branches(front, one + sums(most), other + sums(most)), none) << front << one;
    EXPECT_GT(branches(front, one + sums(most + 1), other + sums(most + 1)), none) << front << one;
  };
  sides("", "", "", 7);
  sides(load, "", "", 10);
  sides(asked, "", "", 7);
  sides("", load, load, 16);
  const std::string stores = "st.global.u32 [%rd3+4], %r7; ";
  EXPECT_EQ(branches("", sums(1) + stores + stores), none);
  EXPECT_GT(branches("", load + sums(1) + stores), none) << "it loads and stores";
  EXPECT_EQ(branches("", load + sums(9), sums(9)), none);
  EXPECT_GT(branches("", load + sums(10), sums(10)), none);
}

TEST(GpuCode, ALoopWithAnIfIsOneBlockWhereverItsEndStands) {
  const std::string begin = "mov.u32 %r9, 0; mov.u32 %r8, 0;", out = "st.global.u32 [%rd3], %r8;",
                    turn =
                        "xor.b32 %r7, %r2, %r9; setp.lt.u32 %p2, %r2, 8; @!%p2 bra END; "
                        "add.s32 %r8, %r8, %r7; ",
                    end = "\nEND: add.s32 %r9, %r9, 1; setp.lt.s32 %p1, %r9, %r1; @%p1 bra BODY; ";
  const Ran behind = ran(begin + "\nBODY: " + turn + end + out, numbers(32), 100, 32);
  const Ran before = ran(
      begin + "bra.uni BODY;" + end + "bra.uni OUT;\nBODY: " + turn + "bra.uni END;\nOUT: " + out,
      numbers(32), 100, 32);
  EXPECT_EQ(before.array, behind.array);
  EXPECT_EQ(branchesOf(before.launch), branchesOf(behind.launch));
  EXPECT_NEAR(instructionsOf(before.launch), instructionsOf(behind.launch), 2);
}

Module moduleOf(const std::string& body) {
  static std::list<std::string> codes;  // in which its texts are
  return readModule(codes.emplace_back(kernelOf(body)));
}

// What an instruction costs whose text has this in it.
Cost costIn(const Module& module, const std::string& text) {
  for (const BasicBlock& block : module.functions.at("k").blocks)
    for (const Instruction& i : block.code)
      if (i.text.find(text) != std::string::npos) return i.cost;
  ADD_FAILURE() << "there is no " << text;
  return {};
}

TEST(GpuCode, OneIndexIntoSeveralArraysIsAWideProductForEach) {
  const std::string sums = R"(mul.wide.s32 %rd4, %r5, 8; add.s64 %rd5, %rd1, %rd4;
add.s64 %rd6, %rd3, %rd4; ld.global.u32 %r6, [%rd5]; st.global.u32 [%rd6], %r6;)";
  const Module module = moduleOf(sums);
  EXPECT_EQ(costIn(module, "%rd4, %r5").count, 0);
  for (const char* sum : {"%rd5, %rd1", "%rd6, %rd3"}) {
    EXPECT_EQ(costIn(module, sum).count, 1);
    EXPECT_EQ(costIn(module, sum).unitCycles[1], 4);
    EXPECT_FLOAT_EQ(costIn(module, sum).registerCycles, 2.1f);
  }
  const Module also = moduleOf(sums + "st.global.u64 [%rd3], %rd4;");
  EXPECT_EQ(costIn(also, "%rd4, %r5").count, 1) << "it is something by itself, too";
  EXPECT_EQ(costIn(also, "%rd5, %rd1").count, 2);
}

// A loop that adds up what it loads at an offset of its own in %rd5; it counts in %r9.
Module loopWith(const std::string& offset, const std::string& more = "") {
  return moduleOf("mov.u32 %r9, 0; mov.u32 %r6, 0;\nLOOP: " + offset +
                  " add.s64 %rd6, %rd1, %rd5; ld.global.u32 %r8, [%rd6];"
                  "add.s32 %r6, %r6, %r8; " +
                  more +
                  "add.s32 %r9, %r9, 1; setp.lt.s32 %p1, %r9, %r1; @%p1 bra LOOP;"
                  "st.global.u32 [%rd3], %r6;");
}

unsigned unrolledIn(const Module& module) {
  for (const BasicBlock& block : module.functions.at("k").blocks)
    if (!block.code.empty() && block.code.back().text.find("bra LOOP") != std::string::npos)
      return block.unrolledBy;
  return 0;
}

TEST(GpuCode, WhereALoopGoesUpByOneAnIndexBecomesAPointer) {
  const std::string row = "mad.lo.s32 %r7, %r9, %r4, %r2; ", offset = "mul.wide.s32 %rd5, %r7, 4;";
  EXPECT_EQ(costIn(loopWith(row + offset), "%r9, %r4").count, 0);
  EXPECT_EQ(unrolledIn(loopWith(row + offset)), 16u) << "ptxas unrolls what nvcc unrolled";
  EXPECT_EQ(unrolledIn(loopWith("mul.wide.u32 %rd5, %r9, 4;")), 16u);
  EXPECT_EQ(costIn(loopWith(row + offset, "xor.b32 %r6, %r6, %r7; "), "%r9, %r4").count, 1)
      << "the index is something by itself, too";
  // Without sign it may go round; multiples and what is multiplied twice stay indices.
  for (const std::string& index :
       {row + "mul.wide.u32 %rd5, %r7, 4;", "mad.lo.s32 %r7, %r9, 1024, %r2; " + offset,
        "shl.b32 %r7, %r9, 3; " + offset,
        "mul.lo.s32 %r10, %r9, %r4; mad.lo.s32 %r7, %r10, %r3, %r2; " + offset}) {
    EXPECT_EQ(unrolledIn(loopWith(index)), 4u) << index;
    EXPECT_EQ(costIn(loopWith(index), "%r7, %r").count, 1) << index;
  }
  // By a length of 64 bits it goes on by two sums.
  const Module further = loopWith(
      "cvt.s64.s32 %rd4, %r9; mul.lo.s64 %rd7, %rd4, %rd2; "
      "shl.b64 %rd5, %rd7, 2;");
  EXPECT_EQ(costIn(further, "%rd7, %rd4").count, 0);
  EXPECT_EQ(costIn(further, "%rd6, %rd1").count, 2);
  // What is not made of the counter as it goes on is no index of the loop's.
  EXPECT_EQ(unrolledIn(loopWith("min.s32 %r7, %r9, %r2; " + offset)), 16u);
  // As long as four turns have 48 instructions: beside six of each, four of them once.
  const auto products = [](unsigned count) { return times(count, "mul.lo.s32 %r6, %r6, %r2; "); };
  EXPECT_EQ(unrolledIn(loopWith(row + offset, products(9))), 16u);
  EXPECT_EQ(unrolledIn(loopWith(row + offset, products(10))), 4u);
}

// Four turns in one, as clang++ has them, of a loop from 0 to a number: each has %r11 to %r14 with
// what it counts.
Module fourTurns(const std::string& turns, bool hasSign, const std::string& more = "",
                 const std::string& before = "") {
  const std::string guard = hasSign ? "setp.lt.s32 %p2, %r1, 1; " : "setp.eq.s32 %p2, %r1, 0; ";
  return moduleOf(before + guard +
                  "@%p2 bra END;\nand.b32 %r10, %r1, -4; mov.u32 %r9, 0; mov.u32 %r15, 0; "
                  "mov.u32 %r6, 0;\nLOOP: mov.u32 %r11, %r9; or.b32 %r12, %r9, 1; "
                  "or.b32 %r13, %r9, 2; or.b32 %r14, %r9, 3; " +
                  turns + more +
                  "add.s32 %r9, %r9, 4; setp.ne.s32 %p1, %r9, %r10; @%p1 bra LOOP;\n"
                  "REST: add.s32 %r9, %r9, 1; setp.ne.s32 %p3, %r9, %r1; @%p3 bra REST;\n"
                  "END: st.global.u32 [%rd3], %r6;");
}

// In each, # is its number of 1 to 4: of an index that it makes in %r2#, the load.
std::string inEach(const std::string& index, const std::string& widens = "mul.wide.s32") {
  std::string all;
  for (const char turn : {'1', '2', '3', '4'}) {
    std::string text = index + widens +
                       " %rd1#, %r2#, 4; add.s64 %rd2#, %rd1, %rd1#; ld.global.u32 %r8, [%rd2#]; "
                       "add.s32 %r6, %r6, %r8; ";
    std::ranges::replace(text, '#', turn);
    all += text;
  }
  return all;
}

TEST(GpuCode, OfTurnsThatAreOneMultiplesHaveOnePlace) {
  const auto places = [](const std::string& index, bool hasSign = true,
                         const std::string& widens = "mul.wide.s32") {
    const Module its = fourTurns(inEach(index, widens), hasSign);
    float sum = 0;
    for (const char* const place : {"%rd1, %rd11", "%rd1, %rd12", "%rd1, %rd13", "%rd1, %rd14"})
      sum += costIn(its, place).count;
    return std::pair(costIn(its, "%r22, ").count, sum);
  };
  using Pair = std::pair<float, float>;
  EXPECT_EQ(places("mul.lo.s32 %r2#, %r#, 3; "), Pair(1, 4)) << "of no counter";
  EXPECT_EQ(places("mad.lo.s32 %r2#, %r1#, %r4, %r5; "), Pair(0, 4)) << "each a row further";
  EXPECT_EQ(places("shl.b32 %r2#, %r1#, 1; "), Pair(0, 2)) << "by two";
  EXPECT_EQ(places("mul.lo.s32 %r2#, %r1#, 3; "), Pair(0, 3)) << "stays an index";
  EXPECT_EQ(places("add.s32 %r2#, %r1#, %r5; "), Pair(0, 1));
  EXPECT_EQ(places("mad.lo.s32 %r2#, %r1#, %r4, %r5; ", false, "mul.wide.u32"), Pair(1, 4))
      << "without sign each index is a sum";
  const Module its = fourTurns(
      inEach("mul.lo.s32 %r3#, %r1#, %r4; add.s32 %r2#, %r3#, %r5; ", "mul.wide.u32"), false);
  EXPECT_EQ(costIn(its, "%r12, %r4").count, 0) << "and nothing more";
}

TEST(GpuCode, AMultipleOfASumIsAPointer) {
  const auto module = [](const std::string& index) {
    return loopWith(index + "mul.wide.s32 %rd5, %r7, 4; ");
  };
  const std::string sum = "add.s32 %r10, %r9, %r2; ";
  EXPECT_EQ(unrolledIn(module(sum + "mul.lo.s32 %r7, %r10, 3; ")), 16u);
  EXPECT_EQ(costIn(module(sum + "mul.lo.s32 %r7, %r10, 3; "), "%r10, 3").count, 0);
  EXPECT_EQ(unrolledIn(module(sum + "mul.lo.s32 %r7, %r10, %r4; ")), 16u);
  EXPECT_EQ(unrolledIn(module("mul.lo.s32 %r10, %r9, %r4; mul.lo.s32 %r7, %r10, 3; ")), 4u);
  EXPECT_EQ(unrolledIn(module("mul.lo.s32 %r7, %r9, 3; ")), 4u);
  EXPECT_EQ(unrolledIn(module("add.s32 %r10, %r9, 2; mul.lo.s32 %r7, %r10, 3; ")), 4u)
      << "a constant more than the counter";
}

TEST(GpuCode, RowsOf64BitsOneBehindTheOtherArePointers) {
  const Module its = moduleOf(
      "mov.u64 %rd9, 0; mov.u32 %r6, 0; cvt.u64.u32 %rd8, %r1;\nLOOP: mul.lo.s64 %rd10, %rd9, "
      "%rd2; "
      "shl.b64 %rd11, %rd10, 2; add.s64 %rd12, %rd1, %rd11; ld.global.u32 %r7, [%rd12]; "
      "add.s64 %rd13, %rd12, %rd2; ld.global.u32 %r8, [%rd13]; add.s32 %r6, %r6, %r7; "
      "add.s32 %r6, %r6, %r8; add.s64 %rd9, %rd9, 1; setp.lt.u64 %p1, %rd9, %rd8; @%p1 bra LOOP;"
      "st.global.u32 [%rd3], %r6;");
  EXPECT_EQ(costIn(its, "%rd9, %rd2").count, 0);
  EXPECT_EQ(costIn(its, "%rd1, %rd11").count, 2);
  EXPECT_EQ(costIn(its, "%rd12, %rd2").count, 2);
}

// What compilers do not write must not hang or end the program: registers that are made of
// themselves, sums of sums of sums, and masks that are stored.
TEST(GpuCode, CostsOfCodeThatNoCompilerWritesAreFound) {
  std::string sums = "mov.u64 %rd4, %rd1; ";
  for (unsigned k = 5; k < 29; ++k) {
    const std::string to = std::to_string(k), from = std::to_string(k - 1);
    sums += "add.s64 %rd" + to + ", %rd" + from + ", %rd" + from + "; ";
  }
  const std::string loop =
      "add.s32 %r9, %r9, 4; setp.ne.s32 %p1, %r9, %r10; @%p1 bra LOOP; st.global.u32 [%rd3], %r8;";
  moduleOf("mov.u32 %r9, 0; and.b32 %r10, %r1, -4;\nLOOP: " + sums +
           "ld.global.u32 %r8, [%rd28]; " + loop);
  moduleOf(
      "mov.u32 %r9, 0; and.b32 %r10, %r1, -4;\nLOOP: add.s32 %r11, %r12, 4; "
      "add.s32 %r12, %r11, 4; shl.b32 %r13, %r12, 2; ld.shared.u32 %r8, [%r13]; "
      "ld.shared.u32 %r7, [%r13+4]; " +
      loop);
  moduleOf(
      "and.b32 %r7, %r2, 255; st.global.u32 [%rd3], %r7; and.b32 %r8, %r2, 3; "
      "and.b32 %r9, %r3, 3; add.s32 %r10, %r8, %r9; st.global.u32 [%rd3], %r10;");
}

// Which has no sign may go round where it counts by more than one.
TEST(GpuCode, WhatCountsWithoutSignIsWidenedInEachTurn) {
  const std::string index =
                        "add.s64 %rd9, %rd8, %rd19; ld.global.u32 %r8, [%rd9]; "
                        "ld.global.u32 %r7, [%rd9+128]; add.s32 %r6, %r6, %r8; ",
                    widen = "cvt.u64.u32 %rd8, %r15; ", byMore = "add.s32 %r15, %r15, 128; ",
                    byOne = "add.s32 %r15, %r15, 4; ";
  const Module each = fourTurns(widen + index, false, byMore);
  EXPECT_EQ(costIn(each, "%rd8, %rd19").count, 8);
  EXPECT_EQ(costIn(each, "%r15, 128").count, 4);
  EXPECT_EQ(unrolledIn(each), 1u) << "nvcc does not unroll it";
  EXPECT_EQ(costIn(fourTurns(widen + index, true, byMore), "%rd8, %rd19").count, 2) << "a sign";
  EXPECT_EQ(costIn(fourTurns(widen + index, false, byOne), "%rd8, %rd19").count, 2) << "by one";
  EXPECT_EQ(unrolledIn(fourTurns(widen + index, false, byOne)), 4u);
}

TEST(GpuCode, OfRowsWithoutSignOnlyTheFirstIsAProduct) {
  std::string turns;
  for (const char turn : {'1', '2', '3', '4'}) {
    std::string text =
        "mul.wide.u32 %rd1#, %r1#, %r4; add.s64 %rd#, %rd1#, %rd18; "
        "shl.b64 %rd17, %rd#, 2; ";
    std::ranges::replace(text, '#', turn);
    turns += text + "add.s64 %rd16, %rd17, %rd19; ld.global.u32 %r8, [%rd16]; ";
  }
  const Module its = fourTurns(turns, false);
  EXPECT_EQ(costIn(its, "%rd11, %rd18").count, 3);
  EXPECT_EQ(costIn(its, "%rd12, %rd18").count, 0);
  EXPECT_EQ(costIn(its, "%rd14, %rd18").count, 0);
  EXPECT_EQ(costIn(fourTurns(turns, true), "%rd12, %rd18").count, 1) << "with a sign";
}

TEST(GpuCode, AnIndexThatIsMaskedIsShiftedFirst) {
  const std::string load =
      "mul.wide.u32 %rd5, %r7, 4; add.s64 %rd6, %rd1, %rd5; "
      "ld.global.u32 %r8, [%rd6]; st.global.u32 [%rd3], %r8; ";
  EXPECT_EQ(costIn(moduleOf("and.b32 %r7, %r5, 255; " + load), "%rd1, %rd5").count, 3);
  EXPECT_EQ(costIn(moduleOf("and.b32 %r7, %r5, %r1; " + load), "%rd1, %rd5").count, 1);
  // Of what is a constant further the shift is the same.
  const std::string more =
      "add.s32 %r9, %r5, 2; and.b32 %r10, %r9, 255; mul.wide.u32 %rd7, %r10, 4; "
      "add.s64 %rd8, %rd1, %rd7; ld.global.u32 %r11, [%rd8]; "
      "st.global.u32 [%rd3], %r11; ";
  EXPECT_EQ(costIn(moduleOf("and.b32 %r7, %r5, 255; " + load + more), "%rd1, %rd7").count, 2);
  const auto shared = [](const std::string& from) {
    return costIn(moduleOf("and.b32 %r7, %r5, 63; shl.b32 %r8, %r7, 2; ld.shared.u32 %r9, [%r8]; " +
                           from +
                           "and.b32 %r11, %r10, 63; shl.b32 %r12, %r11, 2; "
                           "ld.shared.u32 %r13, [%r12]; st.global.u32 [%rd3], %r13; "),
                  "%r11, 2")
        .count;
  };
  EXPECT_EQ(shared("add.s32 %r10, %r5, 1; "), 0);
  EXPECT_EQ(shared("add.s32 %r10, %r4, 1; "), 1);
}

TEST(GpuCode, WhatIsSummedUpOrMadeHasThePredicateOfASelection) {
  const auto its = [](const std::string& body) {
    return moduleOf("setp.lt.u32 %p1, %r2, %r1; setp.lt.u32 %p2, %r2, 9; " + body +
                    "st.global.u32 [%rd3], %r9; ");
  };
  const std::string product = "mul.lo.s32 %r6, %r2, %r4; ",
                    sum = "add.s32 %r8, %r5, %r7; add.s32 %r9, %r8, %r3; ";
  const Module joined = its(product + "selp.b32 %r7, %r6, 0, %p1; " + sum);
  EXPECT_EQ(costIn(joined, "selp.b32").count, 0);
  EXPECT_EQ(costIn(joined, "%r2, %r4").count, 0);
  EXPECT_EQ(costIn(its(product + "selp.b32 %r7, %r6, 1, %p1; " + sum), "selp.b32").count, 1);
  EXPECT_EQ(
      costIn(its(product + "selp.b32 %r7, %r6, 0, %p1; or.b32 %r9, %r5, %r7; "), "selp.b32").count,
      1);
  const std::string both = "selp.b32 %r10, %r6, 0, %p2; selp.b32 %r7, %r6, %r10, %p1; ";
  EXPECT_EQ(costIn(its(product + both + sum), "selp.b32 %r7").count, 0) << "where either holds";
  EXPECT_EQ(costIn(its(product + both + sum), "selp.b32 %r10").count, 0);
  // One value or what is made of it.
  const std::string made =
      "ld.global.u32 %r6, [%rd3]; mul.lo.s32 %r7, %r6, %r4; "
      "selp.b32 %r8, %r6, %r7, %p1; xor.b32 %r9, %r8, %r3; ";
  EXPECT_EQ(costIn(its(made), "selp.b32").count, 0);
  EXPECT_EQ(costIn(its(made + "st.global.u32 [%rd3], %r6; "), "selp.b32").count, 1) << "read later";
  EXPECT_EQ(costIn(its(made + "st.global.u32 [%rd3], %r7; "), "selp.b32").count, 1);
}

TEST(GpuCode, ABranchOutOfALoopMeetsBehindIt) {
  const auto cost = [](const std::string& target) {
    return costIn(moduleOf("mov.u32 %r9, 0;\nLOOP: add.s32 %r9, %r9, 1; setp.eq.s32 %p2, %r9, %r2; "
                           "@%p2 bra " +
                           target +
                           ";\nst.global.u32 [%rd3], %r9; bar.sync 0;\n"
                           "IN: setp.lt.s32 %p1, %r9, %r1; @%p1 bra LOOP;\n"
                           "OUT: st.global.u32 [%rd3+4], %r9; st.global.u32 [%rd3+8], %r9;"),
                  "bra " + target)
        .count;
  };
  EXPECT_EQ(cost("OUT"), 1);
  EXPECT_EQ(cost("IN"), 3);
}

TEST(GpuCode, UpperHalvesWithASignAreInstructions) {
  EXPECT_EQ(costIn(moduleOf("ld.global.s32 %rd4, [%rd3]; st.global.u64 [%rd1], %rd4;"), "s32 %rd4")
                .before,
            1);
  EXPECT_EQ(costIn(moduleOf("ld.global.u32 %rd4, [%rd3]; st.global.u64 [%rd1], %rd4;"), "u32 %rd4")
                .before,
            0);
  const auto product = [](const std::string& type) {
    return costIn(
               moduleOf("cvt." + type + " %rd4, %r1; ld.global." + type.substr(4) +
                        " %rd5, [%rd3]; mul.lo.s64 %rd6, %rd4, %rd5; st.global.u64 [%rd1], %rd6;"),
               "%rd4, %rd5")
        .count;
  };
  EXPECT_EQ(product("s64.s32"), 4);
  EXPECT_EQ(product("u64.u32"), 1);
}

TEST(GpuCode, ConstantsOfAFunctionAreThereForTheNextCall) {
  const auto call = [](const std::string& to) {
    return "{\n.param .b32 param0;\nst.param.f32 [param0+0], %f1;\n.param .b32 retval0;\n"
           "call.uni (retval0), __nv_expf, (param0);\nld.param.f32 " +
           to + ", [retval0+0];\n}\n";
  };
  const Module module = moduleOf("cvt.rn.f32.u32 %f1, %r2;" + call("%f2") + call("%f3") +
                                 "add.f32 %f4, %f2, %f3; st.global.f32 [%rd3], %f4;");
  std::vector<float> calls;
  for (const BasicBlock& block : module.functions.at("k").blocks)
    for (const Instruction& i : block.code) {
      if (i.op == Op::call) calls.push_back(i.cost.count);
      if (i.text.find("retval0+0") != std::string::npos) {
        EXPECT_EQ(i.cost.count, 0);
      }
    }
  EXPECT_EQ(calls, (std::vector<float>{10, 7.5f}));
}

TEST(GpuCode, TurnsThatCountFromAConstantLoadNeighboursAtOnce) {
  const auto merged = [](const std::string& place) {
    std::string loads = "shl.b32 %r16, %r9, 2; " + place;
    for (const char* const at : {"", "+4", "+8", "+12"})
      loads += "ld.shared.u32 %r8, [%r17" + std::string(at) + "]; add.s32 %r6, %r6, %r8; ";
    const Module module = fourTurns(loads, true, "", "mov.u32 %r18, block; shl.b32 %r19, %r2, 7; ");
    unsigned bytes = 0;
    for (const BasicBlock& block : module.functions.at("k").blocks)
      for (const Instruction& i : block.code) bytes = std::max<unsigned>(bytes, i.mergedBytes);
    return bytes;
  };
  EXPECT_EQ(merged("add.s32 %r17, %r18, %r16; "), 16u);
  EXPECT_EQ(merged("add.s32 %r17, %r19, %r16; "), 8u) << "a row of the thread's";
  EXPECT_EQ(merged("add.s32 %r17, %r5, %r16; "), 0u) << "anywhere";
  EXPECT_EQ(merged("and.b32 %r20, %r16, 1020; add.s32 %r17, %r18, %r20; "), 0u) << "round a ring";
}

TEST(GpuCode, OfAnUnrolledLoopAsManyLoadsGoTogetherAsThereAreRegisters) {
  const auto together = [](const std::string& load, const std::string& sum) {
    const Module module = moduleOf(
        ".reg .f64 %fd<5>; mov.u32 %r9, 0;\nLOOP: mul.wide.u32 %rd5, %r9, 8;"
        "add.s64 %rd6, %rd1, %rd5; " +
        load + sum +
        "add.s32 %r9, %r9, 1; setp.lt.s32 %p1, %r9, %r1; @%p1 bra LOOP;"
        "st.global.f64 [%rd3], %fd1;");
    for (const BasicBlock& block : module.functions.at("k").blocks)
      if (block.unrolledBy > 1) return block.turnsTogether;
    return 1u;
  };
  const std::string load = "ld.global.f64 %fd2, [%rd6]; ";
  EXPECT_EQ(together("ld.global.f32 %f2, [%rd6]; ", "add.f32 %f1, %f1, %f2; "), 16u);
  const unsigned doubles = together(load, "add.f64 %fd1, %fd1, %fd2; ");
  EXPECT_TRUE(doubles >= 8 && doubles <= 10) << doubles;
  const unsigned bytes =
      together("ld.global.u8 %h1, [%rd6]; cvt.u32.u16 %r8, %h1; ", "add.s32 %r7, %r7, %r8; ");
  EXPECT_TRUE(bytes >= 8 && bytes <= 11) << bytes;
}

// A loop that loads many times and adds up: how many loads are on their way when one is waited for,
// of a turn's first, and of one in its middle. Kept: each value is read again at the turn's end.
struct OnTheirWay {
  unsigned first, middle;
};
OnTheirWay onTheirWay(unsigned words, unsigned sums = 1, bool isKept = false) {
  constexpr unsigned loads = 40;
  const auto name = [](const char* of, unsigned k) { return of + std::to_string(k); };
  std::string body, end;
  for (unsigned s = 0; s < sums; ++s) body += "mad.lo.s32 " + name("%s", s) + ", %r2, %r3, %r2;\n";
  body += "mov.u32 %r9, 0;\nLOOP:\n";
  for (unsigned k = 0; k < loads; ++k) {
    std::string values = name("%v", words * k);
    for (unsigned w = 1; w < words; ++w) values += ", " + name("%v", words * k + w);
    body += "ld.global.nc" + (words > 1 ? name(".v", words) : std::string()) + ".u32 " +
            (words > 1 ? "{" + values + "}" : values) + ", [%rd1+" + std::to_string(512 * k) +
            "];\n";
    for (unsigned v = words * k; v < words * (k + 1); ++v)
      for (unsigned s = 0; s < sums;
           ++s) {  // each sum in a register of its own, as compilers have it
        const std::string before = v == 0 ? name("%s", s) : name("%t", sums * (v - 1) + s);
        body += "mad.lo.s32 " + name("%t", sums * v + s) + ", " + before + ", %r1, " +
                name("%v", v) + ";\n";
      }
    if (isKept) end = "xor.b32 %s0, %s0, " + name("%v", k) + ";\n" + end;
  }
  for (unsigned s = 0; s < sums; ++s)
    body += "mov.u32 " + name("%s", s) + ", " + name("%t", sums * (words * loads - 1) + s) + ";\n";
  body += end + "add.s32 %r9, %r9, 1; setp.lt.s32 %p1, %r9, %r1; @%p1 bra LOOP;\n";
  for (unsigned s = 0; s < sums; ++s)
    body += "st.global.u32 [%rd3+" + std::to_string(4 * s) + "], " + name("%s", s) + ";\n";
  const Ran run = ran(".reg .b32 %s<99>; .reg .b32 %v<999>; .reg .b32 %t<9999>;\n" + body,
                      numbers(6000), 3, 32);
  const std::vector<Operation>& all = run.launch.sampled.at(0).warps.at(0).operations;
  std::vector<unsigned> places;
  for (unsigned k = 0; k < all.size(); ++k)
    if (all[k].kind == Operation::Kind::load) places.push_back(k);
  const auto withIt = [&](unsigned load) {
    return unsigned(std::ranges::count_if(places, [&](unsigned place) {
      return place >= places.at(load) && place < all[places[load]].neededAt;
    }));
  };
  return {withIt(0), withIt(loads / 2)};
}

// ptxas: 19 of one word, 10 of two, 5 of four; beside 4 to 64 sums 11 to 5.
TEST(GpuCode, AsManyLoadsAreOnTheirWayAsThereAreRegisters) {
  const auto isAbout = [](OnTheirWay found, unsigned least, unsigned most) {
    EXPECT_TRUE(found.first >= least && found.first <= most) << found.first;
    EXPECT_TRUE(found.middle >= least / 2 && found.middle <= most) << found.middle;
  };
  isAbout(onTheirWay(1), 18, 24);
  isAbout(onTheirWay(2), 9, 12);
  isAbout(onTheirWay(4), 4, 7);
  isAbout(onTheirWay(1, 8), 8, 15);
  isAbout(onTheirWay(1, 30), 5, 7);
  isAbout(onTheirWay(1, 64), 5, 7);
  const unsigned besideTwelve = onTheirWay(1, 12).middle;
  EXPECT_TRUE(besideTwelve >= 8 && besideTwelve <= 11) << besideTwelve;
  // Where there are no registers left, six are taken.
  const unsigned ofKept = onTheirWay(1, 1, true).middle;
  EXPECT_TRUE(ofKept >= 3 && ofKept <= 7) << ofKept;
}

Launch launchOf(const std::string& body, const std::string& bounds = "", uint32_t threads = 32) {
  std::string code = kernelOf(body);
  if (!bounds.empty()) code.insert(code.find("\n{"), "\n" + bounds);
  const Module module = readModule(code);
  LaunchOfCode launch;
  launch.block.x = threads;
  return Feed(module, module.functions.at("k"), launch, "k", {}).take();
}

// Sums that all live through a loop.
std::string sumsInALoop(unsigned sums) {
  std::string before, loop, after;
  for (unsigned s = 0; s < sums; ++s) {
    const std::string sum = "%s" + std::to_string(s);
    before += "mad.lo.s32 " + sum + ", %r2, %r3, %r2;\n";
    loop += "mad.lo.s32 " + sum + ", " + sum + ", %r2, %r3;\n";
    after += "st.global.u32 [%rd3+" + std::to_string(4 * s) + "], " + sum + ";\n";
  }
  return ".reg .b32 %s<999>; mov.u32 %r9, 0;\n" + before + "LOOP:\n" + loop +
         "add.s32 %r9, %r9, 1; setp.lt.s32 %p1, %r9, %r1; @%p1 bra LOOP;\n" + after;
}

// ptxas takes 40, 48, 64 and 80 for 24, 32, 48 and 64 sums, and 32 for up to 20 of them.
TEST(GpuCode, RegistersAreThoseThatAreReadLater) {
  EXPECT_LE(launchOf(sumsInALoop(4)).registers, 24u);
  EXPECT_EQ(launchOf(sumsInALoop(20)).registers, 32u);
  EXPECT_EQ(launchOf(sumsInALoop(26)).registers, 32u) << "of 33 to 40";
  for (const unsigned sums : {32u, 48u, 64u, 128u}) {
    const unsigned registers = launchOf(sumsInALoop(sums)).registers;
    EXPECT_TRUE(registers >= sums + 8 && registers <= sums + 16) << sums << ": " << registers;
  }
  EXPECT_EQ(launchOf(sumsInALoop(400)).registers, 255u);
  EXPECT_EQ(launchOf(sumsInALoop(100), "", 1024).registers, 64u) << "a block has no more";
  EXPECT_EQ(launchOf(sumsInALoop(100), ".maxntid 256, 1, 1\n.minnctapersm 4").registers, 64u);
  // What is read at once is gone; what is a register and a constant is made again.
  std::string copies, made, read;
  for (unsigned k = 0; k < 99; ++k) {
    const std::string value = "%s" + std::to_string(k), place = "+" + std::to_string(512 * k) + "]";
    copies += "ld.global.nc.u32 " + value + ", [%rd1" + place + ";\nst.global.u32 [%rd3" + place +
              ", " + value + ";\n";
  }
  EXPECT_LE(launchOf(".reg .b32 %s<99>;\n" + copies).registers, 40u);
  for (unsigned s = 0; s < 60; ++s) {
    const std::string sum = "%s" + std::to_string(s);
    made += "add.s32 " + sum + ", %r2, " + std::to_string(s + 7) + ";\n";
    read += "st.global.u32 [%rd3+" + std::to_string(4 * s) + "], " + sum + ";\n";
  }
  EXPECT_LE(launchOf(".reg .b32 %s<99>;\n" + made + "bar.sync 0;\n" + read).registers, 24u);
}

TEST(GpuCode, CopiesInAnIfAreInstructionsAndWhatHasAPredicateAlreadyIsTwo) {
  const auto branches = [](const std::string& body) {
    return branchesOf(ran("mov.u32 %r6, 1; mov.u32 %r7, 2; mov.u32 %r8, 3; mov.u32 %r10, 4;"
                          "setp.lt.u32 %p1, %r2, %r1; setp.lt.u32 %p2, %r2, 4; @!%p1 bra MEET; " +
                              body +
                              "\nMEET: add.s32 %r6, %r6, %r7; add.s32 %r6, %r6, %r8; "
                              "add.s32 %r6, %r6, %r10; st.global.u32 [%rd3], %r6;",
                          numbers(32), 8, 32)
                          .launch);
  };
  const auto products = [](unsigned count) { return times(count, "mul.lo.s32 %r6, %r6, %r2; "); };
  const std::string copies = "mov.u32 %r7, %r2; mov.u32 %r8, %r3; mov.u32 %r10, %r4; ";
  const double none = branches(products(1));
  EXPECT_EQ(branches(products(5) + copies), none);
  EXPECT_GT(branches(products(6) + copies), none);
  const std::string made = "add.s32 %r11, %r2, 1; mov.u32 %r7, %r11; ";
  EXPECT_EQ(branches(products(7) + made), none) << "it is made where it is copied to";
  const std::string inner = "@!%p2 bra IN; " + copies + "\nIN: ";
  EXPECT_EQ(branches(products(2) + inner), none);
  EXPECT_GT(branches(products(3) + inner), none);
}

TEST(GpuCode, AnIfThatIsJumpedToFromTwoConditionsIsOneWhereverItStands) {
  const std::string begin = "mov.u32 %r9, 0; mov.u32 %r8, 0;", out = "st.global.u32 [%rd3], %r8;",
                    add = "\nADD: add.s32 %r8, %r8, 1;",
                    end = "\nEND: add.s32 %r9, %r9, 1; setp.lt.s32 %p1, %r9, %r1; @%p1 bra BODY; ",
                    turn =
                        "setp.eq.u32 %p2, %r9, 3; @%p2 bra ADD; setp.lt.u32 %p3, %r2, 8; "
                        "@!%p3 bra END; ";
  const Ran behind = ran(begin + "\nBODY: " + turn + add + end + out, numbers(32), 100, 32);
  const Ran before = ran(begin + "bra.uni BODY;" + add + end + "bra.uni OUT;\nBODY: " + turn +
                             "bra.uni ADD;\nOUT: " + out,
                         numbers(32), 100, 32);
  for (size_t i = 0; i < 32; ++i) EXPECT_EQ(before.array[i], i < 8 ? 100 : 1);
  EXPECT_EQ(behind.array, before.array);
  EXPECT_EQ(branchesOf(before.launch), branchesOf(behind.launch));
  EXPECT_NEAR(instructionsOf(before.launch), instructionsOf(behind.launch), 2);
}

// What ptxas made of the kernel above stands in a comment: codes of instructions with the lines of
// PTX that they are of; the body begins in line 19, where there are constants in line 20.
TEST(GpuCode, OfWhatPtxasMadeIfsHaveABranchWhereItLeftOne) {
  const auto branches = [](const std::string& machine) {
    const Ran end = ran(R"(setp.lt.u32 %p1, %r2, %r1;
mov.u32 %r7, 6;
@!%p1 bra MEET;
setp.gt.u32 %p2, %r2, 3;
@!%p2 bra IN;
ld.global.u32 %r7, [%rd3+4];
IN: add.s32 %r7, %r7, 100;
MEET: st.global.u32 [%rd3], %r7;
//assembled k 20 c0cu19 )" + machine +
                            " 986u26 94du27\n",
                        numbers(33), 8, 32);
    for (int i = 0; i < 32; ++i) EXPECT_EQ(end.array[size_t(i)], i > 7 ? 6 : i > 3 ? i + 101 : 106);
    return branchesOf(end.launch);
  };
  const unsigned both = branches("947p21+5 c0cu22 947p23+2 981u24 210u25");
  const unsigned outer = branches("947p21+4 c0cu22 981p24 210u25");
  const unsigned none = branches("c0cu22 981p24 210p25");
  EXPECT_GT(both, outer);
  EXPECT_GT(outer, none);
  // However much is in it.
  const auto ofLong = [](const std::string& machine) {
    std::string products, lines;
    for (int line = 21; line < 33; ++line) {
      products += "mul.lo.u32 %r6, %r6, %r2;\n";
      lines += " 224u" + std::to_string(line);
    }
    const std::string code = kernelOf("setp.lt.u32 %p1, %r2, %r1;\n@!%p1 bra MEET;\n" + products +
                                      "MEET: st.global.u32 [%rd3], %r6;\n//assembled k 20 c0cu19" +
                                      machine + lines + " 986u33 94du36\n");
    const Module module = readModule(code);
    return std::ranges::count_if(module.functions.at("k").blocks,
                                 [](const BasicBlock& block) { return !block.code.empty(); });
  };
  EXPECT_GT(ofLong(" 947p20+13"), ofLong(""));
}

TEST(GpuCode, OfWhatPtxasMadeIfsWithoutABranchAreIssuedByAllHoweverTheyAreJumpedOver) {
  const auto count = [](const std::string& jump, uint32_t lanes) {
    return instructionsOf(ran("setp.lt.u32 %p1, %r2, %r1;\n" + jump +
                                  "IN: rem.u32 %r7, %r2, %r1;\nst.global.u32 [%rd3], %r7;\n"
                                  "MEET: add.s32 %r6, %r6, 1;\n//assembled k 20 c0cu19 306p22 "
                                  "308p22 224p22 986p23 810u24#1 94du25\n",
                              numbers(32), lanes, 32)
                              .launch);
  };
  const std::string around = "@!%p1 bra MEET;\n\n", over = "@%p1 bra IN;\nbra.uni MEET;\n";
  EXPECT_GT(count(around, 32), 4);
  EXPECT_EQ(count(around, 0), count(around, 32));
  EXPECT_EQ(count(over, 32), count(around, 32));
  EXPECT_EQ(count(over, 0), count(around, 32));
}

TEST(GpuCode, OfWhatPtxasMadeConstantsAreRequestsWhereTheyAreLoaded) {
  const auto requests = [](const std::string& machine) {
    return countOf(ofConstants("mov.u32 %r10, words;\nld.const.f32 %f1, [%r10+8];\n"
                               "add.f32 %f2, %f1, %f1;\n//assembled k 20 " +
                               machine + "221u22 94du23\n"),
                   Operation::Kind::constantLoad);
  };
  EXPECT_EQ(requests("b82u21 "), 1u);
  EXPECT_EQ(requests("ab9u21 "), 0u);
  EXPECT_EQ(requests(""), 0u);  // an operand of the sum
  const auto ofNeighbours = [](const std::string& machine) {
    return countOf(ofConstants("mov.u32 %r10, words; shl.b32 %r8, %r2, 3; add.s32 %r11, %r10, %r8;"
                               "\nld.const.f32 %f1, [%r11];\nld.const.f32 %f2, [%r11+4];\n"
                               "add.f32 %f3, %f1, %f2;\n//assembled k 20 " +
                               machine + "221u23 94du24\n"),
                   Operation::Kind::constantLoad);
  };
  EXPECT_EQ(ofNeighbours("b82u21 "), 1u);
  EXPECT_EQ(ofNeighbours("b82u21 b82u22 "), 2u);
  EXPECT_EQ(ofNeighbours("b82u23 "), 1u) << "as if it were of what reads them";
  EXPECT_EQ(ofNeighbours("b82u23 b82u23 "), 2u);
  EXPECT_EQ(ofNeighbours("ab9u23 "), 0u);
}

TEST(GpuCode, OfWhatPtxasMadeALoopOfIntegersIsUnrolledAsOftenAsItCountsAtOnce) {
  const auto count = [](const std::string& machine) {
    return instructionsOf(ran(R"(mov.u32 %r9, 0;
LOOP: mad.lo.s32 %r6, %r6, %r2, 7;
add.s32 %r9, %r9, -1;
setp.ne.s32 %p1, %r9, -64;
@%p1 bra LOOP;
//assembled k 20 )" + machine + " 94du26\n",
                              numbers(32), 8, 32)
                              .launch);
  };
  const double once = count("224u20 810u21#-1 20cu22 947p23+-3");
  const double byFour = count("224u20 810u21#-4 224u20 224u20 20cu22 224u20 947p23+-6");
  EXPECT_NEAR(once, 4 * 64, 8);
  EXPECT_NEAR(byFour, 7 * 16, 8);
  std::string all;  // of which each turn has two
  for (int turn = 0; turn < 64; ++turn) all += "224u20 212u20 ";
  EXPECT_NEAR(count(all), 2 * 64, 8);
}

TEST(GpuCode, OfWhatPtxasMadeWhatComesBehindALoopIsNotInItsTurns) {
  const auto count = [](const std::string& behind) {
    return instructionsOf(ran(R"(mov.u32 %r9, 0;
LOOP: mul.f32 %f2, %f2, %f1;
add.s32 %r9, %r9, -1;
setp.ne.s32 %p1, %r9, -64;
@%p1 bra LOOP;
//assembled k 20 )" + behind,
                              numbers(32), 8, 32)
                              .launch);
  };
  const std::string loop = "802u19 220u20 810u21#-4 220u20 220u20 20cu22 220u20 947p23+-6 ";
  const double without = count(loop + "94du26\n");
  EXPECT_NEAR(without, 7 * 16, 4);
  EXPECT_EQ(count(loop + "80cu22 947p23+1 94du26\n"), without + 2);
}

TEST(GpuCode, OfWhatPtxasMadeLoadsOfSharedMemoryAreMerged) {
  const auto loads = [](const std::string& machine) {
    const Ran end = ran(R"(mov.u32 %r9, 0; mov.u32 %r10, block;
LOOP: ld.shared.f32 %f1, [%r10];
ld.shared.f32 %f2, [%r10+4];
fma.rn.f32 %f3, %f1, %f2, %f3;
add.s32 %r10, %r10, 8;
add.s32 %r9, %r9, 1;
setp.ne.s32 %p1, %r9, 64;
@%p1 bra LOOP;
//assembled k 20 )" + machine +
                            " 94du27\n",
                        numbers(32), 8, 32);
    unsigned count = 0, bytes = 0;
    for (const Operation& o : end.launch.sampled[0].warps[0].operations)
      if (o.kind == Operation::Kind::sharedLoad) ++count, bytes += o.bytes;
    return std::pair(count, bytes);
  };
  using Loads = std::pair<unsigned, unsigned>;
  const std::string end = "810u23#8 810u24#1 20cu25 947p26+-";
  EXPECT_EQ(loads("984u20 984u21 223u22 " + end + "6"), (Loads{128, 512}));
  EXPECT_EQ(loads("984u21 223u22 " + end + "5"), (Loads{64, 512})) << "one of 8 bytes";
  // Of two turns one of 16.
  EXPECT_EQ(loads("984u20 223u22 223u22 " + end + "6"), (Loads{32, 512}));
}

TEST(GpuCode, OfWhatPtxasMadePartsOfADivisionAreWhereItsResultIsUsed) {
  const auto count = [](uint32_t lanes) {
    return instructionsOf(ran(R"(setp.lt.u32 %p1, %r2, %r1;
@!%p1 bra MEET;
div.rn.f32 %f3, %f1, %f2;
add.f32 %f4, %f3, %f3;
st.global.f32 [%rd3], %f4;
MEET: mov.u32 %r7, 1;
//assembled k 20 c0cu19 947p20+8 308u21 223u21 223u21 947p21+1 941u21 221u22 986u23 94du25
)",
                              numbers(33), lanes, 32)
                              .launch);
  };
  EXPECT_GE(count(32) - count(0), 7) << "nobody divides";
}

TEST(GpuCode, OfWhatPtxasMadeStepsOfARootAreNoCopiesOfALoop) {
  const double count = instructionsOf(ran(R"(mov.u32 %r9, 0;
LOOP: rsqrt.approx.f64 %rd5, %rd5;
add.s32 %r9, %r9, 1;
setp.lt.s32 %p1, %r9, %r1;
@%p1 bra LOOP;
//assembled k 20 308u20 228u20 22bu20 228u20 22bu20 22bu20 810u21#1 20cu22 947p23+-8 94du24
)",
                                          numbers(32), 64, 32)
                                          .launch);
  EXPECT_GT(count, 64 * 8);
  EXPECT_LT(count, 64 * 11);
}

TEST(GpuCode, OfWhatPtxasMadeWaysForLanesThatAreNotTogetherAreNotExecuted) {
  const auto count = [](const std::string& branch, const std::string& rare) {
    return instructionsOf(ran("mul.f32 %f3, %f1, %f2;\nadd.f32 %f4, %f3, %f3;\n"
                              "st.global.f32 [%rd3], %f4;\n//assembled k 20 c0cu19 220u19" +
                                  branch + " 221u20 986u21 94du22" + rare + "\n",
                              numbers(33), 8, 32)
                              .launch);
  };
  const std::string rare = " 220u19 224u19 224u19 224u19 947u19+-7";
  EXPECT_EQ(count(" 947v19+4", rare), count(" 210u19", ""));
  EXPECT_GT(count(" 947p19+4", rare), count(" 210u19", ""));
}

// ptxas says after how many cycles the next one goes: four behind each product, 13 behind a
// comparison, five behind a branch, and five more where it is taken. A value of the unit for
// special functions is waited for. Of a warp's first instructions.
double cyclesOfFirst(const Ran& end) {
  const std::vector<Operation>& all = end.launch.sampled[0].warps[0].operations;
  return double(std::ranges::find(all, Operation::Kind::instructions, &Operation::kind)->chain) *
         4.6;
}

TEST(GpuCode, WhichThreadItIsComesByThePipeForSharedMemoryBeforeAllElse) {
  const std::vector<Operation> all =
      ran("add.f32 %f3, %f1, %f2;\n", numbers(32), 8, 32).launch.sampled[0].warps[0].operations;
  EXPECT_EQ(all.at(0).kind, Operation::Kind::specialRegister);  // %tid.x, which ran() reads
  EXPECT_NE(all.at(1).kind, Operation::Kind::specialRegister);
  EXPECT_EQ(all[0].neededAt, 1u);
}

TEST(GpuCode, OfWhatPtxasMadeAWarpIssuesEachInstructionWhenPtxasSays) {
  constexpr double turns = 64, perTurn = 12 * 4 + 1 + 13 + 5 + 5;
  const auto cycles = [] {
    std::string products, lines;  // each of the one before
    for (int line = 21; line < 33; ++line) {
      products += "mul.f32 %f2, %f2, %f2;\n";
      lines += " 220u" + std::to_string(line) + ":807";
    }
    const Ran end = ran("mov.u32 %r9, 0;\nLOOP: mov.f32 %f2, 0f40000000;\n" + products +
                            "add.s32 %r9, %r9, 1;\nsetp.ne.s32 %p1, %r9, 64;\n@%p1 bra LOOP;\n"
                            "//assembled k 20 802u20:207" +
                            lines + " 810u33:207 20cu34:1a07 947p35+-15:a07 94du38:a07\n",
                        numbers(32), 8, 32);
    double sum = 0;
    for (const Operation& o : end.launch.sampled[0].warps[0].operations)
      if (o.isInOrder) sum += o.chain * 4.6;
    return sum;
  };
  EXPECT_NEAR(cycles(), turns * perTurn, 100);
  const auto special = [](const std::string& waits) {
    const Ran end =
        ran("ex2.approx.ftz.f32 %f3, %f1;\nadd.f32 %f4, %f3, %f3;\n//assembled k 20 "
            "308u19:200 221u20" +
                waits + " 94du21:a07\n",
            numbers(32), 8, 32);
    return cyclesOfFirst(end);
  };
  EXPECT_NEAR(special(":80f") - special(":807"), 19 - 1, 0.1);
}

// An if with 12 products: so many lanes enter it. ptxas may have its jump lead over it, or into it.
struct IfOfProducts {
  bool isTurned = false, meets = true;
  double cycles(unsigned lanes) const {
    std::string code = "setp.lt.u32 %p1, %r2, %r1;\n@!%p1 bra MEET;\n", products;
    for (int line = 21; line < 33; ++line) {
      code += "mul.lo.u32 %r6, %r6, %r2;\n";
      products += " 224u" + std::to_string(line) + ":807";
    }
    const std::string meet = meets ? " 941u33:a07" : " 918u33:a07";
    const std::string end = " 210u33:207 986u34:207 94du35:a07";
    code += "MEET: add.s32 %r7, %r6, 1;\nst.global.u32 [%rd3], %r7;\n//assembled k 20 c0cu19:1a07";
    code += isTurned ? " 947p20+4:a07" + end + products + " 947u33+-15:a07 947u35+0:a07"
                     : " 947p20+13:a07" + products + meet + end;
    return cyclesOfFirst(ran(code + "\n", numbers(33), lanes, 32));
  }
};

// What a jump, BSYNC and lanes that part take beside ptxas's stalls.
TEST(GpuCode, OfWhatPtxasMadeAWarpStopsWhereItJumpsAndWhereItsLanesPartAndMeet) {
  const IfOfProducts one, turned{.isTurned = true}, alone{.meets = false};
  EXPECT_NEAR(one.cycles(32) - one.cycles(0), 12 * 4 - 5, 0.1);
  EXPECT_NEAR(turned.cycles(32) - turned.cycles(0), 12 * 4 + 5 + 5 + 5, 0.1);
  EXPECT_NEAR(one.cycles(0) - alone.cycles(0), 5 + 8, 0.1);
  EXPECT_NEAR(one.cycles(8) - one.cycles(32), 24, 0.1);
}

// An if in a loop, whose comparison ptxas has moved in front of it: in each turn there are BSSY,
// the jump, BSYNC, and the loop's three.
TEST(GpuCode, OfWhatPtxasMadeALoopHasItsBranchesThoughWhatTheyAskForStandsBefore) {
  std::string products, lines;
  for (int line = 22; line < 34; ++line) {
    products += "mul.lo.u32 %r6, %r6, %r2;\n";
    lines += " 224u" + std::to_string(line);
  }
  const Ran end =
      ran("mov.u32 %r9, 0;\nLOOP: setp.lt.u32 %p1, %r2, %r1;\n@!%p1 bra MEET;\n" + products +
              "MEET: add.s32 %r9, %r9, 1;\nsetp.ne.s32 %p2, %r9, 64;\n"
              "@%p2 bra LOOP;\n//assembled k 20 802u19 c0cu20 945u21 947p21+13" +
              lines + " 941u34 810u34 20cu35 947p36+-17 94du37\n",
          numbers(32), 0, 32);
  EXPECT_NEAR(instructionsOf(end.launch), 64 * 6, 8);
}

TEST(GpuCode, OfWhatPtxasMadeAWarpJumpsOverWhatADivisionDoesWithRareOperands) {
  const auto cycles = [](const std::string& jump) {
    const Ran end =
        ran("div.rn.f32 %f3, %f1, %f2;\nadd.f32 %f4, %f3, %f3;\n//assembled k 20 308u19:207" +
                jump + " 221u20:807 94du21:a07 220u19:207 950u19:a07\n",
            numbers(32), 8, 32);
    return cyclesOfFirst(end);
  };
  EXPECT_NEAR(cycles(" 947p19+2:a07 944u19+3:a07") - cycles(""), 5 + 5, 0.1);
}

TEST(GpuCode, OfWhatPtxasMadeOneLaneAsksWhereItChoosesOne) {
  const auto lanes = [](const std::string& machine) {
    const Ran end = ran(
        "red.global.max.s32 [%rd3], %r2;\n//assembled k 20" + machine + " 98eu19:207 94du20:a07\n",
        numbers(32), 8, 32);
    for (const Operation& o : end.launch.sampled[0].warps[0].operations)
      if (o.kind == Operation::Kind::atomic) return unsigned(o.lanes);
    return 0u;
  };
  EXPECT_EQ(lanes(" 886u19:207 2bdu19:207 3c4u19:207"), 1u);
  EXPECT_EQ(lanes(" 886u19:207 3c4u19:207"), 32u);
}

// The operations of a warp that stores, with so much more of the machine's code for the address.
std::vector<Operation> storedBehind(const std::string& machine) {
  return ran("st.global.f32 [%rd3], %f1;\n//assembled k 20" + machine + " 986u19:207 94du20:a07\n",
             numbers(32), 8, 32)
      .launch.sampled[0]
      .warps[0]
      .operations;
}

TEST(GpuCode, OfWhatPtxasMadeUnitsAreBusyAlsoWithWhatMakesAnAddress) {
  EXPECT_EQ(unitCyclesOf(0x20b)[0], 2) << "floats are compared where integers are";
  EXPECT_EQ(unitCyclesOf(0x836), unitCyclesOf(0x224)) << "VIADD is where IMAD is";
  EXPECT_EQ(unitCyclesOf(0x223), (UnitCycles{}));
  const auto busy = [](const std::string& machine) {
    double sum = 0;
    for (const Operation& o : storedBehind(machine)) sum += o.unitCycles[0];
    return sum;
  };
  EXPECT_NEAR(busy(" 210u19:807 211u19:807") - busy(""), 4, 0.01);
}

TEST(GpuCode, OfWhatPtxasMadeInstructionsSayBehindWhichAnotherWarpGoesFirst) {
  const auto yields = [](const std::string& machine) {
    double sum = 0;
    for (const Operation& o : storedBehind(machine)) sum += o.yields;
    return sum;
  };
  EXPECT_NEAR(yields(" 210u19:807 211u19:2807 210u19:207 211u19:3a07") -
                  yields(" 210u19:807 211u19:807 210u19:207 211u19:1a07"),
              2, 0.01);
}

TEST(GpuCode, OfWhatPtxasMadeRegistersOfOneBankComeOneAfterTheOther) {
  const auto cycles = [](const std::string& word) {
    std::string machine;
    for (int i = 0; i < 10; ++i) machine += " 210u19:" + word;
    double sum = 0;
    for (const Operation& o : storedBehind(machine)) sum += o.registerCycles;
    return sum;
  };
  EXPECT_EQ(cycles("207"), 0);
  EXPECT_EQ(cycles("14207"), 0) << "one of each";
  EXPECT_NEAR(cycles("c207"), 9 * 2, 0.01) << "three of one";
  EXPECT_NEAR(cycles("8207"), 9 - 1, 0.01) << "two of one: the first have three cycles";
}

TEST(GpuCode, WhatNoLaneAsksForIsOfItsOwnKindWhateverCameBefore) {
  const Ran end = ran(
      "ld.global.u32 %r6, [%rd3]; setp.gt.u32 %p1, %r6, 1000; @%p1 ld.shared.u32 %r7, [block];\n"
      "@%p1 st.shared.u32 [block], %r2; bar.sync 0;",
      numbers(32), 0, 32);
  EXPECT_EQ(countOf(end.launch, Operation::Kind::load), 1);
  EXPECT_EQ(countOf(end.launch, Operation::Kind::sharedLoad), 1);
  EXPECT_EQ(countOf(end.launch, Operation::Kind::sharedStore), 1);
}

// clang++ and ptxas let one lane add for all where they know that all have the same address.
TEST(GpuCode, AnAddressThatIsDecidedByABranchIsNotTheSameForAllLanes) {
  const auto lanes = [](const std::string& body) {
    const Ran end = ran(body, numbers(64), 8, 32);
    const auto& all = end.launch.sampled[0].warps[0].operations;
    const auto atomic = std::ranges::find(all, Operation::Kind::atomic, &Operation::kind);
    return atomic == all.end() ? 0 : atomic->lanes;
  };
  const auto decided = [&](const std::string& compared) {
    std::string way;
    for (int i = 0; i < 30; ++i) way += "mul.f32 %f2, %f2, %f2;\n";
    return lanes("mov.u32 %r8, 0;\nsetp.lt.u32 %p1, " + compared + ";\n@%p1 bra MEET;\n" + way +
                 "st.global.f32 [%rd3], %f2;\nmov.u32 %r8, 4;\nMEET: cvt.u64.u32 %rd4, %r8;\n"
                 "add.s64 %rd5, %rd1, %rd4;\nred.global.add.u32 [%rd5], 1;\n");
  };
  EXPECT_EQ(decided("%r2, 7"), 32);
  EXPECT_EQ(decided("%r1, 7"), 1);
  EXPECT_EQ(lanes("mov.u32 %r8, 0;\nLOOP: mul.wide.u32 %rd4, %r8, 4;\nadd.s64 %rd5, %rd1, %rd4;\n"
                  "red.global.add.u32 [%rd5], 1;\nadd.s32 %r8, %r8, 1;\n"
                  "setp.lt.u32 %p1, %r8, %r2;\n@%p1 bra LOOP;\n"),
            1)
      << "in a turn of a loop, whoever is still there";
}

TEST(GpuCode, OfWhatPtxasMadeTheOrderIsKept) {
  const auto isWaitedForBetween =
      [](const std::string& machine, const std::string& product = "mul.f32 %f3, %f2, %f2;") {
        const Ran end = ran(R"(ld.global.f32 %f1, [%rd3];
abs.f32 %f2, %f1;
)" + product + R"(
ld.global.f32 %f4, [%rd3+128];
add.f32 %f5, %f3, %f4;
st.global.f32 [%rd3], %f5;
//assembled k 20 )" + machine + " 221u23 986u24 94du25\n",
                            numbers(64), 8, 32);
        return countOf(end.launch, Operation::Kind::load) == 2 && !areTogether(end.launch);
      };
  EXPECT_TRUE(isWaitedForBetween("981u19 220u21 981u22"));
  // What became nothing (the sign goes with the product) does not wait by itself.
  EXPECT_FALSE(isWaitedForBetween("981u19 981u22 220u21"));
  // What brings a constant for it goes where there is time, and it is not there.
  const std::string bits = "or.b32 %f3, %f2, %r2;";
  EXPECT_TRUE(isWaitedForBetween("981u19 b82u21 812u21 981u22", bits));
  EXPECT_FALSE(isWaitedForBetween("981u19 b82u21 981u22 812u21", bits));
}

TEST(GpuCode, OfWhatPtxasMadeLoopsAreUnrolledAsOftenAsTheyHaveCopies) {
  const auto loop = [](const std::string& machine) {
    const std::string code = kernelOf(R"(mov.u32 %r9, 0;
LOOP: ld.global.f32 %f2, [%rd3];
add.f32 %f1, %f1, %f2;
add.s32 %r9, %r9, 1;
setp.lt.s32 %p1, %r9, %r1;
@%p1 bra LOOP;
st.global.f32 [%rd3], %f1;
//assembled k 20 )" + machine + " 986u25 94du26\n");
    const Module module = readModule(code);
    for (const BasicBlock& block : module.functions.at("k").blocks)
      if (block.code.back().op == Op::bra) return block;
    return BasicBlock();
  };
  const std::string turn = "981u20 221u21 ";
  for (const unsigned copies : {1u, 2u, 8u}) {
    std::string all;
    for (unsigned c = 0; c < copies; ++c) all += turn;
    const BasicBlock block = loop(all + "810u22 c0cu23 947p24+-" + std::to_string(2 * copies + 2));
    EXPECT_EQ(block.unrolledBy, copies);
    EXPECT_EQ(block.turnsTogether, copies);
    EXPECT_EQ(block.turnsApart, 1u);
  }
  // Each signals with the first of six, which the sum waits for; or one with the second.
  const std::string inTurn = "981u20:0 221u21:f ",
                    together = "981u20:0 981u20:1 221u21:f 221u21:17 ";
  const std::string end = "810u22 c0cu23 947p24+-10";
  EXPECT_EQ(loop(inTurn + inTurn + inTurn + inTurn + end).turnsTogether, 1u);
  EXPECT_EQ(loop(together + together + end).turnsTogether, 2u);
  EXPECT_GT(loop("").unrolledBy, 1u) << "as rules say, of what ptxas was not asked about";
}

TEST(GpuCode, APointerThatIsReadOnlyOnceIsForAllThatIsMadeOfIt) {
  const auto isReadOnly = [](const std::string& first) {
    const std::string code =
        kernelOf(first + " %r6, [%rd3]; add.s64 %rd4, %rd3, 64; ld.global.u32 %r7, [%rd4];");
    const Module module = readModule(code);
    bool all = true;
    for (const BasicBlock& block : module.functions.at("k").blocks)
      for (const Instruction& i : block.code)
        if (i.op == Op::ld && i.space == Space::global) all = all && i.isReadOnly;
    return all;
  };
  EXPECT_TRUE(isReadOnly("ld.global.nc.u32"));
  EXPECT_FALSE(isReadOnly("ld.global.u32"));
}

TEST(GpuCode, AProductOfTwoNumbersOf32BitsIsOneInstruction) {
  const auto cost = [](const std::string& second) {
    return instructionsOf(ran("cvt.u64.u32 %rd4, %r2; " + second +
                                  "mul.lo.s64 %rd6, %rd4, %rd5; st.global.u64 [%rd3], %rd6;",
                              numbers(64), 0, 1)
                              .launch);
  };
  EXPECT_EQ(cost("mov.u64 %rd5, %rd1; ") - cost("cvt.u64.u32 %rd5, %r1; "), 4);
}

// It keeps its unit busy twice as long as one of 32 bits, and holds up the scheduler.
TEST(GpuCode, BehindAWideProductTheSchedulerIssuesNothing) {
  const auto cycles = [](const std::string& product) {
    const std::string code = kernelOf(product);
    const Module module = readModule(code);
    std::pair<float, float> found;
    for (const Instruction& i : module.functions.at("k").blocks.at(0).code)
      if (i.text.find("%r2, %r1") != std::string::npos)
        found = {i.cost.unitCycles[1], i.cost.registerCycles};
    return found;
  };
  EXPECT_EQ(cycles("mul.lo.s32 %r6, %r2, %r1;"), std::pair(2.0f, 0.0f));
  EXPECT_EQ(cycles("mul.wide.s32 %rd5, %r2, %r1;"), std::pair(4.0f, 2.1f));
  EXPECT_EQ(cycles("mul.hi.s32 %r6, %r2, %r1;"), std::pair(4.0f, 2.1f));
  EXPECT_EQ(cycles("add.s32 %r6, %r2, %r1;").second, 0);
  EXPECT_NEAR(cycles("div.s32 %r6, %r2, %r1;").second, 2.5 * 2.1, 1) << "two or three of HI";
  const auto ofMachine = [](const std::string& machine) {
    double sum = 0;
    for (const Operation& o : storedBehind(machine)) sum += o.registerCycles;
    return sum;
  };
  EXPECT_NEAR(ofMachine(" 225u19:807 227u19:807 224u19:807"), 2 * 2.1, 0.01);
}

TEST(GpuCode, LoopsStayAsTheirPragmaSays) {
  const std::string turn = "xor.b32 %r6, %r6, %r2; add.s32 %r9, %r9, 1;";
  const std::string jump = "setp.lt.s32 %p1, %r9, 64; @%p1 bra LOOP;";
  EXPECT_NEAR(costOf64(".pragma \"nounroll\"; " + turn, jump), 4 * 64, 2);
  // clang++ would have unrolled what counts to a number that is known.
  EXPECT_NEAR(costOf64(turn, "setp.ne.s32 %p1, %r9, 64; @%p1 bra LOOP;"), 4 * 64, 2);
}

TEST(GpuCode, OfFourStepsOfAGeneratorOneIsLeft) {
  const std::string jump = "add.s32 %r9, %r9, 1; setp.lt.s32 %p1, %r9, 64; @%p1 bra LOOP;";
  const std::string constants = "mad.lo.s32 %r6, %r6, 1664525, 1013904223; ";
  const double left = costOf64(constants, jump),
               all = costOf64("mad.lo.s32 %r6, %r6, %r2, 7; ", jump);
  EXPECT_NEAR(all - left, 48, 1);
  EXPECT_NEAR(costOf64(constants + "xor.b32 %r8, %r8, %r6; ", jump) - left, 48 + 64, 3)
      << "where each is read";
}

TEST(GpuCode, ACopyOf16BytesIsOneLoadAndOneStore) {
  const std::string places =
      "mul.wide.u32 %rd5, %r2, 16; add.s64 %rd6, %rd1, %rd5; add.s64 %rd7, %rd6, 512;";
  const std::string upper = "ld.global.u64 %rd8, [%rd6+8]; st.global.u64 [%rd7+8], %rd8;";
  const std::string lower = "ld.global.u64 %rd9, [%rd6]; st.global.u64 [%rd7], %rd9;";
  const auto accesses = [&](const std::string& copies) {
    const Ran end = ran(places + copies, numbers(256), 0, 32);
    for (size_t i = 0; i < 128; ++i) EXPECT_EQ(end.array[128 + i], int(i));
    return countOf(end.launch, Operation::Kind::load) + countOf(end.launch, Operation::Kind::store);
  };
  EXPECT_EQ(accesses(upper + lower), 2u);
  EXPECT_EQ(accesses(lower + upper), 4u) << "two of eight, as they were written";
}

double costOf(const std::string& body) {
  return instructionsOf(ran(body, numbers(32), 5, 32).launch);
}

TEST(GpuCode, AKernelBeginsWithItsStackAndWithWhatGlobalMemoryNeeds) {
  const double shared = costOf("ld.shared.u32 %r6, [block];");
  EXPECT_EQ(costOf("ld.shared.u32 %r6, [block]; ld.global.u32 %r7, [%rd1];") - shared, 1 + 1);
  EXPECT_EQ(costOf("") + 1, shared);
}

TEST(GpuCode, WhatIsAddedToAWideProductHasAnUpperHalf) {
  const auto cost = [](const std::string& sum) {
    return instructionsOf(ran("mul.wide.u32 %rd4, %r3, %r4; cvt.u64.u32 %rd5, %r2; " + sum +
                                  " shl.b64 %rd7, %rd6, 2; add.s64 %rd8, %rd1, %rd7;"
                                  "st.global.u32 [%rd8], %r2;",
                              numbers(32), 5, 32)
                              .launch);
  };
  EXPECT_EQ(cost("add.s64 %rd6, %rd4, %rd5;") - cost("shl.b64 %rd6, %rd5, 0;"), -1)
      << "IMAD.WIDE and the upper half beside IMAD.WIDE and a shift of two";
}

TEST(GpuCode, ADivisorsReciprocalIsMadeBeforeALoop) {
  const std::string jump = "add.s32 %r9, %r9, 1; setp.lt.s32 %p1, %r9, 64; @%p1 bra LOOP;";
  const double same = costOf64("div.u32 %r6, %r6, %r1; ", jump),
               other = costOf64("add.s32 %r7, %r9, 3; div.u32 %r6, %r6, %r7; ", jump),
               both = costOf64("div.u32 %r6, %r6, %r1; rem.u32 %r7, %r2, %r1; ", jump),
               ofOne = costOf64("div.u32 %r7, %r2, %r1; rem.u32 %r6, %r2, %r1; ", jump);
  EXPECT_NEAR(other - same, 64 * (18 + 1 - 9), 70);
  EXPECT_EQ(
      costOf64("div.u32 %r6, %r6, %r1; ", jump) - costOf64("mul.lo.s32 %r6, %r6, %r1; ", jump),
      64 * (9 - 1) + 9)
      << "and nine before it";
  EXPECT_NEAR(both - same, 64 * 8, 20);
  EXPECT_NEAR(ofOne - same, 64 * 2, 20) << "quotient and remainder of the same two";
}

TEST(GpuCode, AWarpAsksOnceInABlockWhichOfItsLanesThereAre) {
  const std::string add = "red.global.add.u32 [%rd1], 1; ";
  const double one = costOf(add), two = costOf(add + add);
  EXPECT_EQ(two - one, 1);
  EXPECT_EQ(one - costOf("red.global.add.f32 [%rd1], %f1; "), 5);
}

TEST(GpuCode, LoadsStayBehindADivisionsBranch) {
  const auto areTogetherWith = [](const std::string& divide) {
    const Ran end = ran("ld.global.f32 %f1, [%rd3]; " + divide +
                            " %f2, %f1, %f1; ld.global.f32 %f3, [%rd1]; add.f32 %f4, %f2, %f3;"
                            "st.global.f32 [%rd3], %f4;",
                        numbers(32), 5, 32);
    return areTogether(end.launch);
  };
  EXPECT_TRUE(areTogetherWith("div.approx.f32"));
  EXPECT_FALSE(areTogetherWith("div.rn.f32"));
}

// A load behind an if that some lanes go into.
Ran loadBehind(const std::string& body, const std::string& load = "ld.global.nc.u32",
               const std::string& end = "") {
  const Ran it =
      ran("ld.global.u32 %r6, [%rd3];\nsetp.lt.s32 %p1, %r6, 5;\nmov.u32 %r9, 0;\n"
          "@%p1 bra BEHIND;\n" +
              body + "\nBEHIND:\n" + load +
              " %r7, [%rd3+128];\nadd.s32 %r8, %r7, %r6;\nst.global.u32 [%rd3], %r8;" + end,
          numbers(96), 5, 32);
  for (size_t i = 0; i < 32; ++i) EXPECT_EQ(it.array[i], int(2 * i + 32)) << body;
  return it;
}
// Loads in front of the first atomic.
unsigned loadsInFront(const Launch& launch) {
  unsigned loads = 0;
  for (const Operation& o : launch.sampled.at(0).warps.at(0).operations) {
    if (o.kind == Operation::Kind::atomic) break;
    loads += o.kind == Operation::Kind::load;
  }
  return loads;
}
const std::string atomicInIf = "atom.global.add.u32 %r10, [%rd1+380], 1;\n";

TEST(GpuCode, LoadsGoInFrontOfIfsThatDoNotWriteWhatTheyRead) {
  const auto goesInFront = [](const std::string& body,
                              const std::string& load = "ld.global.nc.u32") {
    return areTogether(loadBehind(body, load).launch);
  };
  const std::string step = "xor.b32 %r9, %r9, %r6;\n";
  EXPECT_TRUE(goesInFront(atomicInIf));
  EXPECT_FALSE(goesInFront(atomicInIf, "ld.global.u32")) << "which the atomic may write";
  EXPECT_FALSE(goesInFront(atomicInIf, "ld.volatile.global.u32"));
  EXPECT_TRUE(goesInFront(times(60, step), "ld.global.u32")) << "nothing is written";
  EXPECT_FALSE(goesInFront(times(70, step))) << "ptxas goes past some 65 instructions";
  const std::string another = "setp.lt.s32 %p2, %r6, 9;\n@%p2 bra BEHIND;\n";
  EXPECT_TRUE(goesInFront(another + atomicInIf)) << "an if in it";
  EXPECT_FALSE(goesInFront(another + atomicInIf + another + atomicInIf)) << "and one in that";
  EXPECT_FALSE(
      goesInFront("LOOP:\nadd.s32 %r9, %r9, 1;\nsetp.lt.s32 %p2, %r9, 9;\n@%p2 bra LOOP;\n"));
  EXPECT_FALSE(goesInFront("bar.warp.sync 0xffffffff;\n" + atomicInIf));
  EXPECT_FALSE(goesInFront("setp.lt.s32 %p2, %r6, 9;\n@%p2 bra OTHER;\n" + atomicInIf +
                           "bra BEHIND;\nOTHER:\n" + atomicInIf))
      << "an if with an else";
}

// r9 of lanes that ask for it either way is 1.
TEST(GpuCode, WhatIsAskedBehindAConditionIsAskedWithItInFrontOfAShortIf) {
  const auto asked = [](const std::string& second, const std::string& body) {
    return "mov.u32 %r9, 0;\nsetp.gt.s32 %p1, %r2, 20;\n@%p1 bra IN;\n" + second +
           "@!%p2 bra BEHIND;\nIN:\n" + body + "BEHIND:\nst.global.u32 [%rd3], %r9;\n";
  };
  const auto blocksOf = [](const std::string& code) {
    const std::string text = kernelOf(code);
    const Module module = readModule(text);
    return std::ranges::count_if(module.functions.at("k").blocks,
                                 [](const BasicBlock& block) { return !block.code.empty(); });
  };
  const std::string both =
      "setp.lt.s32 %p2, %r2, 9;\nsetp.ne.s32 %p3, %r2, 4;\nand.pred %p2, %p2, %p3;\n";
  const std::string least = "setp.lt.s32 %p2, %r2, 9;\n", sets = "mov.u32 %r9, 1;\n";
  const auto one = blocksOf("");
  EXPECT_EQ(blocksOf(asked(least, sets)), one);
  EXPECT_GT(blocksOf(asked("ld.global.u32 %r7, [%rd3];\nsetp.lt.s32 %p2, %r7, 9;\n", sets)), one)
      << "nobody loads where he need not";
  std::string products;
  for (int r = 11; r < 17; ++r) products += "mul.lo.s32 %r" + std::to_string(r) + ", %r2, 3;\n";
  EXPECT_GT(blocksOf(asked(products + least, sets)), one);
  EXPECT_EQ(blocksOf(asked(least, times(12, "mad.lo.s32 %r9, %r9, 3, 1;\n"))), one + 3)
      << "two branches lead past what is long";
  for (const bool isBoth : {false, true}) {
    const Ran end = ran(asked(isBoth ? both : least, sets), numbers(32), 5, 32);
    for (int i = 0; i < 32; ++i)
      EXPECT_EQ(end.array[size_t(i)], i > 20 || (i < 9 && !(isBoth && i == 4))) << i;
  }
}

TEST(GpuCode, LoadsStayBehindAnIfWithAnElse) {
  const Ran it = ran("ld.global.u32 %r6, [%rd3];\nsetp.lt.s32 %p1, %r6, 5;\n@%p1 bra OTHER;\n" +
                         atomicInIf + "bra BEHIND;\nOTHER:\n" + atomicInIf +
                         "BEHIND:\nld.global.nc.u32 %r7, [%rd3+128];\nst.global.u32 [%rd3], %r7;",
                     numbers(96), 5, 32);
  EXPECT_EQ(loadsInFront(it.launch), 1u);
}

TEST(GpuCode, WhatAnIfMakesIsNotLoadedInFrontOfIt) {
  const Ran it =
      ran("ld.global.u32 %r6, [%rd3];\nsetp.lt.s32 %p1, %r6, 5;\nmov.u32 %r9, 0;\n"
          "@%p1 bra BEHIND;\n" +
              atomicInIf +
              "mov.u32 %r9, 32;\nBEHIND:\nmul.wide.u32 %rd5, %r9, 4;\n"
              "add.s64 %rd6, %rd3, %rd5;\nld.global.nc.u32 %r7, [%rd6];\n"
              "st.global.u32 [%rd3], %r7;",
          numbers(96), 5, 32);
  EXPECT_FALSE(areTogether(it.launch));
  for (size_t i = 0; i < 32; ++i) EXPECT_EQ(it.array[i], int(i < 5 ? i : i + 32));
}

TEST(GpuCode, SixteenLoadsGoPastIfsInARowWithWhatTheyAreMadeOf) {
  const auto inFront = [](unsigned ifs) {
    std::string body;
    for (unsigned k = 0; k < ifs; ++k) {
      const std::string n = std::to_string(k), r = "%r" + std::to_string(11 + k),
                        rd = k < 15 ? "%rd" + std::to_string(5 + k) : "%rd3";
      if (k < 15) body += "add.s64 " + rd + ", %rd3, 4;\n";
      body += "ld.global.nc.u32 " + r + ", [" + rd + "];\nsetp.lt.s32 %p1, " + r +
              ", 5;\n@%p1 bra BEHIND" + n + ";\n" + atomicInIf + "BEHIND" + n + ":\n";
    }
    return loadsInFront(ran(body, numbers(96), 5, 32).launch);
  };
  EXPECT_EQ(inFront(2), 2u);
  EXPECT_EQ(inFront(16), 16u);
  EXPECT_EQ(inFront(18), 16u);
}

// Each if adds what it loads; the conditions are there before.
TEST(GpuCode, OfIfsThatLoadThoseOfTwoAreOnTheirWay) {
  const auto inFront = [](unsigned ifs, bool inLoop = false) {
    std::string conditions, body;
    for (unsigned k = 0; k < ifs; ++k) {
      const std::string n = std::to_string(k), p = "%p" + n, r = "%r" + std::to_string(10 + k);
      conditions += "setp.gt.s32 " + p + ", %r2, " + std::to_string(k + 40) + ";\n";
      body += "@" + p + " bra BEHIND" + n + ";\nld.global.nc.u32 " + r + ", [%rd3+" +
              std::to_string(128 * k) + "];\nadd.s32 %r9, %r9, " + r + ";\nBEHIND" + n + ":\n";
    }
    const std::string loop = "mov.u32 %r8, 0;\nLOOP:\n",
                      back = "add.s32 %r8, %r8, 1;\nsetp.lt.s32 %p8, %r8, %r1;\n@%p8 bra LOOP;\n";
    const Ran end = ran("mov.u32 %r9, 0;\n" + conditions + (inLoop ? loop : "") + body +
                            (inLoop ? back : "") + "st.global.u32 [%rd3], %r9;\n",
                        numbers(1056), 5, 32);
    const std::vector<Operation>& all = end.launch.sampled.at(0).warps.at(0).operations;
    const auto first = std::ranges::find(all, Operation::Kind::load, &Operation::kind);
    return std::count_if(all.begin(), all.begin() + first->neededAt,
                         [](const Operation& o) { return o.kind == Operation::Kind::load; });
  };
  EXPECT_EQ(inFront(1), 1);
  EXPECT_EQ(inFront(2), 2);
  EXPECT_EQ(inFront(6), 2);
  EXPECT_EQ(inFront(6, true), 6) << "the conditions stand before a loop";
}

// ptxas has no instruction that exchanges and does not answer.
TEST(GpuCode, WhoWaitsForALoadWaitsForTheExchangeInFrontOfIt) {
  using Kind = Operation::Kind;
  const auto isWaitedFor = [](const std::string& body) {
    const Ran end =
        ran("mov.u32 %r8, 0;\n" + body + "add.s32 %r9, %r7, 1;\nst.global.u32 [%rd3+128], %r9;\n",
            numbers(96), 5, 32);
    const std::vector<Operation>& all = end.launch.sampled.at(0).warps.at(0).operations;
    const auto load = std::ranges::find(all, Kind::load, &Operation::kind);
    bool is = false;
    for (const Operation& o : all) {
      if (o.kind != Kind::atomic || o.neededAt == Operation::never) continue;
      EXPECT_EQ(o.neededAt, load->neededAt);
      is = true;
    }
    return is;
  };
  const std::string load = "ld.volatile.global.u32 %r7, [%rd3+256];\n",
                    exchange = "atom.global.exch.b32 %r6, [%rd3], 1;\n",
                    again = "add.s32 %r8, %r8, 1;\nsetp.lt.s32 %p1, %r8, 3;\n@%p1 bra AGAIN;\n";
  EXPECT_TRUE(isWaitedFor(exchange + load));
  EXPECT_TRUE(isWaitedFor("atom.global.cas.b32 %r6, [%rd3], 0, 1;\n" + load));
  EXPECT_FALSE(isWaitedFor("atom.global.or.b32 %r6, [%rd3], 1;\n" + load)) << "RED";
  EXPECT_FALSE(isWaitedFor("red.global.add.u32 [%rd3], 1;\n" + load));
  EXPECT_FALSE(isWaitedFor(load + exchange));
  EXPECT_FALSE(isWaitedFor("AGAIN:\n" + load + exchange + again)) << "a jump is between";
}

TEST(GpuCode, DoublesWaitForRegistersWhereTheyReadThreeOthers) {
  const auto cycles = [](const std::string& code) {
    const std::string text = kernelOf(code);
    const Module module = readModule(text);
    float sum = 0;
    for (const BasicBlock& block : module.functions.at("k").blocks)
      for (const Instruction& i : block.code)
        if (isFloat(i.type)) sum += i.cost.registerCycles;
    return sum;
  };
  const std::string loads =
      "ld.global.f64 %rd5, [%rd1];\nld.global.f64 %rd6, [%rd1+8];\n"
      "ld.global.f64 %rd7, [%rd1+16];\nld.global.f64 %rd8, [%rd1+24];\n";
  const auto fma = [](const std::string& a, const std::string& b, const std::string& c) {
    return "fma.rn.f64 " + c + ", " + a + ", " + b + ", " + c + ";\n";
  };
  const std::string end = "st.global.f64 [%rd1], %rd7;\n";
  EXPECT_GT(cycles(loads + fma("%rd5", "%rd6", "%rd7") + end), 0);
  EXPECT_EQ(cycles(loads + "fma.rn.f64 %rd7, %rd5, %rd5, %rd7;\n" + end), 0);
  const float two = cycles(loads + fma("%rd5", "%rd6", "%rd7") + fma("%rd6", "%rd5", "%rd8") + end);
  EXPECT_EQ(two, 2 * cycles(loads + fma("%rd5", "%rd6", "%rd7") + end));
  EXPECT_LT(cycles(loads + fma("%rd5", "%rd6", "%rd7") + fma("%rd5", "%rd6", "%rd8") + end), two)
      << "two stay at hand";
  EXPECT_GT(cycles(loads + "div.rn.f64 %rd7, %rd5, %rd6;\n" + end), 0);
  EXPECT_EQ(cycles("mov.f32 %f1, 0f40000000;\nfma.rn.f32 %f2, %f1, %f1, %f1;\n"), 0);
}

TEST(GpuCode, ADivisionsLongWayIsABranch) {
  const auto control = [](const std::string& how) {
    const std::string text = kernelOf("ld.global.f32 %f1, [%rd3];\n" + how +
                                      " %f2, %f1, %f1;\nst.global.f32 [%rd3], %f2;\n");
    const Module module = readModule(text);
    float sum = 0;
    for (const BasicBlock& block : module.functions.at("k").blocks)
      for (const Instruction& i : block.code) sum += i.cost.control;
    return sum;
  };
  EXPECT_EQ(control("div.rn.f32"), control("add.f32") + 3);
  EXPECT_EQ(control("div.approx.f32"), control("add.f32"));
}

TEST(GpuCode, OfWhatPtxasMadeLoadsGoWhereTheyAre) {
  const auto inFront = [](const std::string& machine) {
    return loadsInFront(loadBehind("red.global.add.u32 [%rd1+380], 1;", "ld.global.u32",
                                   "\n//assembled k 20 " + machine + " 210u26 986u27 94du28\n")
                            .launch);
  };
  EXPECT_EQ(inFront("981u19 981u25 c0cu20 947p22+2 9a6u23"), 2u);
  EXPECT_EQ(inFront("981u19 c0cu20 947p22+2 9a6u23 981u25"), 1u);
}

TEST(GpuCode, OfFourWordsThreeAreOneLoad) {
  const auto loadsOf = [](const std::string& third) {
    const Ran end =
        ran("mul.wide.u32 %rd5, %r2, 16; add.s64 %rd6, %rd1, %rd5;"
            "ld.global.v2.u32 {%r6, %r7}, [%rd6]; " +
                third + " add.s32 %r9, %r6, %r7; add.s32 %r9, %r9, %r8; st.global.u32 [%rd6], %r9;",
            numbers(160), 5, 32);
    for (size_t i = 0; i < 32; ++i) EXPECT_GE(end.array[4 * i], int(12 * i + 3));
    std::vector<unsigned> bytes;
    for (const Operation& o : end.launch.sampled.at(0).warps.at(0).operations)
      if (o.kind == Operation::Kind::load) bytes.push_back(o.bytes);
    return bytes;
  };
  using Bytes = std::vector<unsigned>;
  EXPECT_EQ(loadsOf("ld.global.u32 %r8, [%rd6+8];"), Bytes{16});
  EXPECT_EQ(loadsOf("ld.global.u32 %r8, [%rd6+12];"), (Bytes{8, 4}));
  EXPECT_EQ(loadsOf("ld.volatile.global.u32 %r8, [%rd6+8];"), (Bytes{8, 4}));
  EXPECT_EQ(loadsOf("mov.u32 %r10, 0; ld.global.u32 %r8, [%rd6+8];"), (Bytes{8, 4})) << "apart";
}

// clang++ has an integer of eight bytes for a pair that is given to a function, and loads its
// halves.
TEST(GpuCode, TwoWordsOfAPairAreOneLoad) {
  const auto loadsOf = [](const std::string& name, const std::string& between = "",
                          const std::string& offset = "") {
    std::string code = kernelOf("ld.global.f32 %f1, [%rd3" + offset + "];\n\t" + between +
                                "ld.global.f32 %f2, [%rd3+" + (offset.empty() ? "4" : "8") +
                                "];\n\tadd.f32 %f3, %f1, %f2;\n\tst.global.f32 [%rd3], %f3;");
    code.replace(code.find(" k("), 3, " " + name + "(");
    const Module module = readModule(code);
    std::vector<unsigned> words;
    for (const Instruction& i : module.functions.at(name).blocks.at(0).code)
      if (i.op == Op::ld && i.space == Space::global) words.push_back(i.vector);
    return words;
  };
  using Words = std::vector<unsigned>;
  EXPECT_EQ(loadsOf("_Z1kPK6float2"), Words{2});
  EXPECT_EQ(loadsOf("_Z1kPKf"), (Words{1, 1})) << "of a kernel of no pairs";
  EXPECT_EQ(loadsOf("_Z1kPK6float2", ".loc 1 7 9\n\t"), (Words{1, 1})) << "from two places";
  EXPECT_EQ(loadsOf("_Z1kPK6float2", "", "+4"), (Words{1, 1})) << "that begin between pairs";
}

TEST(GpuCode, LoopsThatClangHasUnrolledAreUnrolledAgainWhereTheyCountWithASign) {
  const auto cost = [](unsigned loads, const std::string& type, int step) {
    const std::string load = "ld.global.u32 %r7, [%rd3]; add.s32 %r6, %r6, %r7; ";
    return instructionsOf(ran("mov.u32 %r9, 0; mov.u32 %r6, 0; LOOP: " + times(loads, load) +
                                  "add.s32 %r9, %r9, " + std::to_string(step) + "; setp.lt." +
                                  type +
                                  " %p1, %r9, %r1; @%p1 bra LOOP; st.global.u32 [%rd3], %r6;",
                              numbers(32), 64 * unsigned(step), 32)
                              .launch);
  };
  const double each = 64 * 2;  // loads with their sums
  EXPECT_LT(cost(4, "s32", 128) - 4 * each, 1.5 * 64) << "a comparison and a jump of sixteen turns";
  EXPECT_GT(cost(4, "u32", 128) - 4 * each, 2.5 * 64) << "… of four";
  EXPECT_LT(cost(3, "u32", 128) - 3 * each, 2 * 64) << "which clang++ has not unrolled";
  EXPECT_LT(cost(4, "u32", 127) - 4 * each, 2 * 64);
}

TEST(GpuCode, TurnsThatAreLeftOverOfManyWaitInParts) {
  const auto waitsOf = [](uint32_t end) {
    const Ran turns = ran(
        "mov.u32 %r9, 0; mov.u32 %r6, 0; LOOP: ld.global.u32 %r7, [%rd3]; add.s32 %r6, %r6, %r7;"
        "add.s32 %r9, %r9, 4; setp.ne.s32 %p1, %r9, %r1; @%p1 bra LOOP; st.global.u32 [%rd3], %r6;",
        numbers(32), end, 32);
    return waitsForLoadsOf(turns.launch);
  };
  EXPECT_EQ(waitsOf(16), 1u);
  EXPECT_EQ(waitsOf(12), 2u) << "eight, and four";
}

TEST(GpuCode, ALoopMayCountInAnotherRegister) {
  const double plain = costOf64("xor.b32 %r6, %r6, %r2; add.s32 %r9, %r9, 1;",
                                "setp.lt.s32 %p1, %r9, 64; @%p1 bra LOOP;");
  EXPECT_NEAR(costOf64("add.s32 %r8, %r9, 1; xor.b32 %r6, %r6, %r2; mov.u32 %r9, %r8;",
                       "setp.lt.s32 %p1, %r8, 64; @%p1 bra LOOP;"),
              plain, 3);
}

TEST(GpuCode, LoopsOfHalvesAreUnrolledThoughClangDidNot) {
  const std::string turn = "xor.b32 %r6, %r6, %r2; add.s32 %r9, %r9, 1;";
  const std::string jump = "setp.ne.s32 %p1, %r9, 64; @%p1 bra LOOP;";
  EXPECT_LT(costOf64("cvt.f32.f16 %f1, %h1; " + turn, jump), 3 * 64);
}

// What a warp executes more, and how much longer its chain is, where a lane has these bits.
std::pair<double, double> longWay(const std::string& operation, uint32_t bits, bool wide = false) {
  const auto of = [&](uint32_t its) {
    const std::string move = wide ? "mov.b64 %rd7, {%r7, %r6};\nmov.b64 %rd8, {%r7, %r1};\n"
                                  : "mov.b32 %f1, %r6;\nmov.b32 %f2, %r1;\n";
    const Ran end =
        ran("mov.u32 %r7, 0;\nmov.u32 %r6, " + std::to_string(its) +
                ";\nsetp.eq.u32 %p1, %r2, 5;\nselp.b32 %r6, %r6, %r1, %p1;\n" + move + operation +
                ";\n" + (wide ? "st.global.u64 [%rd1], %rd9;" : "st.global.f32 [%rd1], %f3;"),
            numbers(32), wide ? 0x3ff00000 : 0x3f800000, 32);
    std::pair<double, double> sum;
    for (const Operation& o : end.launch.sampled[0].warps[0].operations)
      if (o.kind == Operation::Kind::instructions) sum.first += o.count, sum.second += o.chain;
    return sum;
  };
  const auto one = wide ? of(0x3ff00000) : of(0x3f800000), its = of(bits);
  return {its.first - one.first, its.second - one.second};
}

TEST(GpuCode, OperandsThatAreRareGoALongWay) {
  const std::string quotient = "div.rn.f32 %f3, %f1, %f2", root = "sqrt.rn.f32 %f3, %f1",
                    inverse = "rcp.rn.f32 %f3, %f1", by = "div.rn.f32 %f3, %f2, %f1";
  EXPECT_NEAR(longWay(quotient, 0).first, 32, 0.1) << "zero";
  EXPECT_NEAR(longWay(quotient, 0).second, 200 / 4.6, 1);
  EXPECT_EQ(longWay("div.approx.f32 %f3, %f1, %f2", 0).first, 0) << "has none";
  const auto isShort = [](const std::string& operation, uint32_t exponent, uint32_t rest = 0) {
    return longWay(operation, exponent << 23 | rest).first == 0;
  };
  // Exponents with 127 added: the first and the last that go the short way.
  EXPECT_TRUE(isShort(quotient, 127 - 102) && isShort(quotient, 127 + 125));
  EXPECT_FALSE(isShort(quotient, 127 - 103) || isShort(quotient, 127 + 126));
  EXPECT_TRUE(isShort(by, 127 - 125) && isShort(by, 127 + 124));
  EXPECT_FALSE(isShort(by, 127 - 126) || isShort(by, 127 + 125));
  EXPECT_FALSE(isShort(by, 0) || isShort(by, 255) || isShort(by, 255, 1));
  EXPECT_TRUE(isShort(root, 127 - 101) && isShort(root, 254, 0x7fffff));
  EXPECT_FALSE(isShort(root, 127 - 102, 0x7fffff) || isShort(root, 0) || isShort(root, 255));
  EXPECT_FALSE(isShort(root, 256 + 127)) << "below zero";
  EXPECT_TRUE(isShort(inverse, 1) && isShort(inverse, 127 + 125, 0x7fffff));
  EXPECT_FALSE(isShort(inverse, 0, 0x7fffff) || isShort(inverse, 127 + 126) || isShort(inverse, 0));
  EXPECT_TRUE(isShort(inverse, 256 + 127)) << "below zero";
}

TEST(GpuCode, DoublesThatAreRareGoALongWay) {
  const auto isShort = [](const std::string& operation, uint32_t exponent, uint32_t rest = 0) {
    return longWay(operation, exponent << 20 | rest, true).first == 0;
  };
  const std::string quotient = "div.rn.f64 %rd9, %rd7, %rd8", by = "div.rn.f64 %rd9, %rd8, %rd7",
                    root = "sqrt.rn.f64 %rd9, %rd7", inverse = "rcp.rn.f64 %rd9, %rd7";
  EXPECT_NEAR(longWay(quotient, 0, true).first, 62, 0.1) << "zero";
  EXPECT_TRUE(isShort(quotient, 1023 - 970) && isShort(quotient, 1023 + 1023));
  EXPECT_FALSE(isShort(quotient, 1023 - 971) || isShort(quotient, 2047));
  EXPECT_TRUE(isShort(by, 1) && isShort(by, 1023 + 1017));
  EXPECT_FALSE(isShort(by, 0, 1) || isShort(by, 1023 + 1018) || isShort(by, 0));
  EXPECT_TRUE(isShort(root, 1023 - 970));
  EXPECT_FALSE(isShort(root, 1023 - 971) || isShort(root, 0) || isShort(root, 2048 + 1023));
  EXPECT_TRUE(isShort(inverse, 1) && isShort(inverse, 1023 + 1021));
  EXPECT_FALSE(isShort(inverse, 0, 1) || isShort(inverse, 1023 + 1022) || isShort(inverse, 0));
}

TEST(GpuCode, PlacesMadeOfManySumsAreKnownSoon) {
  std::string code = "shl.b32 %r6, %r2, 4;\nmov.u32 %r7, 0;\n";
  for (int i = 0; i < 40; ++i)
    code += "add.s32 %r8, %r6, %r7;\nadd.s32 %r7, %r8, %r6;\nadd.s32 %r6, %r8, %r8;\n";
  const auto loads = [&](const std::string& more) {
    const Ran end = ran(code + more + R"(and.b32 %r9, %r6, 1023;
	mov.u32 %r10, block;
	add.s32 %r11, %r10, %r9;
	ld.shared.u32 %r12, [%r11];
	ld.shared.u32 %r13, [%r11+4];
	add.s32 %r14, %r12, %r13;
	st.global.u32 [%rd3], %r14;)",
                        numbers(32), 0, 32);
    return countOf(end.launch, Operation::Kind::sharedLoad);
  };
  EXPECT_EQ(loads(""), 1u) << "a multiple of 16, however long the way";
  EXPECT_EQ(loads("add.s32 %r6, %r6, 4;\n"), 2u);
}

TEST(GpuCode, ProductsOfPartsOfAWordHaveTheirSigns) {
  const auto of = [](const std::string& instruction) {
    return ran("mov.u32 %r6, 4278354175;\nmov.u32 %r7, 2147352833;\n" + instruction +
                   " %r8, %r6, %r7, 1000;\nst.global.u32 [%rd3], %r8;",
               numbers(32), 0, 1)
        .array[0];
  };
  // 0xff02_80ff, as bytes from the lowest -1, -128, 2, -1; 0x7ffe_0101: 1, 1, -2, 127.
  EXPECT_EQ(of("dp4a.s32.s32"), 1000 - 1 - 128 - 4 - 127);
  EXPECT_EQ(of("dp4a.u32.u32"), 1000 + 255 + 128 + 2 * 254 + 255 * 127);
  EXPECT_EQ(of("dp4a.u32.s32"), 1000 + 255 + 128 - 4 + 255 * 127);
  EXPECT_EQ(of("dp4a.s32.u32"), 1000 - 1 - 128 + 2 * 254 - 127);
  EXPECT_EQ(of("dp2a.lo.s32.s32"), 1000 + int16_t(0x80ff) + int16_t(0xff02));
  EXPECT_EQ(of("dp2a.hi.s32.s32"), 1000 + int16_t(0x80ff) * -2 + int16_t(0xff02) * 127);
  EXPECT_EQ(of("dp2a.lo.u32.s32"), 1000 + 0x80ff + 0xff02);
}

TEST(GpuCode, PartsOfAWordAreAddedAndComparedEachByItself) {
  const auto of = [](const std::string& instruction, const std::string& third = "") {
    return uint32_t(ran("mov.u32 %r6, 0x8001ffff;\nmov.u32 %r7, 0x7ffe0002;\n" + instruction +
                            " %r8, %r6, %r7" + third + ";\nst.global.u32 [%rd3], %r8;",
                        numbers(32), 0, 1)
                        .array[0]);
  };
  EXPECT_EQ(of("add.u16x2"), 0xffff0001);
  EXPECT_EQ(of("add.s16x2"), 0xffff0001);
  EXPECT_EQ(of("max.u16x2"), 0x8001ffff);
  EXPECT_EQ(of("max.s16x2"), 0x7ffe0002);
  EXPECT_EQ(of("min.u16x2"), 0x7ffe0002);
  EXPECT_EQ(of("min.s16x2"), 0x8001ffff);
  EXPECT_EQ(of("min.s16x2.relu"), 0u);
  EXPECT_EQ(of("max.s16x2.relu"), 0x7ffe0002);
  EXPECT_EQ(of("vabsdiff4.u32.u32.u32", ", 7"), 0x01fdfffdu);
  EXPECT_EQ(of("vabsdiff2.u32.u32.u32", ", 7"), 0x0003fffdu);
  EXPECT_EQ(of("vabsdiff4.u32.u32.u32.add", ", 7"), 0x01u + 0xfd + 0xff + 0xfd + 7);
  EXPECT_EQ(of("vabsdiff2.u32.u32.u32.add", ", 7"), 3u + 0xfffd + 7);
  EXPECT_THROW(of("vabsdiff4.s32.s32.s32", ", 7"), Unsupported);
  EXPECT_THROW(of("add.sat.s16x2"), Unsupported);
}

TEST(GpuCode, ASectorThatIsStoredInPartIsBroughtWhereNobodyReadIt) {
  const auto brought = [](const std::string& before) {
    const Ran end = ran("mul.wide.u32 %rd4, %r5, 32;\nadd.s64 %rd5, %rd1, %rd4;\n" + before +
                            "st.global.u32 [%rd5], %r2;",
                        numbers(512), 0, 32);
    for (const Operation& o : end.launch.sampled[0].warps[0].operations)
      if (o.kind == Operation::Kind::store) return unsigned(o.partialSectors);
    return 99u;
  };
  EXPECT_EQ(brought(""), 32u);
  EXPECT_EQ(brought("ld.global.u32 %r6, [%rd5+16];\n"), 0u);
}

TEST(GpuCode, WhatWasWaitedForOnceIsThere) {
  const auto runs = [](const std::string& second) {
    const Ran end =
        ran("ld.global.v2.u32 {%r6, %r7}, [%rd1]; xor.b32 %r8, %r6, %r2; xor.b32 %r9, " + second +
                ", %r2; sub.s32 %r10, %r8, %r9; st.global.u32 [%rd3], %r10;",
            numbers(32), 0, 32);
    return countOf(end.launch, Operation::Kind::instructions);
  };
  EXPECT_EQ(runs("%r7"), runs("%r6"));
}

TEST(GpuCode, FloatsAndLongNumbersInSharedMemoryAreAddedByComparingAndSwapping) {
  const auto atomics = [](const std::string& type) {
    const Ran end = ran("mov.u64 %rd4, block; mov.f32 %f1, 0f3F800000; atom.shared.add." + type,
                        numbers(32), 0, 32);
    return countOf(end.launch, Operation::Kind::sharedAtomic);
  };
  EXPECT_EQ(atomics("f32 %f2, [%rd4], %f1;"), 32u);
  EXPECT_EQ(atomics("u32 %r6, [%rd4], %r2;"), 1u);
  const auto atSome = [](unsigned addresses, const std::string& type, unsigned threads = 32) {
    const Ran end = ran("mov.u64 %rd4, block; and.b32 %r6, %r2, " + std::to_string(addresses - 1) +
                            "; mul.wide.u32 %rd5, %r6, 8; add.s64 %rd6, %rd4, %rd5;" +
                            "atom.shared.add." + type,
                        numbers(threads), 0, threads);
    return unsigned(std::ranges::count(end.launch.sampled.at(0).warps.back().operations,
                                       Operation::Kind::sharedAtomic, &Operation::kind));
  };
  const std::string words = "u64 %rd7, [%rd6], %rd2;";
  EXPECT_EQ(atSome(8, words), 4u);
  EXPECT_EQ(atSome(8, "u32 %r7, [%rd6], %r2;"), 1u);
  EXPECT_GT(atSome(8, words, 256), 2 * atSome(8, words)) << "another warp was quicker";
  EXPECT_LE(atSome(256, words, 256), 2u) << "seldom where there are many places";
}

// `found ? array[i] : own` becomes one load of either address.
TEST(GpuCode, LanesOfAGenericLoadFindTheirOwnMemoryAndThatOfAll) {
  const Ran end = ran(R"(
	.local .align 4 .b8 own[64];
	add.u32 %r6, %r2, 1000;
	st.local.u32 [own+4], %r6;
	mov.u64 %rd4, own;
	cvta.local.u64 %rd5, %rd4;
	setp.lt.u32 %p1, %r2, 8;
	add.s64 %rd6, %rd3, -4;
	selp.b64 %rd7, %rd5, %rd6, %p1;
	ld.u32 %r7, [%rd7+4];
	st.global.u32 [%rd3], %r7;)",
                      numbers(32), 0, 32);
  for (int lane = 0; lane < 32; ++lane)
    EXPECT_EQ(end.array[size_t(lane)], lane < 8 ? 1000 + lane : numbers(32)[size_t(lane)]) << lane;
  std::vector<int> lanes;
  for (const Operation& o : end.launch.sampled[0].warps[0].operations)
    if (o.kind == Operation::Kind::load) lanes.push_back(o.isLocal ? 0 : o.lanes);
  EXPECT_EQ(lanes, (std::vector{0, 24}));
}

// Half of all lanes at one address, beside many: other warps' lanes there come between, not those
// of a table of each warp's own.
TEST(GpuCode, SumsInSharedMemoryWaitForOtherWarpsAtTheSameAddress) {
  const auto turns = [](const std::string& place, unsigned threads) {
    std::string body =
        "mov.u64 %rd4, block; shr.u32 %r7, %r2, 5; and.b32 %r6, %r2, 31;"
        "setp.lt.u32 %p1, %r6, 16;" +
        place + "mul.wide.u32 %rd5, %r6, 4; add.s64 %rd6, %rd4, %rd5;";
    for (unsigned time = 0; time < 16; ++time)
      body += "atom.shared.add.f32 %f2, [%rd6], 0f3F800000;";
    const Ran end = ran(body, numbers(threads), 0, threads, 3);
    double all = 0;
    for (const Operation& o : end.launch.sampled[2].warps[0].operations)
      if (o.kind == Operation::Kind::sharedAtomic) all += o.passes / 2.0;
    return all / 16;
  };
  const std::string ofAll = "selp.u32 %r6, 0, %r6, %p1;",
                    ofEach = ofAll + "mad.lo.u32 %r6, %r7, 32, %r6;";
  const double alone = turns(ofAll, 32), four = turns(ofAll, 128), own = turns(ofEach, 128);
  EXPECT_NEAR(alone, 16, 0.5);
  EXPECT_NEAR(own, alone, 0.5);
  EXPECT_NEAR(four, alone + 20 + 0.35 * 8, 1)
      << "half of 40 of the others' 48, and of more a third";
}

TEST(GpuCode, LogicOnThreeNumbersIsOneInstructionForEach32Bits) {
  const auto logic = [](const std::string& code) { return costOf(code) - costOf(""); };
  EXPECT_EQ(logic("and.b64 %rd6, %rd1, %rd1; xor.b64 %rd7, %rd6, %rd1; "), 2);
  EXPECT_EQ(logic("and.b64 %rd6, %rd1, %rd1; xor.b64 %rd7, %rd6, %rd1; not.b64 %rd8, %rd6; "), 6)
      << "where two need it";
  EXPECT_EQ(logic("and.b64 %rd6, %rd1, 255; "), 1) << "the upper half is 0";
  EXPECT_EQ(logic("and.b64 %rd6, %rd1, -256; "), 1) << "... is as it was";
  EXPECT_EQ(logic("or.b64 %rd6, %rd1, 4294967297; "), 2);
}

TEST(GpuCode, TheLargestOfThreeOrOfASumIsOneInstruction) {
  const auto cost = [](const std::string& code) {
    return costOf(code + "st.global.u32 [%rd3], %r9;") -
           costOf("xor.b32 %r9, %r1, %r2; st.global.u32 [%rd3], %r9;") + 1;
  };
  const std::string largest = "max.s32 %r6, %r1, %r2; ", sum = "add.s32 %r6, %r1, %r2; ";
  EXPECT_EQ(cost(largest + "max.s32 %r9, %r6, %r3; "), 1);
  EXPECT_EQ(cost(largest + "min.s32 %r9, %r6, %r3; "), 2);
  EXPECT_EQ(cost(largest + "max.u32 %r9, %r6, %r3; "), 2);
  EXPECT_EQ(cost(largest + "max.s32 %r7, %r6, %r3; max.s32 %r9, %r7, %r4; "), 2) << "of four";
  EXPECT_EQ(cost(sum + "min.u32 %r9, %r6, %r3; "), 1);
  EXPECT_EQ(cost(sum + "add.s32 %r7, %r3, 5; max.s32 %r9, %r6, %r7; "), 2) << "of two sums";
  EXPECT_EQ(cost(sum + "max.s32 %r7, %r6, %r3; max.s32 %r9, %r7, 0; "), 1);
  EXPECT_EQ(cost(sum + "max.s32 %r7, %r6, %r3; max.s32 %r9, %r7, 1; "), 2);
  EXPECT_EQ(cost(sum + "max.s32 %r7, %r6, %r3; max.u32 %r9, %r7, 0; "), 2);
  EXPECT_EQ(cost(sum + "max.s32 %r7, %r6, %r3; xor.b32 %r9, %r6, %r7; "), 3) << "two read the sum";
}

TEST(GpuCode, PlacesThatAreSoFarApartAsIsKnownHaveOneAddress) {
  const std::string first = "mul.wide.s32 %rd4, %r5, 4; add.s64 %rd5, %rd1, %rd4; ",
                    load = "ld.global.u32 %r6, [%rd5]; ";
  const auto cost = [&](const std::string& second, const std::string& more = "") {
    const std::string never = "setp.gt.u32 %p1, %r2, 99; ", loads = "@%p1 ld.global.u32 %r8, ";
    return costOf(never + first + load + second + loads + "[%rd7]; " + more) -
           costOf(never + first + load + loads + "[%rd5+64]; ");
  };
  const std::string sum = "add.s32 %r7, %r5, 16; ", product = "mul.wide.s32 %rd6, %r7, 4; ",
                    address = "add.s64 %rd7, %rd1, %rd6; ";
  EXPECT_EQ(cost(sum + product + address), 0);
  EXPECT_EQ(cost("or.b32 %r7, %r5, 16; " + product + address), 0);
  EXPECT_EQ(cost("add.s32 %r7, %r4, 16; " + product + address), 2) << "another place";
  EXPECT_EQ(cost("xor.b32 %r7, %r5, 16; " + product + address), 2);
  EXPECT_EQ(cost(sum + "mul.wide.s32 %rd6, %r7, 8; " + address), 2);
  EXPECT_EQ(cost("add.s32 %r7, %r5, 2097152; " + product + address), 2) << "too far";
  EXPECT_EQ(cost(sum + product + address, "st.global.u32 [%rd3], %r7; ") - 1, 1)
      << "the number is stored, too";
}

TEST(GpuCode, DoublesAreComparedMoreSlowlyThanAdded) {
  const auto busy = [](const std::string& code) {
    const Ran end = ran(".reg .f64 %fd<3>; cvt.rn.f64.u32 %fd1, %r2;" + code, numbers(64), 0, 32);
    double cycles = 0;
    for (const Operation& o : end.launch.sampled[0].warps[0].operations) cycles += o.unitCycles[2];
    return cycles;
  };
  const double sum = busy("add.f64 %fd2, %fd1, %fd1; st.global.f64 [%rd1], %fd2;");
  const double comparison = busy(
      "setp.gt.f64 %p1, %fd1, 0d3FF0000000000000; selp.u32 %r6, 1, 0, %p1;"
      "st.global.u32 [%rd3], %r6;");
  EXPECT_NEAR(comparison - sum, 1.6, 0.01);
}

TEST(GpuCode, LanesThatCountAtOneAddressOfSharedMemoryAreOneTurn) {
  const auto turns = [](const std::string& add) {
    const Ran end = ran(R"(
	mov.u64 %rd4, block;
	and.b32 %r6, %r2, 3;
	mul.wide.u32 %rd5, %r6, 4;
	add.s64 %rd6, %rd4, %rd5;
	mov.u32 %r8, 1;
	)" + add,
                        numbers(32), 0, 32);
    for (const Operation& o : end.launch.sampled[0].warps[0].operations)
      if (o.kind == Operation::Kind::sharedAtomic) return unsigned(o.passes);
    return 0u;
  };
  EXPECT_EQ(turns("atom.shared.add.u32 %r7, [%rd6], 1;"), 1u);
  EXPECT_EQ(turns("red.shared.add.u32 [%rd6], %r8;"), 1u);
  EXPECT_EQ(turns("atom.shared.add.u32 %r7, [%rd6], 2;"), 8u);
  EXPECT_EQ(turns("atom.shared.max.u32 %r7, [%rd6], 1;"), 8u);
  EXPECT_EQ(turns("atom.shared.add.u32 %r7, [%rd6], 1; st.global.u32 [%rd3], %r7;"), 8u);
}

TEST(GpuCode, OfAThreadsOwnMemoryItIsCountedHowManyLinesCameBetween) {
  const auto last = [](const std::string& code) {
    const Ran end = ran(code, numbers(64), 0, 32);
    return lastLoadOf(end.launch.sampled[0]);
  };
  const std::string own = ".local .align 4 .b8 own[1024]; .reg .b64 %own; mov.u64 %own, own; ";
  std::string stores = own, again;
  for (int k = 0; k < 8; ++k) {
    const std::string place = "[%own+" + std::to_string(4 * k) + "]";
    stores += "st.local.u32 " + place + ", %r2; ";
    again += "ld.local.u32 %r7, " + place + "; ";
  }
  EXPECT_EQ(last(stores + "ld.local.u32 %r7, [%own];").linesSince, 7u);
  EXPECT_EQ(last(stores + again + again).linesSince, 7u) << "each counts once";
  EXPECT_EQ(last(stores + "ld.global.u32 %r8, [%rd1]; ld.global.u32 %r8, [%rd1+4];"
                          "ld.local.u32 %r7, [%own];")
                .linesSince,
            8u);
  EXPECT_EQ(last(stores + "ld.local.u32 %r7, [%own];").l1Sectors, 4u);
  // Lanes that have words of their own: of each word eight lanes have a sector.
  const Operation apart = last(stores +
                               "and.b32 %r9, %r2, 7; mul.wide.u32 %rd7, %r9, 4; "
                               "add.s64 %own, %own, %rd7; ld.local.u32 %r7, [%own];");
  EXPECT_EQ(apart.lines, 8u);
  EXPECT_EQ(apart.l1Sectors, 32u);
  EXPECT_EQ(apart.passes, 2u) << "four lines at a time";
}

TEST(GpuCode, WhatNobodyReadsOfAThreadsOwnMemoryIsNotWritten) {
  const auto stores = [](const std::string& after) {
    const Ran end =
        ran(".local .align 4 .b8 own[64]; st.local.u32 [own], %r2; " + after, numbers(64), 0, 32);
    return std::ranges::count_if(end.launch.sampled[0].warps[0].operations, [](const Operation& o) {
      return o.isLocal && o.kind == Operation::Kind::store;
    });
  };
  EXPECT_EQ(stores(""), 0);
  EXPECT_EQ(stores("ld.local.u32 %r7, [own];"), 1);
}

// Each lane reads a line of its own, then so many others, then its own once more.
TEST(GpuCode, HowMuchAWarpAskedForBetweenIsCounted) {
  const auto since = [](unsigned others, unsigned threads, const std::string& first = "") {
    std::string code = first + R"(
	and.b32 %r6, %r2, 31;
	mul.wide.u32 %rd5, %r6, 128;
	add.s64 %rd6, %rd1, %rd5;
	mov.u32 %r8, 0;
	ld.global.u32 %r7, [%rd6];
)";
    for (unsigned k = 1; k <= others; ++k) {
      const std::string far = std::to_string(4096 * k);
      code += "ld.global.u32 %r8, [%rd6+" + far + "]; and.b32 %r10, %r8, 0;\n" +
              "mul.wide.u32 %rd7, %r10, 4; add.s64 %rd6, %rd6, %rd7;\n";
    }
    const Ran end = ran(code + "ld.global.u32 %r9, [%rd6+4];", numbers(1024 * 9), 0, threads);
    return lastLoadOf(end.launch.sampled[0]).linesSince;
  };
  EXPECT_LT(since(0, 32), 32u);
  EXPECT_NEAR(since(2, 32), 2 * 32, 8);
  EXPECT_NEAR(since(8, 32), 8 * 32, 8);
  EXPECT_NEAR(since(8, 64), 8 * 32 / 4, 4)
      << "another warp asks for the same: half of them, as often again";
  EXPECT_NEAR(since(8, 64, "bar.sync 0;"), 8 * 32 / 2, 4) << "… at the same time";
}

TEST(GpuCode, LinesThatBlocksAllOverAGridTouchAreCommon) {
  const auto launchOf = [](const std::string& from) {
    return ran("ld.global.u32 %r7, [" + from + "];", numbers(64 * 32), 0, 32, 64, 1'000'000,
               {0, 1, 20, 21, 40, 41, 62, 63})
        .launch;
  };
  EXPECT_EQ(launchOf("%rd1").commonLines, 1);
  EXPECT_EQ(lastLoadOf(launchOf("%rd1").sampled[2]).commonLines, 1u);
  EXPECT_EQ(launchOf("%rd3").commonLines, 0);
  EXPECT_TRUE(lastLoadOf(launchOf("%rd1").sampled[2]).isOfAll);
  EXPECT_FALSE(lastLoadOf(launchOf("%rd3").sampled[2]).isOfAll);
}

TEST(GpuCode, NeighboursInSharedMemoryAreLoadedTogether) {
  const Ran end = ran(R"(
	mov.u64 %rd4, block;
	mul.wide.u32 %rd5, %r2, 16;
	add.s64 %rd6, %rd4, %rd5;
	ld.shared.u32 %r6, [%rd6];
	ld.shared.u32 %r7, [%rd6+4];
	ld.shared.u32 %r8, [%rd6+8];
	ld.shared.u32 %r9, [%rd6+12];
	add.s32 %r10, %r6, %r7;
	add.s32 %r11, %r8, %r9;
	add.s32 %r12, %r10, %r11;
	st.global.u32 [%rd3], %r12;)",
                      numbers(32), 0, 32);
  EXPECT_EQ(countOf(end.launch, Operation::Kind::sharedLoad), 1u);
}

TEST(GpuCode, ConflictsOfBanksArePasses) {
  uint64_t addresses[32];
  const auto passes = [&](unsigned stride, unsigned bytes) {
    for (unsigned l = 0; l < 32; ++l) addresses[l] = l * stride;
    return passesOf(UINT32_MAX, addresses, bytes);
  };
  EXPECT_EQ(passes(4, 4).all, 1u);
  EXPECT_EQ(passes(8, 4).all, 2u);
  EXPECT_EQ(passes(128, 4).all, 32u);
  EXPECT_EQ(passes(0, 4).all, 1u);
  EXPECT_EQ(passes(8, 8).all, 2u);
  EXPECT_EQ(passes(16, 16).all, 4u);
  EXPECT_EQ(passes(0, 16).all, 2u);
  EXPECT_EQ(passes(0, 8).all, 1u);
}

TEST(GpuCode, L1GivesOutWordsOfSeveralLinesAtATime) {
  const auto passes = [&](unsigned stride, unsigned bytes, uint64_t from = 0) {
    uint64_t addresses[32];
    for (unsigned l = 0; l < 32; ++l) addresses[l] = from + l * stride;
    return estimate::gpu_code::passesOfL1(UINT32_MAX, addresses, bytes);
  };
  EXPECT_EQ(passes(4, 4), 1u);
  EXPECT_EQ(passes(4, 4, 4), 1u) << "in two lines";
  EXPECT_EQ(passes(4, 4, 7 * 128 + 4), 2u) << "in two lines that one unit looks for";
  EXPECT_EQ(passes(16, 16), 4u);
  EXPECT_EQ(passes(32, 4), 8u) << "eight lines, in each of which four are wanted";
  EXPECT_EQ(passes(128, 4), 32u) << "all in one bank";
  EXPECT_EQ(passes(132, 4), 8u) << "each in its own";
  EXPECT_EQ(passes(2052, 4), 8u) << "also where lines are a power of two apart";
  EXPECT_EQ(passes(388, 4), 11u) << "others are not spread as evenly";
}

// An H200's counter of wavefronts, of 32 lines so far apart that begin at each of eight.
TEST(GpuCode, L1LooksForAWarpsLinesAsOftenAsTheProfilerCounts) {
  const auto wavefronts = [](uint64_t apart) {
    double all = 0;
    for (uint64_t from = 0; from < 8; ++from) {
      std::vector<uint64_t> lines;
      for (uint64_t l = 0; l < 32; ++l) lines.push_back(from + l * apart);
      all += mostInUnit(lines) / 8.0;
    }
    return all;
  };
  const std::map<uint64_t, double> counted = {
      {1, 8.5},    {2, 8.5},   {3, 11.75}, {4, 8.5}, {5, 10.625}, {6, 11.5}, {7, 13.625}, {8, 8},
      {10, 10.25}, {12, 12.5}, {13, 10},   {14, 12}, {16, 8},     {20, 9},   {21, 10.25}, {32, 8}};
  for (const auto& [apart, times] : counted) EXPECT_EQ(wavefronts(apart), times) << apart;
  // Of two lines, whether one unit has both.
  const auto isOne = [](uint64_t a, uint64_t b) { return mostInUnit(std::vector{a, b}) == 2; };
  EXPECT_TRUE(isOne(0, 1u << 10 ^ 2) && isOne(0, 1u << 13 ^ 1) && isOne(0, 1u << 17 ^ 3));
  EXPECT_FALSE(isOne(0, 1u << 10 ^ 1) || isOne(0, 1u << 13 ^ 2) || isOne(0, 1u << 17));
}

// Read again, or what stands beside it; or an atomic had it last.
TEST(GpuCode, L1HasTheBytesThatABlockHasStored) {
  const auto last = [](const std::string& code) {
    return lastLoadOf(ran("mul.wide.u32 %rd5, %r2, 32; add.s64 %rd6, %rd1, %rd5; mov.u32 %r7, 1;" +
                              code + "st.global.u32 [%rd1+8192], %r8;",
                          numbers(4096), 0, 32)
                          .launch.sampled[0]);
  };
  const Operation same = last("st.global.u32 [%rd6], %r2; ld.global.u32 %r8, [%rd6];");
  EXPECT_EQ(same.l1Sectors, 32u);
  const Operation beside =
      last("st.global.u32 [%rd6], %r2; bar.sync 0; ld.global.u32 %r8, [%rd6+4];");
  EXPECT_EQ(beside.l1Sectors, 0u);
  EXPECT_EQ(beside.l2Sectors, 32u);
  EXPECT_EQ(last("st.global.u32 [%rd6], %r2; red.global.add.u32 [%rd6], %r7;"
                 "ld.global.u32 %r8, [%rd6];")
                .l2Sectors,
            32u);
}

// The second warp has two of its four sectors in common with the first, the third the others with
// the second, and the fourth but one with the third.
TEST(GpuCode, WarpsThatReadTheSameAtTheSameTimeAreKnown) {
  const auto together = [](const std::string& before) {
    const std::string code = R"(
	shr.u32 %r6, %r2, 5;
	mov.u32 %r9, 0;
	setp.eq.u32 %p1, %r6, 1;
	selp.u32 %r7, 16, 0, %p1;
	setp.eq.u32 %p1, %r6, 2;
	selp.u32 %r7, 32, %r7, %p1;
	setp.eq.u32 %p1, %r6, 3;
	selp.u32 %r7, 56, %r7, %p1;
	and.b32 %r8, %r2, 31;
	add.s32 %r7, %r7, %r8;
	mul.wide.u32 %rd5, %r7, 4;
	add.s64 %rd6, %rd1, %rd5;
)" + before + "ld.global.u32 %r10, [%rd6]; st.global.u32 [%rd3+8192], %r10;";
    const Ran end = ran(code, numbers(4096), 0, 128);
    const Block& block = end.launch.sampled[0];
    std::vector<uint64_t> all;
    for (const Warp& warp : block.warps) {
      uint64_t its = 0;
      for (const Operation& o : warp.operations)
        if (o.kind == Operation::Kind::load) its = o.together;
      all.push_back(its);
    }
    EXPECT_TRUE(all[0] == 0 || Block::warpOf(all[0]) == 0);
    return all;
  };
  const std::vector<uint64_t> all = together("");
  EXPECT_GT(all[0], 0u);
  EXPECT_EQ(all[1], all[0]);
  EXPECT_EQ(all[2], all[0]);
  EXPECT_EQ(all[3], 0u);
  // The second reads something else first.
  const std::vector<uint64_t> apart = together(
      "setp.eq.u32 %p2, %r6, 1; @%p2 ld.global.u32 %r9, [%rd1+12288]; setp.gt.u32 %p3, %r9, "
      "9999999;"
      " @%p3 bra SKIP;\nSKIP: ");
  EXPECT_EQ(apart[1], 0u);
}

TEST(GpuCode, FunctionsReturnWhatTheyCompute) {
  const Ran end = ran(R"(
	cvt.rn.f32.u32 %f1, %r2;
	{
	.param .b32 param0;
	st.param.f32 [param0+0], %f1;
	.param .b32 retval0;
	call.uni (retval0), __nv_exp2f, (param0);
	ld.param.f32 %f2, [retval0+0];
	}
	cvt.rzi.u32.f32 %r6, %f2;
	st.global.u32 [%rd3], %r6;)",
                      numbers(8), 0, 8);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(end.array[size_t(i)], 1 << i);
}

TEST(GpuCode, ABitIsFoundFromEitherEndBesideTheSign) {
  const auto found = [](const char* kind, int number) {
    const std::string bfind = std::string("bfind.") + kind + " %r6, %r1; ";
    return ran(bfind + "st.global.u32 [%rd3], %r6;", {7}, uint32_t(number), 1).array[0];
  };
  EXPECT_EQ(found("u32", 0x1400), 12);
  EXPECT_EQ(found("shiftamt.u32", 0x1400), 19);
  EXPECT_EQ(found("u32", 0), -1);
  EXPECT_EQ(found("shiftamt.u32", 0), -1);
  EXPECT_EQ(found("s32", -5), 2);
  EXPECT_EQ(found("shiftamt.s32", -5), 29);
}

TEST(GpuCode, CarriesGoFromOnePartOfALongNumberToTheNext) {
  const auto stored = [](const std::string& code) {
    return ran(code + "st.global.u32 [%rd3], %r8;", numbers(32), UINT32_MAX, 32).array;
  };
  for (int i = 0; i < 32; ++i) {
    const auto lane = size_t(i);
    EXPECT_EQ(stored("add.cc.u32 %r6, %r1, %r2; addc.u32 %r8, 0, 0;")[lane], i > 0);
    EXPECT_EQ(stored("sub.cc.u32 %r6, %r2, 5; subc.u32 %r8, 0, 0;")[lane], i < 5 ? -1 : 0);
    EXPECT_EQ(stored("mad.lo.cc.u32 %r6, %r2, %r2, %r1; madc.hi.u32 %r8, %r1, %r2, 0;")[lane],
              i > 0 ? i : 0);
  }
}

TEST(GpuCode, WhatIsNotKnownIsNamed) {
  const auto problem = [](const std::string& body, uint64_t most = 100'000) -> std::string {
    try {
      ran(body, numbers(32), 0, 32, 1, most);
    } catch (const Unsupported& unsupported) {
      return unsupported.what();
    }
    return "";
  };
  EXPECT_NE(problem("frobnicate.u32 %r6, %r7;").find("frobnicate.u32"), std::string::npos);
  EXPECT_NE(problem("FOREVER: bra FOREVER;").find("too long"), std::string::npos);
  EXPECT_NE(problem("mov.u64 %rd9, 16; ld.global.u32 %r6, [%rd9];").find("memory"),
            std::string::npos);
}

TEST(Sample, HasTheFirstTheLastAndSomeBetween) {
  const std::vector<uint64_t> sample = sampleOf(1 << 20);
  EXPECT_EQ(sample.front(), 0u);
  EXPECT_EQ(sample.back(), (1u << 20) - 1);
  EXPECT_LT(sample.size(), 32u);
  EXPECT_TRUE(std::ranges::is_sorted(sample));
  // Of images side by side none begins where it looks.
  for (const uint64_t images : {2u, 3u, 4u, 5u, 6u, 8u, 12u})
    for (const uint64_t block : sampleOf(images * 1000))
      EXPECT_TRUE(block < 4 || block + 4 >= images * 1000 || block % 1000 > 8) << block;
  EXPECT_EQ(sampleOf(3), (std::vector<uint64_t>{0, 1, 2}));
  EXPECT_TRUE(sampleOf(0).empty());
  EXPECT_EQ(fewOf(300), (std::vector<uint64_t>{149, 299}));
  EXPECT_EQ(fewOf(1), std::vector<uint64_t>{0});
  EXPECT_TRUE(fewOf(0).empty());
}

// As nvcc has a loop's address in a register: four floats of a row come at once, in pairs or one by
// one, as far from the row's beginning as the address then is.
TEST(GpuCode, InALoopAnAddressIsInTheMiddleOfWhatItIsFor) {
  const auto loads = [](const std::string& start, const std::vector<int>& places) {
    std::string body = "mov.u32 %r6, block; " + start + " mov.u32 %r9, 0;\nTURN:\n";
    for (const int place : places)
      body += "ld.shared.f32 %f1, [%r8+" + std::to_string(place) + "];";
    const Ran end =
        ran(body +
                "add.s32 %r8, %r8, 528; add.s32 %r9, %r9, 1; setp.lt.s32 %p1, %r9, %r1;\n"
                "@%p1 bra TURN;",
            numbers(64), 3, 32);
    unsigned count = 0;
    for (const Operation& o : end.launch.sampled[0].warps[0].operations)
      count += o.kind == Operation::Kind::sharedLoad;
    return count / 3;
  };
  const std::string computed = "shl.b32 %r7, %r2, 4; add.s32 %r8, %r6, %r7;";
  EXPECT_EQ(loads(computed, {0, 4, 8, 12}), 2u) << "from 8 on";
  EXPECT_EQ(loads(computed, {0, 4, 8, 12, 16, 20}), 6u) << "from 12 on";
  EXPECT_EQ(loads(computed, {0, 4, 8, 12, 32, 36, 40, 44}), 2u) << "from 32 on";
  EXPECT_EQ(loads(computed, {0}), 1u);
  EXPECT_EQ(loads("mov.u32 %r8, %r6;", {0, 4, 8, 12}), 1u) << "a place that needs no sum";
}

// Of the unit for doubles and tensor cores.
float cyclesOfProducts(const Launch& launch) {
  float sum = 0;
  for (const Operation& o : launch.sampled.at(0).warps.at(0).operations) sum += o.unitCycles[2];
  return sum;
}

std::string registersFrom(unsigned first, unsigned count) {
  std::string all = "{";
  for (unsigned r = 0; r < count; ++r) all += (r > 0 ? ", %r" : "%r") + std::to_string(first + r);
  return all + "}";
}

// A number as a factor has it; its bytes.
uint32_t encoded(int value, const std::string& type) {
  if (type == "f16") return toHalf(float(value));
  if (type == "bf16") return toBrain(float(value));
  if (type == "tf32" || type == "f32") return __builtin_bit_cast(uint32_t, float(value));
  return type == "s32" ? uint32_t(value) : uint8_t(value);
}
int decoded(uint32_t bits, const std::string& type) {
  if (type == "f16") return int(fromHalf(uint16_t(bits)));
  return type == "s32" ? int32_t(bits) : int(__builtin_bit_cast(float, bits));
}
size_t bytesOfNumber(const std::string& type) {
  return type == "tf32" || type.ends_with("32") ? 4 : type.ends_with("8") ? 1 : 2;
}

// What a warp makes of a * b + c by fragments, from and to global memory, and what a CPU does.
void multiplyFragments(int m, int n, int k, const std::string& of, const std::string& sum,
                       bool aRows, bool bRows, bool cRows, float cycles) {
  const std::string shape =
      ".m" + std::to_string(m) + "n" + std::to_string(n) + "k" + std::to_string(k);
  SCOPED_TRACE(shape + " " + of + " " + sum + (aRows ? " row" : " col") +
               (bRows ? " row" : " col") + (cRows ? " row" : " col"));
  std::vector<int> memory(2048);
  auto* const bytes = reinterpret_cast<uint8_t*>(memory.data());
  constexpr size_t placeOfB = 2048, placeOfC = 4096;
  const auto at = [](int row, int column, int rows, int columns, bool byRows) {
    return size_t(byRows ? row * columns + column : column * rows + row);
  };
  const auto a = [](int row, int i) { return (row * 3 + i * 5) % 7 - 3; };
  const auto b = [](int i, int column) { return (i * 2 + column * 3) % 5 - 2; };
  const auto put = [&](size_t place, size_t index, int value, const std::string& type) {
    const uint32_t bits = encoded(value, type);
    std::memcpy(bytes + place + index * bytesOfNumber(type), &bits, bytesOfNumber(type));
  };
  for (int i = 0; i < k; ++i) {
    for (int row = 0; row < m; ++row) put(0, at(row, i, m, k, aRows), a(row, i), of);
    for (int column = 0; column < n; ++column)
      put(placeOfB, at(i, column, k, n, bRows), b(i, column), of);
  }
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < n; ++column)
      put(placeOfC, at(row, column, m, n, cRows), row - column, sum);
  const unsigned each = unsigned(4 / bytesOfNumber(of)), all = of == "f16" ? 8 : 0;
  const unsigned inA = all ? all : unsigned(m * k) / 32 / each;
  const unsigned inB = all ? all : unsigned(k * n) / 32 / each;
  const unsigned inC = sum == "f16" ? 4 : 8;
  const auto layout = [](bool byRows) { return std::string(byRows ? "row" : "col"); };
  const std::string left = registersFrom(6, inA), right = registersFrom(6 + inA, inB),
                    sums = registersFrom(6 + inA + inB, inC);
  const auto pitch = [](bool byRows, int rows, int columns) {
    return ", " + std::to_string(byRows ? columns : rows) + "; ";
  };
  const std::string types = of == "f16" ? sum + "." + sum : sum + "." + of + "." + of + "." + sum;
  const Ran end =
      ran("wmma.load.a.sync.aligned." + layout(aRows) + shape + ".global." + of + " " + left +
              ", [%rd1]" + pitch(aRows, m, k) + "wmma.load.b.sync.aligned." + layout(bRows) +
              shape + ".global." + of + " " + right + ", [%rd1+2048]" + pitch(bRows, k, n) +
              "wmma.load.c.sync.aligned." + layout(cRows) + shape + ".global." + sum + " " + sums +
              ", [%rd1+4096]" + pitch(cRows, m, n) + "wmma.mma.sync.aligned." + layout(aRows) +
              "." + layout(bRows) + shape + "." + types + " " + sums + ", " + left + ", " + right +
              ", " + sums + "; wmma.store.d.sync.aligned." + layout(cRows) + shape + ".global." +
              sum + " [%rd1+4096], " + sums + pitch(cRows, m, n),
          memory, 0, 32);
  int wrong = 0;
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < n; ++column) {
      int expected = row - column;
      for (int i = 0; i < k; ++i) expected += a(row, i) * b(i, column);
      uint32_t bits = 0;
      std::memcpy(&bits,
                  reinterpret_cast<const uint8_t*>(end.array.data()) + placeOfC +
                      at(row, column, m, n, cRows) * bytesOfNumber(sum),
                  bytesOfNumber(sum));
      wrong += decoded(bits, sum) != expected;
    }
  EXPECT_EQ(wrong, 0);
  EXPECT_FLOAT_EQ(cyclesOfProducts(end.launch), cycles);
}

TEST(Matrices, OfFragmentsAreMultipliedAsByACpu) {
  for (const int layouts : {0, 1, 2, 3, 4, 5, 6, 7}) {
    const bool a = layouts & 1, b = layouts & 2, c = layouts & 4;
    for (const auto& [m, n] : {std::pair(16, 16), {32, 8}, {8, 32}}) {
      multiplyFragments(m, n, 16, "f16", "f32", a, b, c, 12.4f);
      multiplyFragments(m, n, 16, "f16", "f16", a, b, c, 12.4f);
      multiplyFragments(m, n, 16, "bf16", "f32", a, b, c, 12.4f);
      multiplyFragments(m, n, 16, "s8", "s32", a, b, c, 8.4f);
    }
    multiplyFragments(16, 16, 8, "tf32", "f32", a, b, c, 16.8f);
  }
}

TEST(Matrices, OfFragmentsComeInAsManyRequestsAsOnACard) {
  const auto loads = [](const std::string& what, unsigned registers, const std::string& address,
                        Operation::Kind kind) {
    const Ran end = ran("mov.u32 %r20, block; wmma.load." + what + " " +
                            registersFrom(6, registers) + ", [" + address + "], 24;",
                        numbers(512), 0, 32);
    std::vector<Operation> all;
    for (const Operation& o : end.launch.sampled[0].warps[0].operations)
      if (o.kind == kind) all.push_back(o);
    return all;
  };
  using Kind = Operation::Kind;
  const auto global = loads("a.sync.aligned.row.m16n16k16.global.f16", 8, "%rd1", Kind::load);
  ASSERT_EQ(global.size(), 4u);
  EXPECT_EQ(global[0].bytes, 4);
  EXPECT_EQ(global[0].memorySectors + global[0].l2Sectors, 8);
  EXPECT_EQ(loads("c.sync.aligned.row.m16n16k16.global.f32", 8, "%rd1", Kind::load).size(), 4u);
  EXPECT_EQ(loads("c.sync.aligned.col.m16n16k16.global.f32", 8, "%rd1", Kind::load).size(), 8u);
  EXPECT_EQ(loads("a.sync.aligned.row.m32n8k16.global.f16", 8, "%rd1", Kind::load).size(), 8u);
  EXPECT_EQ(loads("b.sync.aligned.col.m32n8k16.global.f16", 8, "%rd1", Kind::load).size(), 2u);
  EXPECT_EQ(loads("b.sync.aligned.row.m16n16k16.global.s8", 2, "%rd1", Kind::load).size(), 8u);
  for (const char* layout : {"row", "col"}) {
    const auto shared = loads(std::string("a.sync.aligned.") + layout + ".m16n16k16.shared.f16", 8,
                              "%r20", Kind::sharedLoad);
    ASSERT_EQ(shared.size(), 1u);
    EXPECT_EQ(shared[0].bytes, 16);
    EXPECT_EQ(shared[0].passes, 4u) << "rows of 48 bytes lie in all banks";
  }
}

TEST(Matrices, OfMmaComeByLdmatrix) {
  std::vector<int> memory(512);
  auto* const halves = reinterpret_cast<uint16_t*>(memory.data());
  const auto a = [](int row, int i) { return (row * 3 + i * 5) % 7 - 3; };
  const auto b = [](int i, int column) { return (i * 2 + column * 3) % 5 - 2; };
  for (int i = 0; i < 16; ++i) {
    for (int row = 0; row < 16; ++row) halves[row * 16 + i] = toHalf(float(a(row, i)));
    for (int column = 0; column < 8; ++column)
      halves[256 + column * 16 + i] = toHalf(float(b(i, column)));
  }
  const Ran end = ran(R"(
	mov.u32 %r6, block;
	shl.b32 %r7, %r2, 4; cvt.u64.u32 %rd4, %r7; add.s64 %rd5, %rd1, %rd4;
	ld.global.v4.u32 {%r8, %r9, %r10, %r11}, [%rd5]; add.s32 %r12, %r6, %r7;
	st.shared.v4.u32 [%r12], {%r8, %r9, %r10, %r11};
	shl.b32 %r7, %r2, 3; cvt.u64.u32 %rd4, %r7; add.s64 %rd5, %rd1, %rd4;
	ld.global.v2.u32 {%r8, %r9}, [%rd5+512]; add.s32 %r12, %r6, %r7;
	st.shared.v2.u32 [%r12+512], {%r8, %r9};
	bar.sync 0;
	and.b32 %r13, %r2, 15; shl.b32 %r13, %r13, 5; and.b32 %r14, %r2, 16; add.s32 %r13, %r13, %r14;
	add.s32 %r13, %r13, %r6;
	ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r16, %r17, %r18, %r19}, [%r13];
	and.b32 %r13, %r2, 7; shl.b32 %r13, %r13, 5; and.b32 %r14, %r2, 8; shl.b32 %r14, %r14, 1;
	add.s32 %r13, %r13, %r14; add.s32 %r13, %r13, %r6;
	ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r20, %r21}, [%r13+512];
	mov.f32 %f1, 0f3F800000;
	mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f2, %f3, %f4, %f5}, {%r16, %r17, %r18, %r19},
		{%r20, %r21}, {%f1, %f1, %f1, %f1};
	shl.b32 %r7, %r2, 3; cvt.u64.u32 %rd4, %r7; add.s64 %rd5, %rd1, %rd4;
	st.global.v2.f32 [%rd5+1024], {%f2, %f3};
	st.global.v2.f32 [%rd5+1280], {%f4, %f5};)",
                      memory, 0, 32);
  for (int row = 0; row < 16; ++row)
    for (int column = 0; column < 8; ++column) {
      float expected = 1;
      for (int i = 0; i < 16; ++i) expected += float(a(row, i) * b(i, column));
      float found = 0;
      std::memcpy(&found, &end.array[size_t(256 + row * 8 + column)], sizeof found);
      EXPECT_EQ(found, expected) << row << ' ' << column;
    }
  EXPECT_FLOAT_EQ(cyclesOfProducts(end.launch), 6.2f);
  std::vector<unsigned> passes;
  for (const Operation& o : end.launch.sampled[0].warps[0].operations)
    if (o.kind == Operation::Kind::sharedLoad) passes.push_back(o.passes);
  EXPECT_EQ(passes, (std::vector<unsigned>{8, 4})) << "rows of 32 bytes: every fourth in one bank";
}

// Quarters of a warp that multiply by themselves, shapes that there are not.
TEST(Matrices, OfOtherShapesAreNamed) {
  for (const char* unknown :
       {"mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%f2, %f3, %f4, %f5}, {%r6, %r7}, {%r8, "
        "%r9}, "
        "{%f2, %f3, %f4, %f5};",
        "mma.sync.aligned.m16n8k99999999999.row.col.f32.f16.f16.f32 {%f2}, {%r6}, {%r8}, {%f2};",
        "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%r6}, {%r6}, {%r8}, {%r6};",
        "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r6}, [%rd1], 16;",
        "wmma.load.a.sync.aligned.row.m32n32k32.global.f16 {%r6}, [%rd1], 16;",
        "wmma.load.a.sync.aligned.row.m1n6k16m16n16k16x99.global.f16 {%r6}, [%rd1], 16;",
        "wmma.load.a.sync.aligned.row {%r6}, [%rd1], 16;"}) {
    const std::string code = kernelOf(unknown);
    EXPECT_NE(readModule(code).functions.at("k").problem.find("not known"), std::string::npos)
        << unknown;
  }
  EXPECT_THROW(ran("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f2}, {%r6}, {%r8}, {%f2};",
                   numbers(64), 0, 32),
               Unsupported);
  for (const char* outside : {"-1", "100000000"})
    EXPECT_THROW(ran("mov.u32 %r20, " + std::string(outside) +
                         "; ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r6}, [%r20];",
                     numbers(64), 0, 32),
                 Unsupported)
        << outside;
}

}  // namespace
}  // namespace estimate::gpu_code
