// Tries an exercise where indices need more than 32 bits.
#include <algorithm>

#include "cuda/device_array.h"
#include "exercise/trial.h"

namespace {

// The end of an extent of which only the last two blocks run: the elements that these work on, as
// an extent of their own, and where they and their results stand in the large one.
struct LargeEnd {
  Extent end;
  size_t firstElement, rowLength, pitch, firstResult;

  size_t place(size_t i) const { return firstElement + i / rowLength * pitch + i % rowLength; }
};

template <typename T>
LargeEnd endOf(const Exercise<T>& exercise, Extent large) {
  if (large.columns > 0) {
    const size_t columns = 32 + large.columns % 32;
    const size_t first = large.columns - columns;
    return {{large.n, large.block, columns}, first, columns, large.columns, first};
  }
  const size_t elements = size_t(exercise.elementsPerThread) * large.block;
  const size_t before = (large.n - 1) / elements - 1;  // blocks
  const Extent end{large.n - before * elements, large.block}, block{elements, large.block};
  const size_t results = exercise.reference(std::vector<T>(elements), block).size();
  return {end, before * elements, end.n, end.n, before * results};
}

}  // namespace

// The arrays take memory only where they are touched, but need 17 to 60 GB of addresses: where
// these are rationed, nothing is tried.
template <typename T>
std::string mistakeInLarge(const Exercise<T>& exercise, Extent large, DataChoice choice) try {
  const LargeEnd place = endOf(exercise, large);
  const std::vector<T> values = exerciseData(exercise, place.end, choice);
  const std::vector<T> expected = exercise.reference(values, place.end);
  simt::Settings settings;
  settings.findFaults = false;  // those were looked for at other sizes
  settings.sample = [](uint64_t blocks) {
    return std::vector<uint64_t>{blocks - std::min<uint64_t>(blocks, 2), blocks - 1};
  };
  const simt::WithSettings scope(settings);
  DeviceArray<T> data(large.elements(), "data");
  DeviceArray<T> results(place.firstResult + expected.size(), "results");
  for (size_t i = 0; i < values.size(); ++i) data.data()[place.place(i)] = values[i];
  try {
    exercise.call(data.data(), results.data(), large);
  } catch (const simt::Fault& fault) {
    return large.text() + ": " + fault.what();
  }
  const T* const end = results.data() + place.firstResult;
  std::string difference =
      differenceOf({end, end + expected.size()}, expected, large, place.firstResult);
  if (!difference.empty()) difference += ": an index of so many elements does not fit in 32 bits";
  return difference;
} catch (const std::bad_alloc&) {
  return "";
}

template std::string mistakeInLarge(const Exercise<int>&, Extent, DataChoice);
template std::string mistakeInLarge(const Exercise<double>&, Extent, DataChoice);
