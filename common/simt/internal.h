// What the parts of the executor share: threads, warps, and the launch that is running.
#pragma once

#include <boost/context/fiber.hpp>
#include <new>
#include <optional>

#include "simt/executor.h"
#include "simt/primitives.h"

#if defined(__SANITIZE_ADDRESS__)
#define SIMT_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SIMT_ASAN 1
#endif
#endif
#ifdef SIMT_ASAN
#include <sanitizer/lsan_interface.h>
#endif

namespace simt {

constexpr unsigned warpWidth = 32;
constexpr unsigned maxThreads = 1024;

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

  // For memory.cpp.
  uint32_t clock = 0;           // warp barriers this thread took part in
  uint32_t known[warpWidth]{};  // for each lane: accesses before this clock are ordered before ours
  std::vector<uint32_t> trace;  // basic blocks since its warp last met: addresses, lower half
  uint32_t* traceData = nullptr;  // the same vector, reached without a call: in a build without
  size_t traceRoom = 0;           // optimisation its functions might be the kernel's own copies
  size_t traced = 0;              // how many of them

  boost::context::fiber fiber, scheduler;
  char* stack = nullptr;
  void* fakeStack = nullptr;  // AddressSanitizer's

  unsigned lane() const { return rank % warpWidth; }
  unsigned warp() const { return rank / warpWidth; }
};

// The launch that is running.
struct Launch {
  const void* kernel = nullptr;
  void (*call)(void*) = nullptr;
  void* arguments = nullptr;
  size_t argumentBytes = 0;
  dim3 grid, block, blockIndex;
  unsigned threads = 0;  // per block
  uint64_t blockSerial = 0;
  std::optional<Fault> fault;
};

extern Launch launch;
extern Thread* threads;  // maxThreads of them
extern Thread* current;  // the thread whose turn it is, or null
// The same while its kernel's code executes: null inside the executor, and in every other OS
// thread.
extern constinit thread_local Thread* running;
extern Counters counters;
extern size_t stackBytes;

// While one lives, instrumented code that the executor itself calls (an inline function of the
// standard library, say) is not taken for the kernel's.
struct Quiet {
  Thread* const before = running;
#ifdef SIMT_ASAN
  // What a fault leaves on the stacks that it abandons is no leak.
  Quiet() { running = nullptr, __lsan_disable(); }
  ~Quiet() { running = before, __lsan_enable(); }
#else
  Quiet() { running = nullptr; }
  ~Quiet() { running = before; }
#endif
};

// Where recordEvents() has its events appended.
struct Recorder {
  std::vector<Event>* events = nullptr;
  unsigned phase = 0, steps[maxThreads / warpWidth] = {};
  Counters seen;  // of counters, what is in an event already

  Event& add(Event::Kind kind, const Thread& thread) {
    return events->emplace_back(Event{kind, thread.rank, phase, steps[thread.warp()]});
  }
};
extern Recorder recorder;

// Ends the launch with this fault: from a kernel's thread it does not return.
void raise(Fault fault);
Fault makeFault(Fault::Kind kind, const std::string& what, std::vector<const Thread*> who,
                std::vector<const void*> where);

// memory.cpp: observes the threads of the running block.
enum class Access : uint8_t { load, store, atomic };
void access(const void* address, size_t size, Access kind, const void* pc);
void beginBlock();            // before the first thread of a block runs
void blockMet();              // all threads passed a block barrier, or ended
void warpMet(unsigned warp);  // all lanes of a warp passed a warp operation together
void laneOrder(unsigned warp, unsigned mask);  // __syncwarp by these lanes

// symbols.cpp
std::string sourceOf(const void* pc);  // "file.cuh:12", empty when unknown
std::string at(const void* pc);        // " at file.cuh:12", likewise
std::string functionAt(const void* address);
std::string threadName(const Thread& thread);
std::string indexName(uint3 index, dim3 extent);
struct Variable {
  uintptr_t begin, end;
  std::string name;
};
const std::vector<Variable>& sharedVariables();  // sorted by address
struct Range {
  uintptr_t begin = 0, end = 0;
  bool contains(uintptr_t address) const { return address >= begin && address < end; }
};
const Range& sharedRange();

}  // namespace simt
