// nvcc: takes it
#include <thrust/device_vector.h>
int main() { thrust::device_vector<int> v(3); }
// refused: refused_library.cu:2.*simtcc does not have thrust/device_vector.h
