#include <limits>
#include <numeric>

#include "program.h"
#include "test_support/host_testing.h"
#include "test_support/kernel_testing.h"

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();

// Values in device memory that begin so many elements behind a 16-byte boundary.
class Elements {
 public:
  explicit Elements(std::vector<float> values, size_t offset = 0)
      : n_(values.size()), offset_(offset), array_(values.size() + offset, "elements") {
    values.insert(values.begin(), offset, -1e30f);  // must not get into any result
    array_.copyFromHost(values.data());
  }
  const float* data() const { return array_.data() + offset_; }
  size_t size() const { return n_; }

 private:
  size_t n_, offset_;
  DeviceArray<float> array_;
};

static const std::vector<size_t> lengths = {1,   2,    3,    31,   32,    33,
                                            511, 2047, 2048, 2049, 20011, 70001};

// ---- The smallest element

static std::optional<size_t> smallestOf(const Elements& elements) {
  DeviceArray<unsigned long long> word(1, "smallest");
  word.poison();
  findSmallest(elements.data(), elements.size(), word.data());
  unsigned long long found = 0;
  word.copyToHost(&found, 1);
  return placeOf(found);
}

TEST(Smallest, IsTheFirstOfEqualOnesAtAnyLengthAndAlignment) {
  NEEDS_DEVICE();
  for (const size_t n : lengths) {
    std::vector<float> values(n);
    for (const unsigned kinds : {1, 3, 1000}) {
      for (size_t i = 0; i < n; ++i) values[i] = float(randomBits(kinds, i) % kinds) - 2;
      const size_t first = size_t(std::ranges::min_element(values) - values.begin());
      for (size_t offset = 0; offset < 4; ++offset)
        EXPECT_EQ(smallestOf(Elements(values, offset)), first)
            << n << " elements of " << kinds << " kinds, offset " << offset;
    }
  }
}

TEST(Smallest, IsFoundAtEveryPlace) {
  NEEDS_DEVICE();
  for (size_t place = 0; place < 5000; place += 61) {
    std::vector<float> values(5000, 7);
    values[place] = -7;
    EXPECT_EQ(smallestOf(Elements(values, place % 4)), place);
  }
}

TEST(Smallest, KnowsSignsInfinitiesAndNaN) {
  NEEDS_DEVICE();
  const auto first = [](std::vector<float> values) { return smallestOf(Elements(values)); };
  EXPECT_EQ(first({3, -1, -2, 2}), 2u);
  EXPECT_EQ(first({0.0f, -0.0f}), 0u);  // equal, so the first
  EXPECT_EQ(first({-0.0f, 0.0f}), 0u);
  EXPECT_EQ(first({1, -infinity, -3e38f}), 1u);
  EXPECT_EQ(first({infinity, 3e38f}), 1u);
  EXPECT_EQ(first({infinity, infinity}), 0u);
  EXPECT_EQ(first({notANumber, infinity}), 0u);  // counts as infinity
  EXPECT_EQ(first({infinity, notANumber, 7}), 2u);
  EXPECT_EQ(first({-notANumber, 5, -notANumber}), 1u);
  EXPECT_EQ(first({-notANumber, notANumber}), 0u);
  EXPECT_EQ(first({1e-45f, -1e-45f, 0}), 1u);  // subnormal
}

TEST(Smallest, IsNowhereAmongNoElements) {
  NEEDS_DEVICE();
  EXPECT_EQ(smallestOf(Elements({}, 3)), std::nullopt);
}

// ---- Mean and variance

static float2 momentsOf(const Elements& elements) {
  DeviceArray<float2> result(1, "result");
  result.poison();
  MomentsOf moments;
  moments(elements.data(), elements.size(), result.data());
  float2 found;
  result.copyToHost(&found, 1);
  return found;
}

TEST(MeanAndVariance, AreRightAtAnyLengthAndAlignment) {
  NEEDS_DEVICE();
  for (const size_t n : lengths) {
    const KnownMatrix known(1, n, 7);
    for (size_t offset = 0; offset < 4; ++offset) {
      const float2 found = momentsOf(Elements(known.values, offset));
      EXPECT_NEAR(found.x, known.mean, 1e-5 * known.mean) << n << ", offset " << offset;
      EXPECT_NEAR(found.y, known.variance, 1e-4 * known.variance) << n << ", offset " << offset;
    }
  }
}

// Sums of x and of x² in float would be multiples of 64 here, and leave nothing of a variance of 1.
TEST(MeanAndVariance, KeepASmallVarianceOfLargeValues) {
  NEEDS_DEVICE();
  std::vector<float> values(30000);
  for (size_t i = 0; i < values.size(); ++i) values[i] = 30000 + float(i % 2 == 0 ? 1 : -1);
  const float2 found = momentsOf(Elements(values, 1));
  EXPECT_NEAR(found.x, 30000, 0.01);
  EXPECT_NEAR(found.y, 1, 0.001);
}

TEST(MeanAndVariance, OfOneAndOfNoElement) {
  NEEDS_DEVICE();
  const float2 one = momentsOf(Elements({42}, 1)), none = momentsOf(Elements({}, 0));
  EXPECT_EQ(one.x, 42);
  EXPECT_EQ(one.y, 0);
  EXPECT_EQ(none.x, 0);
  EXPECT_TRUE(std::isnan(none.y));
}

