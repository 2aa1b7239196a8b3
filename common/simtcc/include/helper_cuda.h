// The names of the helper header that most of NVIDIA's samples include, for programs that came
// without it: a header of that name in a folder given by -I goes first.
#pragma once

#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>
#include "helper_string.h"

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

inline void simtCheck(cudaError_t status, const char* what, const char* file, int line) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s:%d: %s: %s (%s)\n", file, line, what, cudaGetErrorString(status),
               cudaGetErrorName(status));
  std::exit(EXIT_FAILURE);
}
#define checkCudaErrors(call) simtCheck((call), #call, __FILE__, __LINE__)
#define getLastCudaError(text) simtCheck(cudaGetLastError(), (text), __FILE__, __LINE__)
#define printLastCudaError(text) getLastCudaError(text)

inline const char* _cudaGetErrorEnum(cudaError_t error) { return cudaGetErrorName(error); }
inline int ftoi(float value) { return int(value >= 0 ? value + 0.5f : value - 0.5f); }
inline int _ConvertSMVer2Cores(int, int) { return 128; }
inline const char* _ConvertSMVer2ArchName(int, int) { return "SIMT executor"; }
inline int gpuDeviceInit(int device) {
  checkCudaErrors(cudaSetDevice(device));
  return device;
}
inline int gpuGetMaxGflopsDeviceId() { return 0; }
inline int findCudaDevice(int, const char**) { return gpuDeviceInit(0); }
inline int findIntegratedGPU() { return -1; }
inline bool checkCudaCapabilities(int major, int minor) {
  cudaDeviceProp properties;
  checkCudaErrors(cudaGetDeviceProperties(&properties, 0));
  return properties.major > major || (properties.major == major && properties.minor >= minor);
}
