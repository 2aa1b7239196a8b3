// prints: PASS
// Tensor cores by hand: mma.sync of half, bfloat16, tf32, bytes and doubles on registers, ldmatrix as it is and turned, stmatrix; mbarrier in shared memory, waited for by phase and, with labels, by parity.
#include <cstdio>
#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
__device__ void mma_bf16(float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) { asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};\n" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1])); }
__device__ void mma_s8(int (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) { asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};\n" : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1])); }
__device__ void mma_tf32(float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) { asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};\n" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1])); }
__device__ void mma_f64(double (&d)[2], double a, double b) { asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};" : "+d"(d[0]), "+d"(d[1]) : "d"(a), "d"(b)); }
__global__ void k(float *o, int *oi, double *od) {
  int l = threadIdx.x; union { __nv_bfloat162 h; uint32_t u; } one; one.h = __floats2bfloat162_rn(1.f, 1.f); uint32_t a[4] = {one.u, one.u, one.u, one.u}, b[2] = {one.u, one.u}; float d[4] = {0, 0, 0, 1}; mma_bf16(d, a, b); o[l * 4] = d[0]; o[l * 4 + 3] = d[3];
  uint32_t ia[4] = {0x01010101, 0x01010101, 0x01010101, 0x01010101}, ib[2] = {0x02020202, 0xff00ff00}; int di[4] = {0, 0, 0, 0}; mma_s8(di, ia, ib); oi[l] = di[0];
  uint32_t ta[4], tb[2]; for (auto &x : ta) asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(x) : "f"(2.f)); for (auto &x : tb) x = __float_as_uint(3.f); float dt[4] = {}; mma_tf32(dt, ta, tb); o[l * 4 + 1] = dt[1]; o[l * 4 + 2] = dt[2];
  double dd[2] = {0, 0}; mma_f64(dd, l / 4 + 1, l / 4 + 1.0); od[l * 2] = dd[0]; od[l * 2 + 1] = dd[1];
}
__global__ void mb(int *out) {
  __shared__ uint64_t bar; __shared__ int data[64]; uint32_t ba = (uint32_t)__cvta_generic_to_shared(&bar);
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(ba), "r"(64)); __syncthreads();
  for (int ph = 0; ph < 3; ph++) { data[threadIdx.x] = threadIdx.x * (ph + 1); uint64_t st; asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(st) : "r"(ba) : "memory"); uint32_t done = 0; while (!done) asm volatile("{\n .reg .pred p;\n mbarrier.test_wait.shared.b64 p, [%1], %2;\n selp.b32 %0, 1, 0, p;\n}" : "=r"(done) : "r"(ba), "l"(st) : "memory"); int v = data[63 - threadIdx.x]; if (v != (63 - (int)threadIdx.x) * (ph + 1)) out[1] = 1; __syncthreads(); }
  if (threadIdx.x == 0) { asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(ba)); out[0] = 9; }
}
__global__ void gemm(const half *A, const half *B, float *C) { // A 16x16 row, B 16x8 (k x n) row
  __shared__ __align__(16) half sa[16 * 16], sb[16 * 8]; int l = threadIdx.x; for (int i = l; i < 256; i += 32) sa[i] = A[i]; for (int i = l; i < 128; i += 32) sb[i] = B[i]; __syncwarp();
  uint32_t a[4], b[2]; float c[4] = {0, 0, 0, 0};
  uint32_t pa = (uint32_t)__cvta_generic_to_shared(&sa[(l % 16) * 16 + (l / 16) * 8]); asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3]) : "r"(pa));
  uint32_t pb = (uint32_t)__cvta_generic_to_shared(&sb[(l % 16) * 8]); asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(b[0]), "=r"(b[1]) : "r"(pb));
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};" : "=f"(c[0]), "=f"(c[1]), "=f"(c[2]), "=f"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
  int g = l / 4, t = l % 4; C[g * 8 + t * 2] = c[0]; C[g * 8 + t * 2 + 1] = c[1]; C[(g + 8) * 8 + t * 2] = c[2]; C[(g + 8) * 8 + t * 2 + 1] = c[3];
}
__global__ void turn(const half *in, half *out) {  // four tiles of 8 x 8, each transposed
  __shared__ __align__(16) half tiles[256];
  const int l = threadIdx.x;
  for (int i = l; i < 256; i += 32) tiles[i] = in[i];
  __syncwarp();
  const uint32_t row = (uint32_t)__cvta_generic_to_shared(&tiles[l * 8]);
  uint32_t r[4];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(row));
  __syncwarp();
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(row), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]) : "memory");
  __syncwarp();
  for (int i = l; i < 256; i += 32) out[i] = tiles[i];
}
__device__ __forceinline__ void waitParity(uint32_t bar, uint32_t parity) {
  asm volatile(
      "{\n"
      ".reg .pred P1;\n"
      "LAB_WAIT:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
      "@P1 bra.uni DONE;\n"
      "bra.uni LAB_WAIT;\n"
      "DONE:\n"
      "}\n" ::"r"(bar), "r"(parity));
}
template <int STAGES> __global__ void ring(const int *in, int *out, int n) {  // one warp brings, three take away
  __shared__ uint64_t full[STAGES], empty[STAGES];
  __shared__ int buffer[STAGES][96];
  if (threadIdx.x == 0)
    for (int s = 0; s < STAGES; s++) {
      asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"((uint32_t)__cvta_generic_to_shared(&full[s])), "r"(32));
      asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"((uint32_t)__cvta_generic_to_shared(&empty[s])), "r"(96));
    }
  __syncthreads();
  for (int t = 0; t < n; t++) {
    const int s = t % STAGES, turn = t / STAGES;
    const uint32_t isFull = (uint32_t)__cvta_generic_to_shared(&full[s]), isEmpty = (uint32_t)__cvta_generic_to_shared(&empty[s]);
    if (threadIdx.x < 32) {
      if (turn > 0) waitParity(isEmpty, (turn - 1) & 1);
      for (int i = threadIdx.x; i < 96; i += 32) buffer[s][i] = in[t * 96 + i];
      asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(isFull) : "memory");
    } else {
      waitParity(isFull, turn & 1);
      out[t * 96 + threadIdx.x - 32] = buffer[s][127 - threadIdx.x];
      asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(isEmpty) : "memory");
    }
  }
}
template <class T> T *managed(size_t n) { T *p; cudaMallocManaged(&p, n * sizeof(T)); return p; }
int main() { float *o; int *oi; double *od; cudaMallocManaged(&o, 512); cudaMallocManaged(&oi, 256); cudaMallocManaged(&od, 512); k<<<1, 32>>>(o, oi, od); cudaDeviceSynchronize(); int bad = 0; for (int l = 0; l < 32; l++) { bad += o[l * 4] != 16 || o[l * 4 + 3] != 17 || o[l * 4 + 1] != 48 || o[l * 4 + 2] != 48; bad += oi[l] != 16 * 2 - 8; int r = l / 4 + 1, c = (l % 4) * 2; bad += od[l * 2] != 4 * r * (c + 1) || od[l * 2 + 1] != 4 * r * (c + 2); } oi[0] = oi[1] = 0; mb<<<1, 64>>>(oi); cudaDeviceSynchronize(); bad += oi[0] != 9 || oi[1]; 
  half *a = managed<half>(256), *b = managed<half>(256), *t = managed<half>(256);
  for (int i = 0; i < 256; i++) a[i] = __float2half((i * 7 % 13) - 6), b[i] = __float2half((i * 5 % 11) - 5);
  gemm<<<1, 32>>>(a, b, o);
  cudaDeviceSynchronize();
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 8; j++) {
      float s = 0;
      for (int k = 0; k < 16; k++) s += __half2float(a[i * 16 + k]) * __half2float(b[k * 8 + j]);
      bad += s != o[i * 8 + j];
    }
  turn<<<1, 32>>>(a, t);
  cudaDeviceSynchronize();
  for (int i = 0; i < 256; i++) bad += __half2float(t[i]) != __half2float(a[i / 64 * 64 + i % 8 * 8 + i / 8 % 8]);
  const int tiles = 11;
  int *in = managed<int>(tiles * 96), *out = managed<int>(tiles * 96);
  for (int i = 0; i < tiles * 96; i++) in[i] = i;
  ring<3><<<1, 128>>>(in, out, tiles);
  cudaDeviceSynchronize();
  for (int i = 0; i < tiles * 96; i++) bad += out[i] != i / 96 * 96 + 95 - i % 96;
  puts(bad ? "FAIL" : "PASS"); return bad; }
