#include <iostream>
#include <map>

#include "exercise_task.h"
#include "program.h"
#include "report/profile.h"
#include "test_support/exercise_testing.h"
#include "test_support/kernel_testing.h"

// In exercise.cuh and solution.cuh, which are compiled by themselves.
__global__ void exercise(const double* matrix, double* means, unsigned rows, unsigned columns);
extern const ColumnMeansKernel solvedExercise;

// In testing_kernels.cu: leaves a result that is no number.
__global__ void losesOne(double* result);

// Runs the versions on poisoned arrays and checks every value.
static void expectRight(Sizes sizes, const std::vector<Version>& all = versions()) {
  Problem problem(sizes, 7);
  for (const Version& version : all) {
    problem.poison();
#ifdef GPU_BACKEND
    runVersion(version, problem.arrays());
#else
    try {
      runVersion(version, problem.arrays());
    } catch (const simt::Fault& fault) {
      ADD_FAILURE() << fault.what();
    }
#endif
    EXPECT_LT(problem.error(version.meansOnly), 1e-12)
        << version.name << ", " << sizes.rows << " rows, " << sizes.columns << " columns, batch "
        << sizes.batch;
  }
}

TEST(MeanMatvec, IsRightForAnySizes) {
  NEEDS_DEVICE();
  for (const Sizes& sizes : thinned<Sizes>({{1, 1, 1},
                                            {1, 5, 3},
                                            {2, 1, 1},
                                            {31, 33, 2},
                                            {32, 32, 32},
                                            {33, 1, 17},
                                            {48, 257, 5},
                                            {33, 100, 34},
                                            {100, 3, 1},
                                            {7, 64, 9},
                                            {3, 1025, 4}}))
    expectRight(sizes);
}

#ifdef WORKSHOP_CUBLAS
// The vector that cublasDgemv multiplies by is another for each number of columns. It was once
// still on its way when the first stream read it.
TEST(MeanMatvec, TheLibrarysVectorIsThereBeforeAnyStreamReadsIt) {
  NEEDS_DEVICE();
  Problem narrow({32, 32, 32}, 7), wide({32, 48, 32}, 7);
  const unsigned rounds = underSanitizer() ? 20 : 500;
  for (unsigned round = 0; round < rounds; ++round)
    for (Problem* problem : {&narrow, &wide}) {
      problem->poison();
      overlapped(problem->arrays(), cublasMeans, cublasProducts);
      ASSERT_LT(problem->error(true), 1e-12) << "round " << round;
    }
}
#endif

TEST(MeanMatvec, IsRightForMoreRowsThanABlockHasThreads) {
  NEEDS_DEVICE();
#ifndef GPU_BACKEND
  const simt::WithSettings counting({.findFaults = false});  // smaller sizes look for faults
#endif
  // A thread for each row have the first two, up to 1,024 in a block; the others have warps or
  // tiles.
  const std::vector<Version> all = versions();
  expectRight({1025, sanitizerTool() == "racecheck" ? 1u : 3u, 1}, {all[0], all[1]});
  expectRight({257, 3, 1});
}

TEST(MeanMatvec, IsRightForABatchOf1025) {
  NEEDS_DEVICE();
  expectRight({5, 7, 1025});
}

// The tiles that small sizes do not use by themselves: whole ones, parts of some, parts of the
// batch.
TEST(MeanMatvec, IsRightWithTilesOfEverySize) {
  NEEDS_DEVICE();
  struct Tiles {
    ProductKernel kernel;
    unsigned side, threads;
  };
  std::vector<Tiles> kernels = {{productByTiles, 64, 256}, {productBySmallTiles, 16, 256}};
  if (tensorCoresWork()) {
    kernels.push_back({productByTensors, 32, 128});
    kernels.push_back({productBySmallTensors, 16, 128});
  }
  for (const Sizes sizes : {Sizes{64, 2, 64}, Sizes{65, 2, 70}, Sizes{3, 2, 130}}) {
    Problem problem(sizes, 7);
    for (const Tiles& tiles : kernels) {
      problem.poison();
      const Arrays a = problem.arrays();
      runRowMeans(a, 0, sizes.batch);
      const unsigned half = sizes.batch / 2;
      runProducts(a, tiles.kernel, tiles.side, tiles.threads, 0, half);
      runProducts(a, tiles.kernel, tiles.side, tiles.threads, half, sizes.batch);
      EXPECT_LT(problem.error(), 1e-12)
          << sizes.rows << " rows, batch " << sizes.batch << ", tiles of " << tiles.side;
    }
  }
}

#ifdef GPU_BACKEND

TEST(MeanMatvec, IsRightAtSizesOfRealWork) {
  NEEDS_DEVICE();
  if (underSanitizer()) GTEST_SKIP() << "takes minutes under compute-sanitizer";
  expectRight({384, 1000, 333});
  expectRight({1500, 31, 257});
}

#else

TEST(MeanMatvec, IsRightUnderAnySchedule) {
  for (uint64_t seed = 1; seed <= thinned(8); ++seed) {
    const WithSchedule schedule(simt::Schedule::Order::random, seed);
    expectRight({33, 40, 3});
    expectRight({70, 9, 18});
  }
}

