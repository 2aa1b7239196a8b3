// A kernel's arguments, one behind the other: what a launch keeps of them. As std::tuple, without
// the headers that it needs: these come into every program.
#pragma once

#include <cstddef>
#include <utility>

namespace simt {

struct FromArguments {};

template <size_t index, typename T>
struct Argument {
  T value;
  template <typename From>
  Argument(FromArguments, From&& from) : value(static_cast<From&&>(from)) {}
};
template <typename Indices, typename... T>
struct IndexedArguments;
template <size_t... index, typename... T>
struct IndexedArguments<std::index_sequence<index...>, T...> : Argument<index, T>... {
  template <typename... From>
  IndexedArguments(FromArguments, From&&... from)
      : Argument<index, T>(FromArguments(), static_cast<From&&>(from))... {}

  // f(each of them...)
  template <typename F>
  void passTo(const F& f) const {
    f(static_cast<const Argument<index, T>&>(*this).value...);
  }
  template <typename F>
  void passTo(const F& f) {
    f(static_cast<Argument<index, T>&>(*this).value...);
  }
};

// Arguments<int, float> a(FromArguments(), 1, 2.5f): each converted to its type.
template <typename... T>
struct Arguments : IndexedArguments<std::index_sequence_for<T...>, T...> {
  using IndexedArguments<std::index_sequence_for<T...>, T...>::IndexedArguments;
};

}  // namespace simt
