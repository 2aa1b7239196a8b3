// DeviceRadixSort, DeviceMergeSort and their kin: see algorithms.h.
#pragma once

#include <type_traits>

#include "algorithms.h"

namespace cub {

// Whole arrays and segments, keys alone and pairs, buffers that change places.
#define SIMT_CUB_SORTS(name, descending)                                                        \
  template <typename K, typename V>                                                             \
  static cudaError_t SortPairs##name(void* temporary, size_t& bytes, const K* keys, K* keysOut, \
                                     const V* values, V* valuesOut, long long count,            \
                                     int begin = 0, int end = sizeof(K) * 8,                    \
                                     cudaStream_t = nullptr, bool = false) {                    \
    SIMT_CUB_TEMPORARY;                                                                         \
    simt_cub::sortPart<K>(keys, keysOut, values, valuesOut, 0, count,                           \
                          simt_cub::lessBits<K>(descending, begin, end));                       \
    return cudaSuccess;                                                                         \
  }                                                                                             \
  template <typename K, typename V>                                                             \
  static cudaError_t SortPairs##name(void* temporary, size_t& bytes, DoubleBuffer<K>& keys,     \
                                     DoubleBuffer<V>& values, long long count, int begin = 0,   \
                                     int end = sizeof(K) * 8, cudaStream_t = nullptr,           \
                                     bool = false) {                                            \
    SIMT_CUB_TEMPORARY;                                                                         \
    SortPairs##name(temporary, bytes, (const K*)keys.Current(), keys.Alternate(),               \
                    (const V*)values.Current(), values.Alternate(), count, begin, end);         \
    keys.selector ^= 1, values.selector ^= 1;                                                   \
    return cudaSuccess;                                                                         \
  }                                                                                             \
  template <typename K>                                                                         \
  static cudaError_t SortKeys##name(void* temporary, size_t& bytes, const K* keys, K* keysOut,  \
                                    long long count, int begin = 0, int end = sizeof(K) * 8,    \
                                    cudaStream_t = nullptr, bool = false) {                     \
    SIMT_CUB_TEMPORARY;                                                                         \
    simt_cub::sortPart<K>(keys, keysOut, nullptr, nullptr, 0, count,                            \
                          simt_cub::lessBits<K>(descending, begin, end));                       \
    return cudaSuccess;                                                                         \
  }                                                                                             \
  template <typename K>                                                                         \
  static cudaError_t SortKeys##name(void* temporary, size_t& bytes, DoubleBuffer<K>& keys,      \
                                    long long count, int begin = 0, int end = sizeof(K) * 8,    \
                                    cudaStream_t = nullptr, bool = false) {                     \
    SIMT_CUB_TEMPORARY;                                                                         \
    SortKeys##name(temporary, bytes, (const K*)keys.Current(), keys.Alternate(), count, begin,  \
                   end);                                                                        \
    keys.selector ^= 1;                                                                         \
    return cudaSuccess;                                                                         \
  }

struct DeviceRadixSort {
  SIMT_CUB_SORTS(, false)
  SIMT_CUB_SORTS(Descending, true)
};
#undef SIMT_CUB_SORTS

