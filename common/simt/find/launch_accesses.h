// What the blocks of a launch did to global memory, block by block: for races between them.
#pragma once

#include <cstdint>
#include <memory>

#include "simt/find/block_accesses.h"
#include "simt/memory/shadow.h"

namespace simt {

// What the blocks so far did to a unit. The block counts from 1; 0 is none.
struct LaunchRecord {
  uint32_t block = 0;
  uint32_t value = 0;  // what a write left
  AccessRecord access;
};

// A page that several blocks have touched: those of two of them as they were, and one with records
// of more. Most pages have but one of these.
struct LaunchPage {
  LaunchPage(uintptr_t begin_, size_t& room_) : begin_(begin_), room(room_) {}
  uintptr_t begin() const { return begin_; }

  const uintptr_t begin_;
  size_t& room;
  std::unique_ptr<BlockPage> whole[2];
  std::unique_ptr<ShadowPage<LaunchRecord>> mixed;
};

using LaunchAccesses = Shadow<LaunchPage>;

}  // namespace simt
