// says: ^spheres seen: [0-9]+, pixels that differ from the host's: 0$
// A book's ray tracer: spheres in constant memory, a bitmap class with a callback, HANDLE_ERROR, #define INF, rnd(x).
#include "cuda.h"
#include <cstdio>
#include <cstdlib>
#include <cmath>
#define DIM 64
#define rnd(x) (x * rand() / RAND_MAX)
#define INF 2e10f
#define SPHERES 12
static void HandleError(cudaError_t err, const char *file, int line) {
  if (err != cudaSuccess) {
    printf("%s in %s at line %d\n", cudaGetErrorString(err), file, line);
    exit(EXIT_FAILURE);
  }
}
#define HANDLE_ERROR(err) (HandleError(err, __FILE__, __LINE__))
#define HANDLE_NULL(a) { if (a == NULL) { printf("Host memory failed in %s at line %d\n", __FILE__, __LINE__); exit(EXIT_FAILURE); } }
struct Sphere {
  float r, b, g, radius, x, y, z;
  __device__ __host__ float hit(float ox, float oy, float *n) const {
    float dx = ox - x, dy = oy - y;
    if (dx * dx + dy * dy < radius * radius) {
      float dz = sqrtf(radius * radius - dx * dx - dy * dy);
      *n = dz / sqrtf(radius * radius);
      return dz + z;
    }
    return -INF;
  }
};
__constant__ Sphere s[SPHERES];
struct CPUBitmap {
  unsigned char *pixels;
  int x, y;
  void *dataBlock;
  void (*bitmapExit)(void *);
  CPUBitmap(int width, int height, void *d = NULL) : x(width), y(height), dataBlock(d), bitmapExit(NULL) { HANDLE_NULL((pixels = new unsigned char[width * height * 4])); }
  ~CPUBitmap() { delete[] pixels; }
  unsigned char *get_ptr(void) const { return pixels; }
  long image_size(void) const { return x * y * 4; }
  void display_and_exit(void (*e)(void *) = NULL) { if (e) e(dataBlock); }
};
__device__ __host__ inline void shade(const Sphere *all, int x, int y, unsigned char *ptr) {
  float ox = (x - DIM / 2), oy = (y - DIM / 2), r = 0, g = 0, b = 0, maxz = -INF;
  for (int i = 0; i < SPHERES; i++) {
    float n, t = all[i].hit(ox, oy, &n);
    if (t > maxz) {
      float fscale = n;
      r = all[i].r * fscale;
      g = all[i].g * fscale;
      b = all[i].b * fscale;
      maxz = t;
    }
  }
  int offset = x + y * DIM;
  ptr[offset * 4 + 0] = (int)(r * 255);
  ptr[offset * 4 + 1] = (int)(g * 255);
  ptr[offset * 4 + 2] = (int)(b * 255);
  ptr[offset * 4 + 3] = 255;
}
__global__ void kernel(unsigned char *ptr) {
  int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y;
  shade(s, x, y, ptr);
}
struct DataBlock { unsigned char *dev_bitmap; };
void cleanup(void *d) { HANDLE_ERROR(cudaFree(((DataBlock *)d)->dev_bitmap)); }
int main(void) {
  DataBlock data;
  cudaEvent_t start, stop;
  HANDLE_ERROR(cudaEventCreate(&start));
  HANDLE_ERROR(cudaEventCreate(&stop));
  HANDLE_ERROR(cudaEventRecord(start, 0));
  CPUBitmap bitmap(DIM, DIM, &data);
  unsigned char *dev_bitmap;
  HANDLE_ERROR(cudaMalloc((void **)&dev_bitmap, bitmap.image_size()));
  data.dev_bitmap = dev_bitmap;
  Sphere *temp_s = (Sphere *)malloc(sizeof(Sphere) * SPHERES);
  for (int i = 0; i < SPHERES; i++) {
    temp_s[i].r = rnd(1.0f);
    temp_s[i].g = rnd(1.0f);
    temp_s[i].b = rnd(1.0f);
    temp_s[i].x = rnd(60.0f) - 30;
    temp_s[i].y = rnd(60.0f) - 30;
    temp_s[i].z = rnd(60.0f) - 30;
    temp_s[i].radius = rnd(10.0f) + 2;
  }
  HANDLE_ERROR(cudaMemcpyToSymbol(s, temp_s, sizeof(Sphere) * SPHERES));
  dim3 grids(DIM / 16, DIM / 16), threads(16, 16);
  kernel<<<grids, threads>>>(dev_bitmap);
  HANDLE_ERROR(cudaMemcpy(bitmap.get_ptr(), dev_bitmap, bitmap.image_size(), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaEventRecord(stop, 0));
  HANDLE_ERROR(cudaEventSynchronize(stop));
  float elapsedTime;
  HANDLE_ERROR(cudaEventElapsedTime(&elapsedTime, start, stop));
  printf("Time to generate:  %3.1f ms\n", elapsedTime);
  CPUBitmap ref(DIM, DIM);
  int differ = 0, seen = 0;
  for (int i = 0; i < DIM * DIM; i++) {
    shade(temp_s, i % DIM, i / DIM, ref.get_ptr());
    seen += ref.pixels[4 * i] || ref.pixels[4 * i + 1] || ref.pixels[4 * i + 2];
    for (int c = 0; c < 4; c++) differ += abs(ref.pixels[4 * i + c] - bitmap.pixels[4 * i + c]) > 1;
  }
  printf("spheres seen: %d, pixels that differ from the host's: %d\n", seen, differ);
  free(temp_s);
  HANDLE_ERROR(cudaEventDestroy(start));
  HANDLE_ERROR(cudaEventDestroy(stop));
  bitmap.display_and_exit(cleanup);
  return differ != 0;
}
