// Arithmetic on sizes that programs give: the one way to add and multiply them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace simt {

// A size in bytes, rows or threads. What does not fit in 64 bits stays the largest number, which no
// memory has room for, instead of beginning at 0 again.
class Size {
 public:
  template <typename Integer, typename = std::enable_if_t<std::is_unsigned_v<Integer>>>
  constexpr Size(Integer value) : value_(value) {}
  constexpr operator size_t() const { return value_; }

  friend constexpr Size operator+(Size a, Size b) {
    size_t sum = 0;
    return __builtin_add_overflow(a.value_, b.value_, &sum) ? Size(SIZE_MAX) : Size(sum);
  }
  friend constexpr Size operator*(Size a, Size b) {
    size_t product = 0;
    return __builtin_mul_overflow(a.value_, b.value_, &product) ? Size(SIZE_MAX) : Size(product);
  }
  friend constexpr Size operator+(Size a, size_t b) { return a + Size(b); }
  friend constexpr Size operator*(Size a, size_t b) { return a * Size(b); }
  // To the next multiple of a unit.
  constexpr Size roundedUp(size_t unit) const {
    return Size(value_ / unit + (value_ % unit != 0)) * unit;
  }

 private:
  size_t value_;
};

template <typename Extent>  // dim3 or the like
constexpr Size product(const Extent& e) {
  return Size(e.x) * Size(e.y) * Size(e.z);
}

}  // namespace simt
