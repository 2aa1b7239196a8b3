// What the timing model is fed with: the operations of sampled blocks.
#include <mma.h>

#include <algorithm>
#include <cuda/atomic>
#include <numeric>

#include "cuda/device.h"
#include "estimate/feed_program.h"
#include "estimate/sampled.h"
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
  return sampler.take().launches.at(0);
}

std::vector<Operation> operationsOf(const Launch& launch, Kind kind, size_t block = 0) {
  std::vector<Operation> found;
  for (const estimate::Warp& warp : launch.sampled.at(block).warps)
    for (const Operation& o : warp.operations)
      if (o.kind == kind) found.push_back(o);
  return found;
}

__global__ void tensorProducts(int*, int* out) {
  namespace wmma = nvcuda::wmma;
  wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> x;
  wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::col_major> y;
  wmma::fragment<wmma::accumulator, 8, 8, 4, double> sum;
  wmma::fill_fragment(sum, 0);
  x.x[0] = y.x[0] = 2;
  for (int i = 0; i < int(blockDim.x) / 8; ++i) wmma::mma_sync(sum, x, y, sum);
  out[threadIdx.x] = sum.x[0] > 0;
}

// Twelve shuffles on a line that are none.
__global__ void twelveShuffles(int* data, int* out) {
  int value = data[threadIdx.x];
  for (int i = 0; i < 12; ++i) value += __shfl_xor_sync(0xffffffff, value, 1 + i);
  out[threadIdx.x] = value;
}

__global__ void addOne(int* data, int* out) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  out[i] = data[i] + 1;
}

__global__ void throughArray(const int* data, int* out, size_t n) {
  int sum = 0;
  const size_t first = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  for (size_t i = first; i < n; i += size_t(gridDim.x) * blockDim.x) sum += data[i];
  out[first] = sum;
}

// Each load's address is what the one before has brought; and the same without that.
__global__ void list(int* data, int* out) {
  int at = int(threadIdx.x);
  for (int k = 0; k < int(blockDim.x); ++k) at = data[at];
  out[threadIdx.x] = at;
}
__global__ void array(int* data, int* out) {
  int sum = 0;
  for (int k = 0; k < int(blockDim.x); ++k) sum += data[threadIdx.x + 32 * k];
  out[threadIdx.x] = sum;
}

__global__ void strided(int* data, int* out) { out[threadIdx.x] = data[threadIdx.x * 8]; }

// Every lane reads a line of its own, piece by piece.
__global__ void linesOfLanes(int* data, int* out) {
  int sum = 0;
  for (unsigned k = 0; k < 32; k += 8) sum += data[threadIdx.x * 32 + k];
  out[threadIdx.x] = sum;
}

// The first warp needs a sector of the next block's, after its own.
__global__ void intoTheNextBlock(int* data, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const int own = data[i];
  __syncthreads();
  out[i] = threadIdx.x == 0 ? own + data[i + blockDim.x] : own;
}

