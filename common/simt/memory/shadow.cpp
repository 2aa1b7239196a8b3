#include "simt/memory/shadow.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace simt {
namespace {

constexpr size_t slabBytes = size_t(1) << 20, mostSlabs = 64;

// Mapped at once: page by page it would take longer. Null where there is none.
char* makeSlab() {
#ifdef MAP_POPULATE
  void* const memory = mmap(nullptr, slabBytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<char*>(memory);
#else
  return nullptr;
#endif
}

}  // namespace

bool RecordPool::isOfSlab(const void* memory) const {
  return std::ranges::any_of(
      slabs_, [&](const char* slab) { return memory >= slab && memory < slab + slabBytes; });
}

void* RecordPool::takeSpare() {
  const std::scoped_lock lock(mutex_);
  if (spare_.empty() && slabs_.size() < mostSlabs)
    if (char* const slab = makeSlab()) {
      slabs_.push_back(slab);
      for (size_t at = slabBytes; at >= bytes_; at -= bytes_) spare_.push_back(slab + at - bytes_);
    }
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
  if (isOfSlab(memory))
    spare_.push_back(memory);
  else
    std::free(memory);
}

}  // namespace simt
