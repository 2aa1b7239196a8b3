// The part of <mma.h> that kernels use, for the executor: fragments of matrices, a piece in each
// lane of a warp. Found by the cpu flavour only. Those of 8 × 4 times 4 × 8 doubles lie in the
// lanes as on a GPU, and a multiplication counts as 12 shuffles, by which it is done here; the
// others lie in the lanes as suits the executor; 32 shuffles count for each 8 bytes that a lane has
// of the factors.
#pragma once

#include "simt/device/names_begin.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "simt/device/cuda.h"
#include "simt/device/matrix_names.h"

namespace nvcuda::wmma {

// Rows and columns of what a fragment holds.
template <typename Use, int m, int n, int k>
constexpr int rowsOf = std::is_same_v<Use, matrix_b> ? k : m;
template <typename Use, int m, int n, int k>
constexpr int columnsOf = std::is_same_v<Use, matrix_a> ? k : n;
template <typename T>
struct ElementOf {
  using Type = T;
};
template <>
struct ElementOf<precision::tf32> {
  using Type = float;
};

// Each lane holds every 32nd element by rows. Where a GPU has which is not said by CUDA; it holds
// those of a and b twice.
template <typename Use, int m, int n, int k, typename T, typename Layout = void>
struct fragment {
  static_assert((m == 16 && n == 16 && (k == 16 || k == 8)) || (m == 32 && n == 8 && k == 16) ||
                    (m == 8 && n == 32 && k == 16),
                "fragments of 16 x 16 x 16, 32 x 8 x 16, 8 x 32 x 16, 16 x 16 x 8, 8 x 8 x 4");
  static constexpr int rows = rowsOf<Use, m, n, k>, columns = columnsOf<Use, m, n, k>;
  static constexpr int num_elements = rows * columns / 32;
  static constexpr int num_storage_elements = num_elements;
  using element_type = typename ElementOf<T>::Type;
  using storage_element_type = element_type;
  element_type x[num_elements];
};
template <>
struct fragment<matrix_a, 8, 8, 4, double, row_major> {
  static constexpr int num_elements = 1;
  double x[1];  // element [lane / 4][lane % 4]
};
template <>
struct fragment<matrix_b, 8, 8, 4, double, col_major> {
  static constexpr int num_elements = 1;
  double x[1];  // element [lane % 4][lane / 4]
};
template <>
struct fragment<accumulator, 8, 8, 4, double> {
  static constexpr int num_elements = 2;
  double x[2];  // elements [lane / 4][lane % 4 * 2] and the next
};
using MatrixA = fragment<matrix_a, 8, 8, 4, double, row_major>;
using MatrixB = fragment<matrix_b, 8, 8, 4, double, col_major>;
using Accumulator = fragment<accumulator, 8, 8, 4, double>;

SIMT_ALWAYS_INLINE unsigned laneOfThread() {
  return ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) % 32;
}

SIMT_ALWAYS_INLINE void fill_fragment(Accumulator& c, double value) { c.x[0] = c.x[1] = value; }

SIMT_ALWAYS_INLINE void load_matrix_sync(MatrixA& a, const double* matrix, unsigned pitch) {
  a.x[0] = matrix[laneOfThread() / 4 * pitch + laneOfThread() % 4];
}

SIMT_ALWAYS_INLINE void load_matrix_sync(MatrixB& b, const double* matrix, unsigned pitch) {
  b.x[0] = matrix[laneOfThread() / 4 * pitch + laneOfThread() % 4];
}

// d = a * b + c
SIMT_ALWAYS_INLINE void mma_sync(Accumulator& d, const MatrixA& a, const MatrixB& b,
                                 const Accumulator& c) {
  const int row = int(laneOfThread() / 4), column = int(laneOfThread() % 4 * 2);
  double sum[2] = {c.x[0], c.x[1]};
  for (int k = 0; k < 4; ++k) {
    const double left = __shfl_sync(0xffffffffu, a.x[0], row * 4 + k);
    for (int i = 0; i < 2; ++i)
      sum[i] += left * __shfl_sync(0xffffffffu, b.x[0], (column + i) * 4 + k);
  }
  d.x[0] = sum[0];
  d.x[1] = sum[1];
}