__global__ void again(int* data, int* out) {
  int sum = data[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = sum + data[threadIdx.x ^ 1];
}

__global__ void sameForAll(int* data, int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = data[threadIdx.x];
}

__global__ void conflicts(int*, int* out) {
  __shared__ int tile[1024];
  tile[threadIdx.x * 32] = int(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}

__global__ void predicated(int* data, int* out) {
  __shared__ int sums[64];
  const unsigned t = threadIdx.x;
  sums[t] = data[t];
  __syncthreads();
  for (unsigned stride = 32; stride > 0; stride /= 2) {
    if (t < stride) sums[t] += sums[t + stride];
    __syncthreads();
  }
  if (t == 0) out[0] = sums[0];
}

// Every thread adds up the same eight words, and the first of them once more.
__global__ void sideBySide(int* data, int* out) {
  __shared__ int words[32];
  words[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  int sum = 0;
  for (unsigned k = 0; k < 8; ++k) sum = sum * 3 + words[k];
  out[threadIdx.x] = sum;
}

// The distance is known only at run time.
__global__ void atADistance(int* data, int* out) {
  __shared__ int words[64];
  words[threadIdx.x] = words[threadIdx.x + 32] = 1;
  __syncthreads();
  const int distance = data[0] + 1;
  out[threadIdx.x] = words[threadIdx.x] + words[threadIdx.x + distance];
}

__global__ void longLoop(int* data, int* out) {
  int sum = 0;
  for (unsigned i = threadIdx.x; i < 1u << 18; i += blockDim.x) sum += data[i];
  out[threadIdx.x] = sum;
}

// data[0] counts the blocks; the last one reads what eight of the others left.
template <unsigned perBlock>
__global__ void lastBlockReads(int* data, int* out) {
  __shared__ bool isLast;
  if (threadIdx.x == 0) {
    out[blockIdx.x] = 1;
    __threadfence();
    isLast = atomicAdd(data, int(perBlock)) == int(perBlock * (gridDim.x - 1));
  }
  __syncthreads();
  if (isLast && threadIdx.x < 8) out[gridDim.x] = out[threadIdx.x];
}

// A counter that each block has another number for is none; nor is what blocks exchange.
__global__ void noCounters(int* data, int* out) {
  if (threadIdx.x > 0) return;
  out[2 * blockIdx.x] = atomicAdd(data, int(blockIdx.x));
  out[2 * blockIdx.x + 1] = atomicExch(data + 1, int(blockIdx.x)) + atomicMax(data + 2, 7);
}

// Atomics of a warp on one address, on a sector's eight, on a sector for every lane, and on the
// same for each block.
__global__ void updates(int* data, int* out) {
  int* const mine = data + 8192 * (blockIdx.x + 1);
  atomicAdd(data, 1);
  atomicAdd(mine + threadIdx.x % 8, 1);
  atomicAdd(mine + threadIdx.x * 8, 1);
  out[blockIdx.x] = 1;
}

__global__ void fences(int* data, int* out) {
  data[threadIdx.x] = 1;
  __threadfence();
  if (threadIdx.x == 0)
    cuda::atomic_ref<int, cuda::thread_scope_device>(*out).fetch_add(1, cuda::memory_order_release);
  __threadfence_block();
  data[threadIdx.x + 32] = 1;
  cuda::atomic_ref<int, cuda::thread_scope_device>(*out).fetch_add(1, cuda::memory_order_relaxed);
}

}  // namespace

TEST(Feed, WhatIsLeftOutOfAGridIsCounted) {
  NEEDS_COUNTERS();
  for (const unsigned blocks : {2u, 16u, 17u, 4096u})
    for (const Launch& launch :
         {launchOf(lastBlockReads<1>, blocks, 32), launchOf(lastBlockReads<3>, blocks, 32)}) {
      const size_t last = launch.sampled.size() - 1;
      EXPECT_EQ(operationsOf(launch, Kind::load, last).size(), 1u) << blocks;
      EXPECT_TRUE(operationsOf(launch, Kind::load, last / 2).empty()) << blocks;
    }
}

TEST(Feed, WhatIsLeftOutAddsNothingToWhatIsNoCounter) {
  NEEDS_COUNTERS();
  constexpr unsigned blocks = 100;
  estimate::Sampler sampler(132);
  sampler.run([&] {
    DeviceArray<int> counters(3, "counters"), old(2 * blocks, "old");
    launch(blocks, 32, noCounters, counters.data(), old.data());
    const std::vector<uint64_t> sample = estimate::sampleOf(blocks);
    std::vector<int> found(3);
    counters.copyToHost(found.data(), 3);
    EXPECT_EQ(found[0], int(std::accumulate(sample.begin(), sample.end(), uint64_t(0))));
    EXPECT_EQ(found[1], int(blocks - 1));
    EXPECT_EQ(found[2], 7);
  });
}

TEST(Feed, AnAtomicTakesATurnForEachLaneOfAnAddressInEverySector) {
  NEEDS_COUNTERS();
  const Launch launch = launchOf(updates, 64, 32, size_t(1) << 20);
  const std::vector<Operation> atomics = operationsOf(launch, Kind::atomic);
  ASSERT_EQ(atomics.size(), 3u);
  EXPECT_EQ(atomics[0].passes, 32);
  EXPECT_EQ(atomics[0].wholeSectors, 0);
  EXPECT_EQ(atomics[1].passes, 4);
  EXPECT_EQ(atomics[1].wholeSectors, 4);
  EXPECT_EQ(atomics[2].passes, 32);
  EXPECT_EQ(atomics[2].wholeSectors, 0);
  // Two pieces of each block, and one of all.
  EXPECT_NEAR(launch.atomicPieces, 2 * 64, 8);
}

TEST(Feed, AFenceStandsWhereAWarpMakesOneOrReleases) {
  NEEDS_COUNTERS();
  const Launch launch = launchOf(fences, 1, 32);
  std::vector<Kind> kinds;
  for (const Operation& o : launch.sampled.at(0).warps.at(0).operations)
    if (o.kind == Kind::store || o.kind == Kind::atomic || o.kind == Kind::fence)
      kinds.push_back(o.kind);
  EXPECT_EQ(kinds,
            (std::vector{Kind::store, Kind::fence, Kind::atomic, Kind::store, Kind::atomic}));
}

TEST(Feed, AProductOfTensorCoresIsOneInstruction) {
  NEEDS_COUNTERS();
  const Launch products = launchOf(tensorProducts, 1, 32);
  EXPECT_TRUE(operationsOf(products, Kind::shuffle).empty());
  float special = 0;
  for (const Operation& o : operationsOf(products, Kind::instructions)) special += o.special;
  EXPECT_EQ(special, 4);
  EXPECT_EQ(operationsOf(launchOf(twelveShuffles, 1, 32), Kind::shuffle).size(), 12u);
}

TEST(Sample, HasTheFirstTheLastAndSomeBetween) {
  const std::vector<uint64_t> sample = estimate::sampleOf(1 << 20);
  EXPECT_EQ(sample.front(), 0u);
  EXPECT_EQ(sample.back(), (1u << 20) - 1);
  EXPECT_LT(sample.size(), 32u);
  EXPECT_TRUE(std::ranges::is_sorted(sample));
  EXPECT_EQ(estimate::sampleOf(3), (std::vector<uint64_t>{0, 1, 2}));
  EXPECT_TRUE(estimate::sampleOf(0).empty());
  EXPECT_EQ(estimate::fewOf(300), (std::vector<uint64_t>{149, 299}));
  EXPECT_EQ(estimate::fewOf(1), std::vector<uint64_t>{0});
  EXPECT_TRUE(estimate::fewOf(0).empty());
}

TEST(Feed, HasTheWholeGridAndSomeOfItsBlocks) {
  NEEDS_COUNTERS();
  const Launch launch = launchOf(addOne, 4096, 64);
  EXPECT_EQ(launch.kernel, "addOne");
  EXPECT_EQ(launch.blocks, 4096u);
  EXPECT_EQ(launch.threads, 64u);
  ASSERT_EQ(launch.sampled.size(), estimate::sampleOf(4096).size());
  EXPECT_EQ(launch.sampled.back().number, 4095u);
  EXPECT_EQ(launch.sampled[0].warps.size(), 2u);
}

// A grid that fills the GPU goes through an array, of which a GPU of one multiprocessor would have
// its few blocks make very many turns.
TEST(Feed, OfAGpuOfOneMultiprocessorNoMoreIsTracedThanOfALargeOne) {
  NEEDS_COUNTERS();
  struct Traced {
    uint64_t blocks;
    double operations;  // of the first block's first warp
  };
  const auto tracedOn = [](unsigned card) -> Traced {
    estimate::Sampler sampler(card);
    sampler.run([] {
      const size_t n = size_t(1) << 24;
      DeviceArray<int> data(n, "data"), out(size_t(1) << 17, "out");
      launch(2 * multiprocessors(), 256, throughArray, data.data(), out.data(), n);
    });
    const estimate::SampledLaunches taken = sampler.take();
    EXPECT_FALSE(taken.cutOff);
    EXPECT_EQ(taken.launches.size(), 1u);
    const Launch& only = taken.launches.at(0);
    const estimate::Warp& warp = only.sampled.at(0).warps.at(0);
    return {only.blocks, double(warp.operations.size()) +
                             warp.repeats * (double(warp.repeatTo) - double(warp.repeatFrom))};
  };
  const Traced large = tracedOn(132), one = tracedOn(1);
  EXPECT_EQ(large.blocks, 264u);
  EXPECT_GT(large.operations, 100);
  EXPECT_EQ(one.blocks, 256u);  // as on a GPU of 128
  EXPECT_LT(one.operations, 1.2 * large.operations);
  EXPECT_EQ(tracedOn(66).blocks, 132u);  // twice the turns of 132 are no trouble
}

TEST(Feed, StoresWaitForTheLoadsBeforeThem) {
  NEEDS_COUNTERS();
  const Launch launch = launchOf(addOne, 1, 32);
  const auto& operations = launch.sampled[0].warps[0].operations;
  const auto load = std::ranges::find(operations, Kind::load, &Operation::kind);
  ASSERT_NE(load, operations.end());
  ASSERT_LT(load->neededAt, operations.size());
  EXPECT_EQ(operations[load->neededAt].kind, Kind::store);
  EXPECT_EQ(load->memorySectors, 4u);
  EXPECT_EQ(load->lines, 1u);
  EXPECT_TRUE(launch.sources.at(load->source).starts_with("feed_test.cu:"));
}

TEST(Feed, AnAddressWaitsForTheValueThatItIsComputedFrom) {
  NEEDS_COUNTERS();
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
  NEEDS_COUNTERS();
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

TEST(Feed, SectorsAreAloneWhereTheBlockReadsNothingElseOfTheirLine) {
  NEEDS_COUNTERS();
  EXPECT_EQ(operationsOf(launchOf(strided, 1, 32), Kind::load)[0].aloneSectors, 0u);
  unsigned memory = 0, alone = 0;
  for (const Operation& o : operationsOf(launchOf(linesOfLanes, 1, 32), Kind::load))
    memory += o.memorySectors, alone += o.aloneSectors;
  EXPECT_EQ(memory, 128u);
  EXPECT_EQ(alone, 0u);
  const auto loads = operationsOf(launchOf(intoTheNextBlock, 1, 64), Kind::load);
  EXPECT_EQ(loads[1].memorySectors, 1u);
  EXPECT_EQ(loads[1].aloneSectors, 1u);
}

TEST(Feed, ASectorOfTwoNeighboursComesFromMemoryForTheOneThatReadsItFirst) {
  NEEDS_COUNTERS();
  const Launch launch = launchOf(intoTheNextBlock, 64, 64);
  const auto first = operationsOf(launch, Kind::load, 0),
             next = operationsOf(launch, Kind::load, 1);
  EXPECT_EQ(first.at(1).memorySectors, 0u);
  EXPECT_EQ(first.at(1).l2Sectors, 1u);
  EXPECT_EQ(first.at(1).aloneSectors, 0u);
  EXPECT_EQ(next.at(0).memorySectors, 4u);
}

TEST(Feed, BankConflictsArePasses) {
  NEEDS_COUNTERS();
  const auto stores = operationsOf(launchOf(conflicts, 1, 32), Kind::sharedStore);
  ASSERT_EQ(stores.size(), 1u);
  EXPECT_EQ(stores[0].passes, 32u);
  EXPECT_EQ(stores[0].conflicts, 31u);
}

// The second warp has nothing to add, but its loads and its store are issued all the same.
TEST(Feed, AWarpWithoutAPredicateIssuesItsAccessesToSharedMemoryWithoutLanes) {
  NEEDS_COUNTERS();
  const Launch launch = launchOf(predicated, 1, 64);
  const auto& operations = launch.sampled[0].warps.at(1).operations;
  const auto without = [&](Kind kind) {
    return std::ranges::count_if(
        operations, [&](const Operation& o) { return o.kind == kind && o.lanes == 0; });
  };
  EXPECT_EQ(without(Kind::sharedLoad), 6 * 2 + 1);  // and what thread 0 does at the end
  EXPECT_EQ(without(Kind::sharedStore), 6 + 1);
  for (size_t i = 0; i < operations.size(); ++i) {
    if (operations[i].kind != Kind::sharedLoad) continue;
    EXPECT_GT(operations[i].neededAt, i);
    EXPECT_LT(operations[i].neededAt, operations.size());
  }
  for (const Operation& o : launch.sampled[0].warps[0].operations)
    EXPECT_TRUE(o.lanes > 0 || o.kind == Kind::blockBarrier);
}

TEST(Feed, WordsSideBySideInSharedMemoryAreLoadedTogether) {
  NEEDS_COUNTERS();
  const auto loads = operationsOf(launchOf(sideBySide, 1, 32), Kind::sharedLoad);
  ASSERT_EQ(loads.size(), 2u);
  for (const Operation& load : loads) {
    EXPECT_EQ(load.bytes, 16u);
    EXPECT_EQ(load.passes, 1u);  // all lanes load the same
  }
  EXPECT_EQ(operationsOf(launchOf(atADistance, 1, 32), Kind::sharedLoad).size(), 2u);
}

TEST(Feed, KnowsTheArraysAndHowMuchOfThemIsTouched) {
  NEEDS_COUNTERS();
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
  NEEDS_COUNTERS();
  EXPECT_EQ(launchOf(conflicts, 1, 32).sharedBytes, 4096u);
  EXPECT_EQ(launchOf(addOne, 1, 32).sharedBytes, 0u);
}

TEST(Feed, ListsALongLoopInPart) {
  NEEDS_COUNTERS();
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

TEST(Feed, IsTheSameEveryTime) {
  NEEDS_COUNTERS();
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
