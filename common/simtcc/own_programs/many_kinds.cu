// Kernels of many kinds, small: what rules say that ptxas makes of them is compared with what it
// makes (gpu_code_test.cpp). All of them can be launched with the same arrays. Long, as a list is:
// each kernel stands for itself, and main() launches all.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#define KERNEL(name)                                                                               \
  __global__ void name(const int* __restrict__ ints, const float* __restrict__ floats, float* out, \
                       int n)

__device__ int place() { return int(blockIdx.x * blockDim.x + threadIdx.x); }

KERNEL(scaled) {
  const int i = place();
  if (i < n) out[i] = 2.5f * floats[i] + 1;
}
KERNEL(lineStencil) {
  __shared__ float line[128 + 8];
  const int i = place(), t = int(threadIdx.x);
  line[t + 4] = i < n ? floats[i] : 0;
  if (t < 4) {
    line[t] = i >= 4 ? floats[i - 4] : 0;
    line[t + 132] = i + 128 < n ? floats[i + 128] : 0;
  }
  __syncthreads();
  float sum = 0;
  for (int k = -4; k <= 4; ++k) sum += line[t + 4 + k] * float(5 - abs(k));
  if (i < n) out[i] = sum;
}
KERNEL(planeStencil) {
  const int width = 512, x = place() % width, y = place() / width;
  if (x < 1 || y < 1 || x >= width - 1 || y >= n / width - 1) return;
  const float* const at = floats + y * width + x;
  out[y * width + x] = 0.5f * at[0] + 0.125f * (at[-1] + at[1] + at[-width] + at[width]);
}
KERNEL(spaceStencil) {
  const int i = place(), x = i & 31, y = i >> 5 & 31, z = i >> 10;
  if (x > 0 && x < 31 && y > 0 && y < 31 && z > 0 && z < n / 1024 - 1)
    out[i] = floats[i] * 6 - floats[i - 1] - floats[i + 1] - floats[i - 32] - floats[i + 32] -
             floats[i - 1024] - floats[i + 1024];
}
KERNEL(scanOfABlock) {
  __shared__ int sums[128];
  const int t = int(threadIdx.x);
  sums[t] = ints[place()];
  for (int step = 1; step < 128; step *= 2) {
    __syncthreads();
    const int before = t >= step ? sums[t - step] : 0;
    __syncthreads();
    sums[t] += before;
  }
  out[place()] = float(sums[t]);
}
KERNEL(scanByShuffles) {
  int value = ints[place()];
  for (int step = 1; step < 32; step *= 2) {
    const int before = __shfl_up_sync(~0u, value, step);
    if (int(threadIdx.x % 32) >= step) value += before;
  }
  out[place()] = float(value);
}
KERNEL(treeSum) {
  __shared__ float sums[128];
  const unsigned t = threadIdx.x;
  sums[t] = floats[place()];
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) sums[t] += sums[t + half];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}
KERNEL(gridStrideSum) {
  float sum = 0;
  for (int i = place(); i < n; i += int(gridDim.x * blockDim.x)) sum += floats[i];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
  if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}
