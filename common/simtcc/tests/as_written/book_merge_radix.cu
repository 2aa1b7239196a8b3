// says: ^merged: ok, sorted: ok, ELL: ok
// exit: 1
// tells: bfs_queue, block 0: race in shared memory on numCurr_s
// Algorithms of a textbook: co-rank merge with circular tiles left out, radix sort by bits with a global scan, ELL and COO products, a frontier in shared queues whose overflow is stored without an atomic.
#include <algorithm>
#include <cassert>
#include <cstdio>
#include <numeric>
#include <vector>
__host__ __device__ int co_rank(int k, int *A, int m, int *B, int n) {
  int i = k < m ? k : m, j = k - i, i_low = 0 > (k - n) ? 0 : k - n, j_low = 0 > (k - m) ? 0 : k - m, delta;
  bool active = true;
  while (active) {
    if (i > 0 && j < n && A[i - 1] > B[j]) {
      delta = ((i - i_low + 1) >> 1);
      j_low = j;
      j = j + delta;
      i = i - delta;
    } else if (j > 0 && i < m && B[j - 1] >= A[i]) {
      delta = ((j - j_low + 1) >> 1);
      i_low = i;
      i = i + delta;
      j = j - delta;
    } else
      active = false;
  }
  return i;
}
__device__ void merge_sequential(int *A, int m, int *B, int n, int *C) {
  int i = 0, j = 0, k = 0;
  while ((i < m) && (j < n)) C[k++] = A[i] <= B[j] ? A[i++] : B[j++];
  while (j < n) C[k++] = B[j++];
  while (i < m) C[k++] = A[i++];
}
__global__ void merge_basic_kernel(int *A, int m, int *B, int n, int *C) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x, per = ceil((m + n) / (float)(blockDim.x * gridDim.x));
  int k_curr = min(tid * per, m + n), k_next = min((tid + 1) * per, m + n);
  int i_curr = co_rank(k_curr, A, m, B, n), i_next = co_rank(k_next, A, m, B, n);
  merge_sequential(&A[i_curr], i_next - i_curr, &B[k_curr - i_curr], k_next - i_next - (k_curr - i_curr), &C[k_curr]);
}
__global__ void radix_iter(unsigned int *input, unsigned int *output, unsigned int *bits, unsigned int N, unsigned int iter) {
  unsigned int i = threadIdx.x;
  extern __shared__ unsigned int scan[];
  unsigned int key, bit = 0;
  if (i < N) {
    key = input[i];
    bit = (key >> iter) & 1;
    bits[i] = bit;
  }
  scan[i] = bit;
  for (unsigned int stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    unsigned int temp = 0;
    if (i >= stride) temp = scan[i - stride];
    __syncthreads();
    scan[i] += temp;
  }
  __syncthreads();
  if (i < N) {
    unsigned int numOnesBefore = scan[i] - bit, numOnesTotal = scan[N - 1];
    unsigned int dst = (bit == 0) ? (i - numOnesBefore) : (N - numOnesTotal + numOnesBefore);
    output[dst] = key;
  }
}
struct ELLMatrix {
  unsigned numRows, numCols, maxNonZeros;
  unsigned *nnzPerRow, *colIdx;
  float *values;
};
__global__ void spmv_ell(ELLMatrix m, float *x, float *y) {
  unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m.numRows) {
    float sum = 0.0f;
    for (unsigned t = 0; t < m.nnzPerRow[row]; ++t) sum += x[m.colIdx[t * m.numRows + row]] * m.values[t * m.numRows + row];
    y[row] = sum;
  }
}
#define LOCAL_QUEUE_CAPACITY 16
__global__ void bfs_queue(const unsigned *src, const unsigned *dst, unsigned *level, unsigned *prev, unsigned *curr, unsigned numPrev, unsigned *numCurr, unsigned currLevel) {
  __shared__ unsigned curr_s[LOCAL_QUEUE_CAPACITY];
  __shared__ unsigned numCurr_s;
  if (threadIdx.x == 0) numCurr_s = 0;
  __syncthreads();
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < numPrev) {
    unsigned vertex = prev[i];
    for (unsigned edge = src[vertex]; edge < src[vertex + 1]; ++edge) {
      unsigned neighbor = dst[edge];
      if (atomicCAS(&level[neighbor], UINT_MAX, currLevel) == UINT_MAX) {
        unsigned at = atomicAdd(&numCurr_s, 1);
        if (at < LOCAL_QUEUE_CAPACITY) curr_s[at] = neighbor;
        else numCurr_s = LOCAL_QUEUE_CAPACITY, curr[atomicAdd(numCurr, 1)] = neighbor;
      }
    }
  }
  __syncthreads();
  __shared__ unsigned start;
  if (threadIdx.x == 0) start = atomicAdd(numCurr, numCurr_s);
  __syncthreads();
  for (unsigned k = threadIdx.x; k < numCurr_s; k += blockDim.x) curr[start + k] = curr_s[k];
}
template <class T> T *up(const std::vector<T> &v) {
  T *d;
  assert(cudaMalloc(&d, std::max<size_t>(1, v.size()) * sizeof(T)) == cudaSuccess);
  cudaMemcpy(d, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return d;
}
template <class T> std::vector<T> down(const T *d, size_t n) {
  std::vector<T> v(n);
  cudaMemcpy(v.data(), d, n * sizeof(T), cudaMemcpyDeviceToHost);
  return v;
}
int main() {
  std::vector<int> A(150), B(203), C(353, -1);
  for (auto *v : {&A, &B}) { for (int &x : *v) x = rand() % 500; std::sort(v->begin(), v->end()); }
  int *dC = up(C);
  merge_basic_kernel<<<2, 32>>>(up(A), 150, up(B), 203, dC);
  std::vector<int> want(353);
  std::merge(A.begin(), A.end(), B.begin(), B.end(), want.begin());
  const bool merged = down(dC, 353) == want;
  std::vector<unsigned> keys(200);
  for (auto &k : keys) k = rand() % 256;
  unsigned *in = up(keys), *out = up(keys), *bits = up(keys);
  for (unsigned it = 0; it < 8; ++it, std::swap(in, out)) radix_iter<<<1, 256, 256 * sizeof(unsigned)>>>(in, out, bits, 200, it);
  auto sortedKeys = keys;
  std::sort(sortedKeys.begin(), sortedKeys.end());
  const bool sorted = down(in, 200) == sortedKeys;
  const unsigned rows = 50, most = 4;
  std::vector<unsigned> nnz(rows), col(rows * most);
  std::vector<float> val(rows * most), x(rows), y(rows), ref(rows);
  for (unsigned r = 0; r < rows; r++) {
    x[r] = r; nnz[r] = r % (most + 1);
  }
  for (unsigned r = 0; r < rows; r++)
    for (unsigned t = 0; t < nnz[r]; t++) col[t * rows + r] = (r * 7 + t) % rows, val[t * rows + r] = 1 + t, ref[r] += x[(r * 7 + t) % rows] * (1 + t);
  float *dy = up(y);
  spmv_ell<<<2, 32>>>(ELLMatrix{rows, rows, most, up(nnz), up(col), up(val)}, up(x), dy);
  const bool ell = down(dy, rows) == ref;
  std::vector<unsigned> src{0}, dst, level(100, UINT_MAX), prev(100);
  for (unsigned v = 0; v < 100; v++) { for (unsigned k = 1; k <= 3; k++) dst.push_back((v * k + k) % 100); src.push_back(dst.size()); }
  level[0] = 0;
  unsigned *dl = up(level), *p = up(prev), *c = up(prev), *count = up(std::vector<unsigned>{0}), n = 1;
  unsigned *dsrc = up(src), *ddst = up(dst);
  for (unsigned l = 1; n > 0; l++, std::swap(p, c)) {
    cudaMemset(count, 0, sizeof(unsigned));
    bfs_queue<<<(n + 31) / 32, 32>>>(dsrc, ddst, dl, p, c, n, count, l);
    cudaMemcpy(&n, count, sizeof n, cudaMemcpyDeviceToHost);
  }
  std::vector<unsigned> wl(100, UINT_MAX), q{0};
  wl[0] = 0;
  for (size_t i = 0; i < q.size(); i++) for (unsigned e = src[q[i]]; e < src[q[i] + 1]; e++) if (wl[dst[e]] == UINT_MAX) wl[dst[e]] = wl[q[i]] + 1, q.push_back(dst[e]);
  const bool queue = down(dl, 100) == wl;
  printf("merged: %s, sorted: %s, ELL: %s, queue: %s\n", merged ? "ok" : "WRONG", sorted ? "ok" : "WRONG", ell ? "ok" : "WRONG", queue ? "ok" : "WRONG");
  return !(merged && sorted && ell && queue);
}
