// What the warps of some blocks of a launch do, in the order in which hardware would issue it: all
// that the timing model knows of a kernel. Plain data; nothing in it depends on a card.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace estimate {

// Cycles of a scheduler's units: for integers' adds, compares and bits; for multiplications of
// integers; for doubles; and for either of the first two.
using UnitCycles = std::array<float, 4>;

// One warp-level operation, or a run of instructions that touch no memory and wait for no other
// warp.
struct Operation {
  enum class Kind : uint8_t {
    instructions,
    load,  // global memory
    store,
    atomic,
    sharedLoad,
    sharedStore,
    sharedAtomic,
    constantLoad,  // of a place that is known only while the kernel runs
    shuffle,
    vote,         // and what reduces a warp's values
    warpBarrier,  // __syncwarp
    blockBarrier,
    gridBarrier,
    fence,           // __threadfence, and what a release does before it
    specialRegister  // which thread or lane it is (S2R): comes by the pipe for shared memory
  };
  static constexpr uint32_t never = UINT32_MAX;

  Kind kind = Kind::instructions;
  uint8_t lanes = 0;  // that take part: 1 to 32, or 0 where all have a predicate that is false
  uint8_t bytes = 0;  // that each lane moves

  // Of instructions: how many are issued, and how many of them follow one another because each
  // needs the result of the one before. Of anything else: 1 and 1.
  float count = 1, chain = 1;
  // Of instructions: chain is all that a warp by itself takes until it issues what follows.
  bool isInOrder = false;

  // … and how many of count let other warps go first.
  float yields = 0;
  // … and in how many cycles their scheduler issues nothing, as it reads registers for them.
  float registerCycles = 0;

  // Of instructions: how many of count use the unit for special functions: 1/x, square roots,
  // sines, exponentials, conversions between integers and floats. A division or remainder of 32-bit
  // integers by a number that is known only at run time has three of them (I2F, MUFU.RCP, F2I).
  float special = 0;

  // Of instructions: for how many cycles they keep units of their scheduler busy.
  UnitCycles unitCycles = {};

  // Of instructions: how many of count direct where a warp goes on: branches, and two around each
  // at which lanes may part and meet again.
  float control = 0;

  // Of instructions: how many of count are ULDC, which read a constant for all lanes, all in the
  // line of 64 bytes that address tells; and whether a register has the place.
  float uniformReads = 0;
  bool isIndexed = false;

  // Of load, store and atomic. Every 32-byte sector of the request is in one of the three.
  uint16_t memorySectors = 0;  // touched for the first time by the launch
  uint16_t l2Sectors = 0;      // touched by another block of the launch before
  uint16_t l1Sectors = 0;      // touched by this block before
  uint16_t lines = 0;          // distinct lines of 128 bytes
  // Of load and store: how many other lines the warp has asked for since it touched these last, on
  // average; less where other warps touch the same. What is so long ago that L1 has no room for as
  // many of all warps comes from L2 again.
  uint32_t linesSince = 0;
  uint8_t warpsOfLines = 1;  // … and how many warps of the block touch them at about that time
  // … of its lines, those that blocks all over the grid load: see Launch::commonLines.
  uint16_t commonLines = 0;
  bool isOfAll = false;   // of load: of lines that all blocks load
  bool isLocal = false;   // to the thread's own memory
  bool ofFloats = false;  // of an atomic, or in shared memory a sum of 64 bits
  // Of load and store: of memorySectors, those of whose line and the lines beside it the block
  // touches nothing else; and of others, those of whose half of a line it touches nothing else. Of
  // store: those that are written in part; of atomic: those that go back to memory later.
  uint16_t aloneSectors = 0, sparseSectors = 0, partialSectors = 0;
  // Of load: of those from memory and L2, the ones of arrays that the launch's atomics update.
  uint16_t updatedSectors = 0;
  // Of load: of l2Sectors, those that another block was the first to ask memory for.
  uint16_t othersSectors = 0;
  uint16_t neighboursSectors = 0;  // … a neighbour of the block's
  // Of load: the request of a warp of the block that asks for the same behind as many others, which
  // may be itself; 0 where no other does. Who of them comes first brings what that one has from
  // memory and L2. See numberOf().
  uint64_t together = 0;
  // Of load: of memorySectors, those that came with the other half of their 64 bytes, which the
  // warp asked for before.
  uint16_t broughtSectors = 0;

