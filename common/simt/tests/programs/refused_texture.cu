// nvcc: takes it
__global__ void sample(cudaTextureObject_t image, float *x) { x[threadIdx.x] = tex1D<float>(image, threadIdx.x); }
int main() {}
// refused: refused_texture.cu:2: error: textures are not supported
