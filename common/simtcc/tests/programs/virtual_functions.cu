// Objects with virtual functions, made on the device: their tables are written by the constructor.
#include <cstdio>

struct Shape {
  __device__ virtual ~Shape() {}
  __device__ virtual int area() const = 0;
};
struct Point : Shape {
  __device__ int area() const override { return 0; }
};
struct Square : Shape {
  int side;
  __device__ Square(int side) : side(side) {}
  __device__ int area() const override { return side * side; }
};

__global__ void make(Shape **shapes) {
  if (threadIdx.x == 0) shapes[0] = new Point;
  if (threadIdx.x == 1) shapes[1] = new Square(7);
}
__global__ void measure(Shape **shapes, int *areas) { areas[threadIdx.x] = shapes[threadIdx.x]->area(); }
__global__ void remove(Shape **shapes) { delete shapes[threadIdx.x]; }

int main() {
  Shape **shapes;
  int *areas, h[2];
  cudaMalloc(&shapes, 2 * sizeof(Shape *));
  cudaMalloc(&areas, sizeof h);
  make<<<1, 2>>>(shapes);
  measure<<<1, 2>>>(shapes, areas);
  remove<<<1, 2>>>(shapes);
  cudaMemcpy(h, areas, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %d\n", h[0], h[1]);
}
// prints: 0 49
