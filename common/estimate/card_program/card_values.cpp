#include "estimate/card_program/card_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/errors.h"

using estimate::Card;
using estimate::CardParameter;

namespace {

class Values {
 public:
  Values(Card* card, const Figures& figures, std::string when)
      : card_(card), figures_(figures), when_(std::move(when)) {}

  double figure(const std::string& name) const {
    for (const Figure& f : figures_)
      if (f.name == name) return f.value;
    throw Error(exitWrong, "the microbenchmark \"" + name + "\" has left nothing");
  }

  double multiprocessors() const { return card_->multiprocessors; }
  bool isOf(const std::string& name) const { return card_->name.find(name) != std::string::npos; }

  // Sets a value and says how it was obtained.
  void set(double Card::*member, double value, const std::string& how) {
    for (const CardParameter& p : estimate::cardParameters) {
      if (p.member != member) continue;
      if (!(value >= p.least && value <= p.most))
        throw Error(exitWrong, fmt::format("{}: {:g} cannot be ({})", p.name, value, how));
      card_->*member = std::round(value * 1000) / 1000;
      card_->how[p.name] = how;
    }
  }
  // … from a microbenchmark, which how names.
  void measured(double Card::*member, double value, const std::string& how) {
    set(member, value, fmt::format("microbenchmark, {}: {}", when_, how));
  }

