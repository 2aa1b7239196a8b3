// The object was never made: memory from malloc is not an object yet.
struct Shape {
  int side;
  __device__ virtual int area() const { return side * side; }
};
__global__ void measure(int *area) {
  Shape *shape = (Shape *)malloc(sizeof(Shape));
  shape->side = 3;
  *area = shape->area();
}
int main() {
  int *area;
  cudaMalloc(&area, sizeof(int));
  measure<<<1, 1>>>(area);
}
// exit: 1
// tells: thread 0 reads memory from malloc.* at fault_virtual_function.cu:9, which nobody has written
