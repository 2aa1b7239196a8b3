#include "simt/memory/shadow.h"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <new>

namespace simt {
// Asked for so much at once: page by page it would take longer.
static constexpr size_t slabBytes = size_t(2) << 20, mostBytes = size_t(576) << 20;

void RecordPool::comeAlong([[maybe_unused]] bool inForks) const {
#ifdef MADV_DONTFORK
  if (all_) madvise(all_, mostBytes, inForks ? MADV_DOFORK : MADV_DONTFORK);
#endif
}

void* RecordPool::takeSpare() {
  const std::scoped_lock lock(mutex_);
#ifdef MADV_DONTFORK
  if (!all_) {
    all_ = mmap(nullptr, mostBytes, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all_ == MAP_FAILED) all_ = nullptr;
    if (all_) madvise(all_, mostBytes, MADV_HUGEPAGE);
  }
  if (spare_.empty() && all_ && made_ < mostBytes) {
    char* const slab = static_cast<char*>(all_) + made_;
    made_ += slabBytes;
#ifdef MADV_POPULATE_WRITE
    madvise(slab, slabBytes, MADV_POPULATE_WRITE);
#endif
    for (size_t at = slabBytes; at >= bytes_; at -= bytes_) spare_.push_back(slab + at - bytes_);
  }
#endif
  if (spare_.empty()) return nullptr;
  void* const memory = spare_.back();
  spare_.pop_back();
  return memory;
}

void* RecordPool::take() {
  if (void* const memory = takeSpare()) return std::memset(memory, 0, bytes_);
  void* const memory = std::calloc(1, bytes_);
  if (!memory) throw std::bad_alloc();
  return memory;
}

void RecordPool::giveBack(void* memory) {
  const std::scoped_lock lock(mutex_);
  if (isMine(memory))
    spare_.push_back(memory);
  else
    std::free(memory);
}

}  // namespace simt
