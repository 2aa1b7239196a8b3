#include "report/profile.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/errors.h"
#include "test_support/host_testing.h"

TEST(Profile, FindsAKernelAtItsBlockSize) {
  const TemporaryFolder folder;
  writeFile(folder.path("profile.csv"),
            "# a comment\n"
            "kernel,block,blocks,metric,value\n"
            "sum<int>,128,8,loads,10\n"
            "sum<int>,512,2,loads,20\n");
  const Profile profile(folder.path("profile.csv"));
  EXPECT_EQ(profile.rows().size(), 2u);
  ASSERT_TRUE(profile.find("sum", "loads", 512));
  EXPECT_EQ(profile.find("sum", "loads", 512)->value, 20);
  EXPECT_EQ(profile.find("sum<int>", "", 128)->blocks, 8);
  EXPECT_FALSE(profile.find("sum", "loads"));
  EXPECT_FALSE(profile.find("sum", "stores", 512));
  EXPECT_FALSE(profile.find("su", "loads", 512));
}

TEST(Profile, RefusesALineThatIsNone) {
  const TemporaryFolder folder;
  for (const std::string line : {"sum,128,loads,10", "sum,loads,many", "sum,loads,"}) {
    writeFile(folder.path("profile.csv"), line + "\n");
    EXPECT_TRUE(contains(refusalOf([&] { Profile(folder.path("profile.csv")); }), "profile.csv:1"));
  }
}
