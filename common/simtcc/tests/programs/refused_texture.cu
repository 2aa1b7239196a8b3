texture<float, 2> image;
__global__ void sample(float *x) { x[threadIdx.x] = tex2D(image, threadIdx.x, 0); }
int main() {}
// refused: refused_texture.cu:1: error: texture references are gone since CUDA 12: use cudaTextureObject_t
