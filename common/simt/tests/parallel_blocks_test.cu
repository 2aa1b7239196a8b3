// Blocks of a launch in several processes: nobody can tell from what comes of it.
#include <cstdio>
#include <string>

#include "simt/observe/trace.h"
#include "simt/tests/executor_testing.h"

namespace {

constexpr unsigned blocks = 40, threads = 96;
constexpr size_t n = size_t(blocks) * threads;

// All that a launch leaves behind.
struct Outcome {
  std::vector<int> data, sums;
  simt::Counters counted;
  std::vector<std::string> faults;
  std::string output;
  bool operator==(const Outcome&) const = default;
};

using Kernel = void (*)(int* data, int* sums, unsigned* tickets);

Outcome outcomeOf(Kernel kernel, simt::Settings settings) {
  const simt::WithSettings withSettings(settings);
  DeviceArray<int> data(n, "data"), sums(blocks, "sums");
  DeviceArray<unsigned> tickets(1, "tickets");
  std::vector<int> values(n), nothing(blocks, -1);
  std::iota(values.begin(), values.end(), 1);
  data.copyFromHost(values.data());
  sums.copyFromHost(nothing.data());
  const unsigned zero = 0;
  tickets.copyFromHost(&zero);
  simt::takeCounters();
  Outcome outcome;
  testing::internal::CaptureStdout();
  try {
    launch(blocks, threads, kernel, data.data(), sums.data(), tickets.data());
  } catch (const Fault&) {
  }
  outcome.output = testing::internal::GetCapturedStdout();
  outcome.data = fetched(data);
  outcome.sums = fetched(sums);
  outcome.counted = simt::takeCounters();
  for (const Fault& fault : simt::takeFaults()) outcome.faults.push_back(fault.what());
  return outcome;
}

// Under every order, with and without the search for faults, by 1 to 7 processes.
Outcome expectSameByAny(Kernel kernel) {
  using Order = simt::Schedule::Order;
  Outcome first;
  for (const bool findFaults : {false, true})
    for (const Order order : {Order::reverse, Order::random, Order::forward}) {
      simt::Settings settings{.schedule = {order, 3}, .findFaults = findFaults, .workers = 1};
      settings.patience = 1 << 16;
      settings.longestComputation = 0;
      first = outcomeOf(kernel, settings);
      for (const unsigned workers : thinned<unsigned>({2, 3, 7})) {
        settings.workers = workers;
        const Outcome outcome = outcomeOf(kernel, settings);
        EXPECT_EQ(outcome, first) << workers << " workers, order " << int(order) << ", faults "
                                  << findFaults;
        EXPECT_EQ(outcome.faults, first.faults);
        EXPECT_EQ(outcome.output, first.output);
      }
    }
  return first;
}

__device__ unsigned indexOfThread() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void sumsInPlace(int* data, int* sums, unsigned*) {
  int* const mine = data + blockIdx.x * blockDim.x;
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    const unsigned i = 2 * stride * threadIdx.x;
    if (i + stride < blockDim.x) mine[i] += mine[i + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = mine[0];
}

// Neighbouring bytes of one word belong to different blocks.
__global__ void bytes(int*, int* sums, unsigned*) {
  auto* const places = reinterpret_cast<unsigned char*>(sums);
  if (threadIdx.x == 0)
    for (unsigned i = blockIdx.x; i < gridDim.x * 4; i += gridDim.x)
      places[i] = static_cast<unsigned char>(i);
}

__global__ void wholeObjects(int* data, int* sums, unsigned*) {
  const unsigned i = indexOfThread();
  if (i % 4 == 0) {
    int4 four = reinterpret_cast<int4*>(data)[i / 4];
    four.w += four.x;
    reinterpret_cast<int4*>(data)[i / 4] = four;
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = 1;
}

// ---- What is not the same in another order

__global__ void tickets(int*, int* sums, unsigned* tickets) {
  if (threadIdx.x == 0) sums[blockIdx.x] = int(atomicAdd(tickets, blockIdx.x + 1));
}

__global__ void lastBlock(int* data, int* sums, unsigned* tickets) {
  __shared__ bool isLast;
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = data[blockIdx.x * blockDim.x];
    __threadfence();
    isLast = atomicAdd(tickets, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!isLast || threadIdx.x != 0) return;
  __threadfence();
  int sum = 0;
  for (unsigned i = 0; i < gridDim.x; ++i) sum += sums[i];
  data[0] = sum;
}

// Each block reads what the one before it wrote: a race.
__global__ void fromTheBlockBefore(int* data, int* sums, unsigned*) {
  if (threadIdx.x != 0) return;
  const int before = blockIdx.x == 0 ? 0 : sums[blockIdx.x - 1];
  sums[blockIdx.x] = before + data[blockIdx.x];
}

__global__ void allWriteOne(int*, int* sums, unsigned*) {
  if (threadIdx.x == 0) sums[7] = int(blockIdx.x);
}

// The first blocks read what a late one writes.
__global__ void writtenAfterItWasRead(int* data, int* sums, unsigned*) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == gridDim.x - 1)
    data[0] = 100;
  else
    sums[blockIdx.x] = data[0];
}

__global__ void outsideInALateBlock(int* data, int* sums, unsigned*) {
  if (threadIdx.x == 0) sums[blockIdx.x] = 1;
  if (blockIdx.x == 33 && threadIdx.x == 5) data[n + 4] = 1;
}

// Block 3 cannot end before block 36 has begun.
__global__ void waitsForALaterBlock(int*, int* sums, unsigned* tickets) {
  if (threadIdx.x != 0) return;
  volatile unsigned* const flag = tickets;
  if (blockIdx.x == 36) *tickets = 1;  // plainly: nothing orders the two
  while (blockIdx.x == 3 && *flag == 0) {
  }
  sums[blockIdx.x] = 1;
}

__global__ void sameValue(int*, int* sums, unsigned*) {
  if (threadIdx.x == 0) sums[0] = 1;
}

__global__ void prints(int*, int* sums, unsigned*) {
  if (threadIdx.x != 0) return;
  sums[blockIdx.x] = 1;
  if (blockIdx.x % 16 == 3) std::printf("block %u\n", blockIdx.x);
}

__global__ void usesTheHeap(int*, int* sums, unsigned*) {
  if (threadIdx.x != 0) return;
  int* const own = static_cast<int*>(malloc(4 * sizeof(int)));
  own[1] = int(blockIdx.x);
  sums[blockIdx.x] = own[1];
  free(own);
}

}  // namespace

