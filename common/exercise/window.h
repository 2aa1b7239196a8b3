// Some blocks of a grid that run without the others: so that a large grid takes no longer than a
// small one. For the executor's backend only.
#pragma once

#include "cuda/device_array.h"
#include "exercise/trial.h"
#include "simt/run/executor.h"

// Blocks one after the other. What they work on is an extent of its own, part; their elements and
// results have places in the whole one. Of a matrix it is some columns, and a block has 32 of them.
struct Window {
  Extent all, part;
  uint64_t firstBlock, blocks;
  size_t firstElement, rowLength, pitch, firstResult;

  size_t place(size_t i) const { return firstElement + i / rowLength * pitch + i % rowLength; }
  bool isWhole() const { return all.elements() == part.elements(); }
};

// All of it.
Window wholeWindow(Extent all);
// The last two blocks.
template <typename T>
Window lastBlocks(const Exercise<T>& exercise, Extent all);
// Four whole blocks, by chance, of a grid by chance; of a matrix, all of one of a size by chance.
template <typename T>
Window blocksByChance(const Exercise<T>& exercise, Extent like, uint64_t chance);

// The arrays of a window, with the data that its blocks have; each launch runs these.
template <typename T>
class WindowRun {
 public:
  // Throws std::bad_alloc where addresses are rationed: the whole arrays need so many.
  WindowRun(const Window& window, const std::vector<T>& values, size_t results);
  void launch(const Exercise<T>& exercise);
  T* data() { return data_.data() + window_.firstElement; }
  T* results() { return results_.data() + window_.firstResult; }
  std::vector<T> takeResults();

 private:
  const Window window_;
  const size_t count_;  // of results
  const simt::WithSettings settings_;
  DeviceArray<T> data_, results_;
};
