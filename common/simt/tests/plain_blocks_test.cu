// Of a long launch some blocks are looked at, and the others run plain: what it leaves behind is
// what a launch leaves of which all are.
#include <cstdio>
#include <string>

#include "simt/tests/executor_testing.h"

namespace {

constexpr unsigned blocks = 60, threads = 96;
constexpr size_t n = size_t(blocks) * threads;

struct Outcome {
  std::vector<int> data, sums;
  std::vector<std::string> faults;
  std::string output;
  uint64_t plain = 0;
  std::string whyNone;  // runs plain
};

using Kernel = void (*)(int* data, int* sums, int* flags);

// By worker processes, or by one: then in this process.
Outcome outcomeOf(Kernel kernel, double searchSeconds, unsigned workers) {
  simt::Settings settings;
  settings.searchSeconds = searchSeconds;
  settings.workers = workers;
  const simt::WithSettings withSettings(settings);
  DeviceArray<int> data(n, "data"), sums(blocks, "sums"), flags(blocks, "flags");
  std::vector<int> values(n), nothing(blocks, -1), zeros(blocks);
  std::iota(values.begin(), values.end(), 1);
  data.copyFromHost(values.data());
  sums.copyFromHost(nothing.data());
  flags.copyFromHost(zeros.data());
  simt::takePlainBlocks();
  simt::takeWhyNonePlain();
  simt::takeFaults();
  Outcome outcome;
  testing::internal::CaptureStdout();
  try {
    launch(blocks, threads, kernel, data.data(), sums.data(), flags.data());
  } catch (const Fault&) {
  }
  outcome.output = testing::internal::GetCapturedStdout();
  outcome.data = fetched(data);
  outcome.sums = fetched(sums);
  outcome.plain = simt::takePlainBlocks();
  if (const char* const why = simt::takeWhyNonePlain()) outcome.whyNone = why;
  for (const Fault& fault : simt::takeFaults()) outcome.faults.push_back(fault.what());
  return outcome;
}

// What a launch leaves of which as little as possible is looked at, as if all of it were.
Outcome expectSameAsSearched(Kernel kernel) {
  const Outcome searched = outcomeOf(kernel, 1000, 2);
  EXPECT_EQ(searched.plain, 0);
  const Outcome here = outcomeOf(kernel, 0, 1), sampled = outcomeOf(kernel, 0, 2);
  for (const Outcome& outcome : {here, sampled}) {
    EXPECT_EQ(outcome.data, searched.data);
    EXPECT_EQ(outcome.sums, searched.sums);
    EXPECT_EQ(outcome.output, searched.output);
    EXPECT_EQ(outcome.faults, searched.faults);
  }
  EXPECT_EQ(here.plain == 0, sampled.plain == 0);
  EXPECT_EQ(here.whyNone, sampled.whyNone);
  return sampled;
}

__device__ unsigned indexOfThread() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void sumsByBarriers(int* data, int* sums, int*) {
  int* const mine = data + blockIdx.x * blockDim.x;
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    const unsigned i = 2 * stride * threadIdx.x;
    if (i + stride < blockDim.x) mine[i] += mine[i + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = mine[0];
}

__global__ void sumsByShuffles(int* data, int* sums, int*) {
  __shared__ int ofWarps[threads / 32];
  int value = data[indexOfThread()];
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_down_sync(0xffffffffu, value, unsigned(offset));
  if (threadIdx.x % 32 == 0) ofWarps[threadIdx.x / 32] = value;
  if (__syncthreads_count(value > 0) == 0) return;
  if (threadIdx.x == 0) sums[blockIdx.x] = ofWarps[0] + ofWarps[1] + ofWarps[2];
}

// Some threads end before the first that waits, which is in the midst of a warp.
__global__ void laterOnesWait(int* data, int* sums, int*) {
  int* const mine = data + blockIdx.x * blockDim.x;
  if (threadIdx.x < 37) {
    mine[threadIdx.x] += 2;
    return;
  }
  const unsigned later = threadIdx.x < 64 ? 0xffffffe0u : 0xffffffffu;
  const int value = __shfl_sync(later, mine[threadIdx.x], 31 - int(threadIdx.x % 8));
  if (threadIdx.x == 40) sums[blockIdx.x] = value;
  mine[threadIdx.x] = value;
}

TEST(PlainBlocks, LeaveWhatSearchedOnesLeave) {
  EXPECT_GE(expectSameAsSearched(laterOnesWait).plain, blocks / 2);
  EXPECT_GE(expectSameAsSearched(sumsByBarriers).plain, blocks / 2);
  EXPECT_GE(expectSameAsSearched(sumsByShuffles).plain, blocks / 2);
}

// Each ticket is given once, and in the order of the blocks.
__global__ void tickets(int* data, int* sums, int* flags) {
  if (threadIdx.x == 0) sums[blockIdx.x] = atomicAdd(flags, 1);
  data[indexOfThread()] = 1;
}

// The last block adds up what all have left.
__global__ void lastBlockSums(int* data, int* sums, int* flags) {
  if (threadIdx.x != 0) return;
  sums[blockIdx.x] = data[indexOfThread()];
  __threadfence();
  if (atomicAdd(flags, 1) + 1 != int(gridDim.x)) return;
  __threadfence();
  int sum = 0;
  for (unsigned i = 0; i < gridDim.x; ++i) sum += sums[i];
  data[0] = sum;
}

// Each block waits for the one behind it.
__global__ void chainFromTheEnd(int* data, int* sums, int* flags) {
  if (threadIdx.x != 0) return;
  const unsigned b = blockIdx.x;
  int sum = data[b];
  if (b + 1 < gridDim.x) {
    while (atomicAdd(&flags[b + 1], 0) == 0) {
    }
    __threadfence();
    sum += sums[b + 1];
  }
  sums[b] = sum;
  __threadfence();
  atomicExch(&flags[b], 1);
}

__global__ void lateTickets(int* data, int* sums, int* flags) {
  data[indexOfThread()] += 1;
  if (threadIdx.x == 0 && blockIdx.x >= 20 && blockIdx.x < blocks - 1)
    sums[blockIdx.x] = atomicAdd(flags, 1);
}

TEST(PlainBlocks, AreInOrderWhereBlocksTalk) {
  EXPECT_GE(expectSameAsSearched(tickets).plain, blocks / 2);
  EXPECT_GE(expectSameAsSearched(lastBlockSums).plain, blocks / 2);
  EXPECT_GE(expectSameAsSearched(lateTickets).plain, blocks / 2);
}

TEST(PlainBlocks, AreNoneWhereBlocksWait) {
  const Outcome outcome = expectSameAsSearched(chainFromTheEnd);
  EXPECT_EQ(outcome.plain, 0);
  EXPECT_EQ(outcome.whyNone, "has blocks that wait for each other");
}

__global__ void printsLate(int* data, int*, int*) {
  data[indexOfThread()] += 3;
  if (threadIdx.x == 0 && blockIdx.x == 30) printf("block %u\n", blockIdx.x);
}

__global__ void failsLate(int* data, int*, int*) {
  if (blockIdx.x == 30 && threadIdx.x == 5)
    data[size_t(1) << 40] = 3;
  else
    data[indexOfThread()] += 3;
}

__global__ void allocatesLate(int*, int* sums, int*) {
  if (threadIdx.x != 0 || blockIdx.x < 30) return;
  int* volatile own = static_cast<int*>(malloc(sizeof(int)));  // or the compiler leaves it out
  *own = 7;
  sums[blockIdx.x] = *own;
  free(own);
}

TEST(PlainBlocks, AreRunAgainWhereTheyDoWhatMustBeSeen) {
  const std::pair<Kernel, const char*> reasons[] = {{printsLate, "prints"},
                                                    {failsLate, "has a fault"},
                                                    {allocatesLate, "uses the device's heap"}};
  for (const auto& [kernel, why] : reasons) {
    const Outcome outcome = expectSameAsSearched(kernel);
    EXPECT_EQ(outcome.plain, 0);
    EXPECT_EQ(outcome.whyNone, why);
  }
}

__global__ void lastElementIsOutside(int* data, int*, int*) { data[indexOfThread() + 1] = 3; }

__global__ void neighboursRace(int* data, int*, int*) {
  const unsigned i = indexOfThread();
  data[i] = i + 1 < n ? data[i + 1] : 0;
}

TEST(PlainBlocks, LeaveFaultsThatTheFirstOrTheLastOnesShow) {
  EXPECT_EQ(outcomeOf(lastElementIsOutside, 0, 2).faults.size(), 1);
  const Outcome outcome = expectSameAsSearched(neighboursRace);
  EXPECT_FALSE(outcome.faults.empty());
  EXPECT_GE(outcome.plain, blocks / 2);  // in order
}

__global__ void begunCopies(int* data, int* sums, int*) {
  __shared__ int ofBlock[threads];
  simt::beginCopy(&ofBlock[threadIdx.x], &data[indexOfThread()], sizeof(int));
  simt::waitForAllCopies();
  __syncthreads();
  if (threadIdx.x == 0) sums[blockIdx.x] = ofBlock[threads - 1];
}

TEST(PlainBlocks, PerformCopiesThatTheyHaveBegun) {
  EXPECT_GE(expectSameAsSearched(begunCopies).plain, blocks / 2);
}

__global__ void fills(int* data, int*, int*) { data[indexOfThread()] = 3; }
__global__ void copies(int* from, int* to, int*) {
  if (threadIdx.x == 0) to[blockIdx.x] = from[n - 1 - blockIdx.x];
}

TEST(PlainBlocks, WriteWhatOthersMayRead) {
  simt::Settings settings;
  settings.searchSeconds = 0;
  const simt::WithSettings withSettings(settings);
  DeviceArray<int> data(n, "data"), to(blocks, "to");
  launch(blocks, threads, fills, data.data(), to.data(), nullptr);
  launch(blocks, threads, copies, data.data(), to.data(), nullptr);
  EXPECT_EQ(fetched(to), std::vector<int>(blocks, 3));
}

}  // namespace
