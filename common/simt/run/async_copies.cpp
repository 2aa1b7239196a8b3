#include "simt/device/primitives.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "simt/run/access.h"
#include "simt/run/block.h"

namespace simt {
namespace {

AsyncCopies::OfThread& ofThisThread() {
  auto& threads = runningBlock().asyncCopies.threads;
  if (threads.empty()) {
    const Quiet quiet;
    threads.resize(runningBlock().size);
  }
  return threads[runningBlock().current->rank];
}

size_t pieceOf(const AsyncCopy& copy) {
  const auto bits = reinterpret_cast<uintptr_t>(copy.to) | reinterpret_cast<uintptr_t>(copy.from) |
                    copy.bytes | copy.zeros;
  for (const size_t size : {16, 8, 4, 2})
    if (bits % size == 0) return size;
  return 1;
}

void perform(const AsyncCopy& copy) {
  const size_t piece = pieceOf(copy);
  for (size_t at = 0; at < copy.bytes + copy.zeros; at += piece) {
    char* const to = static_cast<char*>(copy.to) + at;
    const char* const from = static_cast<const char*>(copy.from) + at;
    if (at < copy.bytes) access(from, piece, Access::load, copy.pc);
    access(to, piece, Access::store, copy.pc);
    if (at < copy.bytes)
      std::memcpy(to, from, piece);
    else
      std::memset(to, 0, piece);
  }
}

// Those of groups before this one.
void performBefore(AsyncCopies::OfThread& mine, unsigned group) {
  for (const AsyncCopy& copy : mine.begun)
    if (copy.group < group) perform(copy);
  const Quiet quiet;
  std::erase_if(mine.begun, [&](const AsyncCopy& copy) { return copy.group < group; });
}

}  // namespace

void beginCopy(void* to, const void* from, size_t bytes, size_t zeros) {
  const void* const pc = __builtin_return_address(0);
  if (!isInKernel()) return;
  const Quiet quiet;
  auto& mine = ofThisThread();
  if (bytes + zeros > 0) mine.begun.push_back({to, from, bytes, zeros, pc, mine.groups});
}
void commitCopies() {
  if (isInKernel()) ++ofThisThread().groups;
}
void waitForCopies(unsigned prior) {
  if (!isInKernel()) return;
  auto& mine = ofThisThread();
  if (mine.groups > prior) performBefore(mine, mine.groups - prior);
}
void waitForAllCopies() {
  if (!isInKernel()) return;
  auto& mine = ofThisThread();
  performBefore(mine, mine.groups + 1);
}

}  // namespace simt
