// Counts what an exercise does, and grades that.
#include <climits>
#include <random>

#include "base/errors.h"
#include "exercise/exercise_run.h"
#include "exercise/launch_watch.h"
#include "exercise/window.h"

namespace {

constexpr size_t mostAsked = 32;

// Elements by chance, and the largest and the smallest of each 256: of what picks one element out,
// most others change nothing.
template <typename T>
std::vector<size_t> elementsToAskAfter(const std::vector<T>& values, uint64_t chance) {
  std::vector<size_t> asked;
  for (size_t i = 0; i < values.size() && asked.size() + 2 <= mostAsked / 2; i += 256) {
    const auto begin = values.begin() + long(i);
    const auto end = values.begin() + long(std::min(values.size(), i + 256));
    asked.push_back(size_t(std::max_element(begin, end) - values.begin()));
    asked.push_back(size_t(std::min_element(begin, end) - values.begin()));
  }
  for (size_t k = 0; asked.size() < mostAsked && !values.empty(); ++k)
    asked.push_back(size_t(randomBits(chance, k) % values.size()));
  std::erase_if(asked, [&](size_t i) { return values[i] == T(0); });  // a kernel may leave it out
  return asked;
}

// Which element got into which result without being seen on its way, or nothing.
template <typename T>
std::string hiddenWayOf(const Exercise<T>& exercise, Extent extent, std::vector<T> values,
                        const std::vector<size_t>& asked, const std::vector<uint64_t>& ways) {
  const std::vector<T> expected = exercise.reference(values, extent);
  for (size_t k = 0; k < asked.size(); ++k) {
    values[asked[k]] += 1;
    const std::vector<T> changed = exercise.reference(values, extent);
    values[asked[k]] -= 1;
    for (size_t r = 0; r < expected.size(); ++r)
      if (changed[r] != expected[r] && (ways[r] >> k & 1) == 0)
        return hiddenWay(extent, asked[k], r);
  }
  return "";
}

// What no element is, or next to none.
template <typename T>
std::vector<T> wildData(size_t count, uint64_t chance) {
  const int extremes[] = {INT_MAX, INT_MIN, 0, -1};
  std::vector<T> values(count);
  for (size_t i = 0; i < count; ++i) {
    const uint64_t bits = randomBits(chance, i);
    values[i] = T(bits % 5 < 4 ? extremes[bits % 5] : int(bits >> 32));
  }
  return values;
}

// Counts what the kernel does in a window, where its results must be right, too.
template <typename T>
class Counting {
 public:
  Counting(const Exercise<T>& exercise, const Window& window, uint64_t chance)
      : exercise_(exercise),
        window_(window),
        chance_(chance),
        values_(exerciseData(exercise, window.part, {chance})),
        expected_(exercise.reference(values_, window.part)) {}

  // asks: after the ways of elements, too.
  Count count(bool asks) {
    std::vector<size_t> asked;
    if (asks) asked = elementsToAskAfter(values_, chance_);
    WindowRun<T> run(window_, values_, expected_.size());
    Watched watched;
    try {
      watched = watch(run, asked);
    } catch (const simt::Fault& fault) {
      throw Error(exitWrong, window_.all.text() + ": " + fault.what());
    }
    refuse(differenceOf(run.takeResults(), expected_, window_.all, window_.firstResult));
    refuse(hiddenFrom(watched.count, expected_.size()));
    refuse(hiddenWayOf(exercise_, window_.part, values_, asked, watched.ways));
    if (std::ranges::any_of(exercise_.goals, &Goal::needsOtherData))
      watched.count.underWay = loadsUnderWay(watched.loads, loadsOnOtherData());
    return watched.count;
  }

 private:
  static void refuse(const std::string& mistake) {
    if (!mistake.empty()) throw Error(exitWrong, mistake);
  }

  Watched watch(WindowRun<T>& run, const std::vector<size_t>& asked) {
    return watchLaunches([&] { run.launch(exercise_); }, {run.data(), values_.size(), sizeof(T)},
                         {run.results(), expected_.size(), sizeof(T)}, window_.part, asked);
  }

  // A kernel that asks an element where to go on may go anywhere then.
  LoadsOfWarps loadsOnOtherData() {
    WindowRun<T> run(window_, wildData<T>(values_.size(), chance_), expected_.size());
    return watchLaunches(
               [&] {
                 const simt::WithSettings settings(impatient(simt::settings(), window_.part));
                 try {
                   run.launch(exercise_);
                 } catch (const simt::Fault&) {
                   // What it loads from there on is not what it loaded.
                 }
               },
               {run.data(), values_.size(), sizeof(T)},
               {run.results(), expected_.size(), sizeof(T)}, window_.part)
        .loads;
  }

  const Exercise<T>& exercise_;
  const Window window_;
  const uint64_t chance_;
  const std::vector<T> values_, expected_;
};

}  // namespace

uint64_t anyChance() { return std::random_device()(); }

template <typename T>
size_t gradeGoals(const Exercise<T>& exercise, uint64_t chance) {
  std::vector<Count> counts;
  for (const Extent& extent : exercise.counted)
    counts.push_back(Counting<T>(exercise, wholeWindow(extent), chance).count(false));
  const size_t columns = exercise.counted.at(0).columns;
  for (const unsigned block : exercise.chanceBlocks) try {
      const Window window = blocksByChance(exercise, {0, block, columns}, ++chance);
      counts.push_back(Counting<T>(exercise, window, chance).count(true));
    } catch (const std::bad_alloc&) {
      // Addresses are rationed.
    }
  return gradeCounts(exercise.goals, counts);
}

template <typename T>
Count countOf(const Exercise<T>& exercise) {
  return Counting<T>(exercise, wholeWindow(exercise.counted.at(0)), 1).count(false);
}

template Count countOf(const Exercise<int>&);
template Count countOf(const Exercise<double>&);
template size_t gradeGoals(const Exercise<int>&, uint64_t);
template size_t gradeGoals(const Exercise<double>&, uint64_t);
