// Memory in which an instruction found its bytes, as a guess for the next time.
#pragma once

#include <cstddef>
#include <cstdint>

namespace simt {

struct Array;

struct RecentRange {
  uintptr_t begin = 0, bytes = 0;
  uint8_t* touched = nullptr;  // Array::touched
  Array* array = nullptr;      // null for shared memory
  uint8_t* written = nullptr;  // of its words, where they begin with the range
};

// By instruction.
struct RecentRanges {
  static constexpr size_t count = 64;
  RecentRange ranges[count];

  RecentRange& of(const void* pc) { return ranges[reinterpret_cast<uintptr_t>(pc) / 4 % count]; }
  void forget() { *this = {}; }
};

}  // namespace simt