TEST(MeanAndVariance, AreTheSameInEveryRun) {
  NEEDS_DEVICE();
  const KnownMatrix known(1, 70001, 7);
  const Elements elements(known.values, 1);
  const float2 first = momentsOf(elements);
  for (uint64_t run = 0; run < 5; ++run) {
#ifndef GPU_BACKEND
    const WithSchedule schedule(simt::Schedule::Order::random, run);
#endif
    const float2 again = momentsOf(elements);
    EXPECT_EQ(again.x, first.x);
    EXPECT_EQ(again.y, first.y);
  }
}

// ---- Rows and columns: small whole numbers, so that every partial sum is exact

static void expectSums(size_t rows, size_t columns) {
  std::vector<float> values(rows * columns), ofRows(rows), ofColumns(columns);
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = float(randomBits(7, i) % 8);
    ofRows[i / columns] += values[i];
    ofColumns[i % columns] += values[i];
  }
  DeviceArray<float> matrix(values.size(), "matrix"), sums(std::max(rows, columns), "sums");
  matrix.copyFromHost(values.data());
  ColumnSums inSlices;
  const auto expect = [&](const std::string& way, const std::vector<float>& expected,
                          const auto& run) {
    sums.poison();
    run();
    std::vector<float> found(expected.size());
    sums.copyToHost(found.data(), found.size());
    EXPECT_EQ(found, expected) << rows << " × " << columns << ", " << way;
  };
  for (const SumKernel kernel : {rowPerThread, rowPerWarp, rowPerTile, rowPerBlock})
    expect("rows", ofRows, [&] { sumRows(kernel, matrix.data(), sums.data(), rows, columns); });
  expect("columns, a thread each", ofColumns,
         [&] { sumColumnsByThreads(matrix.data(), sums.data(), rows, columns); });
  expect("columns, in slices", ofColumns,
         [&] { inSlices(matrix.data(), sums.data(), rows, columns); });
#ifdef GPU_BACKEND
  for (const LibrarySum& library : libraryRowSums())
    expect(library.name, ofRows, [&] { library.sum(matrix.data(), sums.data(), rows, columns); });
  for (const LibrarySum& library : libraryColumnSums())
    expect(library.name, ofColumns,
           [&] { library.sum(matrix.data(), sums.data(), rows, columns); });
#endif
}

TEST(Sums, OfRowsAndColumnsAreRightForAnyShape) {
  NEEDS_DEVICE();
  for (const size_t rows : thinned<size_t>({1, 2, 7, 8, 9, 63, 64, 65, 257}))
    for (const size_t columns : thinned<size_t>({1, 3, 31, 32, 33, 256, 300}))
      expectSums(rows, columns);
}

TEST(Sums, OfRowsAndColumnsAreRightForLongOnes) {
  NEEDS_DEVICE();
  expectSums(1, 20011);
  expectSums(20011, 1);
  expectSums(3001, 5);
  expectSums(2, 70001);
}

#ifndef GPU_BACKEND

TEST(Sums, OfRowsAndColumnsAreRightUnderAnySchedule) {
  for (uint64_t seed = 1; seed <= thinned(10); ++seed) {
    const WithSchedule schedule(simt::Schedule::Order::random, seed);
    expectSums(150, 37);
    expectSums(3, 600);
  }
}

TEST(Smallest, IsFoundUnderAnySchedule) {
  std::vector<float> values(9000);
  for (size_t i = 0; i < values.size(); ++i) values[i] = float(randomBits(7, i) % 50);
  const size_t first = size_t(std::ranges::min_element(values) - values.begin());
  for (uint64_t seed = 1; seed <= thinned(10); ++seed) {
    const WithSchedule schedule(simt::Schedule::Order::random, seed);
    EXPECT_EQ(smallestOf(Elements(values, seed % 4)), first);
  }
}

// 64 rows of 256: neighbours a row apart touch as many sectors as there are lanes, a warp's
// neighbours four for a request.
TEST(Sums, AWarpForEachRowReadsAnEighthOfTheSectors) {
  const size_t rows = 64, columns = 256;
  DeviceArray<float> matrix(rows * columns, "matrix"), sums(rows, "sums");
  matrix.copyFromHost(std::vector<float>(rows * columns, 1).data());
  const auto sectors = [&](SumKernel kernel) {
    simt::takeCounters();
    sumRows(kernel, matrix.data(), sums.data(), rows, columns);
    return simt::takeCounters().load_sectors;
  };
  EXPECT_EQ(sectors(rowPerThread), rows * columns);
  EXPECT_EQ(sectors(rowPerWarp), rows * columns / 8);
  EXPECT_EQ(sectors(rowPerTile), rows * columns / 8);
  EXPECT_EQ(sectors(rowPerBlock), rows * columns / 8);
}

#endif

// ---- The program

static Options sizes(uint64_t rows, uint64_t columns) {
  Options options;
  options.sizes = {rows, columns};
  options.samples = 1;
  return options;
}

TEST(ReductionsProgram, IsRightForAnySizes) {
  NEEDS_DEVICE();
  for (const auto& [rows, columns] : {std::pair(1, 1), {1, 3000}, {3000, 1}, {33, 40}}) {
    const Captured out(std::cout), err(std::cerr);
    EXPECT_EQ(reductions(sizes(uint64_t(rows), uint64_t(columns))), exitRight) << err.text();
    EXPECT_TRUE(contains(out.text(), "every result is right"));
  }
}

TEST(ReductionsProgram, RefusesMatricesThatCubCannotCount) {
  NEEDS_DEVICE();
  const Captured out(std::cout);
  EXPECT_EQ(refusalOf([] { reductions(sizes(1 << 16, 1 << 15)); }),
            "--rows 65536 --cols 32768: reductions takes fewer than 2^31 elements");
}
