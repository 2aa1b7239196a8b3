// What recordTrace() lists: the same as is counted, in the order of issue, with the values that
// went.
#include "../../../08_shuffle/steps.h"
#include "test_support/kernel_testing.h"
#include "trace_testing.h"

namespace {

using Kind = simt::TraceStep::Kind;

// Records from its beginning to its end.
class Recording {
 public:
  explicit Recording(simt::TraceChoice choice = {}) {
    simt::recordTrace(&trace, std::move(choice));
  }
  ~Recording() { simt::recordTrace(nullptr); }
  simt::Trace trace;
};

std::vector<simt::TraceStep> stepsOf(const simt::Trace& trace, Kind kind) {
  std::vector<simt::TraceStep> found;
  for (const simt::TraceStep& step : trace.steps)
    if (step.kind == kind) found.push_back(step);
  return found;
}

// A block runs the kernel on values that say where they are.
template <typename Kernel>
simt::Trace traceOf(Kernel kernel, unsigned threads = 32, unsigned blocks = 1,
                    simt::TraceChoice choice = {}) {
  std::vector<int> values(4096);
  for (size_t i = 0; i < values.size(); ++i) values[i] = int(i) * 10;
  DeviceArray<int> data(values.size(), "data"), out(values.size(), "out");
  data.copyFromHost(values.data());
  const Recording recording(std::move(choice));
  launch(blocks, threads, kernel, data.data(), out.data());
  return recording.trace;
}

__global__ void copy(int* data, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = data[i] + 1;
}

__global__ void writtenTwice(int*, int* out) {
  out[threadIdx.x] = 1;
  out[threadIdx.x] = out[threadIdx.x] + 1;
}

__global__ void shuffled(int* data, int* out) {
  out[threadIdx.x] = __shfl_down_sync(0xffffffffu, data[threadIdx.x], 4);
}

__global__ void someShuffle(int* data, int* out) {
  int value = data[threadIdx.x];
  if (threadIdx.x < 8) value += __shfl_xor_sync(0xffu, value, 1);
  out[threadIdx.x] = value;
}

__global__ void throughSharedMemory(int* data, int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

__global__ void oddLanesOnly(int* data, int* out) {
  if (threadIdx.x % 2 == 1) out[threadIdx.x] = data[threadIdx.x];
}

}  // namespace

TEST(Trace, HasWhatTheLaunchCounts) {
  for (const Step& step : ladderTo08()) {
    if (!step.kernel && !step.kernelFor) continue;
    for (const unsigned block : {64u, 512u}) {
      SCOPED_TRACE(step.name + ", block " + std::to_string(block));
      Workspace workspace(makeInput(20000, 1), block);
      simt::takeCounters();
      workspace.totalOf(step);
      const Counters untraced = simt::takeCounters();
      const Recording recording;
      workspace.totalOf(step);
      const Counters counted = simt::takeCounters();
      EXPECT_TRUE(counted == untraced);
      EXPECT_TRUE(countersOf(recording.trace) == counted);
      EXPECT_FALSE(recording.trace.cutOff);
    }
  }
}

TEST(Trace, ListsALoadItsValuesAndWhatIsStored) {
  const simt::Trace trace = traceOf(copy);
  const auto loads = stepsOf(trace, Kind::load), stores = stepsOf(trace, Kind::store);
  ASSERT_EQ(loads.size(), 1u);
  ASSERT_EQ(stores.size(), 1u);
  EXPECT_EQ(loads[0].lanes, ~0u);
  EXPECT_EQ(loads[0].bytes, 4u);
  EXPECT_EQ(loads[0].sectors, 4u);
  EXPECT_EQ(loads[0].space, simt::MemorySpace::global);
  ASSERT_TRUE(simt::Trace::hasValue(loads[0]));
  for (unsigned lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(trace.address(loads[0], lane), trace.address(loads[0], 0) + 4 * lane);
    EXPECT_EQ(trace.value(loads[0], lane), lane * 10);
    EXPECT_EQ(trace.value(stores[0], lane), lane * 10 + 1);
  }
}

TEST(Trace, KnowsTheValueOfEachStoreToOnePlace) {
  const simt::Trace trace = traceOf(writtenTwice);
  const auto stores = stepsOf(trace, Kind::store);
  ASSERT_GE(stores.size(), 1u);
  EXPECT_EQ(trace.value(stores.back(), 5), 2u);
  EXPECT_EQ(trace.value(stores[0], 5), stores.size() == 2 ? 1u : 2u);
}

TEST(Trace, NamesTheLaneThatAShuffledValueComesFrom) {
  const simt::Trace trace = traceOf(shuffled);
  const auto shuffles = stepsOf(trace, Kind::shuffle);
  ASSERT_EQ(shuffles.size(), 1u);
  EXPECT_EQ(trace.sourceLane(shuffles[0], 3), 7u);
  EXPECT_EQ(trace.value(shuffles[0], 3), 70u);
  EXPECT_EQ(trace.sourceLane(shuffles[0], 30), 30u);
}

TEST(Trace, HasAShuffleOfSomeLanesBehindTheirLoads) {
  const simt::Trace trace = traceOf(someShuffle);
  std::vector<Kind> kinds;
  for (const simt::TraceStep& step : trace.steps)
    if (step.kind != Kind::code) kinds.push_back(step.kind);
  EXPECT_EQ(kinds, (std::vector{Kind::load, Kind::shuffle, Kind::store, Kind::returned}));
  EXPECT_EQ(stepsOf(trace, Kind::shuffle)[0].lanes, 0xffu);
}

TEST(Trace, TellsSharedMemoryFromGlobal) {
  const simt::Trace trace = traceOf(throughSharedMemory, 64);
  for (const Kind kind : {Kind::load, Kind::store}) {
    const auto steps = stepsOf(trace, kind);
    ASSERT_EQ(steps.size(), 4u);  // two warps, each in global and in shared memory
    EXPECT_EQ(std::ranges::count(steps, simt::MemorySpace::shared, &simt::TraceStep::space), 2);
  }
  EXPECT_EQ(stepsOf(trace, Kind::blockBarrier).size(), 2u);
  const auto tile = std::ranges::find(trace.arrays, "tile", &simt::TracedArray::name);
  ASSERT_NE(tile, trace.arrays.end());
  EXPECT_EQ(tile->bytes, 256u);
  EXPECT_EQ(tile->space, simt::MemorySpace::shared);
}

TEST(Trace, MarksWhereLanesPart) {
  const simt::Trace trace = traceOf(oddLanesOnly);
  EXPECT_EQ(stepsOf(trace, Kind::load)[0].lanes, 0xaaaaaaaau);
  const auto parting = std::ranges::find(trace.steps, true, &simt::TraceStep::divergent);
  ASSERT_NE(parting, trace.steps.end());
  EXPECT_EQ(parting->kind, Kind::code);
  EXPECT_EQ(parting->lanes, ~0u);
}

TEST(Trace, HasTheChosenBlocksOnly) {
  const simt::Trace trace = traceOf(copy, 32, 8, {.blocks = {6, 2}});
  ASSERT_EQ(trace.blocks.size(), 2u);
  EXPECT_EQ(trace.blocks[0].index.x, 2u);
  EXPECT_EQ(trace.blocks[1].index.x, 6u);
  EXPECT_EQ(trace.value(stepsOf(trace, Kind::load)[1], 0), 6u * 32 * 10);
  EXPECT_EQ(trace.blocks[1].kernel, "copy");
}

TEST(Trace, SaysWhenItIsCutOff) {
  const simt::Trace trace = traceOf(copy, 32, 8, {.maxSteps = 10});
  EXPECT_TRUE(trace.cutOff);
  EXPECT_EQ(trace.steps.size(), 10u);
}

TEST(Trace, KnowsTheSourceLines) {
  const simt::Trace trace = traceOf(shuffled);
  std::vector<const void*> pcs;
  for (const simt::TraceStep& step : trace.steps)
    if (step.pc) pcs.push_back(step.pc);
  const std::vector<std::string> sources = simt::sourcePathsOf(pcs);
  ASSERT_EQ(sources.size(), pcs.size());
  unsigned found = 0;
  for (size_t i = 0; i < pcs.size(); ++i) {
    if (sources[i].empty() || sources[i].find("/launch.h:") != std::string::npos) continue;
    EXPECT_NE(sources[i].find("/trace_test.cu:"), std::string::npos) << sources[i];
    ++found;
  }
  EXPECT_GE(found, 4u);  // a basic block, a load, a shuffle and a store
}
