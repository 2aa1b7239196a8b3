// says: ^hidden units ok, weights ok$
// A layer of a network forward and back: powers of two by pow and log2, arrays of float in shared memory, integers as indices.
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#define WIDTH 16
#define HEIGHT 16
#define ETA 0.3f
#define MOMENTUM 0.3f
#define ABS(x) (((x) > 0.0) ? (x) : (-(x)))
__global__ void layerforward(float *input_cuda, float *output_hidden_cuda, float *input_hidden_cuda, float *hidden_partial_sum, int in, int hid) {
  int by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  int index = (hid + 1) * HEIGHT * by + (hid + 1) * ty + tx + 1 + (hid + 1), index_in = HEIGHT * by + ty + 1;
  __shared__ float input_node[HEIGHT];
  __shared__ float weight_matrix[HEIGHT][WIDTH];
  if (tx == 0) input_node[ty] = input_cuda[index_in];
  __syncthreads();
  weight_matrix[ty][tx] = input_hidden_cuda[index];
  __syncthreads();
  weight_matrix[ty][tx] = weight_matrix[ty][tx] * input_node[ty];
  __syncthreads();
  for (int i = 1; i <= __log2f(HEIGHT); i++) {
    int power_two = __powf(2, i);
    if (ty % power_two == 0) weight_matrix[ty][tx] = weight_matrix[ty][tx] + weight_matrix[ty + power_two / 2][tx];
    __syncthreads();
  }
  input_hidden_cuda[index] = weight_matrix[ty][tx];
  __syncthreads();
  if (tx == 0) hidden_partial_sum[by * hid + ty] = weight_matrix[tx][ty];
}
__global__ void adjust_weights(float *delta, int hid, float *ly, int in, float *w, float *oldw) {
  int by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  int index = (hid + 1) * HEIGHT * by + (hid + 1) * ty + tx + 1 + (hid + 1), index_y = HEIGHT * by + ty + 1, index_x = tx + 1;
  w[index] += ((ETA * delta[index_x] * ly[index_y]) + (MOMENTUM * oldw[index]));
  oldw[index] = ((ETA * delta[index_x] * ly[index_y]) + (MOMENTUM * oldw[index]));
  __syncthreads();
  if (ty == 0 && by == 0) {
    w[index_x] += ((ETA * delta[index_x]) + (MOMENTUM * oldw[index_x]));
    oldw[index_x] = ((ETA * delta[index_x]) + (MOMENTUM * oldw[index_x]));
  }
}
float squash(float x) { return (1.0 / (1.0 + exp(-x))); }
int main() {
  const int in = 64, hid = 16, blocks = in / 16;
  size_t wn = (in + 1) * (hid + 1);
  float *input = (float *)malloc((in + 1) * 4), *w = (float *)malloc(wn * 4), *prev = (float *)calloc(wn, 4), *partial = (float *)malloc(blocks * WIDTH * 4), *back = (float *)malloc(wn * 4), delta[17];
  for (int i = 0; i <= in; i++) input[i] = (float)rand() / RAND_MAX;
  for (size_t i = 0; i < wn; i++) w[i] = (float)rand() / RAND_MAX - 0.5f;
  for (int i = 0; i <= hid; i++) delta[i] = 0.01f * i;
  float *d_in, *d_out, *d_w, *d_partial, *d_delta, *d_prev;
  cudaMalloc((void **)&d_in, (in + 1) * sizeof(float));
  cudaMalloc((void **)&d_out, (hid + 1) * sizeof(float));
  cudaMalloc((void **)&d_w, wn * sizeof(float));
  cudaMalloc((void **)&d_partial, blocks * WIDTH * sizeof(float));
  cudaMemcpy(d_in, input, (in + 1) * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_w, w, wn * sizeof(float), cudaMemcpyHostToDevice);
  dim3 grid(1, blocks), threads(16, 16);
  layerforward<<<grid, threads>>>(d_in, d_out, d_w, d_partial, in, hid);
  cudaThreadSynchronize();
  cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) {
    printf("bpnn kernel error: %s\n", cudaGetErrorString(error));
    exit(EXIT_FAILURE);
  }
  cudaMemcpy(partial, d_partial, blocks * WIDTH * sizeof(float), cudaMemcpyDeviceToHost);
  int bad = 0, badw = 0;
  for (int j = 1; j <= hid; j++) {
    float sum = 0.0, want = 0;
    for (int k = 0; k < blocks; k++) sum += partial[k * hid + j - 1];
    for (int i = 1; i <= in; i++) want += w[i * (hid + 1) + j] * input[i];
    bad += ABS(squash(sum) - squash(want)) > 1e-4;
  }
  cudaMalloc((void **)&d_delta, (hid + 1) * sizeof(float));
  cudaMalloc((void **)&d_prev, wn * sizeof(float));
  cudaMemcpy(d_delta, delta, (hid + 1) * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_prev, prev, wn * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_w, w, wn * sizeof(float), cudaMemcpyHostToDevice);
  adjust_weights<<<grid, threads>>>(d_delta, hid, d_in, in, d_w, d_prev);
  cudaMemcpy(back, d_w, wn * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i <= in; i++)
    for (int j = 1; j <= hid; j++) badw += ABS(back[i * (hid + 1) + j] - (w[i * (hid + 1) + j] + ETA * delta[j] * (i ? input[i] : 1))) > 1e-5;
  printf("hidden units %s, weights %s\n", bad ? "WRONG" : "ok", badw ? "WRONG" : "ok");
  return bad || badw;
}
