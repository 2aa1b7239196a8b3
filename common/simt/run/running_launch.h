// A launch that runs: all that its blocks share, whether they run one after the other or side by
// side, from its first block to what is told of it.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "simt/find/signals.h"
#include "simt/run/block.h"

namespace simt {

struct ResidentBlock;  // resident_blocks.h

struct Launch : SearchedLaunch {
  // From now on this OS thread runs it. The function runs the running block. Invalid sizes throw
  // std::invalid_argument.
  Launch(const KernelCall& called, void (*runBlock)());
  ~Launch();
  Launch(const Launch&) = delete;
  Launch& operator=(const Launch&) = delete;

  void (*const runsBlock)();
  const LoopTimer loopTimer;

  // Of a launch whose blocks run one after the other, but for those that wait for others: their
  // numbers in this order, how many have begun, and those that run side by side.
  std::span<const uint64_t> order;
  size_t begun = 0;
  uint64_t plainBlocks = 0;                                // that ran without being looked at
  const char* whyNonePlain = nullptr;                      // where they were to, for it takes long
  std::vector<std::shared_ptr<ResidentBlock>> sideBySide;  // owned; the type is known below
  size_t mostSideBySide = 64;
  uint64_t changesSeen = 0, idleTurns = 0;  // of blocks side by side
  ResidentBlock* turn = nullptr;            // whose turn it is: null where a block runs by itself

  // True, and no other launch begins before endAlone(): where none runs beside it.
  bool beginAlone();
  void endAlone();
  void noteEnded(uint64_t blocks) const;  // so many of them have ended, for position()
  // A block has ended its part in the launch: its counts are the launch's.
  void release(Block& block);
  // It has ended: what it found becomes known to takeFaults(). Throws the first of it that is not
  // mild.
  void settle();

 private:
  ThreadBlock* const before_;
};
inline Launch& runningLaunch() { return static_cast<Launch&>(launchNow()); }

}  // namespace simt
