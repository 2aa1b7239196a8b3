// The answers of the exercises add up right, and count what the pages say of them.
#include "variants.h"

#include "test_support/step_tests.h"

TEST_STEPS(Variants, variantSteps());

#ifndef GPU_BACKEND

static Counters countersOfVariant(const std::string& step) {
  return countersPerBlock(joinSteps({ladderTo04(), variantSteps()}), step, 512);
}

TEST(VariantCounters, AModuloThatIsTestedFirstSavesFiveBranches) {
  NEEDS_COUNTERS();
  const Counters before = countersOfVariant("neighbored");
  Counters after = countersOfVariant("neighbored, modulo first");
  EXPECT_EQ(before.divergent_branches, 101u);
  EXPECT_EQ(after.divergent_branches, 96u);
  after.divergent_branches = before.divergent_branches;
  EXPECT_EQ(after, before);
}

TEST(VariantCounters, PaddingLeavesNoBankConflict) {
  NEEDS_COUNTERS();
  const Counters before = countersOfVariant("neighbored less, shared");
  const Counters after = countersOfVariant("neighbored less, shared, padded");
  EXPECT_EQ(before.shared_load_conflicts + before.shared_store_conflicts, 225u);
  EXPECT_EQ(after.shared_load_conflicts + after.shared_store_conflicts, 0u);
  EXPECT_EQ(after.shared_load_requests, before.shared_load_requests);
  EXPECT_EQ(after.barriers, before.barriers);
}

TEST(VariantCounters, OneThreadThatAdds32LoadsMoreOften) {
  NEEDS_COUNTERS();
  const Counters c = countersOfVariant("interleaved, thread 0 adds 32");
  EXPECT_EQ(c.load_requests, 62u);
  EXPECT_EQ(c.barriers, 4u);
  EXPECT_EQ(c.divergent_branches, 1u);
}

#endif
