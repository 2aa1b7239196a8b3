// The arrays of a launch whose blocks run in worker processes (parallel_blocks.h): one copy of
// each for all of them, and what each has noted of its own accesses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "simt/hardware/requests.h"

namespace simt {

// What a block did to a word of an array, byte by byte: four bits for writes, four for reads.
using Touched = uint8_t;
constexpr Touched touchedByWrite = 0x0f;

// In such a process: the running block accesses an array that all workers share, or another.
void noteTouched(Touched* touched, uintptr_t offset, size_t size, Access kind);
void noteUnshared(Access kind);

}  // namespace simt

// What the executor does not see would be lost: workers need its instrumentation.
#ifdef __linux__
#define SIMT_WORKER_PROCESSES 1

namespace simt {

struct Array;

// Memory that this process and its workers share, zeros at first.
class SharedMemory {
 public:
  // Throws std::bad_alloc. Where it will be used from end to end, it is quicker to have it at once.
  explicit SharedMemory(size_t bytes, bool atOnce = false);
  SharedMemory(SharedMemory&& other) noexcept
      : memory_(std::exchange(other.memory_, nullptr)), bytes_(other.bytes_) {}
  SharedMemory& operator=(SharedMemory&&) = delete;
  ~SharedMemory();
  template <typename T>
  T* as() const {
    return static_cast<T*>(memory_);
  }
  // Takes the place of other memory of this process.
  void moveTo(void* place);

 private:
  void* memory_;
  size_t bytes_;
};

class ArraysOfWorkers {
 public:
  // Nothing, where there is too much of them. No array may be made or released while one exists.
  static std::optional<ArraysOfWorkers> share(unsigned workers);
  // The same for workers that note nothing of what they do, since their blocks run plain: from now
  // on, those that are forked have the same arrays as this process.
  static ArraysOfWorkers sharePlain();

  void useIn(unsigned worker);  // called in that process
  // In a worker: memory of the host that kernels use stays each one's own, so none may change it.
  bool someHostVariableChanged() const;
  // The same of a worker that is the only one: it may, and hands them on.
  void sendHostVariables();

  // Afterwards, in the process that made them: whether no byte that one worker wrote was read or
  // written by another; and then what they hold becomes what the arrays hold.
  bool independent() const;
  void takeOver() const;
  void takeOverHostVariables() const;  // after sendHostVariables()

 private:
  struct SharedArray {
    Array* array;
    size_t words;
    SharedMemory contents;
    std::vector<SharedMemory> touched;  // by each worker
  };
  struct HostVariable {
    const Array* array;
    std::vector<char> before;
    std::optional<SharedMemory> after = {};  // where one worker sends it
  };
  static bool independent(const SharedArray& shared);

  std::vector<SharedArray> arrays_;
  std::vector<HostVariable> hostVariables_;
};

}  // namespace simt
#endif
