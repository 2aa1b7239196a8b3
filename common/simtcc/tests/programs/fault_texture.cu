// A fetch behind the end of the texture, though the array goes on.
__global__ void shift(cudaTextureObject_t texture, float *out) {
  out[threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x + 1);
}

int main() {
  float *values, *out;
  cudaMalloc(&values, 128 * sizeof(float));
  cudaMalloc(&out, 64 * sizeof(float));
  cudaMemset(values, 0, 128 * sizeof(float));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = values;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = 64 * sizeof(float);
  cudaTextureDesc description = {};
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  shift<<<1, 64>>>(texture, out);
  cudaDeviceSynchronize();
}
// tells: shift, block 0: thread 63 fetches texel 64, but the texture has 64 at .*fault_texture.cu:3
// exit: 1
