// DeviceSelect, DevicePartition, DeviceRunLengthEncode, DeviceHistogram, DeviceAdjacentDifference:
// see algorithms.h.
#pragma once

#include <type_traits>

#include "algorithms.h"

namespace cub {

struct DeviceSelect {
  template <typename In, typename Flags, typename Out, typename Count>
  static cudaError_t Flagged(void* temporary, size_t& bytes, In in, Flags flags, Out out,
                             Count selected, long long count, cudaStream_t = nullptr,
                             bool = false) {
    SIMT_CUB_TEMPORARY;
    long long n = 0;
    for (long long i = 0; i < count; ++i)
      if (flags[i]) out[n++] = in[i];
    *selected = n;
    return cudaSuccess;
  }
  template <typename In, typename Out, typename Count, typename Wanted>
  static cudaError_t If(void* temporary, size_t& bytes, In in, Out out, Count selected,
                        long long count, Wanted wanted, cudaStream_t = nullptr, bool = false) {
    SIMT_CUB_TEMPORARY;
    long long n = 0;
    for (long long i = 0; i < count; ++i)
      if (wanted(in[i])) out[n++] = in[i];
    *selected = n;
    return cudaSuccess;
  }
  template <typename In, typename Out, typename Count>
  static cudaError_t Unique(void* temporary, size_t& bytes, In in, Out out, Count selected,
                            long long count, cudaStream_t = nullptr, bool = false) {
    SIMT_CUB_TEMPORARY;
    long long n = 0;
    simt_cub::Value<In> last{};
    for (long long i = 0; i < count; ++i) {
      const simt_cub::Value<In> item = in[i];
      if (i == 0 || !(item == last)) out[n++] = item;
      last = item;
    }
    *selected = n;
    return cudaSuccess;
  }
  template <typename Keys, typename Values, typename KeysOut, typename ValuesOut, typename Count>
  static cudaError_t UniqueByKey(void* temporary, size_t& bytes, Keys keys, Values values,
                                 KeysOut keysOut, ValuesOut valuesOut, Count selected,
                                 long long count, cudaStream_t = nullptr, bool = false) {
    SIMT_CUB_TEMPORARY;
    long long n = 0;
    simt_cub::Value<Keys> last{};
    for (long long i = 0; i < count; ++i) {
      const simt_cub::Value<Keys> key = keys[i];
      if (i == 0 || !(key == last)) valuesOut[n] = values[i], keysOut[n++] = key;
      last = key;
    }
    *selected = n;
    return cudaSuccess;
  }
};

// What is not selected follows in reverse order, as with CUB.
struct DevicePartition {
  template <typename In, typename Flags, typename Out, typename Count>
  static cudaError_t Flagged(void* temporary, size_t& bytes, In in, Flags flags, Out out,
                             Count selected, long long count, cudaStream_t = nullptr,
                             bool = false) {
    SIMT_CUB_TEMPORARY;
    long long n = 0, last = count;
    for (long long i = 0; i < count; ++i) out[flags[i] ? n++ : --last] = in[i];
    *selected = n;
    return cudaSuccess;
  }
  template <typename In, typename Out, typename Count, typename Wanted>
  static cudaError_t If(void* temporary, size_t& bytes, In in, Out out, Count selected,
                        long long count, Wanted wanted, cudaStream_t = nullptr, bool = false) {
    SIMT_CUB_TEMPORARY;
    long long n = 0, last = count;
    for (long long i = 0; i < count; ++i) out[wanted(in[i]) ? n++ : --last] = in[i];
    *selected = n;
    return cudaSuccess;
  }
};

struct DeviceRunLengthEncode {
  template <typename In, typename Unique, typename Lengths, typename Runs>
  static cudaError_t Encode(void* temporary, size_t& bytes, In in, Unique unique, Lengths lengths,
                            Runs runs, long long count, cudaStream_t = nullptr, bool = false) {
    SIMT_CUB_TEMPORARY;
    long long run = 0;
    for (long long i = 0; i < count; ++run) {
      const long long begin = i;
      for (++i; i < count && in[i] == in[begin]; ++i) {
      }
      unique[run] = in[begin];
      lengths[run] = i - begin;
    }
    *runs = run;
    return cudaSuccess;
  }
  template <typename In, typename Offsets, typename Lengths, typename Runs>
  static cudaError_t NonTrivialRuns(void* temporary, size_t& bytes, In in, Offsets offsets,
                                    Lengths lengths, Runs runs, long long count,
                                    cudaStream_t = nullptr, bool = false) {
    SIMT_CUB_TEMPORARY;
    long long run = 0;
    for (long long i = 0; i < count;) {
      const long long begin = i;
      for (++i; i < count && in[i] == in[begin]; ++i) {
      }
      if (i - begin > 1) offsets[run] = begin, lengths[run++] = i - begin;
    }
    *runs = run;
    return cudaSuccess;
  }
};

// Of one channel, and of pixels whose first channels are counted.
struct DeviceHistogram {
  template <typename Samples, typename Counter, typename Level, typename Offset>
  static cudaError_t HistogramEven(void* temporary, size_t& bytes, Samples samples,
                                   Counter* histogram, int levels, Level lower, Level upper,
                                   Offset count, cudaStream_t = nullptr, bool = false) {
    Counter* const histograms[] = {histogram};
    const int levelsOf[] = {levels};
    const Level lowers[] = {lower}, uppers[] = {upper};
    return MultiHistogramEven<1, 1>(temporary, bytes, samples, histograms, levelsOf, lowers, uppers,
                                    count);
  }
  template <typename Samples, typename Counter, typename Level, typename Offset>
  static cudaError_t HistogramRange(void* temporary, size_t& bytes, Samples samples,
                                    Counter* histogram, int levels, const Level* bounds,
                                    Offset count, cudaStream_t = nullptr, bool = false) {
    Counter* const histograms[] = {histogram};
    const int levelsOf[] = {levels};
    const Level* const boundsOf[] = {bounds};
    return MultiHistogramRange<1, 1>(temporary, bytes, samples, histograms, levelsOf, boundsOf,
                                     count);
  }
  template <int Channels, int Active, typename Samples, typename Histograms, typename Levels,
            typename Bounds, typename Offset>
  static cudaError_t MultiHistogramEven(void* temporary, size_t& bytes, Samples samples,
                                        const Histograms& histograms, const Levels& levels,
                                        const Bounds& lower, const Bounds& upper, Offset pixels,
                                        cudaStream_t = nullptr, bool = false) {
    SIMT_CUB_TEMPORARY;
    for (int c = 0; c < Active; ++c) {
      const int bins = levels[c] - 1;
      std::fill(histograms[c], histograms[c] + bins, 0);
      for (Offset i = 0; i < pixels; ++i) {
        const auto sample = samples[i * Channels + c];
        if (sample < lower[c] || !(sample < upper[c])) continue;
        // As CUB: fractions of floating-point ranges, whole steps of others.
        using Sample = std::remove_cvref_t<decltype(sample)>;
        long long bin;
        if constexpr (std::is_floating_point_v<Sample>)
          bin = (long long)((sample - lower[c]) / ((upper[c] - lower[c]) / Sample(bins)));
        else
          bin = (long long)(sample - lower[c]) * bins / (long long)(upper[c] - lower[c]);
        ++histograms[c][std::min<long long>(bin, bins - 1)];
      }
    }
    return cudaSuccess;
  }
  template <int Channels, int Active, typename Samples, typename Histograms, typename Levels,
            typename Bounds, typename Offset>
  static cudaError_t MultiHistogramRange(void* temporary, size_t& bytes, Samples samples,
                                         const Histograms& histograms, const Levels& levels,
                                         const Bounds& bounds, Offset pixels,
                                         cudaStream_t = nullptr, bool = false) {
    SIMT_CUB_TEMPORARY;
    for (int c = 0; c < Active; ++c) {
      std::fill(histograms[c], histograms[c] + levels[c] - 1, 0);
      for (Offset i = 0; i < pixels; ++i) {
        const auto* const bound =
            std::upper_bound(bounds[c], bounds[c] + levels[c], samples[i * Channels + c]);
        if (bound != bounds[c] && bound != bounds[c] + levels[c])
          ++histograms[c][bound - bounds[c] - 1];
      }
    }
    return cudaSuccess;
  }
};

struct DeviceAdjacentDifference {
  template <typename In, typename Out, typename Op = cub::Difference>
  static cudaError_t SubtractLeftCopy(void* temporary, size_t& bytes, In in, Out out,
                                      long long count, Op op = {}, cudaStream_t = nullptr,
                                      bool = false) {
    SIMT_CUB_TEMPORARY;
    simt_cub::Value<In> last{};
    for (long long i = 0; i < count; ++i) {
      const simt_cub::Value<In> item = in[i];
      out[i] = i == 0 ? item : op(item, last);
      last = item;
    }
    return cudaSuccess;
  }
  template <typename Data, typename Op = cub::Difference>
  static cudaError_t SubtractLeft(void* temporary, size_t& bytes, Data data, long long count,
                                  Op op = {}, cudaStream_t = nullptr, bool = false) {
    return SubtractLeftCopy(temporary, bytes, data, data, count, op);
  }
  template <typename In, typename Out, typename Op = cub::Difference>
  static cudaError_t SubtractRightCopy(void* temporary, size_t& bytes, In in, Out out,
                                       long long count, Op op = {}, cudaStream_t = nullptr,
                                       bool = false) {
    SIMT_CUB_TEMPORARY;
    for (long long i = 0; i < count; ++i) {
      const simt_cub::Value<In> item = in[i];
      out[i] = i + 1 < count ? op(item, in[i + 1]) : item;
    }
    return cudaSuccess;
  }
};

}  // namespace cub
