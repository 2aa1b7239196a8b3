// args: 40 2 7
// says: ^Ending simulation: max difference 0.00
/* Heat of a chip: a pyramid of steps in shared memory, macros, halo, ping-pong buffers, FATAL, a file written and read again. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <assert.h>
#include <string.h>
#include <math.h>
#ifdef RD_WG_SIZE
#define BLOCK_SIZE RD_WG_SIZE
#else
#define BLOCK_SIZE 16
#endif
#define STR_SIZE 256
#define IN_RANGE(x, min, max) ((x) >= (min) && (x) <= (max))
#define MIN(a, b) ((a) <= (b) ? (a) : (b))
#define CAP 0.25f
void fatal(const char *s) { fprintf(stderr, "error: %s\n", s); exit(1); }
__global__ void calculate_temp(int iteration, float *power, float *temp_src, float *temp_dst, int grid_cols, int grid_rows, int border, float step) {
  __shared__ float temp_on_cuda[BLOCK_SIZE][BLOCK_SIZE];
  __shared__ float power_on_cuda[BLOCK_SIZE][BLOCK_SIZE];
  __shared__ float temp_t[BLOCK_SIZE][BLOCK_SIZE];
  int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  int small = BLOCK_SIZE - iteration * 2;
  int blkY = small * by - border, blkX = small * bx - border;
  int blkYmax = blkY + BLOCK_SIZE - 1, blkXmax = blkX + BLOCK_SIZE - 1;
  int yidx = blkY + ty, xidx = blkX + tx, index = grid_cols * yidx + xidx;
  if (IN_RANGE(yidx, 0, grid_rows - 1) && IN_RANGE(xidx, 0, grid_cols - 1)) {
    temp_on_cuda[ty][tx] = temp_src[index];
    power_on_cuda[ty][tx] = power[index];
  }
  __syncthreads();
  int validYmin = (blkY < 0) ? -blkY : 0, validYmax = (blkYmax > grid_rows - 1) ? BLOCK_SIZE - 1 - (blkYmax - grid_rows + 1) : BLOCK_SIZE - 1;
  int validXmin = (blkX < 0) ? -blkX : 0, validXmax = (blkXmax > grid_cols - 1) ? BLOCK_SIZE - 1 - (blkXmax - grid_cols + 1) : BLOCK_SIZE - 1;
  int N = ty - 1, S = ty + 1, W = tx - 1, E = tx + 1;
  N = (N < validYmin) ? validYmin : N;
  S = (S > validYmax) ? validYmax : S;
  W = (W < validXmin) ? validXmin : W;
  E = (E > validXmax) ? validXmax : E;
  bool computed;
  for (int i = 0; i < iteration; i++) {
    computed = false;
    if (IN_RANGE(tx, i + 1, BLOCK_SIZE - i - 2) && IN_RANGE(ty, i + 1, BLOCK_SIZE - i - 2) && IN_RANGE(tx, validXmin, validXmax) &&
        IN_RANGE(ty, validYmin, validYmax)) {
      computed = true;
      temp_t[ty][tx] = temp_on_cuda[ty][tx] + step * (power_on_cuda[ty][tx] + (temp_on_cuda[S][tx] + temp_on_cuda[N][tx] - 2.0 * temp_on_cuda[ty][tx]) * CAP +
                                                      (temp_on_cuda[ty][E] + temp_on_cuda[ty][W] - 2.0 * temp_on_cuda[ty][tx]) * CAP);
    }
    __syncthreads();
    if (i == iteration - 1) break;
    if (computed) temp_on_cuda[ty][tx] = temp_t[ty][tx];
    __syncthreads();
  }
  if (computed) temp_dst[index] = temp_t[ty][tx];
}
int main(int argc, char **argv) {
  if (argc < 4) { fprintf(stderr, "Usage: %s <grid_rows/grid_cols> <pyramid_height> <sim_time>\n", argv[0]); exit(1); }
  int rows = atoi(argv[1]), cols = rows, height = atoi(argv[2]), total = atoi(argv[3]), size = rows * cols, i, t;
  float *temp = (float *)malloc(size * sizeof(float)), *power = (float *)malloc(size * sizeof(float)), *ref = (float *)malloc(size * sizeof(float)), *next = (float *)malloc(size * sizeof(float)), worst = 0, *MatrixTemp[2], *MatrixPower;
  if (!temp || !power || !ref) fatal("unable to allocate memory");
  srand(3);
  for (i = 0; i < size; i++) ref[i] = temp[i] = 320 + rand() % 20, power[i] = (rand() % 100) * 0.001f;
  int borderCols = height, smallBlock = BLOCK_SIZE - height * 2;
  int blocks = cols / smallBlock + ((cols % smallBlock == 0) ? 0 : 1);
  cudaMalloc((void **)&MatrixTemp[0], sizeof(float) * size);
  cudaMalloc((void **)&MatrixTemp[1], sizeof(float) * size);
  cudaMemcpy(MatrixTemp[0], temp, sizeof(float) * size, cudaMemcpyHostToDevice);
  cudaMalloc((void **)&MatrixPower, sizeof(float) * size);
  cudaMemcpy(MatrixPower, power, sizeof(float) * size, cudaMemcpyHostToDevice);
  int src = 1, dst = 0;
  for (t = 0; t < total; t += height) {
    int s = src;
    src = dst;
    dst = s;
    calculate_temp<<<dim3(blocks, blocks), dim3(BLOCK_SIZE, BLOCK_SIZE)>>>(MIN(height, total - t), MatrixPower, MatrixTemp[src], MatrixTemp[dst], cols, rows, borderCols, 0.5f);
  }
  cudaMemcpy(temp, MatrixTemp[dst], sizeof(float) * size, cudaMemcpyDeviceToHost);
  for (t = 0; t < total; t++) {
    for (i = 0; i < size; i++) {
      int y = i / cols, x = i % cols;
      float n = ref[y > 0 ? i - cols : i], s = ref[y < rows - 1 ? i + cols : i], w = ref[x > 0 ? i - 1 : i], e = ref[x < cols - 1 ? i + 1 : i];
      next[i] = ref[i] + 0.5f * (power[i] + (s + n - 2.0 * ref[i]) * CAP + (e + w - 2.0 * ref[i]) * CAP);
    }
    memcpy(ref, next, size * sizeof(float));
  }
  char str[STR_SIZE] = "/dev/null";
  FILE *fp;
  if ((fp = fopen(str, "w")) == 0) fatal("The file was not opened");
  for (i = 0; i < size; i++) sprintf(str, "%d\t%g\n", i, temp[i]), fputs(str, fp), worst = fmaxf(worst, fabsf(temp[i] - ref[i]));
  fclose(fp);
  printf("Ending simulation: max difference %.4f\n", worst);
  return worst > 0.01f;
}
