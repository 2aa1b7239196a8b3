// The check around every CUDA call. GPU only.
#pragma once

#include <cuda_runtime.h>

#include <string>

#include "base/errors.h"

// Throws Error when a CUDA runtime call failed, with the call and the place.
#define CUDA_CHECK(call) cudaCheck((call), #call, __FILE__, __LINE__)

inline void cudaCheck(cudaError_t status, const char* call, const char* file, int line) {
  if (status == cudaSuccess) return;
  const std::string path = file;
  throw Error(exitWrong, path.substr(path.rfind('/') + 1) + ":" + std::to_string(line) + ": " +
                             call + ": " + cudaGetErrorString(status));
}
