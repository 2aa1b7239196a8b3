#include "simt/run/rows.h"

#include <utility>
#include <vector>

namespace simt {

void beginThreads(std::span<Thread> threads) {
  for (Thread& thread : threads) {
    thread.begun = false;
    thread.callDepth = thread.callHash = 0;
    thread.hasBadIndex = false;
  }
}

void endRow() {
  const Quiet quiet;
  Block& block = runningBlock();
  block.inARow = false;
  Thread &self = *block.current, &first = block.threads[0];
  beginThreads(block.allThreads());
  self.begun = true;
  std::swap(self.stack, first.stack);
  std::swap(self.stackBegin, first.stackBegin);
  for (Thread& thread : block.allThreads().first(self.rank)) {
    thread.state = State::finished;
    block.logs[thread.warp()].returnedLanes |= 1u << thread.lane();
  }
  block.finishedThreads = self.rank;
  std::vector<Thread*> others;
  for (Thread& thread : block.allThreads().subspan(self.rank + 1)) others.push_back(&thread);
  block.makeReady(others);
}

}  // namespace simt
