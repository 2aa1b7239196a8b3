// prints: cube map 0 wrong, mipmaps 0 wrong, gathered 33 34 18 17
// Textures of three more kinds: the faces of a cube, levels of half the size each that are made by kernels, four texels at once.
#include <cmath>
#include <cstdio>
#include <vector>
__global__ void cube(cudaTextureObject_t t, float *o, int w, int face) {
  int x = threadIdx.x, y = threadIdx.y; float u = ((x + .5f) / w) * 2.f - 1.f, v = ((y + .5f) / w) * 2.f - 1.f, cx, cy, cz;
  switch (face) { case 0: cx = 1; cy = -v; cz = -u; break; case 1: cx = -1; cy = -v; cz = u; break; case 2: cx = u; cy = 1; cz = v; break; case 3: cx = u; cy = -1; cz = -v; break; case 4: cx = u; cy = -v; cz = 1; break; default: cx = -u; cy = -v; cz = -1; }
  o[(face * w + y) * w + x] = -texCubemap<float>(t, cx, cy, cz);
}
static int cubeMap() {
  const int w = 8; cudaChannelFormatDesc cd = cudaCreateChannelDesc<float>(); cudaArray_t a; std::vector<float> h(w * w * 6), o(w * w * 6); for (size_t i = 0; i < h.size(); i++) h[i] = i;
  if (cudaMalloc3DArray(&a, &cd, make_cudaExtent(w, w, 6), cudaArrayCubemap) != cudaSuccess) return 1000;
  cudaMemcpy3DParms p = {}; p.srcPtr = make_cudaPitchedPtr(h.data(), w * 4, w, w); p.dstArray = a; p.extent = make_cudaExtent(w, w, 6); p.kind = cudaMemcpyHostToDevice; cudaMemcpy3D(&p);
  cudaResourceDesc rd = {}; rd.resType = cudaResourceTypeArray; rd.res.array.array = a; cudaTextureDesc td = {}; td.normalizedCoords = 1; td.filterMode = cudaFilterModeLinear; td.addressMode[0] = td.addressMode[1] = td.addressMode[2] = cudaAddressModeWrap; td.readMode = cudaReadModeElementType;
  cudaTextureObject_t t; cudaCreateTextureObject(&t, &rd, &td, 0); float *d; cudaMalloc(&d, h.size() * 4); for (int f = 0; f < 6; f++) cube<<<1, dim3(w, w)>>>(t, d, w, f);
  cudaMemcpy(o.data(), d, h.size() * 4, cudaMemcpyDeviceToHost); int bad = 0; for (size_t i = 0; i < h.size(); i++) if (fabs(o[i] + h[i]) > .05f) bad++;
  return bad;
}
__global__ void down(cudaSurfaceObject_t out, cudaTextureObject_t in, int w) { int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; if (x < w && y < w) { float v = tex2D<float>(in, (x + .5f) / w, (y + .5f) / w); surf2Dwrite(v, out, x * (int)sizeof(float), y); } }
__global__ void look(cudaTextureObject_t t, float *o) { int i = threadIdx.x; o[i] = tex2DLod<float>(t, .5f, .5f, (float)i); }
static int mipmaps() {
  int w = 16, levels = 5; cudaChannelFormatDesc cd = cudaCreateChannelDesc<float>(); cudaMipmappedArray_t m; if (cudaMallocMipmappedArray(&m, &cd, make_cudaExtent(w, w, 0), levels, cudaArraySurfaceLoadStore) != cudaSuccess) return 2;
  std::vector<float> h(w * w, 3.f); cudaArray_t l0; cudaGetMipmappedArrayLevel(&l0, m, 0); cudaMemcpy2DToArray(l0, 0, 0, h.data(), w * 4, w * 4, w, cudaMemcpyHostToDevice);
  for (int l = 1; l < levels; l++) { cudaArray_t a, b; cudaGetMipmappedArrayLevel(&a, m, l - 1); cudaGetMipmappedArrayLevel(&b, m, l); cudaResourceDesc rd = {}; rd.resType = cudaResourceTypeArray; rd.res.array.array = a; cudaTextureDesc td = {}; td.normalizedCoords = 1; td.filterMode = cudaFilterModeLinear; td.addressMode[0] = td.addressMode[1] = cudaAddressModeClamp; cudaTextureObject_t t; cudaCreateTextureObject(&t, &rd, &td, 0); rd.res.array.array = b; cudaSurfaceObject_t s; cudaCreateSurfaceObject(&s, &rd); int ww = w >> l; down<<<dim3((ww + 7) / 8, (ww + 7) / 8), dim3(8, 8)>>>(s, t, ww); cudaDeviceSynchronize(); cudaDestroyTextureObject(t); cudaDestroySurfaceObject(s); }
  cudaResourceDesc rd = {}; rd.resType = cudaResourceTypeMipmappedArray; rd.res.mipmap.mipmap = m; cudaTextureDesc td = {}; td.normalizedCoords = 1; td.filterMode = cudaFilterModeLinear; td.mipmapFilterMode = cudaFilterModeLinear; td.maxMipmapLevelClamp = levels - 1; td.addressMode[0] = td.addressMode[1] = cudaAddressModeClamp; cudaTextureObject_t t; cudaCreateTextureObject(&t, &rd, &td, 0);
  float *d, o[5]; cudaMalloc(&d, 20); look<<<1, 5>>>(t, d); cudaMemcpy(o, d, 20, cudaMemcpyDeviceToHost); int bad = 0; for (float f : o) if (fabs(f - 3) > .01) bad++; return bad;
}
__global__ void gather(cudaTextureObject_t t, float4 *o) { *o = tex2Dgather<float4>(t, 2.f, 2.f, 0); }
int main() {
  const int w = 16;
  std::vector<float> h(w * w);
  for (int i = 0; i < w * w; i++) h[i] = i;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, w, w, cudaArrayTextureGather);
  cudaMemcpy2DToArray(array, 0, 0, h.data(), w * 4, w * 4, w, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how = {};
  cudaTextureObject_t t;
  cudaCreateTextureObject(&t, &resource, &how, nullptr);
  float4 *d, g;
  cudaMalloc(&d, sizeof g);
  gather<<<1, 1>>>(t, d);
  cudaMemcpy(&g, d, sizeof g, cudaMemcpyDeviceToHost);
  const int cubes = cubeMap(), levels = mipmaps();
  printf("cube map %d wrong, mipmaps %d wrong, gathered %g %g %g %g\n", cubes, levels, g.x, g.y, g.z, g.w);
  return cubes + levels;
}
