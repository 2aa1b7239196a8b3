#include "simt/left_out_blocks.h"

#include <cstring>
#include <map>

namespace simt {
namespace {

struct Counter {
  size_t bytes = 0;
  uint64_t ofBlock = 0;   // what the running block has added so far
  uint64_t ofEach = 0;    // what each before it has added
  uint64_t blocks = 0;    // that are known to have
  uint64_t leftOut = 0;   // that have been made up for
  bool isCounter = true;  // all have added the same
};

std::map<void*, Counter> counters;
uint64_t blocksRun = 0, blocksLeftOut = 0;

void add(void* address, size_t bytes, uint64_t value) {
  uint64_t now = 0;
  std::memcpy(&now, address, bytes);  // the low bytes come first
  now += value;
  std::memcpy(address, &now, bytes);
}

}  // namespace

void forgetLeftOut() {
  counters.clear();
  blocksRun = blocksLeftOut = 0;
}

void noteForLeftOut(void* address, size_t bytes, uint64_t before, uint64_t after, bool adds) {
  Counter& counter = counters[address];
  counter.bytes = bytes;
  counter.ofBlock += after - before;
  counter.isCounter &= adds;
}

void countLeftOutBefore(uint64_t number) {
  if (number > blocksRun + blocksLeftOut) blocksLeftOut = number - blocksRun;
  for (auto& [address, counter] : counters) {
    if (counter.blocks == 0) counter.ofEach = counter.ofBlock;
    counter.isCounter &= counter.ofBlock == counter.ofEach && ++counter.blocks == blocksRun;
    counter.ofBlock = 0;
    if (!counter.isCounter) continue;
    add(address, counter.bytes, counter.ofEach * (blocksLeftOut - counter.leftOut));
    counter.leftOut = blocksLeftOut;
  }
  ++blocksRun;
}

}  // namespace simt
