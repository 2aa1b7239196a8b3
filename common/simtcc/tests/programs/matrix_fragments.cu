// Products of small matrices by a warp: half, bfloat16, bytes, numbers of 4 bits and bits, in all shapes and layouts.
#include <mma.h>

#include <cstdio>

using namespace nvcuda;

template <int m, int n, int k, typename T, typename Sum, typename A, typename B>
__global__ void multiply(const T *a, const T *b, Sum *c, wmma::layout_t layout) {
  constexpr bool aRows = std::is_same<A, wmma::row_major>::value;
  constexpr bool bRows = std::is_same<B, wmma::row_major>::value;
  wmma::fragment<wmma::matrix_a, m, n, k, T, A> left;
  wmma::fragment<wmma::matrix_b, m, n, k, T, B> right;
  wmma::fragment<wmma::accumulator, m, n, k, Sum> sum, old;
  const unsigned pitch = layout == wmma::mem_row_major ? n : m;
  wmma::fill_fragment(sum, Sum(0));
  wmma::load_matrix_sync(old, c, pitch, layout);
  wmma::load_matrix_sync(left, a, aRows ? k : m);
  wmma::load_matrix_sync(right, b, bRows ? n : k);
  wmma::mma_sync(sum, left, right, sum);
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] = Sum(2) * sum.x[i] + old.x[i];
  wmma::store_matrix_sync(c, sum, pitch, layout);
}

template <int m, int n, int k, typename T, typename Sum, typename A, typename B>
void check(const char *name, wmma::layout_t layout) {
  T *a, *b;
  Sum *c;
  cudaMallocManaged(&a, m * k * sizeof(T));
  cudaMallocManaged(&b, k * n * sizeof(T));
  cudaMallocManaged(&c, m * n * sizeof(Sum));
  for (int i = 0; i < m * k; ++i) a[i] = T(float(i % 5));
  for (int i = 0; i < k * n; ++i) b[i] = T(float(i % 3));
  for (int i = 0; i < m * n; ++i) c[i] = Sum(float(i % 7));
  multiply<m, n, k, T, Sum, A, B><<<1, 32>>>(a, b, c, layout);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < n; ++column) {
      float sum = 0;
      for (int i = 0; i < k; ++i)
        sum += float(a[std::is_same<A, wmma::row_major>::value ? row * k + i : i * m + row]) *
               float(b[std::is_same<B, wmma::row_major>::value ? i * n + column : column * k + i]);
      const int at = layout == wmma::mem_row_major ? row * n + column : column * m + row;
      wrong += float(c[at]) != 2 * sum + at % 7;
    }
  printf("%s: %d wrong\n", name, wrong);
}

// Rows of a and columns of b of 128 bits: numbers of 4 bits, or bits of which those count that are in both or in one.
template <typename T, int k>
__global__ void multiplyWords(const unsigned *a, const unsigned *b, int *c) {
  using namespace wmma::experimental;
  wmma::fragment<wmma::matrix_a, 8, 8, k, T, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 8, 8, k, T, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 8, 8, k, int> sum, both;
  wmma::load_matrix_sync(left, a, k);
  wmma::load_matrix_sync(right, b, k);
  wmma::fill_fragment(sum, 1);
  if constexpr (k == 128) {
    wmma::fill_fragment(both, 0);
    wmma::bmma_sync(sum, left, right, sum);
    wmma::bmma_sync(both, left, right, both, bmmaBitOpAND);
    for (int i = 0; i < sum.num_elements; ++i) sum.x[i] += 1000 * both.x[i];
  } else {
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::store_matrix_sync(c, sum, 8, wmma::mem_row_major);
}
template <typename T, int k, typename Product>
void checkWords(const char *name, Product product) {
  unsigned *a, *b;
  int *c, wrong = 0;
  cudaMallocManaged(&a, 128), cudaMallocManaged(&b, 128), cudaMallocManaged(&c, 256);
  for (unsigned i = 0; i < 32; ++i) a[i] = (i + 1) * 2654435761u, b[i] = (i + 7) * 2246822519u;
  multiplyWords<T, k><<<1, 32>>>(a, b, c);
  cudaDeviceSynchronize();
  for (int row = 0; row < 8; ++row)
    for (int column = 0; column < 8; ++column) {
      int sum = 1;
      for (int i = 0; i < 4; ++i) sum += product(a[row * 4 + i], b[column * 4 + i]);
      wrong += c[row * 8 + column] != sum;
    }
  printf("%s: %d wrong\n", name, wrong);
}

int main() {
  using wmma::col_major;
  using wmma::mem_col_major;
  using wmma::mem_row_major;
  using wmma::row_major;
  check<16, 16, 16, half, float, row_major, col_major>("half to float", mem_row_major);
  check<16, 16, 16, half, half, col_major, row_major>("half", mem_col_major);
  check<32, 8, 16, half, float, row_major, row_major>("32 x 8", mem_row_major);
  check<8, 32, 16, __nv_bfloat16, float, col_major, col_major>("bfloat16", mem_row_major);
  check<16, 16, 16, signed char, int, row_major, col_major>("bytes", mem_row_major);
  using namespace wmma::experimental;
  checkWords<precision::s4, 32>("4 bits", [](unsigned a, unsigned b) {
    int sum = 0;
    for (int i = 0; i < 32; i += 4) sum += (int(a << (28 - i)) >> 28) * (int(b << (28 - i)) >> 28);
    return sum;
  });
  checkWords<precision::u4, 32>("4 bits without a sign", [](unsigned a, unsigned b) {
    int sum = 0;
    for (int i = 0; i < 32; i += 4) sum += int((a >> i & 15) * (b >> i & 15));
    return sum;
  });
  checkWords<precision::b1, 128>("bits", [](unsigned a, unsigned b) { return __builtin_popcount(a ^ b) + 1000 * __builtin_popcount(a & b); });
}
// prints: half to float: 0 wrong
// prints: half: 0 wrong
// prints: 32 x 8: 0 wrong
// prints: bfloat16: 0 wrong
// prints: bytes: 0 wrong
// prints: 4 bits: 0 wrong
// prints: 4 bits without a sign: 0 wrong
// prints: bits: 0 wrong
