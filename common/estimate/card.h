// A graphics card as the timing model knows it: what each thing costs on one multiprocessor, what
// the memory behind all of them delivers, and how every one of these values was obtained.
#pragma once

#include <array>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace estimate {

// Cycles are those of the multiprocessors' clock. A "request" is one warp's; a "pass" is one time
// that the load/store pipe moves data: a line of 128 bytes, or all banks of shared memory once.
struct Card {
  std::string name;
  std::string key;  // the name of its file in common/cards; of a file of the user's own, empty

  // What a multiprocessor has room for.
  double clockGhz = 0, multiprocessors = 0, schedulers = 0, warps = 0, blocks = 0, registers = 0;
  double sharedBytes = 0, reservedSharedBytes = 0, l2Bytes = 0;

  // Instructions.
  double arithmeticLatency = 0, shuffleCycles = 0, shuffleLatency = 0, reduceCycles = 0;
  double controlCycles = 1, reduceLatency = 0, specialCycles = 0;

  // Barriers and blocks.
  double barrierLatency = 0, barrierCyclesPerWarp = 0;
  double blockStartCycles = 0, blockTurnaroundCycles = 0, blockTurnaroundCyclesPerWarp = 0;

  // Memory, from near to far.
  double sharedLatency = 0, l1Latency = 0, loadPassCycles = 0;
  double storeSectorCycles = 0, storeMaskCycles = 0;
  double l2Latency = 0, l2Gbps = 0, memoryLatency = 0, memoryLatencySpread = 0;
  double memoryWriteDelay = 0;
  double memoryChannels = 1;
  double readGbps = 0, mixedGbps = 0, randomReadGbps = 0;
  double atomicLatency = 0, atomicSameAddressCycles = 0, atomicWholeSectorCycles = 0;
  double atomicUnits = 0;
  double fenceLatency = 0;

  double launchMicroseconds = 0;
  // Pages of managed memory that the host has: until the first comes, and then each of 64 KiB.
  double managedFirstMicroseconds = 0, managedWrittenMicroseconds = 0,
         managedUntouchedMicroseconds = 0;

  std::map<std::string, std::string> how;  // of a parameter, by its name
};

// One value of a card: its name in the file, what it is, and between which numbers it must lie.
using CardValue = double Card::*;
struct CardParameter {
  const char* name;
  CardValue member;
  const char* unit;
  const char* meaning;
  double least, most;
};
extern const std::span<const CardParameter> cardParameters;  // also while the program ends

// Reads a card from the text of a JSON file. Throws Error (exitUsage) with one line, which begins
// with path, when the text is not JSON or a value is missing, impossible or does not say how it was
// obtained.
Card parseCard(const std::string& text, const std::string& path);

// The same from a file.
Card readCard(const std::string& path);

// A name of common/cards without ".json", or a file; key is set for those of common/cards. Throws
// Error (exitUsage) that names the known cards when there is neither.
Card findCard(const std::string& nameOrPath);

// The text of a file that parseCard() reads.
std::string cardText(const Card& card);

}  // namespace estimate
