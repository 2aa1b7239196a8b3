// Fragments of matrices, for the GPU compiler: by the instructions that there are.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "simt/device/cuda.h"
#include "simt/device/matrix_names.h"

namespace nvcuda::wmma {

template <typename Use, int m, int n, int k, typename T, typename Layout = void>
struct fragment;

// Elements of each lane, and as the compiler has them.
template <typename T, int elements, typename Word, int words>
struct FragmentOf {
  using element_type = T;
  using storage_element_type = T;
  static constexpr int num_elements = elements, num_storage_elements = elements;
  alignas(Word) T x[elements];
  __device__ __attribute__((always_inline)) Word* words_() { return reinterpret_cast<Word*>(x); }
  __device__ __attribute__((always_inline)) const Word* words_() const {
    return reinterpret_cast<const Word*>(x);
  }
  static_assert(sizeof(T) * elements == sizeof(Word) * words);
};

template <typename Use, int m, int n, int k, typename T, typename Layout, typename Value>
SIMT_DEVICE void fill_fragment(fragment<Use, m, n, k, T, Layout>& f, Value value) {
  for (auto& x : f.x) x = static_cast<std::remove_reference_t<decltype(x)>>(value);
}
SIMT_DEVICE float __float_to_tf32(float value) {
  return __builtin_bit_cast(float, (__builtin_bit_cast(unsigned, value) + 0x1000u) & ~0x1fffu);
}
template <typename A, typename B>
constexpr int layoutsOf = (std::is_same_v<A, col_major> ? 2 : 0) + std::is_same_v<B, col_major>;

// A shape of factors T, which the compiler has as words, with sums of S, elements of each and the
// compiler's names of what loads and stores them.
#define SIMT_FACTORS(m, n, k, T, As, E, inA, inB, Word, wordsA, wordsB, LOAD_A, LOAD_B)          \
  template <typename Layout>                                                                     \
  struct fragment<matrix_a, m, n, k, As, Layout> : FragmentOf<E, inA, Word, wordsA> {};          \
  template <typename Layout>                                                                     \
  struct fragment<matrix_b, m, n, k, As, Layout> : FragmentOf<E, inB, Word, wordsB> {};          \
  template <typename Layout>                                                                     \
  SIMT_DEVICE void load_matrix_sync(fragment<matrix_a, m, n, k, As, Layout>& f, const T* matrix, \
                                    unsigned pitch) {                                            \
    LOAD_A(f.words_(), reinterpret_cast<const Word*>(matrix), pitch,                             \
           std::is_same_v<Layout, col_major>);                                                   \
  }                                                                                              \
  template <typename Layout>                                                                     \
  SIMT_DEVICE void load_matrix_sync(fragment<matrix_b, m, n, k, As, Layout>& f, const T* matrix, \
                                    unsigned pitch) {                                            \
    LOAD_B(f.words_(), reinterpret_cast<const Word*>(matrix), pitch,                             \
           std::is_same_v<Layout, col_major>);                                                   \
  }
#define SIMT_SUMS(m, n, k, T, elements, Word, words, LOAD, STORE)                                  \
  template <>                                                                                      \
  struct fragment<accumulator, m, n, k, T> : FragmentOf<T, elements, Word, words> {};              \
  SIMT_DEVICE void load_matrix_sync(fragment<accumulator, m, n, k, T>& f, const T* matrix,         \
                                    unsigned pitch, layout_t layout) {                             \
    const auto* from = reinterpret_cast<const Word*>(matrix);                                      \
    layout == mem_col_major ? LOAD(f.words_(), from, pitch, 1) : LOAD(f.words_(), from, pitch, 0); \
  }                                                                                                \
  SIMT_DEVICE void store_matrix_sync(T* matrix, const fragment<accumulator, m, n, k, T>& f,        \
                                     unsigned pitch, layout_t layout) {                            \
    auto *to = reinterpret_cast<Word*>(matrix), *of = const_cast<Word*>(f.words_());               \
    layout == mem_col_major ? STORE(to, of, pitch, 1) : STORE(to, of, pitch, 0);                   \
  }
#define SIMT_PRODUCT(m, n, k, As, D, C, MULTIPLY)                                                \
  template <typename A, typename B>                                                              \
  SIMT_DEVICE void mma_sync(                                                                     \
      fragment<accumulator, m, n, k, D>& d, const fragment<matrix_a, m, n, k, As, A>& a,         \
      const fragment<matrix_b, m, n, k, As, B>& b, const fragment<accumulator, m, n, k, C>& c) { \
    MULTIPLY(d.words_(), a.words_(), b.words_(), c.words_(), layoutsOf<A, B>, 0);                \
  }
#define SIMT_HALVES(m, n, k, name)                                                           \
  SIMT_FACTORS(m, n, k, half, half, half, 16, 16, int, 8, 8, __hmma_##name##_ld_a,           \
               __hmma_##name##_ld_b)                                                         \
  SIMT_SUMS(m, n, k, half, 8, int, 4, __hmma_##name##_ld_c_f16, __hmma_##name##_st_c_f16)    \
  SIMT_SUMS(m, n, k, float, 8, float, 8, __hmma_##name##_ld_c_f32, __hmma_##name##_st_c_f32) \
  SIMT_PRODUCT(m, n, k, half, half, half, __hmma_##name##_mma_f16f16)                        \
  SIMT_PRODUCT(m, n, k, half, half, float, __hmma_##name##_mma_f16f32)                       \
  SIMT_PRODUCT(m, n, k, half, float, half, __hmma_##name##_mma_f32f16)                       \
  SIMT_PRODUCT(m, n, k, half, float, float, __hmma_##name##_mma_f32f32)
#define SIMT_BRAINS(m, n, k, inA, inB, name)                                                 \
  SIMT_FACTORS(m, n, k, __nv_bfloat16, __nv_bfloat16, __nv_bfloat16, inA, inB, int, inA / 2, \
               inB / 2, __mma_bf16_##name##_ld_a, __mma_bf16_##name##_ld_b)                  \
  SIMT_PRODUCT(m, n, k, __nv_bfloat16, float, float, __mma_bf16_##name##_mma_f32)
#define SIMT_BYTES(m, n, k, T, inA, inB, name, s)                                           \
  SIMT_FACTORS(m, n, k, T, T, T, inA, inB, int, inA / 4, inB / 4, __imma_##name##_ld_a_##s, \
               __imma_##name##_ld_b_##s)                                                    \
  SIMT_PRODUCT(m, n, k, T, int, int, __imma_##name##_mma_##s)
#define SIMT_SHAPE(m, n, k, inA, inB, name)                                          \
  SIMT_HALVES(m, n, k, name)                                                         \
  SIMT_BRAINS(m, n, k, inA, inB, name)                                               \
  SIMT_SUMS(m, n, k, int, 8, int, 8, __imma_##name##_ld_c, __imma_##name##_st_c_i32) \
  SIMT_BYTES(m, n, k, signed char, inA, inB, name, s8)                               \
  SIMT_BYTES(m, n, k, unsigned char, inA, inB, name, u8)
SIMT_SHAPE(16, 16, 16, 8, 8, m16n16k16)
SIMT_SHAPE(32, 8, 16, 16, 4, m32n8k16)
SIMT_SHAPE(8, 32, 16, 4, 16, m8n32k16)
SIMT_FACTORS(16, 16, 8, float, precision::tf32, float, 4, 4, int, 4, 4, __mma_tf32_m16n16k8_ld_a,
             __mma_tf32_m16n16k8_ld_b)
SIMT_SUMS(16, 16, 8, float, 8, float, 8, __mma_tf32_m16n16k8_ld_c, __mma_m16n16k8_st_c_f32)
SIMT_PRODUCT(16, 16, 8, precision::tf32, float, float, __mma_tf32_m16n16k8_mma_f32)
SIMT_FACTORS(8, 8, 4, double, double, double, 1, 1, double, 1, 1, __dmma_m8n8k4_ld_a,
             __dmma_m8n8k4_ld_b)
SIMT_SUMS(8, 8, 4, double, 2, double, 2, __dmma_m8n8k4_ld_c, __dmma_m8n8k4_st_c_f64)
SIMT_PRODUCT(8, 8, 4, double, double, double, __dmma_m8n8k4_mma_f64)
#undef SIMT_FACTORS
#undef SIMT_SUMS
#undef SIMT_PRODUCT
#undef SIMT_HALVES
#undef SIMT_BRAINS
#undef SIMT_BYTES
#undef SIMT_SHAPE

}  // namespace nvcuda::wmma
