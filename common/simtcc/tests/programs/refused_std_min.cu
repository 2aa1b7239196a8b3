#include <algorithm>
__global__ void clampAll(int *x, int n) {
  x[threadIdx.x] = std::min(x[threadIdx.x], n);
}
int main() {}
// refused: refused_std_min.cu:3: error: a kernel cannot call the host function std::min
