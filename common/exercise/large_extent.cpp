// Tries an exercise where indices need more than 32 bits.
#include "exercise/window.h"

namespace {

// What is wrong with the last two blocks of so large an extent, which run alone.
template <typename T>
std::string mistakeInLast(const Exercise<T>& exercise, Extent all, DataChoice choice) {
  const Window window = lastBlocks(exercise, all);
  const std::vector<T> values = exerciseData(exercise, window.part, choice);
  const std::vector<T> expected = exercise.reference(values, window.part);
  WindowRun<T> run(window, values, expected.size());
  try {
    run.launch(exercise);
  } catch (const simt::Fault& fault) {
    return all.text() + ": " + fault.what();
  }
  return differenceOf(run.takeResults(), expected, all, window.firstResult);
}

}  // namespace

// The arrays take memory only where they are touched, but need 17 to 60 GB of addresses: where
// these are rationed, nothing is tried. What is wrong in a smaller extent, too, is so for another
// reason than its many elements.
template <typename T>
std::string mistakeInLarge(const Exercise<T>& exercise, Extent large, DataChoice choice) try {
  const std::string mistake = mistakeInLast(exercise, large, choice);
  if (mistake.empty()) return "";
  for (unsigned bits = 14; bits <= 28; ++bits) {
    Extent smaller = large;
    (large.columns > 0 ? smaller.columns : smaller.n) = (size_t(1) << bits) + 67;
    const std::string found = mistakeInLast(exercise, smaller, choice);
    if (!found.empty()) return found + " (of this grid its last two blocks ran, and no others)";
  }
  return mistake + ": an index of so many elements does not fit in 32 bits";
} catch (const std::bad_alloc&) {
  return "";
}

template std::string mistakeInLarge(const Exercise<int>&, Extent, DataChoice);
template std::string mistakeInLarge(const Exercise<double>&, Extent, DataChoice);
