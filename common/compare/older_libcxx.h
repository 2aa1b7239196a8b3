// What Emscripten's standard library lacks before its 15th version, as far as compare uses it: the
// algorithms of std::ranges. Included before everything else where compare is compiled for
// browsers.
#pragma once

#include <algorithm>
#include <functional>
#include <iterator>

#if _LIBCPP_VERSION < 15000
_LIBCPP_BEGIN_NAMESPACE_STD
namespace ranges {

template <class Projection, class Predicate>
auto projected(Projection& projection, Predicate& predicate) {
  return [&](auto&& element) -> bool {
    return std::invoke(predicate, std::invoke(projection, element));
  };
}
template <class Projection, class Less>
auto ordered(Projection& projection, Less& less) {
  return [&](auto&& a, auto&& b) -> bool {
    return std::invoke(less, std::invoke(projection, a), std::invoke(projection, b));
  };
}

template <class Range, class Predicate, class Projection = identity>
bool any_of(Range&& range, Predicate predicate, Projection projection = {}) {
  return std::any_of(std::begin(range), std::end(range), projected(projection, predicate));
}
template <class Range, class Predicate, class Projection = identity>
bool all_of(Range&& range, Predicate predicate, Projection projection = {}) {
  return std::all_of(std::begin(range), std::end(range), projected(projection, predicate));
}
template <class Range, class Predicate, class Projection = identity>
bool none_of(Range&& range, Predicate predicate, Projection projection = {}) {
  return !ranges::any_of(range, predicate, projection);
}
template <class Range, class Value, class Projection = identity>
auto find(Range&& range, const Value& value, Projection projection = {}) {
  return std::find_if(std::begin(range), std::end(range),
                      [&](auto&& element) { return std::invoke(projection, element) == value; });
}
template <class Range, class Less = ranges::less, class Projection = identity>
auto max_element(Range&& range, Less less = {}, Projection projection = {}) {
  return std::max_element(std::begin(range), std::end(range), ordered(projection, less));
}
template <class Range, class Less = ranges::less, class Projection = identity>
void sort(Range&& range, Less less = {}, Projection projection = {}) {
  std::sort(std::begin(range), std::end(range), ordered(projection, less));
}
template <class Range, class Less = ranges::less, class Projection = identity>
void stable_sort(Range&& range, Less less = {}, Projection projection = {}) {
  std::stable_sort(std::begin(range), std::end(range), ordered(projection, less));
}

}  // namespace ranges
_LIBCPP_END_NAMESPACE_STD
#endif
