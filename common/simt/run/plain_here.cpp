#include "simt/run/plain_here.h"

#include "simt/memory/worker_process.h"

#if defined(__linux__) && defined(__x86_64__) && defined(SIMT_INSTRUMENTED) && !defined(SIMT_ASAN)
#include <sys/single_threaded.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <vector>

#include "simt/find/repetition.h"
#include "simt/find/signals.h"
#include "simt/memory/arrays.h"
#include "simt/run/left_out_calls.h"
#include "simt/run/output_aside.h"
#include "simt/threads/fibers.h"

namespace simt {
namespace {

constexpr size_t mostBytes = size_t(1) << 30;  // of arrays

// What the arrays and the variables of kernels hold, and what it was before.
class ArraysBefore {
 public:
  // False, and there is nothing: there is too much of them.
  bool take() {
    if (bytesOfArrays() > mostBytes) return false;
    for (const Array* known : allArrays())
      if (Array* const array = findArray(known->begin); array && array->end > array->begin)
        arrays_.push_back(array);
    if (kept().size() < arrays_.size()) kept().resize(arrays_.size());
    for (size_t i = 0; i < arrays_.size(); ++i)
      kept()[i].assign(dataOf(*arrays_[i]), dataOf(*arrays_[i]) + bytesOf(*arrays_[i]));
    return true;
  }
  void putBack() const {
    for (size_t i = 0; i < arrays_.size(); ++i)
      if (hasChanged(i)) std::memcpy(dataOf(*arrays_[i]), kept()[i].data(), bytesOf(*arrays_[i]));
  }
  bool someConstantChanged() const {
    for (size_t i = 0; i < arrays_.size(); ++i)
      if (arrays_[i]->isConstant && hasChanged(i)) return true;
    return false;
  }
  // Nobody knows which words were written. An array that has changed, or of which some word was
  // written before, counts as written.
  void noteWritten() const {
    for (size_t i = 0; i < arrays_.size(); ++i) {
      std::vector<uint8_t>& known = arrays_[i]->written;
      const bool some = std::ranges::any_of(known, [](uint8_t word) { return word != 0; });
      if (some || hasChanged(i)) std::ranges::fill(known, uint8_t(0xf));
    }
  }

 private:
  // Kept from launch to launch, for new memory takes longer than to fill it.
  static std::vector<std::vector<char>>& kept() {
    static auto& all = *new std::vector<std::vector<char>>;
    return all;
  }
  static char* dataOf(const Array& array) { return reinterpret_cast<char*>(array.begin); }
  static size_t bytesOf(const Array& array) { return array.end - array.begin; }
  bool hasChanged(size_t i) const {
    return std::memcmp(dataOf(*arrays_[i]), kept()[i].data(), bytesOf(*arrays_[i])) != 0;
  }
  std::vector<Array*> arrays_;
};

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
