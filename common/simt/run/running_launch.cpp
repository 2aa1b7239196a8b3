#include "simt/run/running_launch.h"

#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <string>

#include "simt/find/faults.h"
#include "simt/find/races.h"
#include "simt/image/symbols.h"
#include "simt/memory/arrays.h"
#include "simt/run/meetings.h"
#include "simt/run/results.h"

// The kernels see these as const (simt/cuda.h).
constinit thread_local uint3 threadIdx{}, blockIdx{}, blockDim{}, gridDim{};

namespace simt {
namespace {

void settleWrites(Thread& self) {
  settlePendingWrites();
  if (runningBlock().trace.on()) runningBlock().trace.settleStores(self);
}

[[noreturn]] void raiseException(const std::string& what) {
  {
    const Quiet quiet;
    const Thread& self = *runningBlock().current;
    const void* const pc = lastInstruction(self);
    raise(makeFault(Fault::Kind::exception,
                    threadName(self) + " throws an exception" + at(pc) + ": " + what, {&self},
                    {pc}));
  }
  std::abort();  // never: the thread does not go on
}

// Whether there are blocks for which the running one may wait.
bool hasOtherBlocks() {
  const Launch& launch = runningLaunch();
  return launch.turn || !launch.sideBySide.empty() || launch.begun < launch.order.size();
}

const ThreadCalls threadCalls = {settleWrites, pause, finishThread, raiseException, hasOtherBlocks};

void check(const KernelCall& call) {
  const auto& [x, y, z] = call.block;
  const uint64_t threads = uint64_t(x) * y * z;
  if (threads == 0 || threads > maxThreads || z > 64)
    throw std::invalid_argument("a block has 1 to 1024 threads, 64 at most in z");
  const dim3 grid = call.grid;
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.x > 0x7fffffffu || grid.y > 65535 ||
      grid.z > 65535)
    throw std::invalid_argument("a grid has 1 to 2^31 - 1 blocks in x, 1 to 65535 in y and z");
  if (blockOfThisOsThread && runningBlock().current)
    throw std::invalid_argument("a kernel cannot launch a kernel");
}

// SIMT_PATIENCE in the environment is for all launches.
Settings settingsOfLaunch() {
  Settings asked = simt::settings();
  if (const char* const patience = std::getenv("SIMT_PATIENCE"))
    asked.longestComputation = std::strtod(patience, nullptr);
  return asked;
}

// All OS threads' together.
struct Launches {
  std::mutex mutex;
  std::condition_variable changed;
  unsigned running = 0;
  bool oneAlone = false;
};
Launches& launches() {
  static auto& all = *new Launches;  // programs launch until their very end
  return all;
}

}  // namespace

bool Launch::beginAlone() {
  const std::scoped_lock lock(launches().mutex);
  return launches().oneAlone = launches().running == 1;
}
void Launch::endAlone() {
  const std::scoped_lock lock(launches().mutex);
  launches().oneAlone = false;
  launches().changed.notify_all();
}

Launch::Launch(const KernelCall& called, void (*runBlock)())
    : runsBlock((check(called), runBlock)), before_(blockOfThisOsThread) {
  call = called;
  kernelName = givenKernelName();
  calls = &threadCalls;
  settings = settingsOfLaunch();
  catchSignals();
  {
    std::unique_lock lock(launches().mutex);
    launches().changed.wait(lock, [] { return !launches().oneAlone; });
    ++launches().running;
  }
  forgetLastArray();
  ::gridDim = call.grid;
  ::blockDim = call.block;
  TraceRequest& asked = traceAskedFor();
  if (asked.trace) traced = &asked;
  ++asked.launches;
  noteEnded(0);
}
Launch::~Launch() {
  sideBySide.clear();
  runOnThisOsThread(static_cast<Block*>(before_));
  const std::scoped_lock lock(launches().mutex);
  if (--launches().running == 0) launches().oneAlone = false;
}

void Launch::noteEnded(uint64_t blocks) const { notePosition({blocks, call.blocks()}); }

void Launch::release(Block& block) {
  addCounters(block.counters);
  giveBack(block);
}

void Launch::settle() {
  const std::vector<Fault> found = faults.settle(settings);
  addFaults(found);
  if (forgotten) noteForgotten();
  notePlainBlocks(plainBlocks);
  if (whyNonePlain) noteWhyNonePlain(whyNonePlain);
  for (const Fault& fault : found)
    if (!fault.mild) throw fault;
}

}  // namespace simt