SIMT_ALWAYS_INLINE void store_matrix_sync(double* matrix, const Accumulator& c, unsigned pitch,
                                          layout_t) {
  double* const mine = matrix + laneOfThread() / 4 * pitch + laneOfThread() % 4 * 2;
  mine[0] = c.x[0];
  mine[1] = c.x[1];
}

// The other shapes, of half, bfloat16, tf32 and bytes.
inline float __float_to_tf32(float value) {
  return __builtin_bit_cast(float, (__builtin_bit_cast(uint32_t, value) + 0x1000u) & ~0x1fffu);
}
template <typename Use, int m, int n, int k, typename T, typename Layout, typename Value>
SIMT_ALWAYS_INLINE void fill_fragment(fragment<Use, m, n, k, T, Layout>& f, Value value) {
  for (auto& x : f.x) x = static_cast<std::remove_reference_t<decltype(x)>>(value);
}
// The place of a lane's element in memory.
template <typename Fragment>
SIMT_ALWAYS_INLINE size_t placeOf(int i, bool byRows, unsigned pitch) {
  const unsigned number = unsigned(i) * 32 + laneOfThread();
  const unsigned row = number / Fragment::columns, column = number % Fragment::columns;
  return byRows ? size_t(row) * pitch + column : size_t(column) * pitch + row;
}
template <typename Use, int m, int n, int k, typename T, typename Layout, typename Memory>
requires(k <= 16) SIMT_ALWAYS_INLINE void load_matrix_sync(fragment<Use, m, n, k, T, Layout>& f,
                                                           const Memory* matrix, unsigned pitch) {
  static_assert(!std::is_void_v<Layout>, "an accumulator is loaded with its layout");
  __syncwarp();
  using F = fragment<Use, m, n, k, T, Layout>;
  for (int i = 0; i < F::num_elements; ++i)
    f.x[i] = matrix[placeOf<F>(i, std::is_same_v<Layout, row_major>, pitch)];
}
template <int m, int n, int k, typename T>
SIMT_ALWAYS_INLINE void load_matrix_sync(fragment<accumulator, m, n, k, T>& f, const T* matrix,
                                         unsigned pitch, layout_t layout) {
  __syncwarp();
  using F = fragment<accumulator, m, n, k, T>;
  for (int i = 0; i < F::num_elements; ++i)
    f.x[i] = matrix[placeOf<F>(i, layout == mem_row_major, pitch)];
}
template <int m, int n, int k, typename T>
SIMT_ALWAYS_INLINE void store_matrix_sync(T* matrix, const fragment<accumulator, m, n, k, T>& f,
                                          unsigned pitch, layout_t layout) {
  __syncwarp();
  using F = fragment<accumulator, m, n, k, T>;
  for (int i = 0; i < F::num_elements; ++i)
    matrix[placeOf<F>(i, layout == mem_row_major, pitch)] = f.x[i];
}
// All elements of a fragment, in every lane: eight bytes of each lane at a time.
template <typename Fragment, typename Sum>
SIMT_ALWAYS_INLINE void gather(const Fragment& f, Sum* all) {
  using T = typename Fragment::element_type;
  constexpr int perWord = 8 / int(sizeof(T));
  static_assert(Fragment::num_elements % perWord == 0);
  for (int first = 0; first < Fragment::num_elements; first += perWord) {
    uint64_t word;
    __builtin_memcpy(&word, reinterpret_cast<const unsigned char*>(f.x + first), sizeof word);
    for (int lane = 0; lane < 32; ++lane) {
      const uint64_t other = __shfl_sync(0xffffffffu, word, lane);
      T elements[perWord];
      __builtin_memcpy(reinterpret_cast<unsigned char*>(elements), &other, sizeof other);
      for (int i = 0; i < perWord; ++i) all[(first + i) * 32 + lane] = Sum(elements[i]);
    }
  }
}
template <int m, int n, int k, typename A, typename LayoutA, typename LayoutB, typename C,
          typename D>
SIMT_ALWAYS_INLINE void mma_sync(fragment<accumulator, m, n, k, D>& d,
                                 const fragment<matrix_a, m, n, k, A, LayoutA>& a,
                                 const fragment<matrix_b, m, n, k, A, LayoutB>& b,
                                 const fragment<accumulator, m, n, k, C>& c) {
  using Sum = std::conditional_t<std::is_same_v<C, int>, int, float>;
  constexpr int count = m * n / 32;
  Sum left[m * k], right[k * n];
  gather(a, left);
  gather(b, right);
  for (int i = 0; i < count; ++i) {
    const unsigned number = unsigned(i) * 32 + laneOfThread();
    const unsigned row = number / n, column = number % n;
    Sum sum = Sum(c.x[i]);
    for (int j = 0; j < k; ++j) sum += left[row * k + j] * right[j * n + column];
    d.x[i] = static_cast<D>(sum);
  }
}

