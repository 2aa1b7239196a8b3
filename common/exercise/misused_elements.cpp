#include "exercise/misused_elements.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "cuda/device_array.h"
#ifndef GPU_BACKEND
#include "simt/run/counting.h"
#include "simt/run/executor.h"
#endif

namespace {

using Elements = std::vector<size_t>;
using Clock = std::chrono::steady_clock;

// What elements of 1 add to a result.
struct Effect {
  double expected, found;

  bool isRight() const { return std::abs(expected - found) <= 1e-9; }
  // None of the elements counts, or all count twice, say: no need to look at them one by one.
  bool isOfAll() const {
    const double times = found / expected;
    return expected != 0 && times != 1 && times == std::floor(times);
  }
};

// "60 to 63, 77": elements in their order.
std::string listed(const Elements& elements) {
  constexpr unsigned most = 3;  // ranges; more are unreadable
  std::string text;
  unsigned ranges = 0;
  for (size_t i = 0; i < elements.size();) {
    size_t last = i;
    while (last + 1 < elements.size() && elements[last + 1] == elements[last] + 1) ++last;
    if (++ranges > most) return text + ", …";
    text += fmt::format("{}{}", ranges > 1 ? ", " : "", elements[i]);
    if (last > i) text += fmt::format(" to {}", elements[last]);
    i = last + 1;
  }
  return text;
}

template <typename T>
class Examiner {
 public:
  Examiner(const Exercise<T>& exercise, Extent extent, size_t result)
      : exercise_(exercise),
        extent_(extent),
        result_(result),
        results_(exercise.reference(std::vector<T>(extent.elements()), extent).size()),
        values_(extent.elements()),
        data_(values_.size(), "data"),
        output_(results_, "results") {
    sortElements();
  }

  std::string report() {
    std::string text = ". Its elements are " + listed(own_);
    const size_t perBlock = size_t(exercise_.elementsPerThread) * extent_.block;
    if (extent_.columns == 0) text += fmt::format(" (block {})", own_.front() / perBlock);
    text += ".";
    foundOfZeros_ = found({});
    Elements missing, repeated, others;
    const auto sortIn = [&](const Elements& group, Effect effect) {
      Elements& kind = effect.found == 0 ? missing : repeated;
      kind.insert(kind.end(), group.begin(), group.end());
    };
    search(own_, sortIn);
    for (size_t i = 0; missing.empty() && repeated.empty() && i < own_.size() && !isLate(); ++i)
      searchOne(own_[i], sortIn);
    search(foreign_, [&](const Elements& group, Effect) {
      others.insert(others.end(), group.begin(), group.end());
    });
    if (!missing.empty()) text += " Missing: " + listed(missing) + ".";
    if (!repeated.empty()) text += " Not counted once: " + listed(repeated) + ".";
    if (!others.empty()) text += " Counted though of another result: " + listed(others) + ".";
    return text;
  }
  bool hasElements() const { return !own_.empty(); }

 private:
  // The result's own elements, and those near by that are of others.
  void sortElements() {
    expectedOfZeros_ = expected({});
    for (const size_t element : candidates())
      (expected({element}) == expectedOfZeros_ ? foreign_ : own_).push_back(element);
  }

  Elements candidates() const {
    Elements all;
    const size_t n = extent_.elements();
    if (extent_.columns > 0) {  // a column has a result
      for (size_t i = 0; i < n; ++i)
        if (i % extent_.columns + 1 >= result_ && i % extent_.columns <= result_ + 1)
          all.push_back(i);
      return all;
    }
    const size_t middle = n / results_ * result_;
    const size_t reach = 2 * size_t(exercise_.elementsPerThread) * extent_.block;
    for (size_t i = middle > reach ? middle - reach : 0; i < std::min(n, middle + reach); ++i)
      all.push_back(i);
    return all;
  }

  void set(const Elements& ones, T value) {
    for (const size_t element : ones) values_[element] = value;
  }
  double expected(const Elements& ones) {
    set(ones, 1);
    const auto value = double(exercise_.reference(values_, extent_)[result_]);
    set(ones, 0);
    return value;
  }
  double found(const Elements& ones) {
    set(ones, 1);
    data_.copyFromHost(values_.data());
    output_.poison();
    exercise_.call(data_.data(), output_.data(), extent_);
    std::vector<T> got(results_);
    output_.copyToHost(got.data(), got.size());
    set(ones, 0);
    return double(got[result_]);
  }
  Effect effectOf(const Elements& ones) {
    return {expected(ones) - expectedOfZeros_, found(ones) - foundOfZeros_};
  }

  template <typename Take>
  void searchOne(size_t element, const Take& take) {
    if (const Effect effect = effectOf({element}); !effect.isRight()) take({element}, effect);
  }
  template <typename Take>
  void search(const Elements& group, const Take& take) {
    if (group.empty() || isLate()) return;
    const Effect effect = effectOf(group);
    if (effect.isRight()) return;
    if (group.size() == 1 || effect.isOfAll()) {
      take(group, effect);
      return;
    }
    const auto half = group.begin() + long(group.size() / 2);
    search({group.begin(), half}, take);
    search({half, group.end()}, take);
  }
  bool isLate() const { return Clock::now() > end_; }

  const Exercise<T>& exercise_;
  const Extent extent_;
  const size_t result_, results_;
  std::vector<T> values_;
  DeviceArray<T> data_, output_;
  Elements own_, foreign_;
  double expectedOfZeros_ = 0, foundOfZeros_ = 0;
  const Clock::time_point end_ = Clock::now() + std::chrono::milliseconds(500);
};

}  // namespace

template <typename T>
std::string misusedElements(const Exercise<T>& exercise, Extent extent, size_t result) {
  Examiner<T> examiner(exercise, extent, result);
  if (!examiner.hasElements()) return "";
#ifdef GPU_BACKEND
  return examiner.report();
#else
  const simt::WithSettings scope(simt::settingsToCount());
  try {
    return examiner.report();
  } catch (const simt::Fault&) {
    return "";  // of other data than those that are wrong
  }
#endif
}

template std::string misusedElements(const Exercise<int>&, Extent, size_t);
template std::string misusedElements(const Exercise<double>&, Extent, size_t);
