// Instructions of PTX that programs write by hand.
#include <cstdint>
#include <cstdio>

__device__ __forceinline__ unsigned laneId() {
  unsigned id;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(id));
  return id;
}
__device__ unsigned below() {
  unsigned mask;
  asm("mov.u32 %0, %lanemask_lt;" : "=r"(mask));
  return mask;
}
__device__ uint64_t now() {
  uint64_t time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time) : : "memory");
  return time;
}
__global__ void registers(int *right) {
  unsigned warp, sm, sms, x, block;
  asm("mov.u32 %0, %%warpid;" : "=r"(warp));
  asm("mov.u32 %0, %%smid;" : "=r"(sm));
  asm("mov.u32 %0, %%nsmid;" : "=r"(sms));
  asm("mov.u32 %0, %%tid.x;\n\t"
      "mov.u32 %1, %%ctaid.x;"
      : "=r"(x), "=r"(block));
  const bool good = laneId() == threadIdx.x % 32 && __popc(below()) == laneId() &&
                    warp == threadIdx.x / 32 && sm < sms && x == threadIdx.x &&
                    block == blockIdx.x && now() > 0;
  if (good) atomicAdd(right, 1);
}

__global__ void bits(unsigned *out) {
  const unsigned word = 0x12345678;
  const int minus = -5;
  int field;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(out[0]) : "r"(word), "r"(8), "r"(12));
  asm("bfe.s32 %0, %1, 0, 3;" : "=r"(field) : "r"(minus));
  out[1] = unsigned(field);
  asm("bfi.b32 %0, %1, %2, 4, 8;" : "=r"(out[2]) : "r"(0xabu), "r"(word));
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(out[3]) : "r"(0xf0u), "r"(0xccu), "r"(0xaau));
  asm("prmt.b32 %0, %1, %2, 0x0123;" : "=r"(out[4]) : "r"(word), "r"(0));
  asm("shr.u32 %0, %1, 40;" : "=r"(out[5]) : "r"(word));
  asm("mad.lo.u32 %0, %1, %2, %0;" : "+r"(out[5]) : "r"(6u), "r"(7u));
  asm("mul.hi.u32 %0, %1, %1;" : "=r"(out[6]) : "r"(0x80000000u));
  asm("bfind.u32 %0, %1;" : "=r"(out[7]) : "r"(word));
  unsigned long long wide;
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(wide) : "r"(0xffffffffu), "r"(2u));
  out[8] = unsigned(wide >> 32);
  asm("{\n\t"
      "shl.b32 %0, %1, 4; // times 16\n\t"
      "}" : "=r"(out[9]) : "r"(3));
}
__global__ void numbers(const float *in, float *out) {
  const int i = threadIdx.x;
  float root, bits;
  float4 four;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(in[1]));
  asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(out[0]) : "f"(in[2]), "f"(root), "f"(1.0f));
  asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(out[1]) : "l"(in + 3));
  asm volatile("ld.global.cs.v4.f32 {%0, %1, %2, %3}, [%4 + 16];"
               : "=f"(four.x), "=f"(four.y), "=f"(four.z), "=f"(four.w)
               : "l"(in));
  asm volatile("st.global.f32 [%0], %1;" : : "l"(out + 2), "f"(four.x + four.w) : "memory");
  asm("mov.b32 %0, %1;" : "=f"(bits) : "r"(0x40490fdb));
  out[3] = bits;
  asm volatile("membar.gl;" ::: "memory");
  asm volatile("bar.sync 0;");
  if (i > 0) asm volatile("trap;");
  asm volatile("" ::: "memory");
}
// Fields of bits at every place and of every length, one bit after the other.
__global__ void fields(int *wrong) {
  const unsigned into = 0xa5c3f00f, lane = threadIdx.x;
  const unsigned word = 0x9e3779b9u * (lane + 1);
  for (unsigned at = 0; at < 40; ++at)
    for (unsigned length = 0; length < 40; ++length) {
      unsigned cut, put, expectedCut = 0, expectedSigned = 0, expectedPut = into;
      int signedCut;
      asm("bfe.u32 %0, %1, %2, %3;" : "=r"(cut) : "r"(word), "r"(at), "r"(length));
      asm("bfe.s32 %0, %1, %2, %3;" : "=r"(signedCut) : "r"(int(word)), "r"(at), "r"(length));
      asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(put) : "r"(word), "r"(into), "r"(at), "r"(length));
      const unsigned top = at + length - 1 < 31 ? at + length - 1 : 31;
      for (unsigned i = 0; i < 32 && length > 0; ++i) {
        const bool isGiven = i < length && at + i < 32;
        const unsigned bit = isGiven ? word >> (at + i) & 1 : 0;
        expectedCut |= bit << i;
        expectedSigned |= (isGiven ? bit : word >> top & 1) << i;
        if (isGiven) expectedPut = (expectedPut & ~(1u << (at + i))) | (word >> i & 1) << (at + i);
      }
      if (cut != expectedCut || unsigned(signedCut) != expectedSigned || put != expectedPut)
        atomicAdd(wrong, 1);
    }
  int sum, product;
  asm("add.s32 %0, %1, %1;" : "=r"(sum) : "r"(0x7fffffff));
  asm("mad.lo.s32 %0, %1, %1, %1;" : "=r"(product) : "r"(0x7fffffff));
  unsigned chosen;
  asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(chosen) : "r"(word), "r"(into), "r"(lane));
  const unsigned majority = (word & into) | (word & lane) | (into & lane);
  if (sum != -2 || product != -2147483647 - 1 || chosen != majority) atomicAdd(wrong, 1000000);
}
// A flag that is released and acquired orders what was written before.
__global__ void flag(int *data, unsigned *ready) {
  unsigned seen = 0;
  if (blockIdx.x == 0) {
    *data = 42;
    asm volatile("st.release.gpu.global.u32 [%0], %1;" : : "l"(ready), "r"(1u) : "memory");
  } else {
    while (seen == 0)
      asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(ready) : "memory");
    printf("%d\n", *data);
  }
}

int main() {
  int *right;
  unsigned *words;
  float *in, *out;
  cudaMallocManaged(&right, sizeof(int));
  cudaMallocManaged(&words, 10 * sizeof(unsigned));
  cudaMallocManaged(&in, 8 * sizeof(float));
  cudaMallocManaged(&out, 4 * sizeof(float));
  *right = 0;
  registers<<<3, 64>>>(right);
  bits<<<1, 1>>>(words);
  for (int i = 0; i < 8; ++i) in[i] = i * i;
  numbers<<<1, 1>>>(in, out);
  cudaDeviceSynchronize();
  printf("%d\n", *right);
  for (int i = 0; i < 10; ++i) printf("%x ", words[i]);
  printf("|\n%g %g %g %g\n", out[0], out[1], out[2], out[3]);
  *right = 0;
  fields<<<1, 32>>>(right);
  cudaDeviceSynchronize();
  printf("%d wrong\n", *right);
  words[0] = 0;
  flag<<<2, 1>>>(right, words);
  cudaDeviceSynchronize();
}
// prints: 192
// prints: 456 3 12345ab8 96 78563412 2a 40000000 1c 1 30 |
// prints: 5 9 65 3.14159
// prints: 0 wrong
// prints: 42
