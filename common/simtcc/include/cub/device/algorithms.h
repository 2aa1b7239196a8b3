// CUB's device-wide algorithms, which run on the host here, one element after the other: results
// and interfaces are CUB's, its kernels are not there. What blocks and warps do together comes from
// the installed headers.
#pragma once

#include <algorithm>
#include <iterator>
#include <numeric>
#include <type_traits>
#include <vector>

#include <cub/thread/thread_operators.cuh>
#include <cub/util_type.cuh>

#include "shared_memory_of_libraries.h"

#define SIMT_CUB_TEMPORARY \
  if (!simt_cub::begins(temporary, bytes)) return cudaSuccess

namespace simt_cub {

// The first call of two asks for the size.
inline bool begins(void* temporary, size_t& bytes) {
  if (temporary) {
    static const bool shared = simt::shareDeviceMemory("CUB");
    return shared;
  }
  bytes = 256;
  return false;
}

template <typename Iterator>
using Value = std::remove_cv_t<typename std::iterator_traits<Iterator>::value_type>;
template <typename Out, typename In>
using OutputOr = std::conditional_t<std::is_void_v<Value<Out>>, Value<In>, Value<Out>>;

template <typename In, typename Op, typename T>
T reduced(In in, long long from, long long to, Op op, T value) {
  for (long long i = from; i < to; ++i) value = op(value, in[i]);
  return value;
}
template <typename Pair, typename In, typename Better>
Pair best(In in, long long from, long long to, Pair none, Better better) {
  if (from == to) return none;
  long long found = from;
  for (long long i = from + 1; i < to; ++i)
    if (better(in[i], in[found])) found = i;
  return Pair{typename Pair::Key(found - from), in[found]};
}

// The order of the bits of keys from one to the one before another.
template <typename Key>
auto orderOf(const Key& key, int begin, int end) {
  using Bits = typename cub::Traits<Key>::UnsignedBits;
  Bits bits = cub::Traits<Key>::TwiddleIn(__builtin_bit_cast(Bits, key));
  bits = Bits(bits >> begin);
  const int count = end - begin;
  return count < int(sizeof(Bits) * 8) ? Bits(bits & ((Bits(1) << count) - 1)) : bits;
}
template <typename Key, typename KeyIn, typename KeyOut, typename ValueIn, typename ValueOut,
          typename Less>
void sortPart(KeyIn keys, KeyOut keysOut, ValueIn values, ValueOut valuesOut, long long from,
              long long to, Less less) {
  std::vector<long long> order(size_t(to - from));
  std::iota(order.begin(), order.end(), from);
  const std::vector<Key> all(keys + from, keys + to);
  std::stable_sort(order.begin(), order.end(), [&](long long a, long long b) {
    return less(all[size_t(a - from)], all[size_t(b - from)]);
  });
  for (long long i = from; i < to; ++i) keysOut[i] = all[size_t(order[size_t(i - from)] - from)];
  if constexpr (!std::is_null_pointer_v<ValueIn>) {
    using V = Value<ValueIn>;
    const std::vector<V> held(values + from, values + to);
    for (long long i = from; i < to; ++i)
      valuesOut[i] = held[size_t(order[size_t(i - from)] - from)];
  }
}
template <typename Key>
auto lessBits(bool descending, int begin, int end) {
  return [=](const Key& a, const Key& b) {
    return descending ? orderOf(b, begin, end) < orderOf(a, begin, end)
                      : orderOf(a, begin, end) < orderOf(b, begin, end);
  };
}

// Inclusive or exclusive, in runs of equal keys.
template <bool Inclusive, typename T, typename In, typename Out, typename Op, typename SameRun>
void scan(In in, Out out, long long count, Op op, T first, bool hasFirst, SameRun sameRun) {
  T sum = first;
  for (long long i = 0; i < count; ++i) {
    const bool begins = i == 0 || !sameRun(i);
    const T item = in[i];
    if constexpr (Inclusive) {
      sum = begins && !hasFirst ? item : op(begins ? first : sum, item);
      out[i] = sum;
    } else {
      if (begins) sum = first;
      out[i] = sum;
      sum = op(sum, item);
    }
  }
}
inline constexpr auto oneRun = [](long long) { return true; };

}  // namespace simt_cub
