// nvcc: takes it
#include <cstdio>
__global__ void __cluster_dims__(2, 1, 1) mark(int* out) { out[blockIdx.x] = 1; }
int main() { mark<<<2, 32>>>(nullptr); }
// refused: refused_cluster.cu:3: error: clusters of blocks are not supported \(__cluster_dims__\)
