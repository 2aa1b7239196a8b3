// What a program ran on, as the header line and the result file say it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/backends.h"

struct Machine {
  std::string name;      // of the GPU, or of the CPU on the cpu backend
  std::string driver;    // GPU driver version, empty on the cpu backend
  std::string cuda;      // toolkit version the program was built with, likewise
  int sms = 0;           // multiprocessors; 0 on the cpu backend
  unsigned gpus = 1;     // how many such GPUs were used together; what else is here is of one
  std::string identity;  // tells this GPU from others of its name: identityOf() its UUID
  std::string cpu;       // name of the CPU
  int cores = 0;         // hardware threads of the CPU
  int clockMhz = 0, memoryClockMhz = 0;  // the highest of the GPU; 0 on the cpu backend
  double powerLimitWatts = 0;            // of the GPU, 0 where nvidia-smi does not say
  double peakGbps = 0;  // bandwidth to compare with: theoretical on a GPU, measured for lesson 01
  double roofGbps = 0;  // of a GPU, measured by the program that writes a file: readRate()
  size_t l2Bytes = 0;
  size_t freeBytes = 0;      // memory of the device that a program can still allocate
  size_t hostFreeBytes = 0;  // the same of the host
};

// The CPU this program runs on: name, hardware threads and available memory.
Machine describeCpu();

// Eight digits that are always the same for these bytes, and do not give them away.
std::string identityOf(std::string_view bytes);

// True when the operating system shows an NVIDIA GPU, whether or not this program can use it.
bool gpuPresent();
