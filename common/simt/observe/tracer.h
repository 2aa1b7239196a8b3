// What recordTrace() asks for, of one block: collects what its threads did until their warp's lanes
// are in step.
#pragma once

#include <deque>
#include <span>
#include <vector>

#include "simt/hardware/requests.h"
#include "simt/observe/trace.h"
#include "simt/paths/path_block.h"

namespace simt {

class Tracer final : public WarpObserver {
 public:
  bool on() const { return on_; }

  static void beginLaunch();
  // Where blocks run in copies of the process (parallel_blocks.h): whether recordTrace() asks for
  // any; from now on into an empty trace that nobody is told of; and one such block, taken over.
  static bool wanted();
  static Trace& divert();
  static void takeOver(dim3 index, std::span<const TraceStep> steps,
                       std::span<const uint64_t> words, bool cutOff);

  bool beginBlock();  // whether it is on where it was off before, or the other way round
  void endBlock();

  // The running thread accesses memory, after its log has it.
  void noteAccess(const Thread& thread, uintptr_t address, size_t size, Access kind,
                  const void* pc);
  // The running thread is about to wait or to return: what it stored is there.
  void settleStores(const Thread& thread);
  // The running thread waits until all would see what it has stored.
  void noteFence(const Thread& thread, const void* pc) {
    const void*& fence = lane(thread.warp(), thread.lane()).fence;
    if (!fence) fence = pc;
  }
  // These threads meet; to be called before the warp's log is closed.
  void noteMeeting(const std::vector<Thread*>& lanes);

  void enters(unsigned warp, const JointAccess& joint) override;
  void requests(unsigned warp, const Request& request) override;
  void takeValues(unsigned warp, uint32_t lanes, uint64_t* values) override;

 private:
  struct Meeting {
    TraceStep::Kind kind;
    const void* pc;
    unsigned mask;
    uint64_t source, value;
    const void* fence;  // that the lane has made since what it did before, or null
  };
  struct Value {
    uint64_t bits;
    const void* fence;  // likewise
  };
  struct Lane {
    std::deque<Value> values;  // of accesses that are not yet in a step
    std::deque<Meeting> meetings;
    std::vector<uint64_t> pending;  // stores that have not happened yet: the last in values
    const void* pendingPc = nullptr;
    const void* fence = nullptr;  // since its last access
  };

  // The warp's fences that are in a step, and the lanes that come behind them later.
  struct CountedFence {
    const void* pc;
    uint32_t others;
  };
  // A lane comes to a step behind a fence, if it is not null: whether no step has it yet.
  bool isNewFence(unsigned warp, unsigned number, const void* fence, uint32_t lanes);

  TraceStep* add(unsigned warp, TraceStep::Kind kind, uint32_t lanes, const void* pc);
  void addMeetings(unsigned warp, uint32_t lanes);
  void addPart(unsigned warp, const Request& request);
  Lane& lane(unsigned warp, unsigned number) { return lanes_[warp * warpWidth + number]; }

  bool on_ = false;
  uint32_t block_ = 0;       // place in the trace
  std::vector<Lane> lanes_;  // of all the block's threads
  size_t lastStep_[maxWarps];
  std::vector<CountedFence> fences_[maxWarps];
  bool fenceTaken_ = false;  // a new one was among the values taken
};

}  // namespace simt
