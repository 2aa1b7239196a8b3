#include "simt/run/plain_here.h"

#include "simt/memory/worker_process.h"

#if defined(__linux__) && defined(__x86_64__)
#include <sys/single_threaded.h>

#include <atomic>

#include "simt/find/repetition.h"
#include "simt/find/signals.h"
#include "simt/memory/arrays.h"
#include "simt/run/arrays_before.h"
#include "simt/run/left_out_calls.h"
#include "simt/run/output_aside.h"
#include "simt/threads/fibers.h"

namespace simt {
namespace {

struct GivenUp {};
// The block that runs is left as it is: by one of its threads, or by its scheduler.
void leavePlainBlock() {
  runningLaunch().isOver = true;
  if (runningBlock().current) leaveForGood();
  throw GivenUp();
}

// Whether the blocks have run, and printed nothing.
bool runBlocks(Launch& launch, const PlainBlocks& plain, const std::function<void(uint64_t)>& ended,
               const OutputAside& output) {
  constexpr size_t atATime = 256;
  const int mostTicks = int(plain.mostSeconds / LoopTimer::secondsOfTick);
  try {
    for (size_t i = 0; i < plain.blocks.size(); ++i) {
      allowTicks(mostTicks);
      plain.runOne(plain.blocks[i]);
      if (launch.isOver) return false;
      if (i % atATime != atATime - 1) continue;
      ended(i + 1);
      if (output.hasSome()) giveUpWorker(prints);
    }
  } catch (const GivenUp&) {
    return false;
  }
  const bool printed = output.hasSome();
  if (printed) plain.why = prints;
  return !printed;
}

}  // namespace

bool mayRunPlainHere(const Launch& launch) {
  return __libc_single_threaded && !isInWorker() && launch.loopTimer.isSet();
}

double secondsToRunPlainHere() {
  constexpr double toBegin = 3e-5, perByte = 3e-10;
  return toBegin + perByte * double(bytesOfArrays());
}

PlainRun runPlainHere(Launch& launch, const PlainBlocks& plain,
                      const std::function<void(uint64_t)>& ended) {
  ArraysBefore arrays;
  if (!arrays.take()) return PlainRun::failed;
  Block& block = runningBlock();
  std::atomic<bool> notIndependent = false;
  std::atomic<const char*> why = nullptr;
  bool ran = false;
  {
    const OutputAside output;
    if (!output.isAside()) return PlainRun::failed;
    const AsInWorker here(leavePlainBlock, plain.inOrder ? nullptr : &notIndependent, &why);
    const CallsLeftOut calls(launch.call.kernel);
    closeWindows();
    block.isPlain = true;
    ran = runBlocks(launch, plain, ended, output);
    block.isPlain = false;
  }
  if (ran && !arrays.someConstantChanged()) {
    arrays.noteWritten();
    return PlainRun::done;
  }
  if (why) plain.why = why;
  arrays.putBack();
  if (launch.isOver) {  // its threads are in the midst of the kernel
    launch.isOver = false;
    block.current = nullptr;
    block.fibers.abandon();
    startFibers(block);
  }
  return notIndependent ? PlainRun::dependent : PlainRun::failed;
}

}  // namespace simt
#else
namespace simt {
bool mayRunPlainHere(const Launch&) { return false; }
double secondsToRunPlainHere() { return 0; }
PlainRun runPlainHere(Launch&, const PlainBlocks&, const std::function<void(uint64_t)>&) {
  return PlainRun::failed;
}
}  // namespace simt
#endif
