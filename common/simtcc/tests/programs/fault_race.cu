template <int N>
__global__ void sum(const int *in, int *out) {
  __shared__ int part[N];
  part[threadIdx.x] = in[threadIdx.x];
  for (int stride = N / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) part[threadIdx.x] += part[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = part[0];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 256 * sizeof(int)), cudaMalloc(&out, sizeof(int));
  cudaMemset(in, 0, 256 * sizeof(int));
  sum<256><<<1, 256>>>(in, out);
}
// exit: 1
// tells: part\[.*fault_race.cu:
