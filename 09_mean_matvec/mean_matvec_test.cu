#include "versions.h"

#include <fstream>
#include <map>

#include "exercise.cuh"
#include "goals.h"
#include "solution.cuh"
#include "test_support/exercise_testing.h"
#include "test_support/kernel_testing.h"

// Runs every version on poisoned arrays and checks every value.
static void expectRight(Sizes sizes) {
  Problem problem(sizes, 7);
  for (const Version& version : versions()) {
    problem.poison();
#ifdef __CUDACC__
    version.run(problem.arrays());
#else
    try {
      version.run(problem.arrays());
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
  for (const Sizes sizes :
       {Sizes{1, 1, 1}, Sizes{1, 5, 3}, Sizes{2, 1, 1}, Sizes{31, 33, 2}, Sizes{32, 32, 32},
        Sizes{33, 1, 17}, Sizes{48, 257, 5}, Sizes{33, 100, 34}, Sizes{100, 3, 1}, Sizes{7, 64, 9},
        Sizes{3, 1025, 4}})
    expectRight(sizes);
}

TEST(MeanMatvec, IsRightForMoreRowsThanABlockHasThreads) {
  NEEDS_DEVICE();
  expectRight({1025, 3, 1});
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
  std::vector<Tiles> kernels = {{productTiles<4, 16>, 64, 256}, {productTiles<1, 64>, 16, 256}};
  if (tensorCoresWork()) {
    kernels.push_back({productTensor<2, 32>, 32, 128});
    kernels.push_back({productTensor<1, 64>, 16, 128});
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

#ifdef __CUDACC__

TEST(MeanMatvec, IsRightAtSizesOfRealWork) {
  NEEDS_DEVICE();
  expectRight({384, 1000, 333});
  expectRight({1500, 31, 257});
}

#else

TEST(MeanMatvec, IsRightUnderAnySchedule) {
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    const WithSchedule schedule(simt::Schedule::Order::random, seed);
    expectRight({33, 40, 3});
    expectRight({70, 9, 18});
  }
}

static Counters countersOf(void (*run)(const Arrays&), Sizes sizes) {
  Problem problem(sizes, 7);
  problem.poison();
  return timeOnce([] {}, [&] { run(problem.arrays()); }, [] {}).counters;
}

// 64 rows of 64 columns: a thread per row reads 32 rows at once, a sector of each; a warp per row
// reads 8 sectors, all of which it needs.
TEST(MeanMatvec, WarpsReadAFewSectorsForEachRequest) {
  NEEDS_COUNTERS();
  const Sizes sizes{64, 64, 4};
  const Counters threads = countersOf(runBlockPerEntry, sizes);
  const Counters warps = countersOf(runWarpPerRow, sizes);
  EXPECT_GT(double(threads.load_sectors) / double(threads.load_requests), 15);
  EXPECT_LE(double(warps.load_sectors) / double(warps.load_requests), 8);
}

// A barrier after the means; and for every product of the tree one, and one for each of its steps.
TEST(MeanMatvec, ProductsByWarpsNeedNoBarrier) {
  NEEDS_COUNTERS();
  const Sizes sizes{64, 8, 4};
  EXPECT_EQ(countersOf(runWarpPerRow, sizes).barriers, 4u * (1 + 64 * (1 + 6)));
  EXPECT_EQ(countersOf(runWarpPerProduct, sizes).barriers, 4u);
}

// 64 entries share a tile: the matrix is read once for 16 of them, not once for each.
TEST(MeanMatvec, TilesReadTheMatrixOnceForManyEntries) {
  NEEDS_COUNTERS();
  const Sizes sizes{64, 4, 64};
  EXPECT_LT(countersOf(runTiles, sizes).load_sectors * 4,
            countersOf(runWarpPerProduct, sizes).load_sectors);
}

// What Nsight Compute counted on an H200 at these sizes (profile.csv says how), kernel by kernel.
TEST(MeanMatvec, CountsWhatTheProfilerCounts) {
  NEEDS_COUNTERS();
  std::map<std::string, std::map<std::string, uint64_t>> profile;
  std::ifstream file(PROFILE_CSV);
  ASSERT_TRUE(file) << PROFILE_CSV;
  for (std::string line; std::getline(file, line);) {
    const size_t second = line.rfind(','), first = line.rfind(',', second - 1);
    if (line.starts_with('#') || line.starts_with("kernel,")) continue;
    profile[line.substr(0, first)][line.substr(first + 1, second - first - 1)] =
        uint64_t(std::stod(line.substr(second + 1)));
  }
  const std::map<std::string, std::vector<std::string>> kernelsOf = {
      {"v1: one block", {"oneBlock"}},
      {"v2: a block per entry", {"blockPerEntry"}},
      {"v3: a warp per row", {"warpPerRow"}},
      {"v4: a warp per product", {"warpPerProduct"}},
      {"v5: all products at once", {"rowMeans<16 0>", "productTiles<4 16>"}},
      {"v5, tensor cores", {"rowMeans<16 1>", "productTensor<1 64>"}}};
  for (const Version& version : versions()) {
    if (!kernelsOf.contains(version.name)) continue;
    std::map<std::string, uint64_t> measured;
    for (const std::string& kernel : kernelsOf.at(version.name)) {
      ASSERT_TRUE(profile.contains(kernel)) << kernel;
      for (const auto& [metric, value] : profile.at(kernel)) measured[metric] += value;
    }
    const Counters c = countersOf(version.run, {64, 96, 32});
    EXPECT_EQ(c.load_requests, measured.at("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"))
        << version.name;
    EXPECT_EQ(c.load_sectors, measured.at("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"))
        << version.name;
    EXPECT_EQ(c.store_requests, measured.at("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"))
        << version.name;
    EXPECT_EQ(c.store_sectors, measured.at("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"))
        << version.name;
  }
}

#endif

// ---- The exercise

TEST(MeanMatvecExercise, ExerciseAndSolutionAreRight) {
  NEEDS_DEVICE();
  expectExerciseRight(exerciseTask(exercise));
  expectExerciseRight(exerciseTask(solution));
}

#ifndef __CUDACC__
TEST(MeanMatvecExercise, ExerciseLeavesWorkAndSolutionMeetsEveryGoal) {
  NEEDS_COUNTERS();
  expectWorkLeft(exerciseTask(exercise));
  expectAllMet(exerciseTask(solution));
}
#endif
