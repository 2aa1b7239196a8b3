// nvcc: takes it
#include <mma.h>
using namespace nvcuda;
__global__ void zero(float *c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}
int main() {}
// refused: refused_fragments.cu:5: error: matrix fragments other than
