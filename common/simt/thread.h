// A CUDA thread of the block that is running, and what it waits for.
#pragma once

#include <boost/context/fiber.hpp>
#include <cstdint>
#include <vector>

#include "simt/primitives.h"
#include "simt/vectors.h"

namespace simt {

constexpr unsigned warpWidth = 32;
constexpr unsigned maxThreads = 1024;  // of a block
constexpr unsigned maxWarps = maxThreads / warpWidth;
constexpr unsigned maxCalls = 32;  // deeper ones are not told apart

enum class State : uint8_t { ready, atBlockBarrier, atWarpOperation, atActiveMask, finished };
enum class WarpOp : uint8_t {
  barrier,
  shuffle,
  vote,
  reduceAdd,
  reduceMin,
  reduceMax,
  reduceAnd,
  reduceOr,
  reduceXor
};

// A __threadfence: what it covers, in the words of races.h.
struct Fence {
  uint32_t epoch = 0;  // 0: none yet
  uint32_t barrierEpoch = 0;
  uint32_t known[warpWidth]{};
  Scope scope = Scope::block;
};
struct RecentLoad {
  uintptr_t address = 0;
  const void* pc = nullptr;
};
// What a thread does over and over again without a change.
struct Spin {
  const void* pc = nullptr;
  const void* address = nullptr;
  unsigned turns = 0;
  uint64_t basicBlocks = 0;  // since it last got its turn
};

struct Thread {
  unsigned rank = 0;  // within the block
  uint3 index{};
  State state = State::finished;

  // Where it waits and for what.
  const void* pc = nullptr;
  WarpOp op{};
  int line = 0;          // of the block barrier
  unsigned mask = 0;     // the lanes the operation names
  uint64_t operand = 0;  // what this lane brings
  int parameter = 0;     // barrier mode, source lane, signedness
  uint64_t result = 0;

  // For races.cpp.
  uint32_t known[warpWidth]{};  // for each lane: its accesses up to this epoch are before ours
  Fence fence;                  // the last one
  RecentLoad recentLoads[4];
  unsigned nextLoad = 0;

  Spin spin;                        // for watchdog.cpp
  const void* lastBlock = nullptr;  // the basic block that it entered last

  // The calls that led to where it is: what tells barriers in helper functions apart.
  const void* calls[maxCalls];
  unsigned callDepth = 0;

  // For branches.cpp.
  std::vector<uint32_t> trace;    // basic blocks since its warp last met: addresses, lower half
  uint32_t* traceData = nullptr;  // the same vector, reached without a call: in a build without
  size_t traceRoom = 0;           // optimisation its functions might be the kernel's own copies
  size_t traced = 0;              // how many of them

  boost::context::fiber fiber, scheduler;
  char* stack = nullptr;
  void* fakeStack = nullptr;  // AddressSanitizer's

  unsigned lane() const { return rank % warpWidth; }
  unsigned warp() const { return rank / warpWidth; }
};

}  // namespace simt
