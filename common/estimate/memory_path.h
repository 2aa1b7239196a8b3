// The way of a multiprocessor's requests: the load/store pipe, then L1 or shared memory, L2, and
// its share of the card's memory. Each is a server with a queue: a request starts when the one
// before it is through.
#pragma once

#include <array>

#include "estimate/card.h"
#include "estimate/constant_caches.h"
#include "estimate/multiprocessor.h"
#include "estimate/shared_units.h"

namespace estimate {

// Of L2's time, in sectors that it has and that are read: what one takes that memory brings, and
// one that is written whole where so many are brought and written. Streams of up to 24 MiB are
// written with 3.9 TB/s, on an H200 with 4.6; 1 and 2 MiB that are read beside 1 and 2 MiB that are
// written take 0.54, 0.76 and 0.88 us, and 0.47, 0.67 and 0.77.
inline constexpr double fillInL2 = 1.55;
double wholeInL2(double filled, double stored);
inline constexpr double bytesOfSector = 32;

class MemoryPath {
 public:
  MemoryPath(const Card& card, const Setup& setup);

  // When the value of a request that is issued now comes back, and what the wait for it is called.
  // withoutConflicts: when it would have come if there were no bank conflicts.
  struct Answer {
    double at = 0, withoutConflicts = 0;
    Wait wait = Wait::l1;
  };
  // Who asks. inTurn: the warp has waited for values since it began or came from its block's first
  // barrier, so that others store before or after. turn: of the listed loop.
  struct Asker {
    size_t scheduler = 0;
    bool inTurn = false;
    uint32_t block = 0;
    uint64_t turn = 0;
    const Block* listed = nullptr;  // the block's operations
  };
  Answer issue(const Operation& operation, double now, const Asker& asker);
  // When a warp that issues a barrier now is through the pipe, and has arrived.
  struct Arrival {
    double throughPipe = 0, at = 0;
  };
  Arrival arrive(double now);
  // When a warp is taken in that comes to its barrier then, or goes on that it lets go then.
  double passBarrier(double from, double now);
  // When a line of constants is there for all lanes of a warp of this scheduler.
  double readUniform(uint64_t line, bool isIndexed, double now, size_t scheduler) {
    return constants_.readUniform(uint32_t(line), isIndexed, now, scheduler);
  }
  // From here on, other multiprocessors are not at the same place as this one.
  void driftApart();

  // From when on the queues have room for a request.
  double roomAt(Operation::Kind kind, size_t scheduler) const;
  // What the wait for room is called.
  Wait roomWait() const;

 private:
  double passesOf(const Operation& operation, bool isInL1) const;
  double loneCost(const Operation& operation) const;
  double turnsOf(const Operation& operation) const;
  double fetch(const Operation& operation, double now);
  // Into L1, of what all blocks load: by which of them, behind how many lines, and when it comes.
  struct Brought {
    uint64_t address = 0, turn = 0, after = 0;
    uint32_t block = 0;
    double at = 0;
  };
  Brought* placeInL1(const Operation& operation, const Asker& asker);
  bool isInL1(const Brought* place, const Operation& operation, const Asker& asker) const;
  Answer after(double pipe, double latency, Wait wait) const;
  Answer inL1(double pipe) const;
  Answer load(const Operation& operation, double pipe, const Asker& asker);
  Answer loadTogether(const Operation& operation, double pipe, const Asker& asker);
  struct Together {  // what warps of a block ask for together, and when it comes
    uint64_t number = 0, turn = 0;
    uint32_t block = 0;
    Answer answer;
  };
  double readConstants(const Operation& operation, double start);
  double mergedShare(const Operation& operation, bool inTurn) const;
  double write(const Operation& operation, double now, const Asker& asker);
  void overwrite(uint64_t address, uint32_t block, double pieces, double now);
  double update(const Operation& operation, double now);
  double throughMemory(double bytes, double lines, double now);
  uint64_t nextRandom();
  double exponential();
  double lastLine(const Operation& operation, double now);

  const Card& card_;
  const Setup& setup_;
  double readBytesPerCycle_, l2BytesPerCycle_, writeWeight_;
  double work_ = 0, workWithoutConflicts_ = 0, outbound_ = 0, l2_ = 0, atomics_ = 0, again_ = 0,
         sectorsOfAll_ = 0;
  SharedUnit loadStore_, barriers_;
  IssueQueues queues_, globalQueue_;
  double leftOver_ = 0;
  double read_ = 0, written_ = 0;   // sectors, from and to memory
  double filled_ = 0, stored_ = 0;  // … that came into L2 from there, and from stores
  ConstantCaches constants_;
  std::vector<double> memory_;  // of every channel, until when it is busy
  struct Page {                 // of memory, and how much later than soonest it comes
    uint64_t number = 0;
    double at = -1e9, later = 0;
  };
  std::array<Page, 64> pages_;
  struct Asked {  // of memory, by a block, and when it comes
    uint64_t address = 0;
    double at = 0;
    uint32_t block = 0;
  };
  std::array<Asked, 1024> asked_;
  Asked& askedAt(uint64_t address, uint32_t block) {
    return asked_[((address / 32 + block) * 0x9e3779b97f4a7c15u) >> 54];
  }
  std::vector<Brought> brought_;
  std::vector<Together> together_;
  uint64_t linesIn_ = 0;  // that came into L1
  uint64_t requests_ = 0;
};

}  // namespace estimate
