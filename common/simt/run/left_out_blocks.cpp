#include "simt/run/left_out_blocks.h"

#include <cstring>
#include <map>

namespace simt {
namespace {

struct Tally {
  size_t bytes = 0;
  uint64_t ofBlock = 0;  // what the running block has added so far
  uint64_t ofEach = 0;   // what each before it has added
  uint64_t blocks = 0;   // that are known to have
  uint64_t leftOut = 0;  // that have been made up for
  bool isEqual = true;   // all have added the same
};

std::map<void*, Tally> tallies;
uint64_t blocksRun = 0, blocksLeftOut = 0;

void addTo(void* address, size_t bytes, uint64_t value) {
  uint64_t now = 0;
  std::memcpy(&now, address, bytes);  // the low bytes come first
  now += value;
  std::memcpy(address, &now, bytes);
}

}  // namespace

void forgetLeftOut() {
  tallies.clear();
  blocksRun = blocksLeftOut = 0;
}

void noteForLeftOut(void* address, size_t bytes, uint64_t before, uint64_t after, bool adds) {
  Tally& tally = tallies[address];
  tally.bytes = bytes;
  tally.ofBlock += after - before;
  tally.isEqual &= adds;
}

void countLeftOutBefore(uint64_t number) {
  if (number > blocksRun + blocksLeftOut) blocksLeftOut = number - blocksRun;
  for (auto& [address, tally] : tallies) {
    if (tally.blocks == 0) tally.ofEach = tally.ofBlock;
    tally.isEqual &= tally.ofBlock == tally.ofEach && ++tally.blocks == blocksRun;
    tally.ofBlock = 0;
    if (!tally.isEqual) continue;
    addTo(address, tally.bytes, tally.ofEach * (blocksLeftOut - tally.leftOut));
    tally.leftOut = blocksLeftOut;
  }
  ++blocksRun;
}

}  // namespace simt
