// prints: grid barrier 0 wrong
// prints: last block 523776, one float 4096
// prints: found 1, look-back 0 wrong
// prints: handed on 1000 in one block
// Flags without atomics, as programs before cuda::atomic have them: barriers of the grid, blocks that look back, warps that hand on.
#include <cstdio>

__device__ volatile int arrived[16], go;
__device__ void gridBarrier(int turn) {  // of resident blocks, with a flag each
  __threadfence();
  __syncthreads();
  if (blockIdx.x == 0) {
    if (threadIdx.x < gridDim.x && threadIdx.x > 0)
      while (arrived[threadIdx.x] < turn) {
      }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) go = turn;
  } else if (threadIdx.x == 0) {
    arrived[blockIdx.x] = turn;
    while (go < turn) {
    }
    __threadfence();
  }
  __syncthreads();
}
__global__ void relax(float *a, float *b, int n, int turns) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int t = 1; t <= turns; t++) {
    b[i] = (a[(i + 1) % n] + a[(i + n - 1) % n]) * 0.5f;
    gridBarrier(t);
    float *const other = a;
    a = b, b = other;
  }
}

__device__ unsigned blocksDone;
__global__ void sumAll(const int *in, volatile int *sums, int *out) {
  __shared__ int part[128];
  __shared__ bool last;
  part[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  for (int d = 64; d > 0; d /= 2) {
    __syncthreads();
    if (threadIdx.x < d) part[threadIdx.x] += part[threadIdx.x + d];
  }
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = part[0];
    __threadfence();
    last = atomicInc(&blocksDone, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int total = 0;
    for (int i = 0; i < gridDim.x; i++) total += sums[i];
    *out = total;
    blocksDone = 0;
  }
}

// A lock with a volatile look before each try.
__device__ int taken;
__global__ void addUnderLock(float *sum) {
  if (threadIdx.x % 32 != 0) return;
  for (int i = 0; i < 32; i++) {
    do {
      while (*(volatile int *)&taken) {
      }
    } while (atomicCAS(&taken, 0, 1) != 0);
    __threadfence();
    *sum += 1;
    __threadfence();
    atomicExch(&taken, 0);
  }
}

__global__ void search(const int *in, int n, int wanted, volatile int *found) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    if (*found) return;
    if (in[i] % 1000 == wanted) *found = 1;
  }
}

// Value and state in one word, by blocks in the order of their tickets.
__global__ void countBefore(int *before, volatile unsigned long long *states, unsigned *ticket) {
  if (threadIdx.x != 0) return;
  const unsigned mine = atomicAdd(ticket, 1), own = mine % 7;
  unsigned sum = 0;
  if (mine > 0) {
    unsigned long long state;
    do state = states[mine - 1];
    while (state >> 32 == 0);
    sum = unsigned(state);
  }
  states[mine] = 1ull << 32 | (sum + own);
  before[mine] = sum;
}

// One warp gives to another, through shared memory.
__global__ void handOn(int *out, int rounds) {
  __shared__ volatile int full, item;
  if (threadIdx.x == 0) full = 0;
  __syncthreads();
  if (threadIdx.x == 32)
    for (int i = 0; i < rounds; i++) {
      while (full) {
      }
      __threadfence_block();
      item = 1;
      __threadfence_block();
      full = 1;
    }
  int sum = 0;
  if (threadIdx.x == 0) {
    for (int i = 0; i < rounds; i++) {
      while (!full) {
      }
      __threadfence_block();
      sum += item;
      __threadfence_block();
      full = 0;
    }
    *out = sum;
  }
}

int main() {
  const int n = 1024, turns = 6;
  float *a, *b;
  cudaMallocManaged(&a, n * sizeof *a);
  cudaMallocManaged(&b, n * sizeof *b);
  static float x[n], y[n];
  for (int i = 0; i < n; i++) a[i] = x[i] = float(i % 13);
  relax<<<8, 128>>>(a, b, n, turns);
  cudaDeviceSynchronize();
  for (int t = 0; t < turns; t++) {
    for (int i = 0; i < n; i++) y[i] = (x[(i + 1) % n] + x[(i + n - 1) % n]) * 0.5f;
    for (int i = 0; i < n; i++) x[i] = y[i];
  }
  int wrong = 0;
  for (int i = 0; i < n; i++) wrong += a[i] != x[i];
  printf("grid barrier %d wrong\n", wrong);

  int *in, *small;
  unsigned long long *states;
  cudaMallocManaged(&in, n * sizeof *in);
  cudaMalloc(&small, 3 * sizeof(int));
  cudaMemset(small, 0, 3 * sizeof(int));
  cudaMallocManaged(&states, 64 * sizeof *states);
  for (int i = 0; i < n; i++) in[i] = i;
  for (int i = 0; i < 64; i++) states[i] = 0;
  int *sums, *total;
  float *one;
  cudaMallocManaged(&sums, 64 * sizeof(int));
  cudaMallocManaged(&total, sizeof(int));
  cudaMallocManaged(&one, sizeof(float));
  *one = 0;
  sumAll<<<8, 128>>>(in, sums, total);
  addUnderLock<<<32, 128>>>(one);
  cudaDeviceSynchronize();
  printf("last block %d, one float %g\n", *total, *one);

  int *found;
  cudaMallocManaged(&found, sizeof(int));
  *found = 0;
  search<<<4, 64>>>(in, n, 300, found);
  countBefore<<<64, 32>>>(sums, states, (unsigned *)small);
  cudaDeviceSynchronize();
  wrong = 0;
  for (int i = 0, sum = 0; i < 64; sum += i++ % 7) wrong += sums[i] != sum;
  printf("found %d, look-back %d wrong\n", *found, wrong);

  handOn<<<1, 64>>>(total, 1000);
  cudaDeviceSynchronize();
  printf("handed on %d in one block\n", *total);
}
