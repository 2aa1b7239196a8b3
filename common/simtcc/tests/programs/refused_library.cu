// nvcc: takes it
#include <cufft.h>
int main() { return cufftDestroy(0); }
// refused: refused_library.cu:2:.*simtcc does not have cufft.h: cuFFT is not there
