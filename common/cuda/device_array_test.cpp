// Device memory and launches of the cpu backend: what the executor is told of them.
#include "cuda/device_array.h"

#include <gtest/gtest.h>

#include <numeric>

#include "cuda/device.h"
#include "cuda/launch.h"

namespace {

__global__ void copies(const int* from, int* to) { to[threadIdx.x] = from[threadIdx.x]; }

__global__ void notesItsShape(unsigned* shape) {
  if (blockIdx.x > 0 || threadIdx.x > 0 || threadIdx.y > 0) return;
  shape[0] = gridDim.x;
  shape[1] = gridDim.y;
  shape[2] = blockDim.x;
  shape[3] = blockDim.y;
}

std::vector<int> numbers() {
  std::vector<int> values(100);
  std::iota(values.begin(), values.end(), 1);
  return values;
}

std::vector<int> contentsOf(const DeviceArray<int>& array) {
  std::vector<int> values(array.size(), -1);
  array.copyToHost(values.data(), values.size());
  return values;
}

}  // namespace

TEST(DeviceArray, IsCopiedThereAndBack) {
  DeviceArray<int> array(100, "array");
  array.copyFromHost(numbers().data());
  EXPECT_EQ(contentsOf(array), numbers());
  int first[2] = {-1, -1};
  array.copyToHost(first, 1);
  EXPECT_EQ(first[0], 1);
  EXPECT_EQ(first[1], -1);
}

TEST(DeviceArray, IsCopiedOnTheDevice) {
  DeviceArray<int> from(100, "from"), to(100, "to");
  from.copyFromHost(numbers().data());
  to.poison();
  to.copyFromDevice(from);
  EXPECT_EQ(contentsOf(to), numbers());
  launch(dim3(1), dim3(100), copies, static_cast<const int*>(to.data()), from.data());
}

TEST(DeviceArray, MayBeEmpty) {
  DeviceArray<int> nothing(0, "nothing");
  const int none = 0;
  nothing.copyFromHost(&none);
  nothing.poison();
  EXPECT_TRUE(contentsOf(nothing).empty());
}

TEST(DeviceArray, HoldsNoPlausibleResultWhenPoisoned) {
  DeviceArray<int> array(100, "array");
  array.copyFromHost(numbers().data());
  array.poison();
  EXPECT_EQ(contentsOf(array), std::vector<int>(100, int(0xA5A5A5A5)));
}

TEST(DeviceArray, CountsAsUnwrittenWhenPoisoned) {
  DeviceArray<int> from(100, "from"), to(100, "to");
  const auto copy = [&] {
    launch(dim3(1), dim3(100), copies, static_cast<const int*>(from.data()), to.data());
  };
  EXPECT_THROW(copy(), simt::Fault);
  from.copyFromHost(numbers().data());
  EXPECT_NO_THROW(copy());
  from.poison();
  try {
    copy();
    ADD_FAILURE() << "a poisoned array was read";
  } catch (const simt::Fault& fault) {
    EXPECT_EQ(fault.kind, simt::Fault::Kind::uninitialised);
    EXPECT_EQ(fault.array, "from");
  }
}

TEST(Launch, HasItsGridAndItsBlock) {
  DeviceArray<unsigned> shape(4, "shape");
  launch(dim3(3, 4), dim3(5, 6), notesItsShape, shape.data());
  std::vector<unsigned> seen(4);
  shape.copyToHost(seen.data(), 4);
  EXPECT_EQ(seen, (std::vector<unsigned>{3, 4, 5, 6}));
}

TEST(Device, HasTheMultiprocessorsOfTheSettings) {
  simt::Settings settings;
  settings.multiprocessors = 99;
  const simt::WithSettings scope(settings);
  EXPECT_EQ(multiprocessors(), 99u);
}
