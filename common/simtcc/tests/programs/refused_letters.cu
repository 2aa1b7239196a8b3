// nvcc: as it does
// refused: :4: error: the device's größe has other letters in its name than ASCII's
// refused: :5: error: the device's füllen has other letters
__device__ int größe;
__global__ void füllen(int *länge) { *länge = größe; }
int main() {
  int *länge = nullptr;
  cudaMalloc(&länge, 4);
  füllen<<<1, 1>>>(länge);
}
