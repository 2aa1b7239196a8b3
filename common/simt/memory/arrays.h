// Device arrays and shared variables: which one an address belongs to, and which bytes of it have
// been written.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "simt/hardware/memory_units.h"
#include "simt/image/symbols.h"

namespace simt {

struct Array {
  uintptr_t begin, end;
  size_t elementSize;
  std::string name;
  void* reservation;
  size_t reservedBytes;
  std::vector<uint8_t> written;  // a bit for each byte, a word to an entry
  bool isConstant = false;       // a __constant__ variable: read through a cache of its own
  uint8_t* touched = nullptr;    // where blocks run in worker processes, see parallel_blocks.h
  bool isShared = false;         // with processes that are forked
  bool isOfHeap = false;         // malloc gave it in a kernel
  bool isOfHost = false;         // its threads may write it while a kernel runs
  size_t elementAlignment = 0;   // of the objects that a kernel takes it for, if known
};

// An array that nobody has named; of several, the second is "array 2" and so on.
inline constexpr char unnamed[] = "array";
// What malloc and new give in a kernel is an array of this name.
inline constexpr char heapName[] = "memory from malloc";
// So many bytes there are for them together, 8 MiB where nobody says otherwise. False where what is
// asked for is not left.
void setHeapLimit(size_t bytes);
size_t heapLimit();
bool takeFromHeap(size_t bytes);
void giveBackToHeap(size_t bytes);

// Null where there is none. Arrays may be made and released by several OS threads at a time; one
// that is released while another uses it is the program's fault.
Array* findArray(uintptr_t address);
// To be called before a launch: other OS threads may have released what this one found last.
void forgetLastArray();
// The shared variable that has this address, or an empty range.
Range findShared(uintptr_t address);
std::vector<const Array*> allArrays();
size_t bytesOfArrays();  // of all of them together
// While one lives, no other OS thread makes or releases arrays.
class ArraysStay {
 public:
  ArraysStay();
  ~ArraysStay();
  static void endInFork();  // in a process that was forked meanwhile
  ArraysStay(const ArraysStay&) = delete;
  ArraysStay& operator=(const ArraysStay&) = delete;
};
Array& addArray(Array array);
// Takes the one that begins there out; nothing, where there is none.
std::optional<Array> removeArray(uintptr_t begin);

// Which bytes of shared memory the running block has written. What others wrote before is of
// another serial number.
struct SharedWord {
  uint32_t serial = 0;
  uint8_t written = 0;
};
struct SharedWrites {
  std::vector<SharedWord> words;
  uint32_t serial = 0;
};
extern constinit thread_local SharedWrites* sharedWritesNow;  // the running block's
void forgetSharedWrites();
void countSharedAsWritten();  // for others may write it

// Of the word at an address that a device array (or, for null, shared memory) holds: a bit for each
// of its bytes that has been written.
inline uint8_t& writtenBytes(Array* array, uintptr_t word) {
  if (array) return array->written[(word - array->begin / wordBytes * wordBytes) / wordBytes];
  const uintptr_t begin = sharedRange().begin & ~(wordBytes - 1);
  SharedWrites& now = *sharedWritesNow;
  SharedWord& shared = now.words[(word - begin) / wordBytes];
  if (shared.serial != now.serial) shared = {now.serial, 0};
  return shared.written;
}

// The bytes of the word at wordBegin that [begin, end) covers, as four bits.
inline uint8_t bytesOf(uintptr_t wordBegin, uintptr_t begin, uintptr_t end) {
  const uintptr_t from = std::max(begin, wordBegin) - wordBegin;
  const uintptr_t to = std::min(end, wordBegin + wordBytes) - wordBegin;
  return uint8_t((1u << to) - (1u << from));
}

// The array or shared variable at an address, or the one that an address just misses.
struct ArrayElement {
  std::string array;
  uintptr_t begin = 0, end = 0;
  size_t elementSize = 1;
  long long index = 0;  // of the element

  std::string element() const {
    return array.empty() ? "memory" : array + "[" + std::to_string(index) + "]";
  }
};
ArrayElement elementAt(uintptr_t address, size_t size);

}  // namespace simt
