// Runs CUDA kernels on the CPU: one fiber per thread, warps of 32, one block at a time, each thread
// up to its next barrier or warp operation. Counts memory traffic and finds faults on the way.
// Not thread-safe: launch kernels from one OS thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "simt/device/vectors.h"
#include "simt/observe/counters.h"

namespace simt {

// The order in which threads and blocks that could run are run. A correct kernel gives the same
// result under every order.
struct Schedule {
  enum class Order { forward, reverse, random };
  Order order = Order::forward;
  uint64_t seed = 1;
};

// What a launch found wrong. what() is a readable paragraph; the fields say the same for tests.
struct Fault : std::runtime_error {
  enum class Kind {
    outOfBounds,
    hostMemory,
    uninitialised,
    misaligned,
    race,
    barrier,
    warpOperation,
    assertion,
    benignRace,     // a race that loses nothing: formally undefined all the same
    missedBarrier,  // a barrier that completed though threads returned without reaching it
    endlessLoop,
    stackOverflow,
    nullPointer,
    divisionByZero,
    exception,
    programEnd,     // exit() or abort() in a kernel
    missingFence,   // behind a lock: loses nothing on the GPUs there are
    constantMemory  // a __constant__ variable that a kernel writes
  };
  Kind kind;
  bool mild = false;  // does not end the program
  std::string kernel;
  dim3 block{0, 0, 0};
  std::vector<dim3> threads;              // the one or two threads concerned, or those that wait
  std::string array;                      // name of the array or shared variable, when there is one
  long long index = 0;                    // element of that array
  std::vector<std::string> sources;       // file:line of each thread in threads, where known
  std::vector<const void*> instructions;  // likewise, for sourcesOf() of trace.h

  Fault(Kind kind_, const std::string& text) : std::runtime_error(text), kind(kind_) {}
};

const char* kindName(Fault::Kind kind);  // "out of bounds"

// A launch as it was asked for. The arguments are those of run().
struct LaunchCall {
  const void* kernel = nullptr;
  void (*call)(void*) = nullptr;
  const void* arguments = nullptr;
  dim3 grid, block;
  bool cooperative = false;
};

struct Settings {
  Schedule schedule = {};
  bool findFaults = true;           // races, unwritten memory, alignment; bounds are checked always
  bool benignRacesFail = false;     // and missing fences; or are a mild fault, like
  bool missedBarriersFail = false;  // these: hardware forgives all of them
  // How many processes run blocks of a launch, where that cannot show. 0: as many as the process
  // has cores, once the launch has taken longer than that costs; or what the environment's
  // SIMT_WORKERS says.
  unsigned workers = 0;
  unsigned multiprocessors = 4;  // what kernels that fill the GPU are told it has
  // How many basic blocks a block's threads may execute, none of them changing anything that
  // another thread sees, before one that loops counts as looping for ever.
  uint64_t patience = uint64_t(1) << 28;
  // Where a thread goes on by itself for that long, without an atomic, it may be a long
  // computation: then it also takes so many seconds of this process's own time. SIMT_PATIENCE in
  // the environment is for all launches.
  double longestComputation = 300;
  // How often a block may go on, whatever changes, before it counts as looping for ever: each warp
  // that passes a block barrier counts once, and some 500 basic blocks of a thread four times.
  uint64_t mostTurns = UINT64_MAX;
  size_t roomForRecords = size_t(576) << 20;  // bytes, of what was done to memory: to find races
  // Runs of a grid of so many blocks these alone. What is allocated under it begins as zeros, takes
  // memory only where it is touched, and nobody knows what has been written. Not for cooperative
  // launches.
  std::vector<uint64_t> (*sample)(uint64_t blocks) = nullptr;
  // Is given each launch, which then does not run. What is allocated under it begins as zeros,
  // takes memory only where it is touched, and nobody knows what has been written.
  std::function<void(const LaunchCall&)> instead = {};
};
// Those of the next launch.
const Settings& settings();

// Launches have these settings until the end of the scope, and then those from before.
class WithSettings {
 public:
  explicit WithSettings(const Settings& settings);
  ~WithSettings();
  WithSettings(const WithSettings&) = delete;
  WithSettings& operator=(const WithSettings&) = delete;

 private:
  Settings before_;
};

// What the launches since the last call found, mild faults included, in the order in which it was
// found: distinct ones only, and no more than a screenful of each launch.
std::vector<Fault> takeFaults();

// Whether launches since the last call touched more memory than Settings leave room to keep records
// of: then races between blocks, or between two barriers that are far apart, may have been missed.
bool someForgotten();
void noteForgotten();  // that they did: here, or in another process

// True when kernels are compiled with the instrumentation that shows their memory accesses.
bool instrumented();

// Counters of all launches since the last call.
Counters takeCounters();
void addCounters(const Counters& counted);  // what was counted elsewhere

// A device array: zero-cost to reach from kernels, fenced off from its neighbours, aligned to 256
// bytes as cudaMalloc aligns. Contents count as unwritten until markWritten or a kernel's store.
void* allocate(size_t bytes, size_t elementSize, const std::string& name);
void release(void* array);
void markWritten(const void* array, size_t bytes);
void markUnwritten(const void* array, size_t bytes);

// The same for memory of the host that kernels may use: a __device__ variable, say. It counts as
// written. Loads from what is constant are not counted.
void adoptVariable(const void* variable, size_t bytes, size_t elementSize, const std::string& name,
                   bool isConstant);
void forgetVariable(const void* variable);

// What the kernel of the next launches is called in reports; "" for the name of the function at its
// address.
void setKernelName(const std::string& name);

// Runs one launch. call(arguments) is the kernel for one thread; reads of the argumentBytes at
// arguments are the kernel's parameters and not counted. Throws the first Fault that is not mild,
// at the end of the launch where the kernel could go on; invalid sizes throw std::invalid_argument.
void run(dim3 grid, dim3 block, const void* kernel, void (*call)(void*), void* arguments,
         size_t argumentBytes);

// The same for a cooperative launch: its blocks run side by side, and gridBarrier() waits for all.
void runCooperatively(dim3 grid, dim3 block, const void* kernel, void (*call)(void*),
                      void* arguments, size_t argumentBytes);

// How many blocks of the running launch have ended, and how many it has; may be called from another
// OS thread. Both are 0 before the first launch.
struct Position {
  uint64_t ended, blocks;
};
Position position();

}  // namespace simt
