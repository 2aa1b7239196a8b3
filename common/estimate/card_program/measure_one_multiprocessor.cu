// Runs the microbenchmarks of one multiprocessor.
#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "base/format.h"
#include "cuda/device.h"
#include "cuda/device_array.h"
#include "cuda/launch.h"
#include "estimate/card_program/figures.h"
#include "estimate/card_program/one_multiprocessor.cuh"
#include "estimate/card_program/tree_steps.cuh"

namespace {

class Measuring {
 public:
  explicit Measuring(Figures* figures)
      : figures_(figures), cycles_(4096, "results"), flush_(256 << 20, "the cache flush") {
    flush_.poison();
  }

  void add(const std::string& name, double value) { figures_->push_back({name, value, "cycles"}); }

  // The median over three launches of the mean over the blocks, in cycles.
  template <typename... Parameters, typename... Arguments>
  double cycles(unsigned blocks, unsigned threads, void (*kernel)(Parameters...),
                Arguments... arguments) {
    std::vector<double> runs;
    for (unsigned run = 0; run < 3; ++run) {
      launch(blocks, threads, kernel, cycles_.data(), arguments...);
      std::vector<long long> each(blocks);
      cycles_.copyToHost(each.data(), blocks);
      runs.push_back(std::accumulate(each.begin(), each.end(), 0.0) / blocks);
    }
    std::sort(runs.begin(), runs.end());
    return runs[1];
  }

  // One launch, with nothing of what came before in L2.
  template <typename... Parameters, typename... Arguments>
  double coldCycles(void (*kernel)(Parameters...), Arguments... arguments) {
    flushCache(flush_.data(), flush_.size());
    launch(1, 1, kernel, cycles_.data(), arguments...);
    long long cycles = 0;
    cycles_.copyToHost(&cycles, 1);
    return double(cycles);
  }