static Counters countersOf(void (*run)(const Arrays&), Sizes sizes) {
  Problem problem(sizes, 7);
  problem.poison();
  simt::takeCounters();
  run(problem.arrays());
  return simt::takeCounters();
}

// 64 rows of 64 columns: a thread per row reads 32 rows at once, a sector of each; a warp per row
// reads 8 sectors, all of which it needs.
TEST(MeanMatvec, WarpsReadAFewSectorsForEachRequest) {
  const Sizes sizes{64, 64, 4};
  const Counters threads = countersOf(runBlockPerEntry, sizes);
  const Counters warps = countersOf(runWarpPerRow, sizes);
  EXPECT_GT(double(threads.load_sectors) / double(threads.load_requests), 15);
  EXPECT_LE(double(warps.load_sectors) / double(warps.load_requests), 8);
}

// A barrier after the means; and for every product of the tree one, and one for each of its steps.
TEST(MeanMatvec, ProductsByWarpsNeedNoBarrier) {
  const Sizes sizes{64, 8, 4};
  EXPECT_EQ(countersOf(runWarpPerRow, sizes).barriers, 4u * (1 + 64 * (1 + 6)));
  EXPECT_EQ(countersOf(runWarpPerProduct, sizes).barriers, 4u);
}

// 64 entries share a tile: the matrix is read once for 16 of them, not once for each.
TEST(MeanMatvec, TilesReadTheMatrixOnceForManyEntries) {
  const Sizes sizes{64, 4, 64};
  EXPECT_LT(countersOf(runTiles, sizes).load_sectors * 4,
            countersOf(runWarpPerProduct, sizes).load_sectors);
}

// What Nsight Compute counted on an H200 at these sizes (profile.csv says how), kernel by kernel.
TEST(MeanMatvec, CountsWhatTheProfilerCounts) {
  const Profile profile(PROFILE_CSV);
  const std::map<std::string, std::vector<std::string>> kernelsOf = {
      {"v1: one block", {"oneBlock"}},
      {"v2: a block per entry", {"blockPerEntry"}},
      {"v3: a warp per row", {"warpPerRow"}},
      {"v4: a warp per product", {"warpPerProduct"}},
      {"v5: all products at once", {"rowMeans<16 0>", "productTiles<4 16>"}},
      {"v5, tensor cores", {"rowMeans<16 1>", "productTensor<1 64>"}}};
  for (const Version& version : versions()) {
    if (!kernelsOf.contains(version.name)) continue;
    const Counters c = countersOf(version.run, {64, 96, 32});
    for (const simt::CounterInfo& counter : simt::counterList) {
      if (!std::string(counter.metric).starts_with("l1tex__t_")) continue;  // requests, sectors
      double measured = 0;
      for (const std::string& kernel : kernelsOf.at(version.name)) {
        const ProfileRow* const row = profile.find(kernel, counter.metric);
        ASSERT_TRUE(row) << kernel << ' ' << counter.metric;
        measured += row->value;
      }
      EXPECT_EQ(double(c.*counter.member), measured) << version.name << ' ' << counter.title;
    }
  }
}

#endif

TEST_EXERCISE(MeanMatvec, exerciseTask(exercise), exerciseTask(solvedExercise))

// ---- The program, and versions that are wrong

static void doesNothing(const Arrays&) {}

// Right but for one value, which is no number.
static void leavesNoNumber(const Arrays& arrays) {
  runBlockPerEntry(arrays);
  launch(dim3(1), dim3(1), losesOne, arrays.result);
}

TEST(MeanMatvec, TellsAWrongResultFromARightOne) {
  NEEDS_DEVICE();
  Problem problem({5, 7, 3}, 7);
  problem.poison();
  runBlockPerEntry(problem.arrays());
  EXPECT_LT(problem.error(), tolerance);
  leavesNoNumber(problem.arrays());
  EXPECT_FALSE(problem.error() < tolerance);
  problem.poison();  // what the version before left is no result of the next
  EXPECT_FALSE(problem.error() < tolerance);
  EXPECT_FALSE(problem.error(true) < tolerance);
}

static int exitCodeOf(const std::vector<Version>& versions, std::string& out) {
  Options options;
  options.sizes = {5, 7, 3};
  options.samples = 1;
  options.estimate = false;
  const Captured all(std::cout), err(std::cerr);
  const int code = meanMatvec(options, versions);
  out = all.text();
  return code;
}

TEST(MeanMatvecProgram, EndsWithExitCode1WhereAValueIsWrong) {
  NEEDS_DEVICE();
  std::string out;
  EXPECT_EQ(exitCodeOf(versions(), out), exitRight);
  EXPECT_TRUE(contains(out, "every value is right"));
  for (const auto wrong : {doesNothing, leavesNoNumber}) {
    EXPECT_EQ(exitCodeOf({versions().front(), {"wrong", "", wrong}}, out), exitWrong);
    EXPECT_FALSE(contains(out, "every value is right"));
  }
}