 private:
  Card* card_;
  const Figures& figures_;
  const std::string when_;
};

void setProperties(Values& v, const GpuProperties& gpu) {
  const std::string said = "said by the CUDA runtime";
  v.set(&Card::multiprocessors, gpu.multiprocessors, said);
  v.set(&Card::schedulers, 4, "CUDA C++ Programming Guide, compute capability 7.0 to 9.0");
  v.set(&Card::warps, gpu.warps, said);
  v.set(&Card::blocks, gpu.blocks, said);
  v.set(&Card::registers, gpu.registers, said);
  v.set(&Card::sharedBytes, gpu.sharedBytes, said);
  v.set(&Card::reservedSharedBytes, gpu.reservedSharedBytes, said);
  v.set(&Card::l2Bytes, gpu.l2Bytes, said);
}

void setInstructions(Values& v) {
  const double add = v.figure("integer addition or xor, latency");
  const double multiply = v.figure("integer multiply-add, latency");
  v.measured(&Card::arithmeticLatency, (add + multiply) / 2 - 0.3,
             "chains of integer additions and multiply-adds, between the two");
  // A scheduler has 16 warps, of which each issues four of these and three others in a step; the
  // barrier takes the time of two more.
  v.measured(
      &Card::controlCycles,
      (v.figure("step in global memory, 0 of 512 threads work, four blocks on each") / 16 - 5) / 4,
      "steps of a tree in global memory in which no thread works, four blocks on each "
      "multiprocessor");
  v.measured(&Card::shuffleCycles, v.figure("shuffle, per warp and multiprocessor"),
             "shuffles of 16 warps");
  v.measured(&Card::shuffleLatency, v.figure("shuffle, latency"), "chain of shuffles");
  v.measured(&Card::reduceCycles, v.figure("reduce, per warp and multiprocessor"),
             "reductions of 16 warps");
  v.measured(&Card::reduceLatency, v.figure("reduce, latency"), "chain of reductions");
  v.measured(&Card::specialCycles, 8 * v.figure("conversion, per warp and multiprocessor"),
             "conversions of 16 warps, of which every second uses the unit");
}

void setBlocks(Values& v) {
  const double one = v.figure("barrier, 1 warps"), all = v.figure("barrier, 32 warps");
  v.measured(&Card::barrierCyclesPerWarp, (all - one) / 31, "barriers of 1 and 32 warps");
  v.measured(&Card::barrierLatency, one - (all - one) / 31, "barriers of 1 and 32 warps");
  const double clock = v.figure("clock");
  v.measured(&Card::clockGhz, clock, "cycles of a kernel that waits, by events");
  v.measured(&Card::blockStartCycles, v.figure("block start, 128 threads") * clock,
             "empty blocks of 128 threads");
  const auto turnaround = [&](unsigned threads) {
    const double ns = v.figure(fmt::format("block of {} threads that waits 2000 cycles", threads));
    return ns * clock * (2048 / threads) - 2000;
  };
  const double perWarp = (turnaround(1024) - turnaround(256)) / 24;
  v.measured(&Card::blockTurnaroundCyclesPerWarp, perWarp,
             "blocks of 256 and 1024 threads that wait 2,000 cycles");
  v.measured(&Card::blockTurnaroundCycles, turnaround(256) - 8 * perWarp,
             "blocks of 256 and 1024 threads that wait 2,000 cycles");
  v.measured(&Card::launchMicroseconds, v.figure("empty kernel, 1 block of 32"),
             "empty kernel of one block, by events");
}

// Which no microbenchmark measures yet.
void setManaged(Values& v) {
  const std::string how =
      "of an NVIDIA H200, 2026-11-26, for every card: the profiler's times of kernels that read or "
      "write 64 KiB to 256 MiB one after the other";
  v.set(&Card::managedFirstMicroseconds, 130, how);
  v.set(&Card::managedWrittenMicroseconds, 9.0, how);
  v.set(&Card::managedUntouchedMicroseconds, 5.1, how);
}

void setPipe(Values& v) {
  v.measured(&Card::sharedLatency, v.figure("shared memory, latency"), "chain of loads");
  v.measured(&Card::l1Latency, v.figure("L1, latency"), "chain of loads");
  v.measured(&Card::loadPassCycles, v.figure("load from L1, 4 bytes, stride 32") / 8,
             "loads of 32 lanes from 8 lines");
  const double storedSector = v.figure("store, 16 bytes, stride 16") / 16;
  v.measured(&Card::storeSectorCycles, storedSector, "stores of 16 bytes a lane");
  v.measured(&Card::storeMaskCycles,
             std::max(0.0, v.figure("store, 4 bytes, stride 128") / 32 - storedSector),
             "stores of 32 lanes to 32 lines");
  v.measured(&Card::atomicLatency, v.figure("atomic, latency"), "chain of atomics");
  v.measured(&Card::fenceLatency, v.figure("store and fence"), "chain of stores and fences");
  const double sameAddress = v.figure("atomics, 1 addresses, 32 lanes") / 32;
  v.measured(&Card::atomicSameAddressCycles, sameAddress * v.figure("clock"),
             "atomics of all multiprocessors on one address");
  v.measured(&Card::atomicWholeSectorCycles,
             v.figure("atomics, 8 addresses, 32 lanes") / 4 * v.figure("clock"),
             "atomics of all multiprocessors on the eight addresses of a sector");
  v.measured(&Card::atomicUnits, sameAddress / (v.figure("atomics, 65536 sectors, 32 lanes") / 32),
             "atomics on one address and on 65,536, each in a sector of its own");
}

void setMemory(Values& v) {
  v.measured(&Card::l2Latency, v.figure("L2, latency"), "chain of loads through 8 MiB");
  v.measured(&Card::l2Gbps, v.figure("L2, 24 MiB read again"), "24 MiB, read again and again");
  v.measured(&Card::memoryLatency,
             (v.figure("memory, latency, stride 1056") + v.figure("memory, latency, shuffled")) / 2,
             "chains of loads through 1 GiB");
  v.measured(&Card::readGbps, v.figure("streams, 1 read, 0 written"), "a stream that is read");
  v.measured(&Card::mixedGbps, v.figure("streams, 1 read, 1 written"),
             "a stream that is read and one that is written");
  v.measured(&Card::randomReadGbps, v.figure("random reads of 32 bytes"),
             "single sectors at random places of 2 GiB");
  // Fitted by hand, to what each card measured; another card is taken for an H200.
  if (v.isOf("H100")) {
    v.set(&Card::memoryChannels, 5,
          "fit to Little's curve of an H100, 2026-11-26: 1 to 16 loads in flight");
    v.set(&Card::memoryLatencySpread, 105,
          "fit to loads of an H100, 2026-11-26: 1, 4 and 8 of one warp, 4 and 16 KiB apart");
  } else {
    v.set(&Card::memoryChannels, 8,
          "fit to Little's curve of an H200, 2026-11-21: 1 to 16 loads in flight");
    v.set(&Card::memoryLatencySpread, 130,
          "fit to loads of an H200, 2026-11-26: 1, 4 and 16 of one warp, 16 KiB apart, and "
          "Little's curve");
  }
  // How much longer a turn of a copy takes than one that only reads, over the part of its time in
  // which the memory would be writing: of few warps and of many.
  const auto moved = [&](const std::string& what, unsigned warps) {
    return v.figure(fmt::format("{}, 1 loads of 4 bytes in flight, {} warps", what, warps));
  };
  const auto longer = [&](unsigned warps) {
    const double bytes = 128 * warps * v.multiprocessors() * v.figure("clock");
    return bytes / (moved("copy", warps) / 2) - bytes / moved("read", warps);
  };
  const double more =
      (moved("copy", 32) - moved("copy", 4)) / v.figure("streams, 1 read, 0 written");
  v.measured(&Card::memoryWriteDelay, (longer(32) - longer(4)) / more,
             "copies of 4 and 32 warps, one load of 4 bytes in flight, and as much read alone");
}

}  // namespace

Card cardFrom(const GpuProperties& gpu, const Figures& figures, const std::string& when) {
  Card card;
  card.name = gpu.name;
  Values values(&card, figures, when);
  setProperties(values, gpu);
  setInstructions(values);
  setBlocks(values);
  setManaged(values);
  setPipe(values);
  setMemory(values);
  return card;
}
