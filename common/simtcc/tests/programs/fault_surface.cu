// Surfaces count their first coordinate in bytes: in elements it is a known mistake, and outside is.
#include <cstring>

__global__ void clear(cudaSurfaceObject_t surface, int rows) {
  surf2Dwrite(0.0f, surface, int(threadIdx.x) * 4, rows);
}

int main() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, 32, 8, cudaArraySurfaceLoadStore);
  cudaResourceDesc resource;
  memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface;
  cudaCreateSurfaceObject(&surface, &resource);
  clear<<<1, 32>>>(surface, 7);
  clear<<<1, 32>>>(surface, 8);
  cudaDeviceSynchronize();
}
// tells: clear, block 0: thread 0 reaches outside of a surface of 128 bytes by 8 rows: x 0 \(in bytes\), y 8 at .*fault_surface.cu:5
// exit: 1
