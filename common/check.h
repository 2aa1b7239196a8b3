// Errors that end a program, and the check around every CUDA call.
#pragma once

#include <stdexcept>
#include <string>

// The exit codes of every program.
enum ExitCode { exitRight = 0, exitWrong = 1, exitUsage = 2, exitNoDevice = 3 };

// An error the user should read: what() is one line, code is what the program exits with.
struct Error : std::runtime_error {
  ExitCode code;
  Error(ExitCode code_, const std::string& line) : std::runtime_error(line), code(code_) {}
};

#ifdef __CUDACC__
#include <cuda_runtime.h>

// Throws Error when a CUDA runtime call failed, with the call and the place.
#define CUDA_CHECK(call) cudaCheck((call), #call, __FILE__, __LINE__)

inline void cudaCheck(cudaError_t status, const char* call, const char* file, int line) {
  if (status == cudaSuccess) return;
  const std::string path = file;
  throw Error(exitWrong, path.substr(path.rfind('/') + 1) + ":" + std::to_string(line) + ": " +
                             call + ": " + cudaGetErrorString(status));
}
#endif