KERNEL(sharedHistogram) {
  __shared__ unsigned bins[256];
  for (unsigned b = threadIdx.x; b < 256; b += blockDim.x) bins[b] = 0;
  __syncthreads();
  for (int i = place(); i < n; i += int(gridDim.x * blockDim.x))
    atomicAdd(&bins[ints[i] & 255], 1u);
  __syncthreads();
  for (unsigned b = threadIdx.x; b < 256; b += blockDim.x)
    if (bins[b] > 0) atomicAdd(out + b, float(bins[b]));
}
KERNEL(oddEvenSort) {
  __shared__ int keys[128];
  const int t = int(threadIdx.x);
  keys[t] = ints[place()];
  for (int turn = 0; turn < 128; ++turn) {
    __syncthreads();
    const int low = t / 2 * 2 + turn % 2;
    if (t % 2 == 0 && low + 1 < 128 && keys[low] > keys[low + 1]) {
      const int kept = keys[low];
      keys[low] = keys[low + 1];
      keys[low + 1] = kept;
    }
  }
  __syncthreads();
  out[place()] = float(keys[t]);
}
KERNEL(bitonicSort) {
  __shared__ int keys[128];
  const int t = int(threadIdx.x);
  keys[t] = ints[place()];
  for (int size = 2; size <= 128; size *= 2)
    for (int stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const int other = t ^ stride;
      if (other > t && (keys[t] > keys[other]) == ((t & size) == 0)) {
        const int kept = keys[t];
        keys[t] = keys[other];
        keys[other] = kept;
      }
    }
  __syncthreads();
  out[place()] = float(keys[t]);
}
KERNEL(productNaive) {
  const int side = 128, row = place() / side % side, column = place() % side;
  float sum = 0;
  for (int k = 0; k < side; ++k) sum += floats[row * side + k] * floats[k * side + column];
  out[row * side + column] = sum;
}
KERNEL(productAnySide) {
  const int side = n / 1024, row = place() / side % side, column = place() % side;
  float sum = 0;
  for (int k = 0; k < side; ++k) sum += floats[row * side + k] * floats[k * side + column];
  out[row * side + column] = sum;
}
KERNEL(productTiles) {
  __shared__ float a[16][16], b[16][16];
  const int x = int(threadIdx.x % 16), y = int(threadIdx.x / 16 % 16), side = 256;
  const int row = int(blockIdx.x) * 8 % side + y % 8, column = x;
  float sum = 0;
  for (int tile = 0; tile < side; tile += 16) {
    a[y][x] = floats[row * side + tile + x];
    b[y][x] = floats[(tile + y) * side + column];
    a[y + 8][x] = floats[row * side + tile + x + 8];
    b[y + 8][x] = floats[(tile + y + 8) * side + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += a[y][k] * b[k][x];
    __syncthreads();
  }
  out[row * side + column] = sum;
}
KERNEL(productRegisterTile) {
  __shared__ float a[8][64], b[8][64];
  const int t = int(threadIdx.x), x = t % 16, y = t / 16, side = 128;
  float sums[8][4] = {};
  for (int tile = 0; tile < side; tile += 8) {
    for (int k = t; k < 512; k += 128) {
      a[k / 64][k % 64] = floats[(k % 64) * side + tile + k / 64];
      b[k / 64][k % 64] = floats[(tile + k / 64) * side + k % 64];
    }
    __syncthreads();
    for (int k = 0; k < 8; ++k)
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 4; ++j) sums[i][j] += a[k][y * 8 + i] * b[k][x * 4 + j];
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 4; ++j) out[(y * 8 + i) * side + x * 4 + j] = sums[i][j];
}
KERNEL(transposeTile) {
  __shared__ float tile[32][33];
  const int x = int(threadIdx.x % 32), y = int(threadIdx.x / 32), side = 256;
  const int column = int(blockIdx.x) % 8 * 32, row = int(blockIdx.x) / 8 % 8 * 32;
  for (int k = 0; k < 32; k += 4) tile[y + k][x] = floats[(row + y + k) * side + column + x];
  __syncthreads();
  for (int k = 0; k < 32; k += 4) out[(column + y + k) * side + row + x] = tile[x][y + k];
}
KERNEL(longHashes) {
  unsigned long long h = 1469598103934665603ull;
  for (int k = 0; k < 8; ++k) {
    h ^= static_cast<unsigned long long>(ints[(place() + k * 37) % n]);
    h *= 1099511628211ull;
    h ^= h >> 29;
  }
  out[place()] = float(h >> 40);
}
KERNEL(longIndices) {
  const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x, all = n;
  long long sum = 0;
  for (long long k = i; k < all; k += (long long)gridDim.x * blockDim.x) sum += ints[k] * k;
  if (i < all) out[i] = float(sum);
}
KERNEL(divisions) {
  const int i = place();
  const int a = ints[i] + 1000, b = ints[n - 1 - i] % 17 + 3;
  out[i] = float(a / b + a % b);
}
KERNEL(divisionsByConstants) {
  const int i = place(), a = ints[i];
  out[i] = float(a / 7 + a % 10 + a / 16 + a % 32 + int(unsigned(a) / 12u));
}
KERNEL(longDivisions) {
  const long long a = ints[place()] * 1000003ll, b = ints[n - 1 - place()] % 1001 + 7;
  out[place()] = float(a / b);
}
KERNEL(floatDivisions) {
  const int i = place();
  out[i] = floats[i] / (floats[n - 1 - i] + 3) + sqrtf(floats[i] + 1);
}
KERNEL(fastMathematics) {
  const int i = place();
  out[i] =
      __expf(floats[i]) * __sinf(floats[i]) + rsqrtf(floats[i] + 1) + __fdividef(1, floats[i] + 2);
}
KERNEL(mathematics) {
  const int i = place();
  out[i] = expf(-floats[i]) + logf(floats[i] + 2) + tanhf(floats[i]);
}
KERNEL(sines) {
  const int i = place();
  out[i] = sinf(floats[i]) * cosf(2 * floats[i]) + powf(floats[i] + 1, 1.5f);
}
KERNEL(doubles) {
  double x = floats[place()], sum = 0;
  for (int k = 1; k <= 16; ++k) sum += x / k + sqrt(x + k);
  out[place()] = float(sum);
}
KERNEL(doublesChain) {
  double x = floats[place()], y = 1;
  for (int k = 0; k < 64; ++k) y = y * x + 0.5;
  out[place()] = float(y);
}
KERNEL(predicated) {
  const int i = place();
  float v = floats[i];
  if (ints[i] & 1) v *= 3;
  if (ints[i] & 2) v += 7;
  if (ints[i] & 4) v = v * v;
  if (v > 10) v -= 10;
  out[i] = v < 0 ? -v : v;
}
KERNEL(divergent) {
  const int i = place();
  float v = floats[i];
  if (threadIdx.x % 2 == 0) {
    for (int k = 0; k < 10; ++k) v = v * 0.5f + floats[(i + k) % n];
  } else {
    for (int k = 0; k < 20; ++k) v = fmaxf(v, floats[(i + 3 * k) % n]);
  }
  out[i] = v;
}
KERNEL(collatz) {
  unsigned v = unsigned(ints[place()]) + 1, steps = 0;
  while (v != 1 && steps < 50) {
    v = v % 2 == 0 ? v / 2 : 3 * v + 1;
    ++steps;
  }
  out[place()] = float(steps);
}
KERNEL(mandelbrotSet) {
  const float a = float(place() % 64) / 32 - 1.5f, b = float(place() / 64 % 64) / 32 - 1;
  float x = 0, y = 0;
  int k = 0;
  for (; k < 100 && x * x + y * y < 4; ++k) {
    const float next = x * x - y * y + a;
    y = 2 * x * y + b;
    x = next;
  }
  out[place()] = float(k);
}
KERNEL(binarySearch) {
  const int key = ints[place()];
  int low = 0, high = n;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (floats[middle] < float(key))
      low = middle + 1;
    else
      high = middle;
  }
  out[place()] = float(low);
}
KERNEL(unrolledBy8) {
  float sum = 0;
#pragma unroll 8
  for (int k = 0; k < n / 512; ++k) sum += floats[k * 512 + place() % 512];
  out[place()] = sum;
}
KERNEL(eightLoads) {
  const int i = int(blockIdx.x) * 1024 + int(threadIdx.x);
  float sum = 0;
  if (i + 7 * 128 < n)
    for (int k = 0; k < 8; ++k) sum += floats[i + k * 128];
  out[place()] = sum;
}
KERNEL(float4Copy) {
  const int i = place();
  if (i < n / 4) {
    float4 v = reinterpret_cast<const float4*>(floats)[i];
    v.x += 1, v.y *= 2, v.z -= v.x, v.w = v.y;
    reinterpret_cast<float4*>(out)[i] = v;
  }
}
KERNEL(halfPairs) {
  const int i = place();
  const __half2 a = reinterpret_cast<const __half2*>(floats)[i], b = __float2half2_rn(0.5f);
  __half2 v = __hfma2(a, b, b);
  for (int k = 0; k < 8; ++k) v = __hadd2(__hmul2(v, a), b);
  reinterpret_cast<__half2*>(out)[i] = v;
}
KERNEL(bytesOfWords) {
  const unsigned char* const bytes = reinterpret_cast<const unsigned char*>(ints);
  int sum = 0;
  for (int k = 0; k < 16; ++k) sum += bytes[place() * 16 % n + k];
  out[place()] = float(sum + __popc(unsigned(sum)) + __clz(sum) + int(__brev(unsigned(sum)) >> 28));
}
KERNEL(atomicsOfAll) {
  const int i = place();
  atomicMax(reinterpret_cast<int*>(out) + (ints[i] & 63), ints[i]);
  if (atomicAdd(reinterpret_cast<unsigned*>(out) + 64, 1u) % 2 == 0)
    atomicCAS(reinterpret_cast<int*>(out) + 65 + (i & 31), 0, i);
}
KERNEL(ballots) {
  const int i = place();
  const unsigned odd = __ballot_sync(~0u, ints[i] & 1);
  const int rank = __popc(odd & ((1u << (threadIdx.x % 32)) - 1));
  if (ints[i] & 1) out[i / 32 * 32 + rank] = floats[i];
}
KERNEL(localArray) {
  float window[16];
  for (int k = 0; k < 16; ++k) window[k] = floats[(place() + k) % n];
  float sum = 0;
  for (int k = 0; k < 16; ++k) sum += window[ints[place() + k] & 15];
  out[place()] = sum;
}
struct Body {
  float x, y, z, mass;
};
KERNEL(bodies) {
  const Body* const all = reinterpret_cast<const Body*>(floats);
  const Body own = all[place() % 256];
  float fx = 0, fy = 0, fz = 0;
  for (int k = 0; k < 256; ++k) {
    const Body other = all[k];
    const float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
    const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
    const float force = other.mass * inverse * inverse * inverse;
    fx += dx * force, fy += dy * force, fz += dz * force;
  }
  out[place()] = fx + fy + fz;
}
KERNEL(rowsOfACompressedMatrix) {
  const int row = place(), first = row * 3 % (n - 64), last = first + (ints[row] & 31);
  float sum = 0;
  for (int k = first; k < last; ++k) sum += floats[k] * floats[ints[k] % n];
  out[row] = sum;
}
KERNEL(cases) {
  const int i = place();
  float v = floats[i];
  switch (ints[i] & 7) {
    case 0: v += 1; break;
    case 1: v *= 2; break;
    case 2: v = v * v; break;
    case 3: v = 1 / (v + 1); break;
    case 4: v -= 3; break;
    case 5: v = sqrtf(v + 2); break;
    default: v = 0;
  }
  out[i] = v;
}
KERNEL(randomWalk) {
  unsigned state = unsigned(place()) * 747796405u + 2891336453u;
  int at = 0;
  for (int k = 0; k < 32; ++k) {
    state ^= state << 13, state ^= state >> 17, state ^= state << 5;
    at += (state & 1) ? 1 : -1;
  }
  out[place()] = float(at);
}
KERNEL(softmaxOfRows) {
  const int lane = int(threadIdx.x % 32), row = place() / 32;
  float most = -1e30f, sum = 0;
  for (int k = lane; k < 128; k += 32) most = fmaxf(most, floats[(row * 128 + k) % n]);
  for (int d = 16; d > 0; d /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, d));
  for (int k = lane; k < 128; k += 32) sum += expf(floats[(row * 128 + k) % n] - most);
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
  for (int k = lane; k < 128; k += 32)
    out[(row * 128 + k) % n] = expf(floats[(row * 128 + k) % n] - most) / sum;
}

