// args: 64 10
// says: ^alignment score agrees, traceback of [0-9]+ steps$
// Aligning two sequences along anti-diagonals of tiles: two kernels, dynamic programming in shared memory.
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <math.h>
#include <sys/time.h>
#define LIMIT -999
#define BLOCK_SIZE 16
#ifdef __CUDACC__
#define HD __device__ __host__
#else
#define HD
#endif
HD inline int maximum(int a, int b, int c) {
  int k;
  if (a <= b) k = b;
  else k = a;
  return k <= c ? c : k;
}
#define SHARED_TILES                                             \
  __shared__ int temp[BLOCK_SIZE + 1][BLOCK_SIZE + 1];           \
  __shared__ int ref[BLOCK_SIZE][BLOCK_SIZE];
#define STEP(x, y) temp[y][x] = maximum(temp[y - 1][x - 1] + ref[y - 1][x - 1], temp[y][x - 1] - penalty, temp[y - 1][x] - penalty)
template <bool UPPER>
__global__ void needle_shared(int *referrence, int *matrix, int cols, int penalty, int i, int block_width) {
  SHARED_TILES
  int bx = blockIdx.x, tx = threadIdx.x;
  int b_index_x = UPPER ? bx : bx + block_width - i, b_index_y = UPPER ? i - 1 - bx : block_width - bx - 1;
  int corner = cols * BLOCK_SIZE * b_index_y + BLOCK_SIZE * b_index_x;
  int index = corner + tx + (cols + 1), index_n = corner + tx + 1, index_w = corner + cols;
  if (tx == 0) temp[tx][0] = matrix[corner];
  for (int ty = 0; ty < BLOCK_SIZE; ty++) ref[ty][tx] = referrence[index + cols * ty];
  __syncthreads();
  temp[tx + 1][0] = matrix[index_w + cols * tx];
  __syncthreads();
  temp[0][tx + 1] = matrix[index_n];
  __syncthreads();
  for (int m = 0; m < BLOCK_SIZE; m++) {
    if (tx <= m) STEP(tx + 1, m - tx + 1);
    __syncthreads();
  }
  for (int m = BLOCK_SIZE - 2; m >= 0; m--) {
    if (tx <= m) STEP(tx + BLOCK_SIZE - m, BLOCK_SIZE - tx);
    __syncthreads();
  }
  for (int ty = 0; ty < BLOCK_SIZE; ty++) matrix[index + ty * cols] = temp[ty + 1][tx + 1];
}
int main(int argc, char **argv) {
  int max_rows, max_cols, penalty;
  if (argc == 3) {
    max_rows = max_cols = atoi(argv[1]);
    penalty = atoi(argv[2]);
  } else {
    fprintf(stderr, "Usage: %s <max_rows/max_cols> <penalty>\n", argv[0]);
    exit(1);
  }
  if (max_rows % BLOCK_SIZE) return 2;
  int blosum[4][4] = {{4, -1, -2, -2}, {-1, 5, 0, -2}, {-2, 0, 6, 1}, {-2, -2, 1, 6}};
  max_rows += 1, max_cols += 1;
  size_t bytes = sizeof(int) * max_rows * max_cols;
  int *ref = (int *)malloc(bytes), *items = (int *)malloc(bytes), *want, *d_ref, *d_matrix;
  srand(7);
  int *s1 = (int *)alloca(max_rows * sizeof(int)), *s2 = (int *)alloca(max_cols * sizeof(int));
  for (int i = 0; i < max_rows; i++) s1[i] = rand() % 4, s2[i] = rand() % 4;
  memset(items, 0, bytes);
  for (int i = 0; i < max_rows; i++)
    for (int j = 0; j < max_cols; j++) ref[i * max_cols + j] = blosum[s1[i]][s2[j]];
  for (int i = 1; i < max_rows; i++) items[i * max_cols] = -i * penalty, items[i] = -i * penalty;
  cudaMalloc((void **)&d_ref, bytes);
  cudaMalloc((void **)&d_matrix, bytes);
  cudaMemcpy(d_ref, ref, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_matrix, items, bytes, cudaMemcpyHostToDevice);
  int block_width = (max_cols - 1) / BLOCK_SIZE;
  for (int i = 1; i <= block_width; i++) needle_shared<true><<<i, BLOCK_SIZE>>>(d_ref, d_matrix, max_cols, penalty, i, block_width);
  for (int i = block_width - 1; i >= 1; i--) needle_shared<false><<<i, BLOCK_SIZE>>>(d_ref, d_matrix, max_cols, penalty, i, block_width);
  want = (int *)malloc(bytes);
  memcpy(want, items, bytes);
  cudaMemcpy(items, d_matrix, bytes, cudaMemcpyDeviceToHost);
  int wrong = 0, steps = 0;
  for (int i = 1; i < max_rows; i++)
    for (int j = 1; j < max_cols; j++) {
      int at = i * max_cols + j;
      want[at] = maximum(want[at - max_cols - 1] + ref[at], want[at - 1] - penalty, want[at - max_cols] - penalty);
      wrong += want[at] != items[at];
    }
  for (int i = max_rows - 1, j = max_cols - 1; i > 0 && j > 0; ++steps) {
    int at = i * max_cols + j;
    if (items[at] == items[at - max_cols - 1] + ref[at]) --i, --j;
    else if (items[at] == items[at - 1] - penalty) --j;
    else --i;
  }
  printf("alignment score %s, traceback of %d steps\n", wrong ? "DIFFERS" : "agrees", steps);
  return wrong;
}
