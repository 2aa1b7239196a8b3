// What the executor itself costs: nanoseconds of CPU time (of all processes together) and of real
// time for an element, with and without the search for faults, and the most memory that one process
// used. Each row runs in a process of its own. Reports and judges nothing.
//     build/cpu/simt_benchmark [log2 of the elements, 20 if left out [part of a kernel's name]]
// SIMT_WORKERS=1 runs all blocks in one process.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "../../../02_neighbored/neighbored.cuh"
#include "../../../03_neighbored_less/neighbored_less.cuh"
#include "../../../04_interleaved/interleaved.cuh"
#include "../../../05_unroll2/unroll2.cuh"
#include "../../../06_unroll8_warp/unroll8_warp.cuh"
#include "../../../08_shuffle/shuffle.cuh"
#include "cuda/device_array.h"
#include "cuda/launch.h"

namespace {

__global__ void saxpy(int* data, int* blockSums, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) data[i] = 3 * data[i] + 1;
  if (i < n && threadIdx.x == 0) blockSums[blockIdx.x] = 1;
}

// Few blocks, each thread many elements.
__global__ void gridStrideDot(int* data, int* blockSums, size_t n) {
  __shared__ int partial[1024];
  int sum = 0;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += size_t(gridDim.x) * blockDim.x)
    sum += data[i] * data[n - 1 - i];
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) partial[threadIdx.x] += partial[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) blockSums[blockIdx.x] = partial[0];
}

// A piece of its own for each thread: no two lanes ever share a sector.
__global__ void pieces(int* data, int* blockSums, size_t n) {
  const size_t threads = size_t(gridDim.x) * blockDim.x;
  const size_t t = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  int sum = 0;
  for (size_t i = n / threads * t; i < n / threads * (t + 1); ++i) sum += data[i];
  if (threadIdx.x == 0) blockSums[blockIdx.x] = sum;
}

// Lanes part in every turn, and nothing but the path tells what they do.
__global__ void collatz(int* data, int* blockSums, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned value = unsigned(i) % 97 + 1, turns = 0;
  for (; value != 1 && turns < 24; ++turns) {
    if (value % 2 == 0)
      value /= 2;
    else
      value = 3 * value + 1;
  }
  data[i] = int(turns);
  if (threadIdx.x == 0) blockSums[blockIdx.x] = 1;
}

struct Row {
  const char* name;
  void (*kernel)(int* data, int* blockSums, size_t n);
  unsigned elementsPerThread;  // 0: one block
};
constexpr Row rows[] = {{"02 neighbored", neighbored, 1},
                        {"02 neighbored, shared", neighboredShared, 1},
                        {"03 neighbored less", neighboredLess, 1},
                        {"04 interleaved", interleaved, 1},
                        {"05 unroll 2", unroll2, 2},
                        {"06 unroll 8", unroll8, 8},
                        {"08 unroll 8 + shuffle", unroll8Shuffle, 8},
                        {"saxpy", saxpy, 1},
                        {"grid-stride dot", gridStrideDot, 64},
                        {"lanes that part", collatz, 1},
                        {"dot in one block", gridStrideDot, 0},
                        {"a piece a thread, one block", pieces, 0}};

double cpuSeconds() {
  double seconds = 0;
  for (const int whose : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(whose, &usage);
    for (const timeval& time : {usage.ru_utime, usage.ru_stime})
      seconds += double(time.tv_sec) + double(time.tv_usec) * 1e-6;
  }
  return seconds;
}
double realSeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void measure(const Row& row, size_t n, bool findFaults) {
  constexpr unsigned block = 512;
  constexpr int samples = 5;
  const size_t perBlock = size_t(block) * row.elementsPerThread;
  const auto blocks = unsigned(row.elementsPerThread == 0 ? 1 : (n + perBlock - 1) / perBlock);
  const std::vector<int> values(n, 1);
  DeviceArray<int> data(n, "data"), blockSums(blocks, "blockSums");
  const simt::WithSettings settings(simt::Settings{.schedule = {}, .findFaults = findFaults});
  std::vector<double> cpu, real;
  for (int sample = 0; sample < samples; ++sample) {
    data.copyFromHost(values.data());
    const double cpuBefore = cpuSeconds(), realBefore = realSeconds();
    launch(blocks, block, row.kernel, data.data(), blockSums.data(), n);
    cpu.push_back((cpuSeconds() - cpuBefore) * 1e9 / double(n));
    real.push_back((realSeconds() - realBefore) * 1e9 / double(n));
  }
  std::sort(cpu.begin(), cpu.end());
  std::sort(real.begin(), real.end());
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("%-28s %-6s %7.1f (%.1f to %.1f) %7.1f (%.1f to %.1f) %8ld\n", row.name,
              findFaults ? "faults" : "counts", cpu[samples / 2], cpu.front(), cpu.back(),
              real[samples / 2], real.front(), real.back(), usage.ru_maxrss / 1024);
}

}  // namespace

int main(int argc, char** argv) {
  const size_t n = size_t(1) << (argc > 1 ? std::atoi(argv[1]) : 20);
  std::printf("%zu elements, blocks of 512\n", n);
  std::printf("%-28s %-6s %s %s %s\n", "kernel", "search", "CPU ns per element (min to max)",
              "real ns", "peak MB");
  const std::string wanted = argc > 2 ? argv[2] : "";
  for (const Row& row : rows) {
    if (std::string(row.name).find(wanted) == std::string::npos) continue;
    for (const bool findFaults : {false, true}) {
      std::fflush(stdout);
      const pid_t child = fork();
      if (child == 0) {
        measure(row, n, findFaults);
        std::fflush(stdout);
        _exit(0);
      }
      int status = 0;
      waitpid(child, &status, 0);
      if (status != 0) std::printf("%-28s did not end\n", row.name);
    }
  }
}
