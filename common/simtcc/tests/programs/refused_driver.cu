// nvcc: takes it
#include <cuda.h>
int main() {
  cuInit(0);
  CUdevice device;
  cuDeviceGet(&device, 0);
  return cuModuleLoad(0, "kernel.ptx");
}
// refused: refused_driver.cu:7: error: code that is loaded while the program runs \(the driver's modules\) is not supported \(cuModuleLoad\)
