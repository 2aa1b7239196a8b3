// Blocks that wait for each other go on side by side, in any order.
#include "simt/tests/executor_testing.h"

namespace {

// All blocks wait for all, as often as there are rounds: a barrier of the grid made by hand.
__global__ void barrierByHand(unsigned* arrived, int* values, int rounds) {
  __shared__ int mine[32];
  const int blocks = int(gridDim.x), block = int(blockIdx.x), t = int(threadIdx.x);
  mine[t] = block + t;
  for (int round = 0; round < rounds; ++round) {
    if (t == 0) values[(round % 2) * blocks + block] = mine[0] + round;
    __syncthreads();
    if (t == 0) {
      __threadfence();
      atomicAdd(arrived, 1u);
      while (atomicAdd(arrived, 0u) < unsigned(blocks * (round + 1))) {
      }
      __threadfence();
      mine[0] = values[(round % 2) * blocks + (block + 1) % blocks];
    }
    __syncthreads();
  }
  if (t == 1) values[2 * blocks + block] = mine[1];
}

// Two blocks take turns in counting.
__global__ void pingPong(int* turn, int* count) {
  if (threadIdx.x != 0) return;
  for (int round = 0; round < 5; ++round) {
    while (atomicAdd(turn, 0) != 2 * round + int(blockIdx.x)) {
    }
    __threadfence();
    *count = *count + 1;
    __threadfence();
    atomicAdd(turn, 1);
  }
}

// Each block waits for the one behind it.
__global__ void backwards(int* left, int* sum) {
  if (threadIdx.x != 0) return;
  while (atomicAdd(left, 0) != int(blockIdx.x) + 1) {
  }
  atomicAdd(sum, int(blockIdx.x));
  __threadfence();
  atomicSub(left, 1);
}

__global__ void neverCounted(int* turn) {
  while (atomicAdd(turn, 0) != 7) {
  }
}

__global__ void faultyNeighbor(int* turn, int* data) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0)
    while (atomicAdd(turn, 0) == 0) {
    }
  if (blockIdx.x == 1) data[4096] = 1;
  atomicExch(turn, 1);
}

struct Arrays {
  DeviceArray<int> a{64, "a"}, b{64, "b"};
  DeviceArray<unsigned> c{1, "c"};
  Arrays() {
    const std::vector<int> zeros(64);
    a.copyFromHost(zeros.data());
    b.copyFromHost(zeros.data());
    const unsigned zero = 0;
    c.copyFromHost(&zero);
  }
};

}  // namespace

TEST(WaitingBlocks, PassABarrierOfTheGridMadeByHand) {
  underSchedules([] {
    Arrays arrays;
    launch(6, 32, barrierByHand, arrays.c.data(), arrays.a.data(), 3);
    const std::vector<int> values = fetched(arrays.a);
    for (int block = 0; block < 6; ++block)
      EXPECT_EQ(values[size_t(12 + block)], block + 1) << "shared memory is the block's own";
    for (int block = 0; block < 6; ++block)
      EXPECT_EQ(values[size_t(block)], (block + 2) % 6 + 3) << block;
  });
}

TEST(WaitingBlocks, TakeTurns) {
  underSchedules([] {
    Arrays arrays;
    launch(2, 32, pingPong, arrays.a.data(), arrays.b.data());
    EXPECT_EQ(fetched(arrays.b)[0], 10);
  });
}

// Each waits for all that are later than it.
void expectSumOfBackwards(int blocks) {
  Arrays arrays;
  std::vector<int> values(64);
  values[0] = blocks;
  arrays.a.copyFromHost(values.data());
  launch(unsigned(blocks), 32, backwards, arrays.a.data(), arrays.b.data());
  EXPECT_EQ(fetched(arrays.b)[0], blocks * (blocks - 1) / 2);
}

TEST(WaitingBlocks, MayWaitForLaterOnes) {
  underSchedules([] { expectSumOfBackwards(40); });
}

TEST(WaitingBlocks, MayBeManyThatWaitForEachOther) { expectSumOfBackwards(100); }

TEST(WaitingBlocks, CountWhatTheyDo) {
  const auto storesOf = [](simt::Schedule::Order order) {
    const WithSchedule schedule(order, 1);
    Arrays arrays;
    simt::takeCounters();
    launch(6, 32, barrierByHand, arrays.c.data(), arrays.a.data(), 3);
    return simt::takeCounters();
  };
  const Counters forward = storesOf(simt::Schedule::Order::forward);
  EXPECT_EQ(forward.store_requests, 6u * 3 + 6);
  EXPECT_EQ(forward.barriers, 6u * 3 * 2);
  EXPECT_EQ(storesOf(simt::Schedule::Order::reverse).store_requests, forward.store_requests);
}

TEST(WaitingBlocks, ThatWaitForEverAreTold) {
  Arrays arrays;
  simt::Settings settings;
  settings.patience = 1 << 18;
  settings.longestComputation = 0;
  const simt::WithSettings scope(settings);
  EXPECT_EQ(faultOf([&] { launch(3, 32, neverCounted, arrays.a.data()); }).kind,
            Fault::Kind::endlessLoop);
}

TEST(WaitingBlocks, FaultsOfOthersEndTheLaunch) {
  for (int again = 0; again < 2; ++again) {  // and leave nothing for the next one
    Arrays arrays;
    const Fault fault =
        faultOf([&] { launch(3, 32, faultyNeighbor, arrays.a.data(), arrays.b.data()); });
    EXPECT_EQ(fault.kind, Fault::Kind::outOfBounds);
    EXPECT_EQ(fault.block.x, 1u);
  }
}
