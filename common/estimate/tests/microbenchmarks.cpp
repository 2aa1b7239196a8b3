#include "microbenchmarks.h"

#include <fmt/format.h>

#include <fstream>

#include "base/errors.h"
#include "estimate/launch_time.h"
#include "program_builder.h"

namespace estimate {

namespace {

using Kind = Operation::Kind;
using Body = std::function<void(ProgramBuilder&)>;

constexpr double turns = 64;
constexpr double nothing = 0.01;  // instructions: less than one, but something that needs a value

// Cycles of a turn of a loop that a block makes on one multiprocessor, with so many resident. A
// scheduler of the model prefers some blocks to others, which would end alone, while on the card
// they end together: here new ones follow.
double cyclesOfTurn(const Card& card, const Block& block, unsigned resident) {
  constexpr unsigned generations = 16;
  Card atOnce = card;
  atOnce.blockStartCycles = 1;
  atOnce.blockTurnaroundCycles = atOnce.blockTurnaroundCyclesPerWarp = 0;
  const std::vector<const Block*> all(size_t(resident > 1 ? generations : 1) * resident, &block);
  const Run run = runMultiprocessor(all, 1, atOnce, {.residentBlocks = resident});
  return run.cycles / turns * resident / double(all.size());
}

// The same of blocks of so many warps that are alike.
double cyclesOfTurn(const Card& card, unsigned warps, const Body& body, unsigned blocks = 1) {
  ProgramBuilder program;
  program.beginLoop();
  body(program);
  program.endLoop(turns);
  return cyclesOfTurn(card, uniformBlock(program.warp(), warps), blocks);
}

// The latency of one, and the cycles between two that 16 warps with four chains each issue.
void addInstruction(std::vector<Microbenchmark>& all, const std::string& name, const Body& one,
                    double each = 1) {
  all.push_back(
      {name + ", latency", [=](const Card& card) { return cyclesOfTurn(card, 1, one) / each; }});
  all.push_back({name + ", per warp and multiprocessor",
                 [=](const Card& card) { return cyclesOfTurn(card, 4, one, 16) / 64 / each; }});
}

void addInstructions(std::vector<Microbenchmark>& all) {
  all.push_back({"integer multiply-add, latency", [](const Card& card) {
                   return cyclesOfTurn(card, 1, [](auto& p) { p.instructions(8); }) / 8;
                 }});
  all.push_back({"loop of one addition", [](const Card& card) {
                   return cyclesOfTurn(card, 1, [](auto& p) { p.instructions(4, 3, 0, 1); });
                 }});
  addInstruction(
      all, "conversion", [](auto& p) { p.instructions(2, 1 + 19 / 4.6, 1); }, 2);
  addInstruction(all, "shuffle", [](auto& p) { p.shuffle().needAll().instructions(nothing); });
  addInstruction(all, "reduce",
                 [](auto& p) { p.shuffle(Kind::vote).needAll().instructions(nothing); });
}

// Of four blocks the first warps work.
void addSchedulers(std::vector<Microbenchmark>& all) {
  constexpr double each = 256;
  for (const unsigned warps : {1u, 2u, 3u, 4u, 8u, 16u})
    all.push_back(
        {fmt::format("instruction of a first warp, four blocks of {} threads", 32 * warps),
         [=](const Card& card) {
           ProgramBuilder works, rests;
           works.beginLoop().instructions(each - 4, 1).instructions(4, 1, 0, 1).endLoop(turns);
           Block block = uniformBlock(rests.instructions(1).warp(), warps);
           block.warps[0] = works.warp();
           Card atOnce = card;
           atOnce.blockStartCycles = 1;
           const std::vector<const Block*> blocks(4, &block);
           const Run run = runMultiprocessor(blocks, 1, atOnce, {.residentBlocks = 4});
           return run.cycles / turns / each;
         }});
}

void addBarriers(std::vector<Microbenchmark>& all) {
  const Body barrier = [](ProgramBuilder& p) { p.barrier(); };
  for (unsigned warps = 1; warps <= 32; warps *= 2)
    all.push_back({fmt::format("barrier, {} warps", warps),
                   [=](const Card& card) { return cyclesOfTurn(card, warps, barrier); }});
}

// A step of a tree in shared memory, of blocks of 512 of which some threads work: nvcc's code has
// eight instructions a step, and a predicate before those that not all threads do.
void addTreeSteps(std::vector<Microbenchmark>& all) {
  const auto warpOf = [](bool works) {
    ProgramBuilder p;
    p.beginLoop().instructions(2, 2);
    const unsigned lanes = works ? 32 : 0;
    p.shared(Kind::sharedLoad, 1, 0, 4, lanes).shared(Kind::sharedLoad, 1, 0, 4, lanes);
    p.needAll().instructions(1).shared(Kind::sharedStore, 1, 0, 4, lanes).barrier();
    return p.instructions(1, 1, 0, 0, 1).endLoop(turns).warp();
  };
  // In global memory it has a branch, and two instructions that part the lanes and put them
  // together again, of which the second is waited for, too.
  const auto restingInGlobalMemory = [] {
    ProgramBuilder p;
    p.beginLoop().instructions(4, 4, 0, 2, 3).barrier();
    return p.instructions(2, 2, 0, 1, 1).endLoop(turns).warp();
  };
  for (const unsigned blocks : {1u, 4u})
    for (const char* memory : {"shared", "global"})
      for (const unsigned working : {0u, 1u, 32u, 128u, 512u}) {
        const bool isShared = memory == std::string("shared");
        if (!isShared && working > 0) continue;
        // The card's figure is of each block's own clock: some are through before others.
        if (isShared && blocks > 1) continue;
        const auto simulate = [=](const Card& card) {
          Block block;
          for (unsigned w = 0; w < 16; ++w)
            block.warps.push_back(isShared ? warpOf(32 * w < working) : restingInGlobalMemory());
          return cyclesOfTurn(card, block, blocks);
        };
        all.push_back({fmt::format("step in {} memory, {} of 512 threads work, {}", memory, working,
                                   blocks == 1 ? "one block" : "four blocks on each"),
                       simulate});
      }
}

void addLatencies(std::vector<Microbenchmark>& all) {
  const auto add = [&](const std::string& name, const Body& body) {
    all.push_back({name, [=](const Card& card) {
                     return cyclesOfTurn(card, 1, [&](ProgramBuilder& p) {
                       body(p);
                       p.needAll().instructions(nothing);
                     });
                   }});
  };
  add("shared memory, latency", [](auto& p) { p.shared(Kind::sharedLoad, 1); });
  add("L1, latency", [](auto& p) { p.load({.l1 = 1, .lanes = 1}); });
  add("L2, latency", [](auto& p) { p.load({.l2 = 1, .lanes = 1}); });
  add("memory, latency, shuffled", [](auto& p) { p.load({.memory = 1, .lanes = 1}); });
}

void addPipe(std::vector<Microbenchmark>& all) {
  const auto add = [&](const std::string& name, const Body& body) {
    all.push_back({name, [=](const Card& card) { return cyclesOfTurn(card, 32, body) / 32; }});
  };
  struct Shape {
    unsigned bytes, stride, lines, sectors;
  };
  for (const Shape s : {Shape{4, 4, 1, 4},
                        {4, 8, 2, 8},
                        {4, 16, 4, 16},
                        {4, 32, 8, 32},
                        {4, 64, 16, 32},
                        {4, 128, 32, 32},
                        {8, 8, 2, 8},
                        {16, 16, 4, 16}}) {
    const std::string what = fmt::format("{} bytes, stride {}", s.bytes, s.stride);
    add("load from L1, " + what,
        [=](auto& p) { p.load({.l1 = s.sectors, .lines = s.lines, .bytes = s.bytes}); });
    add("store, " + what,
        [=](auto& p) { p.store({.l1 = s.sectors, .lines = s.lines, .bytes = s.bytes}); });
  }
  for (unsigned ways = 1; ways <= 32; ways *= 2) {
    const std::string what = fmt::format(", 4 bytes, {}-way conflict", ways);
    add("shared load" + what, [=](auto& p) { p.shared(Kind::sharedLoad, ways, ways - 1); });
    add("shared store" + what, [=](auto& p) { p.shared(Kind::sharedStore, ways, ways - 1); });
  }
}

Launch launchOf(const Warp& warp, unsigned threads, uint64_t blocks, unsigned sharedBytes = 0) {
  Launch launch;
  launch.kernel = "microbenchmark";
  launch.threads = threads;
  launch.blocks = blocks;
  launch.sharedBytes = sharedBytes;
  launch.registers = 32;
  launch.sampled.push_back(uniformBlock(warp, threads / 32, blocks / 2));
  return launch;
}

double secondsOf(const Launch& launch, const Card& card) {
  return estimateLaunch(launch, card).ms * 1e-3 - card.launchMicroseconds * 1e-6;
}

void addBlocks(std::vector<Microbenchmark>& all) {
  // A block waits for values from L2, one after the other: so it takes time without work.
  const auto nsPerBlock = [](const Card& card, unsigned threads, double cycles) {
    ProgramBuilder program;
    for (double left = cycles; left > 0; left -= card.l2Latency + 1)
      program.load({.l2 = 1, .lanes = 1}).needAll().instructions(nothing);
    const auto blocks = uint64_t(6000 * card.multiprocessors);
    return 1e9 * secondsOf(launchOf(program.instructions(1).warp(), threads, blocks), card) / 6000;
  };
  for (const unsigned threads : {32u, 128u, 512u})
    all.push_back({fmt::format("block start, {} threads", threads),
                   [=](const Card& card) { return nsPerBlock(card, threads, 0); }});
  for (const unsigned threads : {256u, 512u, 1024u})
    all.push_back({fmt::format("block of {} threads that waits 2000 cycles", threads),
                   [=](const Card& card) { return nsPerBlock(card, threads, 1960); }});
}

// Atomics of all multiprocessors on some addresses: one is updated with one lane after the other,
// and different sectors are spread over L2's units.
void addAtomics(std::vector<Microbenchmark>& all) {
  const auto add = [&](const std::string& where, unsigned lanes, double pieces) {
    all.push_back({fmt::format("atomics, {}, {} lanes", where, lanes), [=](const Card& card) {
                     ProgramBuilder program;
                     program.instructions(10).atomic(lanes).instructions(1);
                     const auto blocks = uint64_t(64 * card.multiprocessors);
                     Launch launch = launchOf(program.warp(), 256, blocks);
                     launch.atomicPieces = pieces;
                     for (Warp& warp : launch.sampled[0].warps)
                       for (Operation& o : warp.operations)
                         if (o.kind == Operation::Kind::atomic && pieces > 1)
                           o.l2Sectors = uint16_t(lanes);
                     return 1e9 * secondsOf(launch, card) / double(8 * blocks);
                   }});
  };
  for (const unsigned lanes : {1u, 32u}) add("1 addresses", lanes, 1);
  for (const unsigned sectors : {8u, 32u, 128u, 512u, 1u << 11, 1u << 16})
    add(fmt::format("{} sectors", sectors), 32, std::max(1.0, sectors / 8.0));
}

// Little's law: loads of a thread in flight, bytes of a load, resident warps.
double reading(const Card& card, unsigned loads, unsigned bytes, unsigned warps) {
  constexpr double loops = 60;
  ProgramBuilder program;
  program.instructions(10).beginLoop().instructions(3);
  for (unsigned i = 0; i < loads; ++i)
    program.load({.memory = bytes, .lines = bytes / 4, .bytes = bytes});
  for (unsigned i = 0; i < loads; ++i) program.needOldest().instructions(bytes / 4, 1);
  program.instructions(4).endLoop(loops);
  const unsigned threads = std::min(32 * warps, 256u), blocks = 32 * warps / threads;
  const Launch launch = launchOf(program.warp(), threads, uint64_t(blocks * card.multiprocessors),
                                 warps == 64 ? 0 : 220 * 1024 / blocks);
  const double moved = 32.0 * loads * bytes * loops * warps * card.multiprocessors;
  return 1e-9 * moved / secondsOf(launch, card);
}

// The same, and every thread writes what it has loaded.
double copying(const Card& card, unsigned loads, unsigned warps) {
  const double loops = std::max(60.0, 2400.0 / warps / loads);  // more than stays in L2
  ProgramBuilder program;
  program.instructions(10).beginLoop().instructions(3);
  for (unsigned i = 0; i < loads; ++i) program.load({.memory = 4});
  for (unsigned i = 0; i < loads; ++i) program.needOldest().instructions(1).store({.memory = 4});
  program.instructions(4).endLoop(loops);
  const unsigned threads = std::min(32 * warps, 256u), blocks = 32 * warps / threads;
  const Launch launch = launchOf(program.warp(), threads, uint64_t(blocks * card.multiprocessors),
                                 220 * 1024 / blocks);
  const double moved = 2 * 128.0 * loads * loops * warps * card.multiprocessors;
  return 1e-9 * moved / secondsOf(launch, card);
}

double streaming(const Card& card, unsigned reads, unsigned writes) {
  ProgramBuilder program;
  program.instructions(12, 6);
  for (unsigned i = 0; i < reads; ++i) program.load({.memory = 16, .lines = 4, .bytes = 16});
  program.needAll().instructions(4, 1);
  for (unsigned i = 0; i < writes; ++i) program.store({.memory = 16, .lines = 4, .bytes = 16});
  program.instructions(1);
  const uint64_t blocks = 1 << 18;
  return 1e-9 * 8.0 * 512 * (reads + writes) * double(blocks) /
         secondsOf(launchOf(program.warp(), 256, blocks), card);
}

void addMemory(std::vector<Microbenchmark>& all) {
  struct Shape {
    unsigned loads, bytes;
  };
  for (const Shape s : {Shape{1, 4}, {2, 4}, {4, 4}, {8, 4}, {16, 4}, {1, 16}, {4, 16}})
    for (const unsigned warps : {4u, 8u, 16u, 32u})
      all.push_back(
          {fmt::format("read, {} loads of {} bytes in flight, {} warps", s.loads, s.bytes, warps),
           [=](const Card& card) { return reading(card, s.loads, s.bytes, warps); }});
  for (const unsigned loads : {1u, 4u})
    for (const unsigned warps : {4u, 8u, 16u, 32u})
      all.push_back({fmt::format("copy, {} loads of 4 bytes in flight, {} warps", loads, warps),
                     [=](const Card& card) { return copying(card, loads, warps); }});
  for (const auto& [reads, writes] : {std::pair{1u, 0u}, {0u, 1u}, {1u, 1u}, {2u, 1u}, {4u, 1u}})
    all.push_back({fmt::format("streams, {} read, {} written", reads, writes),
                   [reads = reads, writes = writes](const Card& card) {
                     return streaming(card, reads, writes);
                   }});
}

}  // namespace

std::vector<Microbenchmark> microbenchmarks() {
  std::vector<Microbenchmark> all;
  addInstructions(all);
  addSchedulers(all);
  addBarriers(all);
  addTreeSteps(all);
  addLatencies(all);
  addPipe(all);
  addBlocks(all);
  addAtomics(all);
  addMemory(all);
  return all;
}

}  // namespace estimate
