// nvcc: takes it
#include <cuda.h>
int main() { CUdevice device; cuInit(0); return cuDeviceGet(&device, 0); }
// refused: refused_driver.cu:3: error: the driver interface is not supported