 private:
  Figures* figures_;
  DeviceArray<long long> cycles_;
  DeviceArray<char> flush_;
};

// The latency of a chain, and the cycles of an instruction when 16 warps with 4 chains each keep
// the multiprocessor busy.
template <Arithmetic kind>
void measureArithmetic(Measuring& m, const std::string& name) {
  const double steps = double(timedRounds) * arithmeticSteps *
                       (kind == Arithmetic::integerAdd || kind == Arithmetic::conversion ? 2 : 1);
  m.add(name + ", latency", m.cycles(1, 32, arithmetic<kind, 1>, 3, 5) / steps);
  m.add(name + ", per warp and multiprocessor",
        m.cycles(1, 512, arithmetic<kind, 4>, 3, 5) / steps / 16 / 4);
}

template <WarpOperation kind>
void measureWarpOperation(Measuring& m, const std::string& name) {
  const double steps = double(timedRounds) * warpSteps;
  m.add(name + ", latency", m.cycles(1, 32, warpOperations<kind, 1>) / steps);
  m.add(name + ", per warp and multiprocessor",
        m.cycles(1, 512, warpOperations<kind, 4>) / steps / 16 / 4);
}

void measureSchedulers(Measuring& m) {
  for (const unsigned threads : {32u, 64u, 96u, 128u, 256u, 512u})
    m.add(fmt::format("instruction of a first warp, four blocks of {} threads", threads),
          m.cycles(4 * multiprocessors(), threads, firstWarpsWork, 3, 5) /
              (2.0 * timedRounds * firstWarpSteps));
}

void measureBarriers(Measuring& m) {
  const double steps = double(timedRounds) * barrierSteps;
  for (unsigned warps = 1; warps <= 32; warps *= 2)
    m.add(fmt::format("barrier, {} warps", warps), m.cycles(1, 32 * warps, barriers) / steps);
}

// A ring through elements that lie stride bytes apart, in order or shuffled.
void makeRing(DeviceArray<void*>& ring, size_t bytes, size_t stride, bool shuffled) {
  std::vector<size_t> order(bytes / stride);
  std::iota(order.begin(), order.end(), size_t(0));
  if (shuffled) std::shuffle(order.begin(), order.end(), std::mt19937_64(1));
  std::vector<void*> host(bytes / sizeof(void*));
  const size_t step = stride / sizeof(void*);
  for (size_t i = 0; i < order.size(); ++i)
    host[order[i] * step] = ring.data() + order[(i + 1) % order.size()] * step;
  CUDA_CHECK(cudaMemcpy(ring.data(), host.data(), bytes, cudaMemcpyHostToDevice));
}

void measureLatencies(Measuring& m) {
  m.add("shared memory, latency", m.cycles(1, 256, chaseShared) / 512);
  DeviceArray<void*> ring((size_t(1) << 30) / sizeof(void*), "a ring");
  makeRing(ring, 16 << 10, 128, false);
  m.add("L1, latency", m.cycles(1, 1, chase<Level::l1>, ring.data(), 128u) / 128);
  makeRing(ring, 8 << 20, 4096, true);
  m.add("L2, latency", m.cycles(1, 1, chase<Level::l2>, ring.data(), 2048u) / 2048);
  makeRing(ring, 2 << 20, 512, true);
  m.add("L2, latency, 2 MiB", m.cycles(1, 1, chase<Level::l2>, ring.data(), 4096u) / 4096);
  for (const size_t stride : {size_t(1056), size_t(65536 + 128)}) {
    makeRing(ring, size_t(1) << 30, stride / 8 * 8, false);
    m.coldCycles(chase<Level::memory>, ring.data(), 16u);
    m.add(fmt::format("memory, latency, stride {}", stride),
          m.coldCycles(chase<Level::memory>, ring.data(), 4096u) / 4096);
  }
  makeRing(ring, size_t(1) << 30, 4096, true);
  m.add("memory, latency, shuffled", m.coldCycles(chase<Level::memory>, ring.data(), 4096u) / 4096);
}

void measurePipe(Measuring& m) {
  const double requests = 32.0 * timedRounds * pipeSteps;  // of 32 warps
  DeviceArray<int> data(1 << 20, "a small array");
  data.poison();
  const auto both = [&](unsigned words, unsigned stride, auto load, auto store) {
    const std::string what = fmt::format("{} bytes, stride {}", 4 * words, 4 * stride);
    m.add("load from L1, " + what, m.cycles(1, 1024, load, data.data(), stride, 0u) / requests);
    m.add("store, " + what, m.cycles(1, 1024, store, data.data(), stride) / requests);
  };
  for (const unsigned stride : {1, 2, 4, 8, 16, 32}) both(1, stride, loads<1>, stores<1>);
  for (const unsigned stride : {2, 4, 32}) both(2, stride, loads<2>, stores<2>);
  for (const unsigned stride : {4, 8, 32}) both(4, stride, loads<4>, stores<4>);
  for (const unsigned stride : {1, 2, 4, 8, 16, 32}) {
    m.add(fmt::format("shared load, 4 bytes, {}-way conflict", stride),
          m.cycles(1, 1024, sharedLoads<1>, stride, 0u) / requests);
    m.add(fmt::format("shared store, 4 bytes, {}-way conflict", stride),
          m.cycles(1, 1024, sharedStores, stride) / requests);
  }
  for (const unsigned stride : {1, 2, 8, 32})
    m.add(fmt::format("shared load and store, 4 bytes, {}-way conflict", stride),
          m.cycles(1, 1024, sharedLoadsAndStores, stride) / requests);
  m.add("shared load, 8 bytes", m.cycles(1, 1024, sharedLoads<2>, 2u, 0u) / requests);
  m.add("shared load, 16 bytes", m.cycles(1, 1024, sharedLoads<4>, 4u, 0u) / requests);
  for (const unsigned stride : {0, 1, 32})
    m.add(fmt::format("shared atomic, stride {}", stride),
          m.cycles(1, 1024, sharedAtomics, stride) / requests);
  DeviceArray<unsigned> spread(spreadWords, "counters");
  spread.copyFromHost(std::vector<unsigned>(spreadWords).data());
  m.add("atomic, latency", m.cycles(1, 1, atomicChain, spread.data()) / timedRounds);
  m.add("store and fence", m.cycles(1, 1, fenceChain, spread.data()) / timedRounds);
}

// Of 16 warps, in one block alone and in four on every multiprocessor.
void measureTrees(Measuring& m) {
  DeviceArray<int> data(size_t(4 * 2048) * multiprocessors(), "trees");
  data.poison();
  const double steps = double(timedRounds) * treeSteps;
  for (const unsigned blocks : {1u, 4 * multiprocessors()}) {
    const std::string where = blocks == 1 ? "one block" : "four blocks on each";
    for (const unsigned working : {0u, 1u, 32u, 128u, 512u}) {
      const std::string who = fmt::format("{} of 512 threads work, {}", working, where);
      m.add("step in shared memory, " + who,
            m.cycles(blocks, 512, sharedTreeSteps, working) / steps);
      for (const unsigned shift : {0u, 32u})
        m.add(fmt::format("step in global memory, {}{}", who, shift ? ", others next" : ""),
              m.cycles(blocks, 512, globalTreeSteps, data.data(), working, shift) / steps);
    }
  }
  for (const unsigned working : {0u, 32u})
    m.add(fmt::format("shared load and addition, {} lanes", working),
          m.cycles(1, 32, predicatedLoads, working) / (double(timedRounds) * 16));
  for (const unsigned other : {0u, 32u})
    for (const bool barrier : {false, true})
      m.add(fmt::format("store and load, {}{}", other ? "another warp's" : "its own",
                        barrier ? ", two barriers" : ""),
            m.cycles(1, 64, loadAfterStore, data.data(), other, barrier) /
                (double(timedRounds) * 16));
}

}  // namespace

Figures measureOneMultiprocessor() {
  Figures figures;
  Measuring m(&figures);
  measureArithmetic<Arithmetic::integerAdd>(m, "integer addition or xor");
  measureArithmetic<Arithmetic::multiplyAdd>(m, "integer multiply-add");
  measureArithmetic<Arithmetic::multiplyHigh>(m, "integer multiplication, high half");
  measureArithmetic<Arithmetic::conversion>(m, "conversion");
  m.add("loop of one addition", m.cycles(1, 32, branches, 1) / timedRounds / 64);
  measureArithmetic<Arithmetic::floatMultiplyAdd>(m, "float multiply-add");
  measureArithmetic<Arithmetic::doubleMultiplyAdd>(m, "double multiply-add");
  measureArithmetic<Arithmetic::halvesMultiplyAdd>(m, "multiply-add of two halves");
  measureArithmetic<Arithmetic::shift>(m, "shift");
  measureArithmetic<Arithmetic::maximum>(m, "integer maximum");
  measureArithmetic<Arithmetic::exponential>(m, "exponential");
  measureWarpOperation<WarpOperation::shuffle>(m, "shuffle");
  measureWarpOperation<WarpOperation::reduce>(m, "reduce");
  measureWarpOperation<WarpOperation::vote>(m, "vote");
  measureSchedulers(m);
  measureBarriers(m);
  measureLatencies(m);
  measurePipe(m);
  measureTrees(m);
  return figures;
}