TEST(ParallelBlocks, LeaveWhatBlocksLeaveOneAfterTheOther) {
  const Outcome outcome = expectSameByAny(sumsInPlace);
  EXPECT_EQ(outcome.sums[1], int((97 + 192) * 96 / 2));
  EXPECT_TRUE(outcome.faults.empty());
  EXPECT_EQ(expectSameByAny(bytes).sums[1], 0x07060504);
  EXPECT_EQ(expectSameByAny(wholeObjects).data[3], 5);
}

TEST(ParallelBlocks, RunOneAfterTheOtherWhereOrderShows) {
  EXPECT_EQ(expectSameByAny(tickets).sums[3], 1 + 2 + 3);
  expectSameByAny(lastBlock);
  EXPECT_EQ(expectSameByAny(fromTheBlockBefore).sums[2], 1 + 2 + 3);
  EXPECT_EQ(expectSameByAny(allWriteOne).sums[7], int(blocks - 1));
  EXPECT_EQ(expectSameByAny(writtenAfterItWasRead).sums[0], 1);
  EXPECT_EQ(expectSameByAny(usesTheHeap).sums[9], 9);
}

TEST(ParallelBlocks, FindAndSayTheSame) {
  EXPECT_EQ(expectSameByAny(outsideInALateBlock).faults.size(), 1u);
  EXPECT_EQ(expectSameByAny(sameValue).faults.size(), 1u);  // mild: the launch goes on
  EXPECT_EQ(expectSameByAny(fromTheBlockBefore).faults.size(), 1u);
  EXPECT_GE(expectSameByAny(waitsForALaterBlock).faults.size(), 1u);
  EXPECT_EQ(expectSameByAny(prints).output, "block 3\nblock 19\nblock 35\n");
}

// ---- What is written counts as written afterwards, and what is not does not

namespace {

__global__ void writesHalf(int* out) {
  const unsigned i = indexOfThread();
  if (i % 2 == 0) out[i] = int(i);
}
__global__ void readsAt(const int* in, unsigned at, int* out) { *out = in[at]; }

}  // namespace

TEST(ParallelBlocks, KnowWhatWasWritten) {
  DeviceArray<int> half(n, "half"), out(1, "out");
  const simt::WithSettings settings(simt::Settings{.workers = 3});
  launch(blocks, threads, writesHalf, half.data());
  launch(1, 1, readsAt, half.data(), 2000u, out.data());
  EXPECT_EQ(fetched(out)[0], 2000);
  const Fault fault = faultOf([&] { launch(1, 1, readsAt, half.data(), 2001u, out.data()); });
  EXPECT_EQ(fault.kind, Fault::Kind::uninitialised);
}

// ---- Traces

namespace {

bool same(const simt::Trace& a, const simt::Trace& b) {
  if (a.steps.size() != b.steps.size() || a.words != b.words || a.cutOff != b.cutOff) return false;
  if (a.blocks.size() != b.blocks.size() || a.arrays.size() != b.arrays.size()) return false;
  for (size_t i = 0; i < a.blocks.size(); ++i)
    if (a.blocks[i].index.x != b.blocks[i].index.x || a.blocks[i].kernel != b.blocks[i].kernel)
      return false;
  for (size_t i = 0; i < a.steps.size(); ++i) {
    const simt::TraceStep &s = a.steps[i], &t = b.steps[i];
    if (s.kind != t.kind || s.block != t.block || s.warp != t.warp || s.lanes != t.lanes ||
        s.pc != t.pc || s.words != t.words || s.sectors != t.sectors || s.divergent != t.divergent)
      return false;
  }
  return true;
}

simt::Trace traceOf(DeviceArray<int>& data, DeviceArray<int>& sums, unsigned workers, size_t most) {
  std::vector<int> ones(n, 1);
  data.copyFromHost(ones.data());
  simt::Trace trace;
  const simt::WithSettings settings(simt::Settings{.workers = workers});
  simt::recordTrace(&trace, {.blocks = {0, 1, 13, 14, 38, 39}, .maxSteps = most});
  launch(blocks, threads, sumsInPlace, data.data(), sums.data(), static_cast<unsigned*>(nullptr));
  simt::recordTrace(nullptr);
  return trace;
}

}  // namespace

TEST(ParallelBlocks, AreTracedAsOneAfterTheOther) {
  DeviceArray<int> data(n, "data"), sums(blocks, "sums");
  for (const size_t most : {size_t(1) << 20, size_t(150)}) {
    const simt::Trace one = traceOf(data, sums, 1, most), three = traceOf(data, sums, 3, most);
    EXPECT_GT(one.steps.size(), 100u);
    EXPECT_EQ(one.cutOff, most == 150);
    EXPECT_TRUE(same(one, three)) << one.steps.size() << " and " << three.steps.size();
  }
}
