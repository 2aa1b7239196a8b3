// Instructions of kernels of many kinds: what GPU code and rules, ptxas or nvcc say, beside what
// the profiler counted on a card (many_kinds.csv).
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <numeric>
#include <sstream>

#include "estimate/gpu_code/feed.h"
#include "estimate/gpu_code/machine.h"
#include "test_support/estimates_testing.h"
#include "test_support/host_testing.h"
#include "test_support/program_testing.h"

using namespace estimate::gpu_code;

namespace {

// The arrays that many_kinds.cu has, and its launch.
struct Arrays {
  static constexpr size_t n = 1 << 17, more = 4096;
  std::vector<int> ints = std::vector<int>(n + more);
  std::vector<float> floats = std::vector<float>(n + more), out = floats;
  Arrays() {
    unsigned state = 1;
    for (size_t i = 0; i < n; ++i) {
      state = state * 1664525u + 1013904223u;
      ints[i] = int(state >> 22);
      floats[i] = float(state >> 8) / float(1 << 24);
    }
  }
};

double instructionsOfAWarp(const Module& module, const Function& kernel, Arrays& arrays) {
  LaunchOfCode launch;
  launch.grid.x = 64;
  launch.block.x = 128;
  launch.parameters.resize(kernel.paramBytes);
  const void* const pointers[] = {arrays.ints.data(), arrays.floats.data(), arrays.out.data()};
  const int n = int(Arrays::n);
  std::memcpy(launch.parameters.data(), pointers, sizeof pointers);
  std::memcpy(launch.parameters.data() + sizeof pointers, &n, sizeof n);
  Memory memory([](uint64_t, uint8_t*) {});
  Feed feed(module, kernel, launch, kernel.name, {});
  std::vector<uint64_t> blocks(launch.grid.x);
  std::iota(blocks.begin(), blocks.end(), 0);
  execute(module, kernel, launch, blocks, memory, feed, 100'000'000);
  double sum = 0, warps = 0;
  for (const estimate::Block& block : feed.take().sampled)
    for (const estimate::Warp& warp : block.warps) {
      ++warps;
      for (size_t o = 0; o < warp.operations.size(); ++o) {
        const bool isRepeated = o >= warp.repeatFrom && o < warp.repeatTo;
        sum += warp.operations[o].count * (isRepeated ? 1 + warp.repeats : 1);
      }
    }
  return sum / warps;
}

std::string codeBy(const std::string& compiler) {
  const TemporaryFolder folder;
  const std::string file = folder.path("kinds.ptx");
  const Outcome made =
      run(SIMTCC, {"-ptx", MANY_KINDS ".cu", "-o", file, "--gpu-compiler=" + compiler});
  EXPECT_EQ(made.exitCode, 0) << made.err;
  return contentsOf(file);
}

struct Deviation {
  double mean = 0, worst = 0;
  unsigned kernels = 0;
  std::string worstKernel;
};

// Of a column of the record: 1 is nvcc's, 2 that of clang++ and ptxas.
Deviation deviationOf(const std::string& code, int column) {
  Arrays arrays;
  const Module module = readModule(code);
  std::ifstream record(MANY_KINDS ".csv");
  Deviation d;
  for (std::string line; std::getline(record, line);) {
    std::istringstream cells(line);
    std::string name, cell;
    std::getline(cells, name, ',');
    for (int c = 0; c < column; ++c) std::getline(cells, cell, ',');
    const auto kernel =
        module.functions.find("_Z" + std::to_string(name.size()) + name + "PKiPKfPfi");
    if (line.starts_with('#') || cell.empty() || kernel == module.functions.end()) continue;
    const double is = instructionsOfAWarp(module, kernel->second, arrays);
    const double off = std::abs(is / std::stod(cell) - 1);
    d.mean += off;
    ++d.kernels;
    if (off > d.worst) d.worst = off, d.worstKernel = name;
  }
  d.mean /= std::max(d.kernels, 1u);
  return d;
}

bool isBy(const std::string& code, const std::string& who) {
  return code.find("\n//by " + who + "\n") != std::string::npos;
}

}  // namespace

TEST(Instructions, OfManyKindsAreWithinATenthByRules) {
  NEEDS_ESTIMATES();
  const Deviation d = deviationOf(codeBy("clang++"), 2);
  EXPECT_GE(d.kernels, 40u);
  EXPECT_LT(d.mean, 0.09) << d.worstKernel;
  EXPECT_LT(d.worst, 0.4) << d.worstKernel;
}

TEST(Instructions, OfManyKindsAreAlmostThoseThatPtxasMakes) {
  NEEDS_ESTIMATES();
  const std::string code = codeBy("ptxas");
  if (!isBy(code, "clang++ and ptxas")) GTEST_SKIP() << "no ptxas";
  const Deviation d = deviationOf(code, 2);
  EXPECT_GE(d.kernels, 40u);
  EXPECT_LT(d.mean, 0.035) << d.worstKernel;  // the profiled code had pointers that go on in loops
  EXPECT_LT(d.worst, 0.25) << d.worstKernel;
}

TEST(Instructions, OfManyKindsAreAlmostThoseOfNvcc) {
  NEEDS_ESTIMATES();
  const std::string code = codeBy("nvcc");
  if (!isBy(code, "nvcc and ptxas")) GTEST_SKIP() << "no CUDA Toolkit";
  const Deviation d = deviationOf(code, 1);
  EXPECT_GE(d.kernels, 40u);
  EXPECT_LT(d.mean, 0.03) << d.worstKernel;
  EXPECT_LT(d.worst, 0.25) << d.worstKernel;
}
