// prints: pitched 0 wrong, volume 0 wrong, surface 0 wrong, layers 0 wrong, fetched 0 wrong, cut out 0 wrong
// Memory of two and three dimensions: pitched structs, cudaMalloc3D filled and copied in parts, CUDA arrays written by surfaces, layered textures, fetches of int4 and float4, asynchronous copies of rows.
#include <cstdio>
#include <cstring>
#include <vector>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { printf("%s: %s\n", #x, cudaGetErrorString(e_)); return 1; } } while (0)
struct Cell { short kind; float value; unsigned char flags[6]; };
__global__ void cells(Cell *base, size_t pitch, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  Cell *row = (Cell *)((char *)base + y * pitch);
  row[x].kind = x - y; row[x].value = x * 0.5f + y;
  for (int i = 0; i < 6; i++) row[x].flags[i] = (x + y + i) & 255;
}
__global__ void volume(cudaPitchedPtr p, cudaExtent e) {
  char *base = (char *)p.ptr; const size_t slice = p.pitch * e.height;
  for (int z = threadIdx.z; z < e.depth; z += blockDim.z)
    for (int y = threadIdx.y; y < e.height; y += blockDim.y) {
      int *row = (int *)(base + z * slice + y * p.pitch);
      for (int x = threadIdx.x; x < e.width / sizeof(int); x += blockDim.x) row[x] += x + 10 * y + 100 * z;
    }
}
__global__ void paint(cudaSurfaceObject_t s, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  uchar4 v = make_uchar4(x, y, x ^ y, 255);
  surf2Dwrite(v, s, x * (int)sizeof(uchar4), y);
}
__global__ void blend(cudaSurfaceObject_t s, cudaTextureObject_t t, float4 *out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  uchar4 v; surf2Dread(&v, s, x * (int)sizeof(uchar4), y, cudaBoundaryModeClamp);
  const float4 n = tex2D<float4>(t, x + 0.5f, y + 0.5f);
  out[y * w + x] = make_float4(v.x, v.y, n.z * 255.f, n.w);
}
__global__ void layers(cudaTextureObject_t t, float *out, int w, int h, int n) {
  const int x = threadIdx.x, y = threadIdx.y;
  for (int l = 0; l < n; ++l) out[(l * h + y) * w + x] = 2 * tex2DLayered<float>(t, (x + 0.5f) / w, (y + 0.5f) / h, l);
}
__global__ void fetch(cudaTextureObject_t ints, cudaTextureObject_t floats, long long *sums, int n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int4 a = tex1Dfetch<int4>(ints, i); const float4 b = tex1Dfetch<float4>(floats, i);
  sums[i] = (long long)a.x + a.y + a.z + a.w + (long long)(b.x + b.y + b.z + b.w);
}
int main() {
  const int w = 50, h = 20; int wrong[6] = {};
  Cell *d; size_t pitch; std::vector<Cell> cell(w * h);
  CK(cudaMallocPitch((void **)&d, &pitch, w * sizeof(Cell), h));
  CK(cudaMemset2D(d, pitch, 0, w * sizeof(Cell), h));
  cells<<<dim3(4, 3), dim3(16, 8)>>>(d, pitch, w, h);
  cudaStream_t stream; CK(cudaStreamCreate(&stream));
  CK(cudaMemcpy2DAsync(cell.data(), w * sizeof(Cell), d, pitch, w * sizeof(Cell), h, cudaMemcpyDeviceToHost, stream));
  CK(cudaStreamSynchronize(stream));
  for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) { const Cell &c = cell[y * w + x]; wrong[0] += c.kind != x - y || c.value != x * 0.5f + y || c.flags[5] != ((x + y + 5) & 255) || pitch % 32; }
  cudaExtent e = make_cudaExtent(18 * sizeof(int), 9, 5); cudaPitchedPtr p;
  CK(cudaMalloc3D(&p, e)); CK(cudaMemset3D(p, 0, e));
  volume<<<1, dim3(8, 4, 2)>>>(p, e);
  std::vector<int> box(18 * 9 * 5, -1), part(4 * 3 * 2);
  cudaMemcpy3DParms c = {}; c.srcPtr = p; c.dstPtr = make_cudaPitchedPtr(box.data(), 18 * sizeof(int), 18, 9); c.extent = e; c.kind = cudaMemcpyDeviceToHost;
  CK(cudaMemcpy3D(&c));
  for (int i = 0; i < 18 * 9 * 5; i++) wrong[1] += box[i] != i % 18 + 10 * (i / 18 % 9) + 100 * (i / 162);
  c = {}; c.srcPtr = p; c.srcPos = make_cudaPos(5 * sizeof(int), 2, 1); c.dstPtr = make_cudaPitchedPtr(part.data(), 4 * sizeof(int), 4, 3); c.extent = make_cudaExtent(4 * sizeof(int), 3, 2); c.kind = cudaMemcpyDefault;
  CK(cudaMemcpy3DAsync(&c, stream)); CK(cudaStreamSynchronize(stream));
  for (int i = 0; i < 24; i++) wrong[5] += part[i] != 5 + i % 4 + 10 * (2 + i / 4 % 3) + 100 * (1 + i / 12);
  cudaArray_t array; cudaChannelFormatDesc desc = cudaCreateChannelDesc<uchar4>();
  CK(cudaMallocArray(&array, &desc, w, h, cudaArraySurfaceLoadStore));
  cudaResourceDesc res; memset(&res, 0, sizeof res); res.resType = cudaResourceTypeArray; res.res.array.array = array;
  cudaTextureDesc td; memset(&td, 0, sizeof td); td.readMode = cudaReadModeNormalizedFloat; td.addressMode[0] = td.addressMode[1] = cudaAddressModeClamp; td.filterMode = cudaFilterModePoint;
  cudaSurfaceObject_t surface; cudaTextureObject_t texture; float4 *mixed; std::vector<float4> m(w * h);
  CK(cudaCreateSurfaceObject(&surface, &res)); CK(cudaCreateTextureObject(&texture, &res, &td, NULL)); CK(cudaMalloc(&mixed, w * h * sizeof(float4)));
  paint<<<dim3(4, 3), dim3(16, 8)>>>(surface, w, h);
  blend<<<dim3(4, 3), dim3(16, 8)>>>(surface, texture, mixed, w, h);
  CK(cudaMemcpy(m.data(), mixed, w * h * sizeof(float4), cudaMemcpyDeviceToHost));
  for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) { const float4 v = m[y * w + x]; wrong[2] += v.x != x || v.y != y || (int)(v.z + 0.5f) != (x ^ y) || v.w != 1; }
  const int n = 3; cudaArray_t stack; desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  CK(cudaMalloc3DArray(&stack, &desc, make_cudaExtent(16, 8, n), cudaArrayLayered));
  std::vector<float> h3(16 * 8 * n), g3(16 * 8 * n);
  for (size_t i = 0; i < h3.size(); i++) h3[i] = i * 0.25f;
  c = {}; c.srcPtr = make_cudaPitchedPtr(h3.data(), 16 * sizeof(float), 16, 8); c.dstArray = stack; c.extent = make_cudaExtent(16, 8, n); c.kind = cudaMemcpyHostToDevice;
  CK(cudaMemcpy3D(&c));
  res.res.array.array = stack; td = {}; td.normalizedCoords = 1; td.filterMode = cudaFilterModeLinear; td.addressMode[0] = td.addressMode[1] = cudaAddressModeWrap;
  cudaTextureObject_t lt; float *lo; CK(cudaCreateTextureObject(&lt, &res, &td, NULL)); CK(cudaMalloc(&lo, h3.size() * 4));
  layers<<<1, dim3(16, 8)>>>(lt, lo, 16, 8, n);
  CK(cudaMemcpy(g3.data(), lo, g3.size() * 4, cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < g3.size(); i++) wrong[3] += g3[i] != 2 * h3[i];
  int4 *i4; float4 *f4; long long *sums; const int k = 200;
  CK(cudaMallocManaged(&i4, k * sizeof *i4)); CK(cudaMallocManaged(&f4, k * sizeof *f4)); CK(cudaMallocManaged(&sums, k * sizeof *sums));
  for (int i = 0; i < k; i++) i4[i] = make_int4(i, -2 * i, 1 << 30, 3), f4[i] = make_float4(i, 1, 2, 3);
  res = {}; res.resType = cudaResourceTypeLinear; res.res.linear.devPtr = i4; res.res.linear.desc = cudaCreateChannelDesc<int4>(); res.res.linear.sizeInBytes = k * sizeof *i4; td = {}; td.readMode = cudaReadModeElementType;
  cudaTextureObject_t ti, tf; CK(cudaCreateTextureObject(&ti, &res, &td, NULL));
  res.res.linear.devPtr = f4; res.res.linear.desc = cudaCreateChannelDesc<float4>(); CK(cudaCreateTextureObject(&tf, &res, &td, NULL));
  fetch<<<2, 128>>>(ti, tf, sums, k); CK(cudaDeviceSynchronize());
  for (int i = 0; i < k; i++) wrong[4] += sums[i] != -(long long)i + (1 << 30) + 3 + i + 6;
  printf("pitched %d wrong, volume %d wrong, surface %d wrong, layers %d wrong, fetched %d wrong, cut out %d wrong\n", wrong[0], wrong[1], wrong[2], wrong[3], wrong[4], wrong[5]);
  CK(cudaDestroySurfaceObject(surface)); CK(cudaDestroyTextureObject(texture)); CK(cudaFreeArray(array)); CK(cudaFreeArray(stack)); CK(cudaFree(p.ptr)); CK(cudaFree(d)); CK(cudaStreamDestroy(stream));
  int all = 0; for (int x : wrong) all += x; return all != 0;
}
