#include "tree_kernels.h"

#include <array>
#include <bit>
#include <set>

#include "program_builder.h"

namespace estimate {

namespace {

using Pairs = TreeKernel::Pairs;

// One step of the tree for one warp: which elements its lanes add to which.
struct Step {
  unsigned lanes = 0;
  std::set<unsigned> sectors[2], lines[2];  // of the two elements of every pair
  std::array<unsigned, 32> banks[2] = {};

  void add(unsigned which, unsigned element) {
    sectors[which].insert(element / 8);
    lines[which].insert(element / 32);
    ++banks[which][element % 32];
  }
  unsigned passes(unsigned which) const {
    return *std::max_element(banks[which].begin(), banks[which].end());
  }
};

Step stepOf(Pairs pairs, unsigned stride, unsigned warp, unsigned threads) {
  Step step;
  for (unsigned t = 32 * warp; t < 32 * warp + 32; ++t) {
    unsigned first = t;
    bool works = t < stride;
    if (pairs == Pairs::neighbors) works = t % (2 * stride) == 0;
    if (pairs == Pairs::neighborsPacked) {
      first = 2 * stride * t;
      works = first + stride < threads;
    }
    if (!works) continue;
    ++step.lanes;
    step.add(0, first);
    step.add(1, first + stride);
  }
  return step;
}

// Instructions of a step of one warp, and of what comes before and after the steps.
struct Budget {
  double atWork = 0, atRest = 0, around = 0;
};

class TreeProgram {
 public:
  TreeProgram(const TreeKernel& kernel, unsigned threads) : kernel_(kernel), threads_(threads) {
    const unsigned warps = threads / 32;
    double requests = 2, units = 4.0 * warps;
    for (const unsigned stride : strides()) {
      for (unsigned w = 0; w < warps; ++w) {
        const bool works = stepOf(kernel.pairs, stride, w, threads).lanes > 0;
        requests += works ? 4 : 1;
        units += works ? workToRest() : 1;
      }
    }
    if (kernel.inSharedMemory) requests += 3 * warps;
    if (kernel.loadsFirst > 1) requests += (kernel.loadsFirst + 2) * warps;
    const double unit = (kernel.instructions - requests) / units;
    budget_ = {workToRest() * unit, unit, 2 * unit};
  }

  Warp warp(unsigned number) {
    ProgramBuilder program;
    program.instructions(budget_.around);
    first(program);
    unsigned n = 0;
    for (const unsigned stride : strides()) {
      step(program, stepOf(kernel_.pairs, stride, number, threads_), n++ == 0);
      program.barrier();
    }
    if (number == 0) {
      if (kernel_.inSharedMemory)
        program.shared(Operation::Kind::sharedLoad, 1);
      else
        program.load({.l1 = 1, .lanes = 1});
      program.needAll().store({.memory = 1, .lanes = 1});
    }
    program.instructions(budget_.around);
    return program.warp();
  }

 private:
  std::vector<unsigned> strides() const {
    std::vector<unsigned> all;
    for (unsigned s = 1; s < threads_; s *= 2) all.push_back(s);
    if (kernel_.pairs == Pairs::halves) std::reverse(all.begin(), all.end());
    return all;
  }

  // With the remainder every thread divides, whether it then works or not.
  bool divides() const { return kernel_.pairs == Pairs::neighbors; }
  double workToRest() const { return divides() ? 1.3 : 2; }
  double special() const { return divides() ? 4 : 0; }

  void first(ProgramBuilder& program) const {
    if (!kernel_.inSharedMemory && kernel_.loadsFirst == 1) return;
    for (unsigned k = 0; k < kernel_.loadsFirst; ++k) program.load({.memory = 4});
    program.needAll();
    if (kernel_.loadsFirst > 1) program.instructions(kernel_.loadsFirst - 1);
    if (kernel_.inSharedMemory)
      program.shared(Operation::Kind::sharedStore, 1);
    else
      program.store({.memory = 4});
    program.barrier();
  }

  void step(ProgramBuilder& program, const Step& step, bool isFirst) const {
    if (step.lanes == 0) {
      program.instructions(budget_.atRest, 0, special(), kernel_.inSharedMemory ? 1 : 2);
      return;
    }
    program.instructions(0.75 * budget_.atWork, 0, special(), kernel_.inSharedMemory ? 0 : 1);
    if (kernel_.inSharedMemory) {
      for (const unsigned which : {1, 0})
        program.shared(Operation::Kind::sharedLoad, step.passes(which), step.passes(which) - 1);
      program.needAll().instructions(1);
      program.shared(Operation::Kind::sharedStore, step.passes(0), step.passes(0) - 1);
    } else {
      global(program, step, isFirst && kernel_.loadsFirst == 1);
    }
    program.instructions(0.25 * budget_.atWork, 0, 0, 1);
  }

  // Where the two elements of a pair share their sectors, the first load of them is from memory.
  void global(ProgramBuilder& program, const Step& step, bool isFirst) const {
    const auto request = [&](unsigned which, bool fresh) {
      const unsigned sectors = unsigned(step.sectors[which].size());
      return ProgramBuilder::Sectors{.memory = fresh ? sectors : 0,
                                     .l1 = fresh ? 0 : sectors,
                                     .lines = unsigned(step.lines[which].size()),
                                     .lanes = step.lanes};
    };
    program.load(request(1, isFirst));
    program.load(request(0, isFirst && kernel_.pairs == Pairs::halves));
    program.needAll().instructions(1);
    program.store(request(0, isFirst));
  }

  const TreeKernel& kernel_;
  const unsigned threads_;
  Budget budget_;
};

}  // namespace

Launch treeLaunch(const TreeKernel& kernel, unsigned threads) {
  Launch launch;
  launch.kernel = "tree";
  launch.threads = threads;
  launch.blocks = (uint64_t(1) << 28) / threads / kernel.loadsFirst;
  launch.sharedBytes = kernel.inSharedMemory ? 4096 : 0;
  launch.registers = 16;
  TreeProgram program(kernel, threads);
  Block block{1000, {}};
  for (unsigned w = 0; w < threads / 32; ++w) block.warps.push_back(program.warp(w));
  launch.sampled.push_back(block);
  return launch;
}

std::vector<TreeStep> treeSteps() {
  using Pairs = TreeKernel::Pairs;
  struct Counted {
    std::string name;
    TreeKernel kernel;
    double instructions512, instructions256;
  };
  const Counted all[] = {
      {"neighbored", {Pairs::neighbors}, 2530738176, 2301624320},
      {"neighbored, shared", {Pairs::neighbors, true}, 2337800192, 2108686336},
      {"neighbored less", {Pairs::neighborsPacked}, 1084751872, 1011875840},
      {"neighbored less, shared", {Pairs::neighborsPacked, true}, 1280835584, 1169162240},
      {"interleaved", {Pairs::halves}, 940048384, 881852416},
      {"interleaved, shared", {Pairs::halves, true}, 978845696, 900726784},
      {"unroll 2", {Pairs::halves, false, 2}, 528744448, 499646464},
      {"unroll 8", {Pairs::halves, false, 8}, 154206208, 146931712}};
  std::vector<TreeStep> steps;
  for (const unsigned threads : {512u, 256u}) {
    for (const Counted& counted : all) {
      const double blocks = double(1 << 28) / threads / counted.kernel.loadsFirst;
      TreeStep step{counted.name, threads, counted.kernel};
      step.kernel.instructions =
          (threads == 512 ? counted.instructions512 : counted.instructions256) / blocks;
      steps.push_back(step);
    }
  }
  return steps;
}

}  // namespace estimate
