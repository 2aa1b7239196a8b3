// DeviceReduce, DeviceSegmentedReduce, DeviceScan: see algorithms.h.
#pragma once

#include "algorithms.h"

namespace cub {

struct DeviceReduce {
  template <typename In, typename Out, typename Op, typename T>
  static cudaError_t Reduce(void* temporary, size_t& bytes, In in, Out out, long long count, Op op,
                            T init, cudaStream_t = nullptr, bool = false) {
    SIMT_CUB_TEMPORARY;
    *out = simt_cub::reduced(in, 0, count, op, init);
    return cudaSuccess;
  }
  template <typename In, typename Out>
  static cudaError_t Sum(void* temporary, size_t& bytes, In in, Out out, long long count,
                         cudaStream_t = nullptr, bool = false) {
    using T = simt_cub::OutputOr<Out, In>;
    return Reduce(temporary, bytes, in, out, count, cub::Sum(), T());
  }
  template <typename In, typename Out>
  static cudaError_t Min(void* temporary, size_t& bytes, In in, Out out, long long count,
                         cudaStream_t = nullptr, bool = false) {
    using T = simt_cub::Value<In>;
    return Reduce(temporary, bytes, in, out, count, cub::Min(), Traits<T>::Max());
  }
  template <typename In, typename Out>
  static cudaError_t Max(void* temporary, size_t& bytes, In in, Out out, long long count,
                         cudaStream_t = nullptr, bool = false) {
    using T = simt_cub::Value<In>;
    return Reduce(temporary, bytes, in, out, count, cub::Max(), Traits<T>::Lowest());
  }
  template <typename In, typename Out>
  static cudaError_t ArgMin(void* temporary, size_t& bytes, In in, Out out, long long count,
                            cudaStream_t = nullptr, bool = false) {
    SIMT_CUB_TEMPORARY;
    using T = simt_cub::Value<In>;
    using Pair = KeyValuePair<int, T>;
    *out = simt_cub::best(in, 0, count, Pair{1, Traits<T>::Max()},
                          [](const T& a, const T& b) { return a < b; });
    return cudaSuccess;
  }
  template <typename In, typename Out>
  static cudaError_t ArgMax(void* temporary, size_t& bytes, In in, Out out, long long count,
                            cudaStream_t = nullptr, bool = false) {
    SIMT_CUB_TEMPORARY;
    using T = simt_cub::Value<In>;
    using Pair = KeyValuePair<int, T>;
    *out = simt_cub::best(in, 0, count, Pair{1, Traits<T>::Lowest()},
                          [](const T& a, const T& b) { return b < a; });
    return cudaSuccess;
  }
  template <typename In, typename Out, typename Op, typename Transform, typename T>
  static cudaError_t TransformReduce(void* temporary, size_t& bytes, In in, Out out,
                                     long long count, Op op, Transform transform, T init,
                                     cudaStream_t = nullptr) {
    SIMT_CUB_TEMPORARY;
    for (long long i = 0; i < count; ++i) init = op(init, transform(in[i]));
    *out = init;
    return cudaSuccess;
  }
  template <typename Keys, typename UniqueOut, typename In, typename Out, typename Runs,
            typename Op>
  static cudaError_t ReduceByKey(void* temporary, size_t& bytes, Keys keys, UniqueOut unique, In in,
                                 Out out, Runs runs, Op op, long long count, cudaStream_t = nullptr,
                                 bool = false) {
    SIMT_CUB_TEMPORARY;
    long long run = 0;
    for (long long i = 0; i < count; ++run) {
      const simt_cub::Value<Keys> key = keys[i];
      simt_cub::OutputOr<Out, In> sum = in[i];
      for (++i; i < count && keys[i] == key; ++i) sum = op(sum, in[i]);
      unique[run] = key;
      out[run] = sum;
    }
    *runs = run;
    return cudaSuccess;
  }
};

struct DeviceSegmentedReduce {
  template <typename In, typename Out, typename Begin, typename End, typename Op, typename T>
  static cudaError_t Reduce(void* temporary, size_t& bytes, In in, Out out, int segments,
                            Begin begin, End end, Op op, T init, cudaStream_t = nullptr,
                            bool = false) {
    SIMT_CUB_TEMPORARY;
    for (int s = 0; s < segments; ++s) out[s] = simt_cub::reduced(in, begin[s], end[s], op, init);
    return cudaSuccess;
  }
  template <typename In, typename Out, typename Begin, typename End>
  static cudaError_t Sum(void* temporary, size_t& bytes, In in, Out out, int segments, Begin begin,
                         End end, cudaStream_t = nullptr, bool = false) {
    using T = simt_cub::OutputOr<Out, In>;
    return Reduce(temporary, bytes, in, out, segments, begin, end, cub::Sum(), T());
  }
  template <typename In, typename Out, typename Begin, typename End>
  static cudaError_t Min(void* temporary, size_t& bytes, In in, Out out, int segments, Begin begin,
                         End end, cudaStream_t = nullptr, bool = false) {
    return Reduce(temporary, bytes, in, out, segments, begin, end, cub::Min(),
                  Traits<simt_cub::Value<In>>::Max());
  }
  template <typename In, typename Out, typename Begin, typename End>
  static cudaError_t Max(void* temporary, size_t& bytes, In in, Out out, int segments, Begin begin,
                         End end, cudaStream_t = nullptr, bool = false) {
    return Reduce(temporary, bytes, in, out, segments, begin, end, cub::Max(),
                  Traits<simt_cub::Value<In>>::Lowest());
  }
  template <typename In, typename Out, typename Begin, typename End>
  static cudaError_t ArgMin(void* temporary, size_t& bytes, In in, Out out, int segments,
                            Begin begin, End end, cudaStream_t = nullptr, bool = false) {
    SIMT_CUB_TEMPORARY;
    using T = simt_cub::Value<In>;
    for (int s = 0; s < segments; ++s)
      out[s] = simt_cub::best(in, begin[s], end[s], KeyValuePair<int, T>{1, Traits<T>::Max()},
                              [](const T& a, const T& b) { return a < b; });
    return cudaSuccess;
  }
  template <typename In, typename Out, typename Begin, typename End>
  static cudaError_t ArgMax(void* temporary, size_t& bytes, In in, Out out, int segments,
                            Begin begin, End end, cudaStream_t = nullptr, bool = false) {
    SIMT_CUB_TEMPORARY;
    using T = simt_cub::Value<In>;
    for (int s = 0; s < segments; ++s)
      out[s] = simt_cub::best(in, begin[s], end[s], KeyValuePair<int, T>{1, Traits<T>::Lowest()},
                              [](const T& a, const T& b) { return b < a; });
    return cudaSuccess;
  }
};

struct DeviceScan {
  template <typename In, typename Out, typename Op, typename T>
  static cudaError_t ExclusiveScan(void* temporary, size_t& bytes, In in, Out out, Op op, T init,
                                   long long count, cudaStream_t = nullptr, bool = false) {
    SIMT_CUB_TEMPORARY;
    simt_cub::scan<false>(in, out, count, op, T(init), true, simt_cub::oneRun);
    return cudaSuccess;
  }
  template <typename In, typename Out>
  static cudaError_t ExclusiveSum(void* temporary, size_t& bytes, In in, Out out, long long count,
                                  cudaStream_t = nullptr, bool = false) {
    return ExclusiveScan(temporary, bytes, in, out, cub::Sum(), simt_cub::Value<In>(), count);
  }
  template <typename In, typename Out, typename Op>
  static cudaError_t InclusiveScan(void* temporary, size_t& bytes, In in, Out out, Op op,
                                   long long count, cudaStream_t = nullptr, bool = false) {
    SIMT_CUB_TEMPORARY;
    simt_cub::scan<true>(in, out, count, op, simt_cub::Value<In>(), false, simt_cub::oneRun);
    return cudaSuccess;
  }
  template <typename In, typename Out, typename Op, typename T>
  static cudaError_t InclusiveScanInit(void* temporary, size_t& bytes, In in, Out out, Op op,
                                       T init, long long count, cudaStream_t = nullptr) {
    SIMT_CUB_TEMPORARY;
    simt_cub::scan<true>(in, out, count, op, init, true, simt_cub::oneRun);
    return cudaSuccess;
  }
  template <typename In, typename Out>
  static cudaError_t InclusiveSum(void* temporary, size_t& bytes, In in, Out out, long long count,
                                  cudaStream_t = nullptr, bool = false) {
    return InclusiveScan(temporary, bytes, in, out, cub::Sum(), count);
  }
  // In place.
  template <typename T>
  static cudaError_t ExclusiveSum(void* temporary, size_t& bytes, T* data, long long count) {
    return ExclusiveSum(temporary, bytes, data, data, count);
  }
  template <typename T>
  static cudaError_t InclusiveSum(void* temporary, size_t& bytes, T* data, long long count) {
    return InclusiveSum(temporary, bytes, data, data, count);
  }
  template <typename Keys, typename In, typename Out, typename Op, typename T,
            typename Equal = cub::Equality>
  static cudaError_t ExclusiveScanByKey(void* temporary, size_t& bytes, Keys keys, In in, Out out,
                                        Op op, T init, long long count, Equal equal = {},
                                        cudaStream_t = nullptr, bool = false) {
    SIMT_CUB_TEMPORARY;
    simt_cub::scan<false>(in, out, count, op, init, true,
                          [&](long long i) { return equal(keys[i - 1], keys[i]); });
    return cudaSuccess;
  }
  template <typename Keys, typename In, typename Out, typename Equal = cub::Equality>
  static cudaError_t ExclusiveSumByKey(void* temporary, size_t& bytes, Keys keys, In in, Out out,
                                       long long count, Equal equal = {}, cudaStream_t = nullptr,
                                       bool = false) {
    return ExclusiveScanByKey(temporary, bytes, keys, in, out, cub::Sum(), simt_cub::Value<In>(),
                              count, equal);
  }
  template <typename Keys, typename In, typename Out, typename Op, typename Equal = cub::Equality>
  static cudaError_t InclusiveScanByKey(void* temporary, size_t& bytes, Keys keys, In in, Out out,
                                        Op op, long long count, Equal equal = {},
                                        cudaStream_t = nullptr, bool = false) {
    SIMT_CUB_TEMPORARY;
    simt_cub::scan<true>(in, out, count, op, simt_cub::Value<In>(), false,
                         [&](long long i) { return equal(keys[i - 1], keys[i]); });
    return cudaSuccess;
  }
  template <typename Keys, typename In, typename Out, typename Equal = cub::Equality>
  static cudaError_t InclusiveSumByKey(void* temporary, size_t& bytes, Keys keys, In in, Out out,
                                       long long count, Equal equal = {}, cudaStream_t = nullptr,
                                       bool = false) {
    return InclusiveScanByKey(temporary, bytes, keys, in, out, cub::Sum(), count, equal);
  }
};

}  // namespace cub
