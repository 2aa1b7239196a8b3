// Which registers of a function hold what is read later: of the 32 bits each that ptxas has.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "estimate/gpu_code/ptx.h"

namespace estimate::gpu_code {

class LiveRegisters {
 public:
  // After findFlow() and findCosts(); the function outlives it, and no instruction is moved to
  // another block meanwhile. areMadeAgain: integers that are made of one register and constants are
  // in none themselves.
  explicit LiveRegisters(const Function& f, bool areMadeAgain = false);

  // Of 32 bits, that a register takes: none where it is a predicate, a parameter, the same for the
  // whole block of threads, or becomes part of who reads it.
  unsigned wordsOf(uint32_t reg) const { return words_[reg]; }
  // Those that an instruction reads, by what becomes part of it, too; and those that it writes.
  std::vector<uint32_t> readBy(const Instruction& i) const;
  std::vector<uint32_t> writtenBy(const Instruction& i) const;
  const std::vector<bool>& behind(uint32_t block) const { return behind_[block]; }
  std::vector<bool> inFrontOf(uint32_t block) const { return inFrontOf(f_.blocks[block], nullptr); }
  unsigned wordsOf(const std::vector<bool>& live) const;
  // The most of all places in a block, in which loads of a turn of a loop go together with others.
  unsigned mostIn(const BasicBlock& block) const;

 private:
  bool isPartOfReaders(const Instruction& i) const;
  void findWords();
  std::vector<bool> inFrontOf(const BasicBlock& block, unsigned* most) const;

  const Function& f_;
  bool areMadeAgain_;
  std::vector<unsigned> words_;
  std::vector<bool> hasOneWriter_;
  std::vector<std::vector<uint32_t>> through_;  // of each register, those that it is made of
  std::vector<std::vector<bool>> behind_;       // of each block, those that are read later
};

// ptxas loads no more at a time than that a thread has the 32 registers with which as many warps
// are resident as can be, seven of them for what is not counted here; or, where there is more, than
// what six have. By its code for sums of floats and pairs and fours of them, 1 to 64 sums at a
// time.
constexpr unsigned registersOfMostWarps = 32, registersOfElse = 7, fewestForLoads = 6;
constexpr unsigned roomForLoads(unsigned live) {
  constexpr unsigned most = registersOfMostWarps - registersOfElse;
  return live + fewestForLoads > most ? fewestForLoads : most - live;
}

// Of a multiprocessor, and of a thread, which has them by eight.
constexpr unsigned registersOfAll = 65536, mostRegisters = 255, registersAtATime = 8;
// As many as a block of so many threads can have.
constexpr unsigned mostRegistersOf(unsigned threads) {
  const unsigned most = registersOfAll / (threads > 0 ? threads : 1);
  return most > mostRegisters ? mostRegisters : most / registersAtATime * registersAtATime;
}
// Of a thread, after schedule(): of 220 kernels half are within 12 % of what ptxas takes. With 32
// it gets along in 23 of 30 that seem to need up to eight more.
unsigned neededRegisters(const Function& f);

// What loads have on their way while a block's instructions get a new order, which take() tells one
// after the other, by their places in the block as it was. What it was made of outlives it.
class RoomForLoads {
 public:
  RoomForLoads(const LiveRegisters& live, const BasicBlock& block, uint32_t number);
  // Whether the instruction can be next: a load that there is room for, or what takes no more
  // registers than it leaves; or, where loads can still come, what they may need.
  bool allows(uint32_t k) const;
  bool isLoad(uint32_t k) const { return isLoad_[k]; }
  void take(uint32_t k);

 private:
  const LiveRegisters& live_;
  std::vector<bool> isLoad_;  // of each instruction
  std::vector<std::vector<uint32_t>> reads_, writes_;
  std::vector<bool> isLive_;                      // of each register
  std::vector<uint32_t> readers_;                 // … those that are left
  std::set<uint32_t> isReadBehind_, onTheirWay_;  // behind the block, and not written yet
  unsigned words_, most_ = 0, wordsOnTheirWay_ = 0;
  unsigned loads_ = 0;  // that are still to come
};

// How many turns of a loop that ptxas unrolls have their loads on their way at a time
// (costs_of_loops.cpp).
void findTurnsTogether(Function& f, const LiveRegisters& live);

}  // namespace estimate::gpu_code
