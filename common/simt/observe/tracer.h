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

// What recordTrace() asks for.
struct TraceRequest {
  Trace* trace = nullptr;
  TraceChoice choice = {};
  unsigned launches = 0;  // since then
};
TraceRequest& traceAskedFor();

struct TracedLaunch : ThreadLaunch {
  TraceRequest* traced = nullptr;  // null where none is asked for
  unsigned openBlocks = 0;         // that are traced: several, where they run side by side
};

class Tracer final : public Observer {
 public:
  bool on() const { return on_; }

  // A block of the running launch that a worker process has traced.
  static void takeOver(dim3 index, std::span<const TraceStep> steps,
                       std::span<const uint64_t> words, bool cutOff);

  // The running block begins: is it traced? Whether that is otherwise than for the last one.
  bool choose();
  void begins() override;
  void ends() override;

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

  void meet(const std::vector<Thread*>& threads) override;
  void enters(unsigned warp, const JointAccess& joint) override;
  void requests(unsigned warp, const Request& request) override;
  bool takeValues(unsigned warp, uint32_t lanes, uint64_t* values) override;

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
  Trace* trace_ = nullptr;  // where on
  size_t maxSteps_ = 0;
  uint32_t block_ = 0;       // place in the trace
  std::vector<Lane> lanes_;  // of all the block's threads
  size_t lastStep_[maxWarps];
  std::vector<CountedFence> fences_[maxWarps];
  bool fenceTaken_ = false;  // a new one was among the values taken
};

}  // namespace simt