  // Of store: of l1Sectors, those that the warp wrote a part of with one of its last stores; and of
  // all, those of which blocks all over the grid write the same bytes.
  uint16_t mergedSectors = 0, sectorsOfAll = 0;
  bool overwrites = false;  // what the warp read with one of its last loads

  // Of load: how often L1 is passed through. Of constants: how many places the lanes ask for. Of
  // shared operations: how often the 32 banks are passed through, 1 without conflicts for up to 4
  // bytes a lane, 2 for 8, 4 for 16. Of atomics: how many turns they take, as an address is updated
  // with one lane after the other.
  uint16_t passes = 0;
  uint16_t conflicts = 0;     // of the passes, those that bank conflicts add
  uint16_t wholeSectors = 0;  // of an atomic's turns, those that update all of a sector

  uint32_t source = 0;  // place in Launch::sources; 0 is "unknown"

  // Of load, sharedLoad, constantLoad, atomic and shuffle: the place in this warp's operations of
  // the first that needs the value, which cannot be issued before it has come. never: nobody waits
  // for it.
  uint32_t neededAt = never;

  // The lowest that the request touches: tells which requests meet. Of constants: the line of 64
  // bytes, or, of several places, where in Launch::constantLines theirs begin.
  uint64_t address = 0;
  uint64_t extent = 0;  // and how many bytes on the highest is
  uint16_t array = 0;   // place in Launch::arrays of the one that it lies in; 0 is "unknown"
};

struct Warp {
  std::vector<Operation> operations;

  // A long loop is listed in part: operations [repeatFrom, repeatTo) come that many times more than
  // they are listed. 0 when everything is listed. In a block all warps are cut at the same turn.
  uint32_t repeatFrom = 0, repeatTo = 0;
  double repeats = 0;
  uint32_t linesOfTurns = 0;  // of constants, by which these turns are further on each time
  // How often an operation comes.
  double timesOf(size_t place) const {
    return place >= repeatFrom && place < repeatTo ? 1 + repeats : 1;
  }
};

struct Block {
  uint64_t number = 0;  // in the grid: x first, then y, then z
  std::vector<Warp> warps;

  // What Operation::together says of an operation of the block's, by its warp and its place there.
  static uint64_t numberOf(uint32_t warp, uint32_t place) {
    return (uint64_t(warp) + 1) << 32 | place;
  }
  static uint32_t warpOf(uint64_t number) { return uint32_t(number >> 32) - 1; }
  static uint32_t placeOf(uint64_t number) { return uint32_t(number); }
  const Operation& operationOf(uint64_t number) const {
    return warps[warpOf(number)].operations[placeOf(number)];
  }
};

// Of an array of managed memory, which shares the host has: what it wrote, and what nobody did yet.
struct WithHost {
  float written = 0, untouched = 0;
};

struct Launch {
  std::string kernel;
  uint64_t blocks = 0;       // of the whole grid
  uint32_t threads = 0;      // of a block
  uint32_t sharedBytes = 0;  // of a block, static and dynamic
  uint32_t registers = 0;    // of a thread; 0 when unknown
  bool cooperative = false;  // all blocks are resident at once
  double atomicPieces = 0;   // of 256 bytes of global memory that the whole grid's atomics update
  double mostUpdated = 0;    // the part of their updates' time that one of these takes, at least
  // Some of what a block reads, its neighbours read when they had waited for more or fewer loads.
  bool sharesWithNeighbours = false;
  double commonLines = 0;   // that loads of blocks all over the grid touch
  double sectorsOfAll = 0;  // of which blocks all over the grid store the same bytes

  // In the order of their numbers: the grid's first, its last and some between, in runs of
  // neighbours. What the first blocks of a run touch, others would have touched before in the whole
  // launch: the later ones are the typical ones.
  std::vector<Block> sampled;
  // Where the blocks that stand for all were chosen by what they do, or share: their numbers.
  std::vector<uint64_t> chosen;
  // Where blocks are uneven: the one of the grid with the longest warp, beside those that are
  // sampled, and what the grid's blocks do on average, of what these do.
  std::vector<Block> longest;
  double workOfAll = 1;

  std::vector<uint32_t> constantLines;  // of places, as the lanes of warps read them

  std::vector<std::string> sources = {""};  // "file.cuh:12"
  // Arrays of global memory: the bytes between the first and the last that is touched.
  std::vector<uint64_t> arrays = {0};
  std::vector<WithHost> withHost = {{}};  // of each of them, where anybody said so
};

}  // namespace estimate
