// Runs the rounds of matrix_sum.cuh.
#pragma once

#include <string>
#include <vector>

#include "cuda/device_array.h"
#include "cuda/launch.h"
#include "tiles.h"

// One round and its input.
struct Round {
  unsigned height, width;  // of its input
  uint64_t outputs() const { return uint64_t(tilesAlong(height)) * tilesAlong(width); }
};

// The rounds that a matrix takes: at least one, until one value is left.
inline std::vector<Round> roundsFor(unsigned height, unsigned width) {
  std::vector<Round> rounds = {{height, width}};
  while (rounds.back().outputs() > 1)
    rounds.push_back({tilesAlong(rounds.back().height), tilesAlong(rounds.back().width)});
  return rounds;
}

// The kernels, in matrix_sum.cuh, which is compiled by itself.
__global__ void inner(const float* in, float* out, unsigned height, unsigned width);
__global__ void outer(const float* in, float* out, unsigned height, unsigned width);
using RoundKernel = decltype(&inner);

inline void launchRound(RoundKernel kernel, const Round& round, const float* in, float* out) {
  const uint64_t outputs = round.outputs();
  if (kernel == inner)
    launch(dim3(unsigned(outputs)), dim3(side, side), kernel, in, out, round.height, round.width);
  else
    launch(dim3(unsigned((outputs + 255) / 256)), dim3(256), kernel, in, out, round.height,
           round.width);
}

// A matrix on the device and two buffers that the rounds use in turn: what one round writes, the
// next one reads.
class MatrixSum {
 public:
  MatrixSum(const float* values, unsigned height, unsigned width)
      : rounds_(roundsFor(height, width)),
        matrix_(size_t(height) * width, "matrix"),
        even_(rounds_[0].outputs(), "even rounds"),
        odd_(rounds_.size() > 1 ? rounds_[1].outputs() : 1, "odd rounds") {
    matrix_.copyFromHost(values);
  }

  const std::vector<Round>& rounds() const { return rounds_; }
  void poison() {
    even_.poison();
    odd_.poison();
  }

  // Launches a round; the rounds before it must have been launched.
  void run(RoundKernel kernel, size_t i) {
    launchRound(kernel, rounds_[i], i == 0 ? matrix_.data() : buffer(i - 1).data(),
                buffer(i).data());
  }

  // The sum, when all rounds have run.
  float total() {
    float value = 0;
    buffer(rounds_.size() - 1).copyToHost(&value, 1);
    return value;
  }

 private:
  DeviceArray<float>& buffer(size_t round) { return round % 2 == 0 ? even_ : odd_; }
  std::vector<Round> rounds_;
  DeviceArray<float> matrix_, even_, odd_;
};
