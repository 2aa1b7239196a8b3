// Calls the kernels of grid_sync.cuh and two_launches.cuh with the grid that suits the input.
#pragma once

#include <memory>

#include "../single_pass.h"
#include "../whole_sum.h"
#include "cuda/launch.h"

// In launches_kernels.cu.
__global__ void gridSyncSum(const int* data, size_t n, long long* blockTotals, long long* total);
__global__ void totalsOfBlocks(const int* data, size_t n, long long* blockTotals);
__global__ void totalOfTotals(const long long* blockTotals, unsigned count, long long* total);

// What these sums share: room for the totals of blocks, and for the total. Each leaves the sum of n
// elements on the device and returns where; valid until the next call of any of them, on the same
// object. data is in device memory.
class LaunchSums {
 public:
  const long long* gridSync(const int* data, size_t n) {
    const LaunchShape shape = shapeOf(n, reinterpret_cast<const void*>(gridSyncSum));
    launchCooperatively(dim3(shape.grid), dim3(shape.block), gridSyncSum, data, n,
                        blockTotals(shape.grid), total_.data());
    return total_.data();
  }

  // In a stream, for those that record what it is given. launchSecond(kernel, arguments...) starts
  // the second kernel in its own way.
  template <typename LaunchSecond>
  const long long* twoLaunches(Stream stream, const int* data, size_t n,
                               const LaunchSecond& launchSecond) {
    const LaunchShape shape = shapeOf(n, reinterpret_cast<const void*>(totalsOfBlocks));
    long long* const totals = blockTotals(shape.grid);
    launch(stream, dim3(shape.grid), dim3(shape.block), totalsOfBlocks, data, n, totals);
    launchSecond(totalOfTotals, static_cast<const long long*>(totals), shape.grid, total_.data());
    return total_.data();
  }
  const long long* twoLaunches(const int* data, size_t n) {
    return twoLaunches({}, data, n, [](auto kernel, auto... arguments) {
      launch(dim3(1), dim3(secondBlock), kernel, arguments...);
    });
  }

  static constexpr unsigned secondBlock = 256;
  static LaunchShape shapeOf(size_t n, const void* kernel) {
    LaunchShape shape = singlePassShape(n * sizeof(int), kernel);
    if (shape.block > 512) shape = {2, 512};  // one block of 1,024 as two
    return shape;
  }

 private:
  long long* blockTotals(unsigned count) {
    if (!blockTotals_ || blockTotals_->size() < count)
      blockTotals_ = std::make_unique<DeviceArray<long long>>(count, "blockTotals");
    return blockTotals_->data();
  }
  DeviceArray<long long> total_{1, "total"};
  std::unique_ptr<DeviceArray<long long>> blockTotals_;
};
