// Compiled with --ftz=true, under which no sum of floats is exact. Doubles keep their subnormals.
#include "exact_sum_kernels.cu"
#include "sum_on_device_testing.h"
#include "test_support/host_testing.h"
#include "test_support/kernel_testing.h"

TEST(ExactSumWithFtz, RefusesFloatsAndSumsDoubles) {
  NEEDS_DEVICE();
  EXPECT_TRUE(contains(refusalOf([] { ExactSum<float>(); }), "compile without --ftz=true"));
  const double tiny = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(sumOnDevice(std::vector<double>(1000, tiny)), 1000 * tiny);
}
