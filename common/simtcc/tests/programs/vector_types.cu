#include <cstdio>

__global__ void vectors(float *out) {
  char4 a = make_char4(1, 2, 3, -4);
  uchar2 b = make_uchar2(250, 5);
  short4 c = make_short4(1, 2, 3, 4);
  ushort3 d = make_ushort3(1, 2, 3);
  int3 e = make_int3(1, 2, 3);
  uint4 f = make_uint4(1, 2, 3, 4);
  long2 g = make_long2(1, 2);
  ulonglong2 h = make_ulonglong2(1, 2);
  float1 i = make_float1(1);
  float3 j = {1, 2, 3};
  double3 k = make_double3(1, 2, 3);
  double2 l{1, 2};
  longlong1 m = make_longlong1(4);
  out[0] = a.w + b.x + c.z + d.y + e.z + f.w + g.y + h.x + i.x + j.z + k.y + l.y + m.x;
  *reinterpret_cast<float4 *>(out + 4) = make_float4(1, 2, 3, 4);
  float2 two = reinterpret_cast<float2 *>(out)[3];
  out[1] = two.x + two.y;
}

int main() {
  float *d, h[8];
  cudaMalloc(&d, sizeof h);
  vectors<<<1, 1>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g %g %zu %zu %zu\n", h[0], h[1], sizeof(float3), alignof(float4), alignof(short4));
}
// prints: 273 7 12 16 8