int main() {
  constexpr int n = 1 << 17, threads = 128, blocks = 64;
  std::vector<int> numbers(n);
  std::vector<float> values(n);
  unsigned state = 1;
  for (int i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    numbers[i] = int(state >> 22);
    values[i] = float(state >> 8) / float(1 << 24);
  }
  int* ints;
  float *floats, *out;
  cudaMalloc(&ints, n * sizeof(int));
  cudaMalloc(&floats, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(ints, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(floats, values.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  using Kernel = void (*)(const int*, const float*, float*, int);
  const Kernel all[] = {scaled,
                        lineStencil,
                        planeStencil,
                        spaceStencil,
                        scanOfABlock,
                        scanByShuffles,
                        treeSum,
                        gridStrideSum,
                        sharedHistogram,
                        oddEvenSort,
                        bitonicSort,
                        productNaive,
                        productAnySide,
                        productTiles,
                        productRegisterTile,
                        transposeTile,
                        longHashes,
                        longIndices,
                        divisions,
                        divisionsByConstants,
                        longDivisions,
                        floatDivisions,
                        fastMathematics,
                        mathematics,
                        sines,
                        doubles,
                        doublesChain,
                        predicated,
                        divergent,
                        collatz,
                        mandelbrotSet,
                        binarySearch,
                        unrolledBy8,
                        eightLoads,
                        float4Copy,
                        halfPairs,
                        bytesOfWords,
                        atomicsOfAll,
                        ballots,
                        localArray,
                        bodies,
                        rowsOfACompressedMatrix,
                        cases,
                        randomWalk,
                        softmaxOfRows};
  for (const Kernel kernel : all) {
    cudaMemset(out, 0, n * sizeof(float));
    kernel<<<blocks, threads>>>(ints, floats, out, n);
  }
  const cudaError_t end = cudaDeviceSynchronize();
  if (end != cudaSuccess) std::printf("%s\n", cudaGetErrorString(end));
  return end != cudaSuccess;
}
