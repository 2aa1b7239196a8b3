// Barriers that some threads of a block take part in, each as often as it likes: cuda::barrier and
// its kin, bar.sync with a number. They order what a release and an acquisition would.
#include <algorithm>
#include <utility>

#include "simt/device/primitives.h"
#include "simt/find/faults.h"
#include "simt/find/races.h"
#include "simt/find/repetition.h"
#include "simt/find/watchdog.h"
#include "simt/image/symbols.h"
#include "simt/paths/warp_log.h"
#include "simt/run/block.h"
#include "simt/run/meetings.h"
#include "simt/run/rows.h"
#include "simt/threads/fibers.h"

namespace simt {
namespace {

// What the running thread has done so far comes before what orders it.
void lookUpBefore() {
  settlePendingWrites();
  lookUpLoadsOf(*runningBlock().current);
}

void order(const void* barrier, MemoryOrder by) {
  orderByAtomic(barrier, {by == MemoryOrder::release, nullptr}, by, Scope::block);
}

void nextPhase(PartBarrier& barrier) {
  ++barrier.phase;
  barrier.left = barrier.expected - std::min(barrier.dropped, barrier.expected);
  if (!runningBlock().isPlain) noteChange();
  runningBlock().makeReady(std::exchange(barrier.waiting, {}));
}

unsigned arrive(const void* address, unsigned expected, unsigned arriving, bool drops,
                const void* pc) {
  const bool isPlain = runningBlock().isPlain;
  const Quiet quiet;
  if (!isPlain) {
    lookUpBefore();
    order(address, MemoryOrder::release);
  }
  const auto [found, isNew] = runningBlock().partBarriers.try_emplace(address);
  PartBarrier& barrier = found->second;
  if (isNew) barrier.left = expected;
  barrier.expected = expected;
  const unsigned phase = barrier.phase;
  if (arriving > barrier.left)
    raise(makeFault(Fault::Kind::barrier,
                    threadName(*runningBlock().current) + " arrives" + at(pc) +
                        " at a barrier at which all of the " + std::to_string(expected) +
                        " that it expects have arrived",
                    {runningBlock().current}, {pc}));
  barrier.dropped += drops;
  barrier.left -= arriving;
  if (barrier.left == 0) nextPhase(barrier);
  return phase;
}

void waitUntilOver(const void* address, unsigned phase, const void* pc) {
  Block& block = runningBlock();
  Thread& self = *block.current;
  const Quiet quiet;
  endRowOf(block);
  if (!block.isPlain) lookUpBefore();
  PartBarrier& barrier = block.partBarriers[address];
  self.pc = pc;
  if (launchNow().windows.someOpen) rememberStop(self, codeOf(pc, CodeTag::meeting));
  if (barrier.phase == phase) {
    self.state = State::atPart;
    self.operand = reinterpret_cast<uint64_t>(address);
    barrier.waiting.push_back(&self);
  } else {
    block.makeReady({&self});  // behind those that it has let go
  }
  suspend();
  if (!block.isPlain) order(address, MemoryOrder::acquire);
}

}  // namespace

Fault partNeverOver(const Thread& waiting) {
  const PartBarrier& barrier =
      runningBlock().partBarriers[reinterpret_cast<const void*>(waiting.operand)];
  return makeFault(Fault::Kind::barrier,
                   threadName(waiting) + " waits for ever" + at(waiting.pc) + ": at this barrier " +
                       std::to_string(barrier.left) + " of the " +
                       std::to_string(barrier.expected) + " that it expects never arrive",
                   {&waiting}, {waiting.pc});
}

unsigned arriveAtPart(const void* barrier, unsigned expected, unsigned arriving, bool drops) {
  return isInKernel() ? arrive(barrier, expected, arriving, drops, __builtin_return_address(0)) : 0;
}
void waitAtPart(const void* barrier, unsigned phase) {
  if (isInKernel()) waitUntilOver(barrier, phase, __builtin_return_address(0));
}
// Whether the barrier's phase is another than this, of which so many bits are known.
static bool isOver(const void* barrier, unsigned phase, unsigned known, const void* pc) {
  if (!isInKernel()) return true;
  const bool isPlain = runningBlock().isPlain;
  const bool over = [&] {
    const Quiet quiet;
    const auto& all = runningBlock().partBarriers;
    const auto found = all.find(barrier);  // nobody may have arrived yet
    return (((found == all.end() ? 0 : found->second.phase) ^ phase) & known) != 0;
  }();
  if (!over && isPlain) {  // lets others run
    const Quiet quiet;
    endRowOf(runningBlock());
    runningBlock().makeReady({runningBlock().current});
    suspend();
  } else if (!over) {
    noteAtomic(pc, barrier, false);
  } else if (!isPlain) {
    const Quiet quiet;
    lookUpBefore();
    order(barrier, MemoryOrder::acquire);
  }
  return over;
}
bool isPartOver(const void* barrier, unsigned phase) {
  return isOver(barrier, phase, ~0u, __builtin_return_address(0));
}
bool isParityOver(const void* barrier, unsigned parity) {
  return isOver(barrier, parity, 1, __builtin_return_address(0));
}
void beginPart(const void* barrier) {
  if (!isInKernel()) return;
  const Quiet quiet;
  runningBlock().partBarriers.erase(barrier);
}

void namedBarrier(unsigned id, unsigned threads, bool waits) {
  if (!isInKernel()) return;
  const void* const pc = __builtin_return_address(0);
  Block& block = runningBlock();
  if (id >= std::size(block.named)) {
    const Quiet quiet;
    raise(makeFault(Fault::Kind::barrier,
                    "a block has no barrier " + std::to_string(id) + at(pc) + ": they are 0 to 15",
                    {block.current}, {pc}));
  }
  const void* const address = &block.named[id];
  const unsigned phase =
      arrive(address, threads == 0 ? block.size : std::min(threads, block.size), 1, false, pc);
  if (waits) waitUntilOver(address, phase, pc);
}

}  // namespace simt