// sizeofBits: whether the first and the last bit may be given.
#define SIMT_CUB_SEGMENTS(prefix, name, descending)                                                \
  template <typename K, typename V, typename Begin, typename End>                                  \
  static cudaError_t prefix##SortPairs##name(void* temporary, size_t& bytes, const K* keys,        \
                                             K* keysOut, const V* values, V* valuesOut, long long, \
                                             int segments, Begin begins, End ends,                 \
                                             SIMT_CUB_BITS cudaStream_t = nullptr, bool = false) { \
    SIMT_CUB_TEMPORARY;                                                                            \
    for (int s = 0; s < segments; ++s)                                                             \
      simt_cub::sortPart<K>(keys, keysOut, values, valuesOut, begins[s], ends[s],                  \
                            simt_cub::lessBits<K>(descending, SIMT_CUB_GIVEN));                    \
    return cudaSuccess;                                                                            \
  }                                                                                                \
  template <typename K, typename V, typename Begin, typename End>                                  \
  static cudaError_t prefix##SortPairs##name(                                                      \
      void* temporary, size_t& bytes, DoubleBuffer<K>& keys, DoubleBuffer<V>& values,              \
      long long count, int segments, Begin begins, End ends, SIMT_CUB_BITS cudaStream_t = nullptr, \
      bool = false) {                                                                              \
    SIMT_CUB_TEMPORARY;                                                                            \
    for (int s = 0; s < segments; ++s)                                                             \
      simt_cub::sortPart<K>(keys.Current(), keys.Alternate(), values.Current(),                    \
                            values.Alternate(), begins[s], ends[s],                                \
                            simt_cub::lessBits<K>(descending, SIMT_CUB_GIVEN));                    \
    (void)count, keys.selector ^= 1, values.selector ^= 1;                                         \
    return cudaSuccess;                                                                            \
  }                                                                                                \
  template <typename K, typename Begin, typename End>                                              \
  static cudaError_t prefix##SortKeys##name(                                                       \
      void* temporary, size_t& bytes, const K* keys, K* keysOut, long long, int segments,          \
      Begin begins, End ends, SIMT_CUB_BITS cudaStream_t = nullptr, bool = false) {                \
    SIMT_CUB_TEMPORARY;                                                                            \
    for (int s = 0; s < segments; ++s)                                                             \
      simt_cub::sortPart<K>(keys, keysOut, nullptr, nullptr, begins[s], ends[s],                   \
                            simt_cub::lessBits<K>(descending, SIMT_CUB_GIVEN));                    \
    return cudaSuccess;                                                                            \
  }                                                                                                \
  template <typename K, typename Begin, typename End>                                              \
  static cudaError_t prefix##SortKeys##name(void* temporary, size_t& bytes, DoubleBuffer<K>& keys, \
                                            long long, int segments, Begin begins, End ends,       \
                                            SIMT_CUB_BITS cudaStream_t = nullptr, bool = false) {  \
    SIMT_CUB_TEMPORARY;                                                                            \
    for (int s = 0; s < segments; ++s)                                                             \
      simt_cub::sortPart<K>(keys.Current(), keys.Alternate(), nullptr, nullptr, begins[s],         \
                            ends[s], simt_cub::lessBits<K>(descending, SIMT_CUB_GIVEN));           \
    keys.selector ^= 1;                                                                            \
    return cudaSuccess;                                                                            \
  }
#define SIMT_CUB_BITS int begin = 0, int end = sizeof(K) * 8,
#define SIMT_CUB_GIVEN begin, end
struct DeviceSegmentedRadixSort {
  SIMT_CUB_SEGMENTS(, , false)
  SIMT_CUB_SEGMENTS(, Descending, true)
};
#undef SIMT_CUB_BITS
#undef SIMT_CUB_GIVEN
#define SIMT_CUB_BITS
#define SIMT_CUB_GIVEN 0, int(sizeof(K) * 8)
struct DeviceSegmentedSort {
  SIMT_CUB_SEGMENTS(, , false)
  SIMT_CUB_SEGMENTS(, Descending, true)
  SIMT_CUB_SEGMENTS(Stable, , false)
  SIMT_CUB_SEGMENTS(Stable, Descending, true)
};
#undef SIMT_CUB_BITS
#undef SIMT_CUB_GIVEN
#undef SIMT_CUB_SEGMENTS

struct DeviceMergeSort {
  template <typename Keys, typename Values, typename Less>
  static cudaError_t SortPairs(void* temporary, size_t& bytes, Keys keys, Values values,
                               long long count, Less less, cudaStream_t = nullptr, bool = false) {
    SIMT_CUB_TEMPORARY;
    simt_cub::sortPart<simt_cub::Value<Keys>>(keys, keys, values, values, 0, count, less);
    return cudaSuccess;
  }
  template <typename Keys, typename Less>
  static cudaError_t SortKeys(void* temporary, size_t& bytes, Keys keys, long long count, Less less,
                              cudaStream_t = nullptr, bool = false) {
    SIMT_CUB_TEMPORARY;
    std::stable_sort(keys, keys + count, less);
    return cudaSuccess;
  }
  template <typename... A>
  static cudaError_t StableSortKeys(A&&... arguments) {
    return SortKeys(arguments...);
  }
  template <typename... A>
  static cudaError_t StableSortPairs(A&&... arguments) {
    return SortPairs(arguments...);
  }
  template <typename In, typename Out, typename Less>
  static cudaError_t SortKeysCopy(void* temporary, size_t& bytes, In keys, Out out, long long count,
                                  Less less, cudaStream_t = nullptr, bool = false) {
    SIMT_CUB_TEMPORARY;
    simt_cub::sortPart<simt_cub::Value<In>>(keys, out, nullptr, nullptr, 0, count, less);
    return cudaSuccess;
  }
  template <typename In, typename ValuesIn, typename Out, typename ValuesOut, typename Less>
  static cudaError_t SortPairsCopy(void* temporary, size_t& bytes, In keys, ValuesIn values,
                                   Out out, ValuesOut valuesOut, long long count, Less less,
                                   cudaStream_t = nullptr, bool = false) {
    SIMT_CUB_TEMPORARY;
    simt_cub::sortPart<simt_cub::Value<In>>(keys, out, values, valuesOut, 0, count, less);
    return cudaSuccess;
  }
};

}  // namespace cub
