// --demo: what each lane receives from each shuffle, as a table.
#pragma once

#include <iostream>
#include <string>
#include <vector>

#include "base/format.h"

#include "cuda/device_array.h"
#include "cuda/launch.h"
#include "program/run.h"

// In shuffle.cuh.
__global__ void shuffleIndex(int* received, int source, int width);
__global__ void shuffleUp(int* received, unsigned delta, int width);
__global__ void shuffleDown(int* received, unsigned delta, int width);
__global__ void shuffleXor(int* received, int laneMask, int width);
__global__ void warpScan(const int* values, int* sums);

enum class ShuffleKind { index, up, down, exclusiveOr };

// What the 32 lanes of a warp receive when each offers its own number.
inline std::vector<int> receivedBy(ShuffleKind shuffle, int argument, int width) {
  DeviceArray<int> received(32, "received");
  received.poison();
  const dim3 grid(1), warp(32);
  switch (shuffle) {
    case ShuffleKind::index:
      launch(grid, warp, shuffleIndex, received.data(), argument, width);
      break;
    case ShuffleKind::up: launch(grid, warp, shuffleUp, received.data(), argument, width); break;
    case ShuffleKind::down:
      launch(grid, warp, shuffleDown, received.data(), argument, width);
      break;
    case ShuffleKind::exclusiveOr:
      launch(grid, warp, shuffleXor, received.data(), argument, width);
      break;
  }
  std::vector<int> lanes(32);
  received.copyToHost(lanes.data(), 32);
  return lanes;
}

// The inclusive scan of 32 values.
inline std::vector<int> scanOf(const std::vector<int>& values) {
  DeviceArray<int> in(32, "values"), out(32, "sums");
  in.copyFromHost(values.data());
  out.poison();
  launch(dim3(1), dim3(32), warpScan, static_cast<const int*>(in.data()), out.data());
  std::vector<int> sums(32);
  out.copyToHost(sums.data(), 32);
  return sums;
}

inline void printLanes(const std::string& title, const std::vector<int>& lanes,
                       const std::vector<bool>& marked) {
  std::cout << title << std::string(26 - title.size(), ' ');
  for (size_t lane = 0; lane < 32; ++lane)
    std::cout << fmt::format("{:3}{}", lanes[lane], marked[lane] ? '*' : ' ');
  std::cout << '\n';
}

struct DemoRow {
  ShuffleKind shuffle;
  std::string call;
  int argument, width;
  std::string comment;
};
inline const std::vector<DemoRow> demoRows = {
    {ShuffleKind::index, "__shfl_sync", 0, 32, "broadcast"},
    {ShuffleKind::index, "__shfl_sync", 5, 8, "broadcast in groups of eight"},
    {ShuffleKind::up, "__shfl_up_sync", 1, 32, ""},
    {ShuffleKind::up, "__shfl_up_sync", 2, 8, ""},
    {ShuffleKind::down, "__shfl_down_sync", 1, 32, ""},
    {ShuffleKind::down, "__shfl_down_sync", 16, 32, "the first step of a warp's sum"},
    {ShuffleKind::down, "__shfl_down_sync", 2, 4, ""},
    {ShuffleKind::exclusiveOr, "__shfl_xor_sync", 1, 32, "neighbours exchange"},
    {ShuffleKind::exclusiveOr, "__shfl_xor_sync", 16, 32, "the halves exchange"},
    {ShuffleKind::exclusiveOr, "__shfl_xor_sync", 3, 4, "each group of four in reverse"},
    {ShuffleKind::exclusiveOr, "__shfl_xor_sync", 4, 4, "groups see those before them only"}};

inline void printDemo(const DemoRow& row) {
  const std::vector<int> lanes = receivedBy(row.shuffle, row.argument, row.width);
  std::vector<bool> kept(32, false);
  if (row.shuffle != ShuffleKind::index)
    for (size_t lane = 0; lane < 32; ++lane) kept[lane] = lanes[lane] == int(lane);
  std::cout << '\n';
  if (!row.comment.empty()) std::cout << row.comment << ":\n";
  std::string title = fmt::format("{} {}", row.call, row.argument);
  if (row.width < 32) title += fmt::format(" width {}", row.width);
  printLanes(title, lanes, kept);
}

inline int demoProgram(const Options& options) {
  if (!options.json.empty()) throw Error(exitUsage, "--json: --demo writes no result file");
  startReport(options, "08_shuffle");  // chooses the GPU
#ifndef GPU_BACKEND
  const simt::WithSettings settings(executorSettings(options));
#endif
  std::vector<int> laneNumbers(32), values(32);
  for (int lane = 0; lane < 32; ++lane) {
    laneNumbers[size_t(lane)] = lane;
    values[size_t(lane)] = lane % 4;
  }
  const std::vector<bool> none(32, false);
  std::cout << "Every lane offers its own number. What it receives (* its own, as the source lies\n"
               "outside of its group):\n\n";
  printLanes("lane", laneNumbers, none);
  for (const DemoRow& row : demoRows) printDemo(row);
  std::cout << "\nAn inclusive scan by five __shfl_up_sync:\n";
  printLanes("values", values, none);
  printLanes("sums", scanOf(values), none);
  return exitRight;
}

inline Mode demoMode() {
  return {.flag = "--demo",
          .help = "show what each lane receives from each shuffle",
          .run = demoProgram};
}
