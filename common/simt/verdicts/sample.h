// The set of small kernels by which the executor's verdicts are judged: each right or wrong in one
// way, with the verdict that is true of it. A comment "// FAULT" marks the lines that a report may
// name; what lies between two samples in a file belongs to the second one.
#pragma once

#include <memory>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cuda/device_array.h"
#include "cuda/launch.h"

constexpr int arrayLength = 1024;  // of every array that a sample is given, in elements

enum class Verdict {
  correct,
  outOfBounds,
  hostMemory,
  uninitialised,
  misaligned,
  race,
  benignRace,
  barrier,
  missedBarrier,
  warpOperation,
  assertion,
  endlessLoop,
  stackOverflow,
  nullPointer,
  divisionByZero,
  missingFence
};

inline const char* verdictName(Verdict verdict) {
  const char* const names[] = {
      "correct",        "out of bounds",  "host memory",      "uninitialised",
      "misaligned",     "race",           "benign race",      "barrier",
      "missed barrier", "warp operation", "assertion",        "endless loop",
      "stack overflow", "null pointer",   "division by zero", "missing fence"};
  return names[int(verdict)];
}

// What the first pointer that a kernel takes points to. Other arrays are always written ones: those
// of constants hold 0, 1, 2, …, the others zeros.
enum class First { written, unwritten, host, null, offByFour };

struct Sample {
  const char *name, *file;
  int line;
  dim3 grid, block;
  Verdict verdict;
  const char* why;
  First first = First::written;
  bool hangs = false;            // never ends on a GPU, or not always
  bool notYet = false;           // the executor does not get it right under every schedule
  bool notYetWithClang = false;  // nor where clang++ compiled the kernel
  void (*run)(const Sample&) = nullptr;
};

// All samples that this program was linked with.
inline std::vector<Sample>& samples() {
  static std::vector<Sample> all;
  return all;
}

// What a kernel is given for a parameter: its length for a number, an array for a pointer.
template <typename T>
class Argument {
 public:
  Argument(const Sample&, unsigned) {}
  T value() const { return T(arrayLength); }
};

template <typename T>
class Argument<T*> {
  using Element = std::remove_cv_t<T>;

 public:
  Argument(const Sample& sample, unsigned number)
      : first_(number == 0 ? sample.first : First::written),
        array_(std::make_unique<DeviceArray<Element>>(arrayLength,
                                                      std::string(1, char('a' + number)))) {
    if constexpr (std::is_const_v<T> && std::is_arithmetic_v<T>)
      std::iota(host_.begin(), host_.end(), Element(0));
    if (first_ != First::unwritten) array_->copyFromHost(host_.data());
  }
  T* value() {
    switch (first_) {
      case First::host: return host_.data();
      case First::null: return nullptr;
      case First::offByFour:
        return reinterpret_cast<T*>(reinterpret_cast<size_t>(array_->data()) + 4);
      default: return array_->data();
    }
  }

 private:
  First first_;
  std::vector<Element> host_ = std::vector<Element>(arrayLength);
  std::unique_ptr<DeviceArray<Element>> array_;
};

// Launches the sample's kernel once, on arrays of its own.
template <typename... Parameters>
void runSample(const Sample& sample, void (*kernel)(Parameters...)) {
  const auto run = [&]<unsigned... numbers>(std::integer_sequence<unsigned, numbers...>) {
    const auto launchOn = [&](auto... argument) {
      launch(sample.grid, sample.block, kernel, argument.value()...);
    };
    launchOn(Argument<Parameters>(sample, numbers)...);
  };
  run(std::make_integer_sequence<unsigned, sizeof...(Parameters)>());
}

// A call for each of some 300 samples: inlined, they are the largest function that compilers see
// here.
struct AddSample {
  [[gnu::noinline]] explicit AddSample(const Sample& sample) { samples().push_back(sample); }
};

// SAMPLE(kernel, grid, block, verdict, why[, .first = …, .hangs = true]) stands below its kernel.
#define SAMPLE(kernel, grid_, block_, verdict_, why_, ...)             \
  static constexpr Sample kernel##Sample = {                           \
      .name = #kernel,                                                 \
      .file = __FILE__,                                                \
      .line = __LINE__,                                                \
      .grid = grid_,                                                   \
      .block = block_,                                                 \
      .verdict = Verdict::verdict_,                                    \
      .why = why_ __VA_OPT__(, ) __VA_ARGS__,                          \
      .run = [](const Sample& sample) { runSample(sample, kernel); }}; \
  static const AddSample kernel##Added(kernel##Sample);
