// cudaMalloc's memory is not a kernel's to free.
__global__ void use(int *x) {
  int *own = (int *)malloc(sizeof(int));
  *own = 3;
  *x = *own;
  free(own);
  free(x);
}
int main() {
  int *x;
  cudaMalloc(&x, sizeof(int));
  use<<<1, 1>>>(x);
}
// exit: 1
// tells: thread 0 frees at fault_free.cu:7 what no malloc of a kernel gave, or what is free already
