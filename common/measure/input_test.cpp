#include "measure/input.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

TEST(Input, HasValuesFrom0To255) {
  const Input input = makeInput(100000, 1);
  const auto [least, most] = std::minmax_element(input.values.get(), input.values.get() + input.n);
  EXPECT_EQ(*least, 0);
  EXPECT_EQ(*most, 255);
}

TEST(Input, HasItsSum) {
  for (const size_t n : {0, 1, 7, 8, 9, 100003}) {
    const Input input = makeInput(n, 3);
    EXPECT_EQ(input.n, n);
    EXPECT_EQ(input.sum, std::accumulate(input.values.get(), input.values.get() + n, int64_t(0)))
        << n;
  }
}

TEST(Input, IsTheBeginningOfALongerOne) {
  const Input whole = makeInput(100003, 1);
  for (const size_t n : {1, 7, 8, 9, 31, 1000, 100002}) {
    const Input part = makeInput(n, 1);
    EXPECT_TRUE(std::equal(part.values.get(), part.values.get() + n, whole.values.get())) << n;
  }
}

TEST(Input, IsAnotherForAnotherSeed) {
  std::vector<std::vector<int>> beginnings;
  for (const uint64_t seed : {uint64_t(0), uint64_t(1), uint64_t(2), uint64_t(INT64_MAX)}) {
    const Input input = makeInput(16, seed);
    beginnings.emplace_back(input.values.get(), input.values.get() + 16);
  }
  std::ranges::sort(beginnings);
  EXPECT_EQ(std::ranges::adjacent_find(beginnings), beginnings.end());
}

TEST(Input, IsTheSameAgain) {
  const Input once = makeInput(1000, 5), again = makeInput(1000, 5);
  EXPECT_TRUE(std::equal(once.values.get(), once.values.get() + 1000, again.values.get()));
}

TEST(Input, DoesNotRepeatItself) {
  const Input input = makeInput(1000, 1);
  for (size_t i = 8; i < input.n; i += 8)
    EXPECT_FALSE(std::equal(&input.values[i - 8], &input.values[i], &input.values[i])) << i;
}
