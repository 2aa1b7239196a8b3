// says: ^rotated: 0 pixels differ, written by surface: 0$
// An image in a CUDA array: bilinear fetches, normalised coordinates, a surface of uchar4.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <helper_math.h>
#include "helper_cuda.h"
typedef unsigned char uchar;
__global__ void transformKernel(float *outputData, int width, int height, float theta, cudaTextureObject_t tex) {
  unsigned int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float u = (float)x - (float)width / 2, v = (float)y - (float)height / 2;
  float tu = u * cosf(theta) - v * sinf(theta), tv = v * cosf(theta) + u * sinf(theta);
  tu /= (float)width;
  tv /= (float)height;
  outputData[y * width + x] = tex2D<float>(tex, tu + 0.5f + 0.5f / width, tv + 0.5f + 0.5f / height);
}
__global__ void colour(cudaSurfaceObject_t surf, int width, int height) {
  int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x < width && y < height) surf2Dwrite(make_uchar4(x, y, x ^ y, 255), surf, x * (int)sizeof(uchar4), y, cudaBoundaryModeTrap);
}
int main() {
  const int w = 32, h = 32;
  float *hostIn = new float[w * h], *hostOut = new float[w * h], *dOut;
  for (int i = 0; i < w * h; i++) hostIn[i] = rand() / (float)RAND_MAX;
  cudaChannelFormatDesc channelDesc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaArray *cuArray;
  checkCudaErrors(cudaMallocArray(&cuArray, &channelDesc, w, h));
  checkCudaErrors(cudaMemcpy2DToArray(cuArray, 0, 0, hostIn, w * sizeof(float), w * sizeof(float), h, cudaMemcpyHostToDevice));
  cudaResourceDesc texRes;
  memset(&texRes, 0, sizeof(cudaResourceDesc));
  texRes.resType = cudaResourceTypeArray;
  texRes.res.array.array = cuArray;
  cudaTextureDesc texDescr;
  memset(&texDescr, 0, sizeof(cudaTextureDesc));
  texDescr.normalizedCoords = true;
  texDescr.filterMode = cudaFilterModeLinear;
  texDescr.addressMode[0] = texDescr.addressMode[1] = cudaAddressModeWrap;
  texDescr.readMode = cudaReadModeElementType;
  cudaTextureObject_t tex;
  checkCudaErrors(cudaCreateTextureObject(&tex, &texRes, &texDescr, NULL));
  checkCudaErrors(cudaMalloc(&dOut, w * h * sizeof(float)));
  dim3 dimBlock(8, 8, 1), dimGrid(w / dimBlock.x, h / dimBlock.y, 1);
  transformKernel<<<dimGrid, dimBlock, 0>>>(dOut, w, h, 1.57079632679f, tex);
  getLastCudaError("Kernel execution failed");
  checkCudaErrors(cudaMemcpy(hostOut, dOut, w * h * sizeof(float), cudaMemcpyDeviceToHost));
  int wrong = 0, wrongColour = 0;
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int sx = (-(y - h / 2) + w / 2 + w) % w, sy = ((x - w / 2) + h / 2 + h) % h;
      wrong += fabsf(hostOut[y * w + x] - hostIn[sy * w + sx]) > 5e-3f;
    }
  cudaArray_t colours;
  cudaChannelFormatDesc desc4 = cudaCreateChannelDesc<uchar4>();
  checkCudaErrors(cudaMallocArray(&colours, &desc4, w, h, cudaArraySurfaceLoadStore));
  cudaResourceDesc surfRes = {};
  surfRes.resType = cudaResourceTypeArray;
  surfRes.res.array.array = colours;
  cudaSurfaceObject_t surf = 0;
  checkCudaErrors(cudaCreateSurfaceObject(&surf, &surfRes));
  colour<<<dimGrid, dimBlock>>>(surf, w, h);
  uchar4 *pixels = (uchar4 *)malloc(w * h * sizeof(uchar4));
  checkCudaErrors(cudaMemcpy2DFromArray(pixels, w * sizeof(uchar4), colours, 0, 0, w * sizeof(uchar4), h, cudaMemcpyDeviceToHost));
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      const uchar4 p = pixels[y * w + x];
      wrongColour += !(p.x == x && p.y == y && p.z == (uchar)(x ^ y) && p.w == 255);
    }
  printf("rotated: %d pixels differ, written by surface: %d\n", wrong, wrongColour);
  checkCudaErrors(cudaDestroyTextureObject(tex));
  checkCudaErrors(cudaDestroySurfaceObject(surf));
  checkCudaErrors(cudaFreeArray(cuArray));
  checkCudaErrors(cudaFreeArray(colours));
  cudaFree(dOut);
  return wrong || wrongColour;
}
