// prints: PASS
// Little functions around PTX as programs collect them: caches, bits, carries, conversions, halves, votes, fences, atomics with orders, addresses of shared memory.
#include <cstdio>
#include <cstdint>
__device__ __forceinline__ unsigned laneid() { unsigned r; asm volatile("mov.u32 %0, %%laneid;" : "=r"(r)); return r; }
__device__ __forceinline__ unsigned smid() { unsigned r; asm("mov.u32 %0, %smid;" : "=r"(r)); return r; }
__device__ __forceinline__ unsigned lanemask_lt() { unsigned r; asm("mov.u32 %0, %%lanemask_lt;" : "=r"(r)); return r; }
__device__ __forceinline__ uint64_t gtime() { uint64_t t; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)); return t; }
__device__ __forceinline__ int4 ldnc(const int4 *p) { int4 v; asm volatile("ld.global.nc.L1::no_allocate.v4.s32 {%0,%1,%2,%3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p)); return v; }
__device__ __forceinline__ uint32_t lop3(uint32_t a, uint32_t b, uint32_t c) { uint32_t r; asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ __forceinline__ uint32_t prmt(uint32_t a, uint32_t b, uint32_t s) { uint32_t r; asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(s)); return r; }
__device__ __forceinline__ uint32_t bfe(uint32_t v, uint32_t p, uint32_t l) { uint32_t r; asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(v), "r"(p), "r"(l)); return r; }
__device__ __forceinline__ void bar(int id, int n) { asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory"); }
__device__ __forceinline__ float ex2(float x) { float r; asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x)); return r; }
__device__ __forceinline__ float tanha(float x) { float r; asm("tanh.approx.f32 %0, %1;" : "=f"(r) : "f"(x)); return r; }
__device__ __forceinline__ void red(int *p, int v) { asm volatile("red.global.add.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory"); }
__device__ __forceinline__ int atomadd(int *p, int v) { int o; asm volatile("atom.add.acq_rel.gpu.global.s32 %0, [%1], %2;" : "=r"(o) : "l"(p), "r"(v) : "memory"); return o; }
__device__ __forceinline__ uint32_t mulwide(uint32_t a, uint32_t b) { uint64_t r; asm("mul.wide.u32 %0, %1, %2;" : "=l"(r) : "r"(a), "r"(b)); return r >> 32; }
__device__ uint4 add128(uint4 a, uint4 b) { uint4 r; asm("add.cc.u32 %0, %4, %8;\n\taddc.cc.u32 %1, %5, %9;\n\taddc.cc.u32 %2, %6, %10;\n\taddc.u32 %3, %7, %11;\n\t" : "=r"(r.x), "=r"(r.y), "=r"(r.z), "=r"(r.w) : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b.x), "r"(b.y), "r"(b.z), "r"(b.w)); return r; }
__device__ int elect(int x) { int r; asm volatile("{\n .reg .pred p;\n setp.gt.s32 p, %1, 10;\n selp.s32 %0, 100, 200, p;\n @p add.s32 %0, %0, 1;\n}\n" : "=r"(r) : "r"(x)); return r; }
__global__ void k(const int4 *in, int *out, int *cnt) {
  __shared__ int4 sm[64]; __shared__ int flag;
  unsigned t = threadIdx.x; int4 v = ldnc(in + t);
  uint32_t sa = (uint32_t)__cvta_generic_to_shared(&sm[t]);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(sa), "l"(in + t)); asm volatile("cp.async.commit_group;\n"); asm volatile("cp.async.wait_group 0;\n" ::: "memory"); bar(1, 64);
  int4 w; asm volatile("ld.shared.v4.s32 {%0,%1,%2,%3}, [%4];" : "=r"(w.x), "=r"(w.y), "=r"(w.z), "=r"(w.w) : "r"(sa));
  int ok = 1; ok &= v.x == w.x && v.w == w.w; ok &= laneid() == (t & 31); ok &= lanemask_lt() == (1u << (t & 31)) - 1; ok &= lop3(1, 2, 4) == 7; ok &= prmt(0x03020100, 0x07060504, 0x7531) == 0x07050301; ok &= bfe(0xabcd, 4, 8) == 0xbc; ok &= ex2(3.f) == 8.f; ok &= tanha(0) == 0; ok &= mulwide(0x80000000u, 6) == 3; uint4 s = add128(make_uint4(~0u, ~0u, 1, 0), make_uint4(1, 0, 0, 5)); ok &= s.x == 0 && s.y == 0 && s.z == 2 && s.w == 5; ok &= elect(11) == 101 && elect(3) == 200; ok &= gtime() > 0; ok &= smid() < 200;
  uint32_t b; asm("brev.b32 %0, %1;" : "=r"(b) : "r"(1)); ok &= b == 0x80000000u; asm("clz.b32 %0, %1;" : "=r"(b) : "r"(1)); ok &= b == 31; asm("popc.b32 %0, %1;" : "=r"(b) : "r"(255)); ok &= b == 8; asm("bfind.u32 %0, %1;" : "=r"(b) : "r"(256)); ok &= b == 8; asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(b) : "r"(0x80000001u), "r"(2), "r"(1)); ok &= b == 5; asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(b) : "r"(0x05010a00), "r"(0x01050a01), "r"(0)); ok &= b == 9; asm("sad.u32 %0, %1, %2, %3;" : "=r"(b) : "r"(5), "r"(8), "r"(1)); ok &= b == 4; asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(b) : "r"(5), "r"(8), "r"(1)); ok &= b == 41; asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(b) : "r"(0xf), "r"(0), "r"(4), "r"(4)); ok &= b == 0xf0; asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(b) : "r"(0x01010101), "r"(0x01020304), "r"(0)); ok &= b == 10;
  float f; asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(f) : "f"(4.f)); ok &= f == .25f; asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(f) : "f"(2.f), "f"(3.f), "f"(4.f)); ok &= f == 10; asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(b) : "f"(2.9f)); ok &= b == 2; unsigned short h; asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(1.f)); ok &= h == 0x3c00; asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(b) : "f"(1.f), "f"(2.f)); ok &= b == 0x3f804000; asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(b) : "r"(0x3c003c00), "r"(0x40004000), "r"(0x3c003c00)); ok &= b == 0x42004200; asm("max.f32 %0, %1, %2;" : "=f"(f) : "f"(1.f), "f"(2.f)); ok &= f == 2;
  unsigned m; asm volatile("{ .reg .pred q; setp.ne.u32 q, %1, 0; vote.sync.ballot.b32 %0, q, 0xffffffff; }" : "=r"(m) : "r"(1)); asm volatile("activemask.b32 %0;" : "=r"(m)); asm volatile("membar.gl;" ::: "memory"); asm volatile("fence.acq_rel.gpu;" ::: "memory"); asm volatile("bar.warp.sync 0xffffffff;"); asm volatile("griddepcontrol.wait;" ::: "memory"); asm volatile("griddepcontrol.launch_dependents;"); int sh; asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, 0xffffffff;" : "=r"(sh) : "r"(t)); ok &= sh == (t ^ 1); asm volatile("nanosleep.u32 10;"); asm volatile("prefetch.global.L2 [%0];" ::"l"(in)); asm volatile("redux.sync.add.s32 %0, %1, 0xffffffff;" : "=r"(sh) : "r"(1)); ok &= sh == 32; asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(m) : "r"(t & 1)); ok &= m == (t & 1 ? 0xaaaaaaaau : 0x55555555u);
  if (t == 0) { asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(out + 100), "r"(7) : "memory"); flag = 1; asm volatile("st.shared.s32 [%0], %1;" ::"r"((uint32_t)__cvta_generic_to_shared(&flag)), "r"(2)); }
  __syncthreads(); ok &= flag == 2; __syncthreads();
  red(cnt, 1); atomadd(cnt + 1, 2); int mn; asm volatile("atom.global.min.s32 %0, [%1], %2;" : "=r"(mn) : "l"(cnt + 2), "r"(-(int)t)); asm volatile("atom.shared.add.u32 %0, [%1], 1;" : "=r"(m) : "r"((uint32_t)__cvta_generic_to_shared(&flag))); unsigned c; asm volatile("atom.cas.b32 %0, [%1], %2, %3;" : "=r"(c) : "l"(cnt + 3), "r"(0), "r"(5) : "memory"); asm volatile("red.relaxed.gpu.global.add.f32 [%0], %1;" ::"l"((float *)cnt + 4), "f"(1.f)); 
  uint64_t ga; asm("cvta.to.global.u64 %0, %1;" : "=l"(ga) : "l"(in)); int q; asm volatile("ld.global.cg.s32 %0, [%1+4];" : "=r"(q) : "l"(ga)); ok &= q == 1; asm volatile("{ .reg .u64 a; cvta.to.shared.u64 a, %1; cvt.u32.u64 %0, a; }" : "=r"(b) : "l"(&sm[t])); ok &= b == sa;
  out[t] = ok;
}
int main() {
  int4 h[64], *d; for (int i = 0; i < 64; i++) h[i] = make_int4(i, i + 1, i + 2, i + 3); int *o, *c; cudaMalloc(&d, sizeof h); cudaMalloc(&o, 512); cudaMalloc(&c, 64); cudaMemset(c, 0, 64); cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice); k<<<1, 64>>>(d, o, c); int r[64], cc[8]; if (cudaMemcpy(r, o, 256, cudaMemcpyDeviceToHost)) return 2; cudaMemcpy(cc, c, 32, cudaMemcpyDeviceToHost); int bad = 0; for (int x : r) bad += !x; bad += cc[0] != 64 || cc[1] != 128 || cc[2] != -63 || cc[3] != 5 || ((float *)cc)[4] != 64; puts(bad ? "FAIL" : "PASS"); return bad;
}
