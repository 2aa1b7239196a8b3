// says: ^PASSED
// bindless arrays of textures with mip maps; handles in device memory as uint2; surfaces to build levels; atlas
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#define CHECK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); exit(EXIT_FAILURE); } } while (0)
#include <algorithm>
#include <vector>
struct Image { void *h_data; cudaExtent size; cudaResourceType type; cudaArray_t dataArray; cudaMipmappedArray_t mipmapArray; cudaTextureObject_t textureObject;
  Image() { memset(this, 0, sizeof(Image)); } };
typedef unsigned int uint;
typedef unsigned char uchar;
std::vector<Image> contentImages;
uint2 *d_handles; uint nImages;
__host__ __device__ __inline__ uint2 encodeTextureObject(cudaTextureObject_t obj) { return make_uint2((uint)(obj & 0xFFFFFFFF), (uint)(obj >> 32)); }
__host__ __device__ __inline__ cudaTextureObject_t decodeTextureObject(uint2 obj) { return (((cudaTextureObject_t)obj.x) | ((cudaTextureObject_t)obj.y) << 32); }
__device__ __inline__ float4 to_float4(uchar4 vec) { return make_float4(vec.x, vec.y, vec.z, vec.w); }
__device__ __inline__ uchar4 to_uchar4(float4 vec) { return make_uchar4((uchar)vec.x, (uchar)vec.y, (uchar)vec.z, (uchar)vec.w); }
__global__ void d_gen_mipmap(cudaSurfaceObject_t mipOutput, cudaTextureObject_t mipInput, uint imageW, uint imageH) {
  uint x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float px = 1.0 / float(imageW), py = 1.0 / float(imageH);
  if ((x < imageW) && (y < imageH)) {
    float4 color = make_float4(0, 0, 0, 0);
    for (int i = 0; i < 4; i++) { float4 c = tex2D<float4>(mipInput, (x + (i & 1 ? .75f : .25f)) * px, (y + (i & 2 ? .75f : .25f)) * py); color.x += c.x; color.y += c.y; color.z += c.z; color.w += c.w; }
    color.x = color.x / 4 * 255; color.y = color.y / 4 * 255; color.z = color.z / 4 * 255; color.w = color.w / 4 * 255;
    color.x = fminf(color.x + .5f, 255); color.y = fminf(color.y + .5f, 255); color.z = fminf(color.z + .5f, 255); color.w = fminf(color.w + .5f, 255);
    surf2Dwrite(to_uchar4(color), mipOutput, x * sizeof(uchar4), y);
  }
}
__global__ void sample(float4 *o, const uint2 *handles, uint n, float lod) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= 64 * n) return;
  uint which = i % n; float u = (i / n % 8 + .5f) / 8, v = (i / n / 8 + .5f) / 8;
  cudaTextureObject_t t = decodeTextureObject(handles[which]);
  o[i] = tex2DLod<float4>(t, u, v, lod);
}
uint getMipMapLevels(cudaExtent size) { size_t sz = std::max(std::max(size.width, size.height), size.depth); uint levels = 0; while (sz) { sz /= 2; levels++; } return levels; }
void generateMipMaps(cudaMipmappedArray_t mipmapArray, cudaExtent size) {
  size_t width = size.width, height = size.height; uint level = 0;
  while (width != 1 || height != 1) {
    width /= 2; width = std::max((size_t)1, width); height /= 2; height = std::max((size_t)1, height);
    cudaArray_t levelFrom, levelTo; CHECK(cudaGetMipmappedArrayLevel(&levelFrom, mipmapArray, level)); CHECK(cudaGetMipmappedArrayLevel(&levelTo, mipmapArray, level + 1));
    cudaExtent levelToSize; CHECK(cudaArrayGetInfo(NULL, &levelToSize, NULL, levelTo));
    if (levelToSize.width != width || levelToSize.height != height || levelToSize.depth != 0) { printf("level size\n"); exit(1); }
    cudaTextureObject_t texInput; cudaResourceDesc texRes; memset(&texRes, 0, sizeof texRes); texRes.resType = cudaResourceTypeArray; texRes.res.array.array = levelFrom;
    cudaTextureDesc td; memset(&td, 0, sizeof td); td.normalizedCoords = 1; td.filterMode = cudaFilterModePoint; td.addressMode[0] = td.addressMode[1] = td.addressMode[2] = cudaAddressModeClamp; td.readMode = cudaReadModeNormalizedFloat;
    CHECK(cudaCreateTextureObject(&texInput, &texRes, &td, NULL));
    cudaSurfaceObject_t surfOutput; cudaResourceDesc surfRes; memset(&surfRes, 0, sizeof surfRes); surfRes.resType = cudaResourceTypeArray; surfRes.res.array.array = levelTo; CHECK(cudaCreateSurfaceObject(&surfOutput, &surfRes));
    dim3 bs(16, 16, 1), gs(((uint)width + 15) / 16, ((uint)height + 15) / 16, 1);
    d_gen_mipmap<<<gs, bs>>>(surfOutput, texInput, (uint)width, (uint)height);
    CHECK(cudaDeviceSynchronize()); CHECK(cudaDestroySurfaceObject(surfOutput)); CHECK(cudaDestroyTextureObject(texInput)); level++;
  }
}
int main() {
  nImages = 5; contentImages.resize(nImages); uint2 *h = (uint2 *)malloc(sizeof(uint2) * nImages);
  for (uint i = 0; i < nImages; i++) {
    Image &im = contentImages[i]; im.size = make_cudaExtent(32 << (i % 3), 32 << (i % 2), 0); size_t n = im.size.width * im.size.height;
    uchar4 *p = (uchar4 *)malloc(n * 4); im.h_data = p; for (size_t k = 0; k < n; k++) p[k] = make_uchar4(i * 10 + 1, i * 20 + 2, i * 30 + 3, 255);
    uint levels = getMipMapLevels(im.size); cudaChannelFormatDesc desc = cudaCreateChannelDesc<uchar4>(); CHECK(cudaMallocMipmappedArray(&im.mipmapArray, &desc, im.size, levels));
    cudaArray_t level0; CHECK(cudaGetMipmappedArrayLevel(&level0, im.mipmapArray, 0));
    cudaMemcpy3DParms cp = {0}; cp.srcPtr = make_cudaPitchedPtr(im.h_data, im.size.width * sizeof(uchar4), im.size.width, im.size.height); cp.dstArray = level0; cp.extent = im.size; cp.extent.depth = 1; cp.kind = cudaMemcpyHostToDevice; CHECK(cudaMemcpy3D(&cp));
    generateMipMaps(im.mipmapArray, im.size);
    cudaResourceDesc rd; memset(&rd, 0, sizeof rd); rd.resType = cudaResourceTypeMipmappedArray; rd.res.mipmap.mipmap = im.mipmapArray;
    cudaTextureDesc td; memset(&td, 0, sizeof td); td.normalizedCoords = 1; td.filterMode = cudaFilterModeLinear; td.mipmapFilterMode = cudaFilterModeLinear; td.addressMode[0] = td.addressMode[1] = td.addressMode[2] = cudaAddressModeClamp; td.maxMipmapLevelClamp = float(levels - 1); td.readMode = cudaReadModeNormalizedFloat;
    CHECK(cudaCreateTextureObject(&im.textureObject, &rd, &td, NULL)); h[i] = encodeTextureObject(im.textureObject);
  }
  CHECK(cudaMalloc(&d_handles, sizeof(uint2) * nImages)); CHECK(cudaMemcpy(d_handles, h, sizeof(uint2) * nImages, cudaMemcpyHostToDevice));
  float4 *o, *r = (float4 *)malloc(sizeof(float4) * 64 * nImages); CHECK(cudaMalloc(&o, sizeof(float4) * 64 * nImages)); int bad = 0;
  for (float lod = 0; lod < 6; lod += 1.5f) { sample<<<nImages, 64>>>(o, d_handles, nImages, lod); CHECK(cudaMemcpy(r, o, sizeof(float4) * 64 * nImages, cudaMemcpyDeviceToHost));
    for (uint i = 0; i < 64 * nImages; i++) { uint w = i % nImages; if (fabs(r[i].x * 255 - (w * 10 + 1)) > .01 || fabs(r[i].z * 255 - (w * 30 + 3)) > .01 || r[i].w != 1) bad++; } }
  for (auto &im : contentImages) { CHECK(cudaDestroyTextureObject(im.textureObject)); CHECK(cudaFreeMipmappedArray(im.mipmapArray)); free(im.h_data); }
  printf("%s %d\n", bad ? "FAILED" : "PASSED", bad); return bad != 0;
}