// Numbers of 4 bits and single bits: 8 rows of a and 8 columns of b, of which each lane has a word,
// as on a GPU; 16 shuffles count for a multiplication.
template <int bits>
struct Word {
  static constexpr int num_elements = 32 / bits, num_storage_elements = 1, bitsOfNumber = bits;
  using storage_element_type = int;
  int x[1];  // of row (of b: column) lane / 4
};
template <typename Use, typename Layout>
struct fragment<Use, 8, 8, 32, experimental::precision::s4, Layout> : Word<4> {};
template <typename Use, typename Layout>
struct fragment<Use, 8, 8, 32, experimental::precision::u4, Layout> : Word<4> {};
template <typename Use, typename Layout>
struct fragment<Use, 8, 8, 128, experimental::precision::b1, Layout> : Word<1> {};
template <int k>
struct fragment<accumulator, 8, 8, k, int> {
  static constexpr int rows = 8, columns = 8, num_elements = 2, num_storage_elements = 2;
  using element_type = int;
  using storage_element_type = int;
  int x[2];
};

template <typename Use, int k, typename T, typename Layout>
requires(k > 16) SIMT_ALWAYS_INLINE void load_matrix_sync(fragment<Use, 8, 8, k, T, Layout>& f,
                                                          const void* matrix, unsigned pitch) {
  __syncwarp();
  const unsigned words = pitch * unsigned(f.bitsOfNumber) / 32;
  f.x[0] = static_cast<const int*>(matrix)[laneOfThread() / 4 * words + laneOfThread() % 4];
}
template <int k, typename T, typename Product>
SIMT_ALWAYS_INLINE void multiplyWords(fragment<accumulator, 8, 8, k, int>& d,
                                      const fragment<matrix_a, 8, 8, k, T, row_major>& a,
                                      const fragment<matrix_b, 8, 8, k, T, col_major>& b,
                                      const fragment<accumulator, 8, 8, k, int>& c,
                                      Product product) {
  for (int i = 0; i < 2; ++i) {
    const int number = i * 32 + int(laneOfThread());
    int sum = c.x[i];
    for (int word = 0; word < 4; ++word) {
      const int left = __shfl_sync(0xffffffffu, a.x[0], number / 8 * 4 + word);
      sum += product(left, __shfl_sync(0xffffffffu, b.x[0], number % 8 * 4 + word));
    }
    d.x[i] = sum;
  }
}
template <typename T>
SIMT_ALWAYS_INLINE void mma_sync(fragment<accumulator, 8, 8, 32, int>& d,
                                 const fragment<matrix_a, 8, 8, 32, T, row_major>& a,
                                 const fragment<matrix_b, 8, 8, 32, T, col_major>& b,
                                 const fragment<accumulator, 8, 8, 32, int>& c, bool = false) {
  multiplyWords(d, a, b, c, [](int left, int right) {
    constexpr bool isSigned = std::is_same_v<T, experimental::precision::s4>;
    const auto of = [](int word, int i) {
      const unsigned high = unsigned(word) << (28 - 4 * i);
      return isSigned ? int(high) >> 28 : int(high >> 28);
    };
    int sum = 0;
    for (int i = 0; i < 8; ++i) sum += of(left, i) * of(right, i);
    return sum;
  });
}
template <typename T>
SIMT_ALWAYS_INLINE void bmma_sync(
    fragment<accumulator, 8, 8, 128, int>& d, const fragment<matrix_a, 8, 8, 128, T, row_major>& a,
    const fragment<matrix_b, 8, 8, 128, T, col_major>& b,
    const fragment<accumulator, 8, 8, 128, int>& c,
    experimental::bmmaBitOp op = experimental::bmmaBitOpXOR,
    experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
  multiplyWords(d, a, b, c, [op](int left, int right) {
    return __builtin_popcount(
        unsigned(op == experimental::bmmaBitOpAND ? left & right : left ^ right));
  });
}

}  // namespace nvcuda::wmma

#include "simt/device/names_end.h"
