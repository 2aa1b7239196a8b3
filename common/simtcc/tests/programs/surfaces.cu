// Surfaces: read and written; what is outside reads as zero, or as the edge, where that is asked for.
#include <cstdio>
#include <cstring>

const int width = 40, height = 30;

__global__ void brighten(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  uchar4 colour;
  surf2Dread(&colour, from, x * 4, y);
  colour.x += 1;
  surf2Dwrite(colour, to, x * 4, y);
}
__global__ void edges(cudaSurfaceObject_t surface, int *out) {
  out[0] = surf2Dread<uchar4>(surface, -4, 0, cudaBoundaryModeZero).x;
  out[1] = surf2Dread<uchar4>(surface, -4, 1, cudaBoundaryModeClamp).x;
  surf2Dwrite(make_uchar4(7, 7, 7, 7), surface, 4 * width, 0, cudaBoundaryModeZero);
}

int main() {
  static unsigned char in[height][width][4], out[height][width][4];
  for (int i = 0; i < height * width * 4; ++i) (&in[0][0][0])[i] = i % 200;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
  cudaArray_t a, b;
  cudaMallocArray(&a, &format, width, height, cudaArraySurfaceLoadStore);
  cudaMallocArray(&b, &format, width, height, cudaArraySurfaceLoadStore);
  cudaMemcpy2DToArray(a, 0, 0, in, width * 4, width * 4, height, cudaMemcpyHostToDevice);
  cudaResourceDesc resource;
  memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = a;
  cudaSurfaceObject_t from, to;
  cudaCreateSurfaceObject(&from, &resource);
  resource.res.array.array = b;
  cudaCreateSurfaceObject(&to, &resource);
  const dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
  brighten<<<grid, block>>>(from, to);
  cudaMemcpy2DFromArray(out, width * 4, b, 0, 0, width * 4, height, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      wrong += out[y][x][0] != in[y][x][0] + 1 || out[y][x][3] != in[y][x][3];
  printf("%d wrong\n", wrong);
  int *values;
  cudaMallocManaged(&values, 2 * sizeof(int));
  edges<<<1, 1>>>(to, values);
  cudaDeviceSynchronize();
  printf("%d %d\n", values[0], values[1]);
  cudaDestroySurfaceObject(from);
  cudaDestroySurfaceObject(to);
  cudaFreeArray(a);
  cudaFreeArray(b);
}
// prints: 0 wrong
// prints: 0 161
