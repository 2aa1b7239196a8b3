// The answers of the exercises and the controls add up right, and count what is said of them.
#include "variants.h"

#include "test_support/step_tests.h"

TEST_STEPS(Variants, variantSteps());
TEST_STEPS(Controls, controlSteps());

#ifndef GPU_BACKEND

static Counters countersOfVariant(const std::string& step) {
  return countersPerBlock(joinSteps({ladderTo07(), variantSteps(), controlSteps()}), step, 512);
}

TEST(VariantCounters, AModuloThatIsTestedFirstSavesFiveBranches) {
  const Counters before = countersOfVariant("neighbored");
  Counters after = countersOfVariant("neighbored, modulo first");
  EXPECT_EQ(before.divergent_branches, 101u);
  EXPECT_EQ(after.divergent_branches, 96u);
  after.divergent_branches = before.divergent_branches;
  EXPECT_EQ(after, before);
}

TEST(VariantCounters, PaddingLeavesNoBankConflict) {
  const Counters before = countersOfVariant("neighbored less, shared");
  const Counters after = countersOfVariant("neighbored less, shared, padded");
  EXPECT_EQ(before.shared_load_conflicts + before.shared_store_conflicts, 225u);
  EXPECT_EQ(after.shared_load_conflicts + after.shared_store_conflicts, 0u);
  EXPECT_EQ(after.shared_load_requests, before.shared_load_requests);
  EXPECT_EQ(after.barriers, before.barriers);
}

TEST(VariantCounters, OneThreadThatAdds32LoadsMoreOften) {
  const Counters c = countersOfVariant("interleaved, thread 0 adds 32");
  EXPECT_EQ(c.load_requests, 62u);
  EXPECT_EQ(c.barriers, 4u);
  EXPECT_EQ(c.divergent_branches, 1u);
}

// The last warp's six steps load the other's element only, and the last sum is in a register: the
// store of it and its load are what is left out. 6 + 1 loads fewer, but the first of the warp's.
TEST(VariantCounters, ARegisterSavesTheLastWarpsOwnLoads) {
  const Counters before = countersOfVariant("unroll 8 + warp");
  const Counters after = countersOfVariant("unroll 8 + warp, register");
  EXPECT_EQ(after.load_requests, before.load_requests - 6u);
  EXPECT_EQ(after.store_requests, before.store_requests);
  EXPECT_EQ(after.barriers, before.barriers);
}

// In shared memory the input is read once, and nothing of it is written but the block's sum.
TEST(VariantCounters, InSharedMemoryTheTreeLeavesGlobalMemoryAlone) {
  for (const char* step :
       {"unroll 8, shared", "unroll 8 + warp, shared", "complete unroll, shared"}) {
    const Counters c = countersOfVariant(step);
    EXPECT_EQ(c.load_requests, 16 * 8u) << step;
    EXPECT_EQ(c.load_sectors, 16 * 8 * 4u) << step;
    EXPECT_EQ(c.store_requests, 1u) << step;
    EXPECT_EQ(c.shared_load_conflicts + c.shared_store_conflicts, 0u) << step;
  }
  const Counters c = countersOfVariant("unroll 2, shared");
  EXPECT_EQ(c.load_requests, 16 * 2u);
  EXPECT_EQ(c.store_requests, 1u);
}

#endif
