#include "exercise/window.h"

#include "base/random.h"

namespace {

// What simt::Settings::sample is told, which is a function and nothing else.
uint64_t sampledFirst = 0, sampledBlocks = 0;

simt::Settings settingsFor(const Window& window) {
  simt::Settings settings = simt::settings();
  if (window.isWhole()) return settings;
  settings.findFaults = false;  // those are looked for elsewhere
  settings.sample = [](uint64_t blocks) {
    std::vector<uint64_t> numbers;
    for (uint64_t i = sampledFirst; i < std::min(blocks, sampledFirst + sampledBlocks); ++i)
      numbers.push_back(i);
    return numbers;
  };
  return settings;
}

template <typename T>
size_t resultsOf(const Exercise<T>& exercise, Extent extent) {
  return exercise.reference(std::vector<T>(extent.elements()), extent).size();
}

}  // namespace

Window wholeWindow(Extent all) {
  const size_t n = std::max<size_t>(1, all.elements());
  return {all, all, 0, 0, 0, n, n, 0};
}

template <typename T>
Window lastBlocks(const Exercise<T>& exercise, Extent all) {
  if (all.columns > 0) {
    const size_t columns = 32 + all.columns % 32, first = all.columns - columns;
    return {all, {all.n, all.block, columns}, first / 32, 2, first, columns, all.columns, first};
  }
  const size_t perBlock = size_t(exercise.elementsPerThread) * all.block;
  const size_t before = (all.n - 1) / perBlock - 1;  // blocks
  const Extent part{all.n - before * perBlock, all.block};
  return {all,
          part,
          before,
          2,
          before * perBlock,
          part.n,
          part.n,
          before * resultsOf(exercise, {perBlock, all.block})};
}

template <typename T>
Window blocksByChance(const Exercise<T>& exercise, Extent like, uint64_t chance) {
  auto below = [chance, i = size_t(0)](size_t bound) mutable {
    return size_t(randomBits(chance, i++) % bound);
  };
  if (like.columns > 0) return wholeWindow({97 + below(500), like.block, 32 * (4 + below(8))});
  constexpr size_t blocks = 4;
  const size_t perBlock = size_t(exercise.elementsPerThread) * like.block;
  const size_t grid = blocks + 2 + below(std::max<size_t>(1, (size_t(1) << 24) / perBlock));
  const size_t first = below(grid - blocks - 1);
  const Extent all{grid * perBlock - below(perBlock), like.block};
  const Extent part{blocks * perBlock, like.block};
  return {all,
          part,
          first,
          blocks,
          first * perBlock,
          part.n,
          part.n,
          first * resultsOf(exercise, {perBlock, like.block})};
}

template <typename T>
WindowRun<T>::WindowRun(const Window& window, const std::vector<T>& values, size_t results)
    : window_(window),
      count_(results),
      settings_(settingsFor(window)),
      data_(window.all.elements(), "data"),
      results_(window.firstResult + results, "results") {
  if (window.isWhole()) {
    data_.copyFromHost(values.data());
    results_.poison();
    return;
  }
  for (size_t i = 0; i < values.size(); ++i) data_.data()[window.place(i)] = values[i];
  std::memset(results_.data() + window.firstResult, poisonByte, results * sizeof(T));
}

template <typename T>
void WindowRun<T>::launch(const Exercise<T>& exercise) {
  sampledFirst = window_.firstBlock;
  sampledBlocks = window_.blocks;
  exercise.call(data_.data(), results_.data(), window_.all);
}

template <typename T>
std::vector<T> WindowRun<T>::takeResults() {
  return {results(), results() + count_};
}

template Window lastBlocks(const Exercise<int>&, Extent);
template Window lastBlocks(const Exercise<double>&, Extent);
template Window blocksByChance(const Exercise<int>&, Extent, uint64_t);
template Window blocksByChance(const Exercise<double>&, Extent, uint64_t);
template class WindowRun<int>;
template class WindowRun<double>;
