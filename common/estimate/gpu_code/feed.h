// From what a GPU compiler's code did, executed, to what the timing model is fed with.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "estimate/gpu_code/loop_turns.h"
#include "estimate/gpu_code/machine.h"
#include "estimate/gpu_code/requests.h"
#include "estimate/place_table.h"
#include "estimate/warp_program.h"

namespace estimate::gpu_code {

// Writes what a warp does as the model reads it: runs of instructions, requests, and for each value
// that is on its way what waits for it.
class WarpWriter {
 public:
  // It begins with reading so many special registers: see Operation::Kind.
  explicit WarpWriter(unsigned specialRegisters = 0);
  // An instruction that asks no memory and no other warp.
  void compute(const Instruction& instruction, const Function& function, uint32_t source,
               LongWay longWay);
  // A basic block begins, once more or another; isApart: a turn of a loop that is left over of
  // those that are unrolled.
  void enter(const BasicBlock& block, bool isApart = false);
  // Instructions around a loop or a turn of it, with a branch.
  void add(float instructions);
  // Behind a branch: some lanes go to its target; those that part come to the place where they meet
  // one after the other.
  void jump(const Cost& cost, bool isTaken, bool parts, bool isBack);
  // The next instruction is so many ULDC, in this line.
  void readUniform(uint64_t line, bool isIndexed, float reads);
  // One that does: prepare() waits for what it reads, so that size() is its place; the operation
  // has all but its source and neededAt.
  void prepare(const Instruction& instruction, const Function& function);
  void operate(const Instruction& instruction, const Function& function, Operation operation,
               uint32_t source);
  // In front of an atomic of floats in shared memory: of its turns all but the last. It has as many
  // passes as its lanes take turns, and as many conflicts as a load of them all passes; others:
  // lanes of other warps for each address.
  void swapUntilDone(Operation& atomic, uint32_t source, double swaps);
  // Of a load that is for several turns of an unrolled loop: whether it is in this one.
  bool loadsInTurn(const Instruction& i) const { return turn_ % i.turnsOfLoad == 0; }
  // A load that came with an earlier one.
  void share(const Instruction& instruction, const Function& function, const Instruction& first);
  // What is issued though its predicate is false in all lanes.
  void pass(const Instruction& instruction, uint32_t source);
  void passOperation(Operation operation, uint32_t source);
  // Copies on their way to shared memory are needed here.
  void needCopies();
  Warp finish();
  size_t size() const { return warp_.operations.size(); }
  // How many loads it has waited for, of which each was asked for behind the one before.
  uint32_t waits() const { return waits_; }

  std::vector<uint32_t> copies;  // their places

 private:
  struct Value {
    uint32_t pending = Operation::never;  // the operation that brings it
    uint32_t run = 0;                     // of instructions, the one that computes it,
    float depth = 0;                      // and how many of these stand one after the other
  };
  std::vector<Value>& valuesOf(const Function& function);
  // Waits for what the instruction reads; the depth of the deepest.
  float need(const Instruction& instruction, std::vector<Value>& values);
  void issue();
  // What comes next waits for it, if nothing did so earlier.
  void needAt(uint32_t place, size_t operation);
  void needNow(uint32_t place);
  void needAllNow(std::vector<uint32_t>& places);
  void needInParts(std::vector<uint32_t>& places);
  void keepBusy(const Cost& cost);
  // Of an instruction that loads, what one turn waits for all turns do that it went together with.
  void needLoad(uint32_t place);
  static Operation noRun() {
    Operation o;
    o.count = o.chain = 0;
    return o;
  }

  // ptxas unrolls some loops, and has the loads of several turns on their way at a time.
  bool isBatched() const { return block_ && !isApart_ && (turn_ + 1) % block_->unrolledBy != 0; }
  bool loadsGoOn() const { return block_ && !isApart_ && (turn_ + 1) % block_->turnsTogether != 0; }
  bool isApart_ = false;  // the turn comes by itself
  const BasicBlock* block_ = nullptr;
  uint32_t turn_ = 0;
  std::map<const Instruction*, std::vector<uint32_t>> together_;  // those loads, not needed yet
  Value called_;           // of a function, what it is called with, and then what it returns
  bool isCalled_ = false;  // of these the latter
  double swapsLeft_ = 0;   // a part of a turn, from a sum of floats in shared memory to the next
  float branchDepth_ = 0;  // of the run, what came last that decides where the warp goes on
  uint32_t waits_ = 0;
  std::map<uint32_t, uint32_t> asked_;  // loads that nothing has waited for: behind so many waits
  Warp warp_;
  Operation run_ = noRun();  // that is being put together
  float cycles_ = 0;         // that it takes, if ptxas said so
  float jumps_ = 0;          // … more for its branches
  uint32_t runNumber_ = 1;
  std::map<const Function*, std::vector<Value>> values_;
  const Function* lastFunction_ = nullptr;
  std::vector<Value>* lastValues_ = nullptr;
  std::map<const Instruction*, uint32_t> firsts_;  // loads that others come with
  uint32_t unread_ = Operation::never;             // the last exchange that nobody reads
  std::map<uint32_t, uint32_t> unreadOf_;          // loads that say it has come when they have
};

// Where in shared memory a block adds floats: how many lanes so far, and of which warp.
struct Swaps {
  struct Place {
    uint32_t lanes = 0, warp = 0;
    bool bySeveral = false;
  };
  PlaceTable<Place> places;
  uint32_t requests = 0;
};

// Throws TooLong where what the blocks do would take more than some 2 GB to list.
class Feed : public Listener {
 public:
  Feed(const Module& module, const Function& kernel, const LaunchOfCode& launch, std::string name,
       std::vector<ArrayRange> arrays);
  void blockBegins(uint64_t number, unsigned warps) override;
  void executed(unsigned warp, const Step& step) override;
  void passedBy(unsigned warp, const Function& function, const BasicBlock& block) override;
  void blockEnds() override;
  Launch take();

 private:
  uint32_t sourceOf(uint32_t line);
  Operation operationOf(unsigned warp, const Step& step);
  void list(unsigned warp, const Step& step, bool isApart = false);
  void listLoop(unsigned warp);
  double turnsOfSwap(unsigned warp, const Step& step, double alone);
  void refuseTooMany();
  void dropUnreadStores();

  const Module& module_;
  unsigned specialRegisters_;
  bool isAssembled_;
  Launch launch_;
  Requests requests_;
  std::vector<WarpWriter> warps_;
  std::vector<LoopTurns> loops_;     // that the warps are in
  uint64_t steps_ = 0, listed_ = 0;  // instructions so far, and operations of blocks that ended
  Swaps swaps_, swapsBefore_;        // of the block, and of the one before
  std::vector<uint32_t> sources_;    // by line: place in launch_.sources, or none
};

}  // namespace estimate::gpu_code
