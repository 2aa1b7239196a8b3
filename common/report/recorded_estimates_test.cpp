#include "report/recorded_estimates.h"

#include <gtest/gtest.h>

#include "base/errors.h"
#include "test_support/host_testing.h"

namespace {

const std::string head = "# a comment\ngroup;step;where;record;n;kernel;ms;instructions;waits\n";

class RecordedEstimates : public testing::Test {
 protected:
  std::string path() const { return folder_.path("estimated.csv"); }
  void write(const std::string& lines) { writeFile(path(), head + lines); }

 private:
  TemporaryFolder folder_;
};

}  // namespace

TEST_F(RecordedEstimates, AreReadLineByLine) {
  write(
      "ladder;sum, shared;blocks of 8;r.json;1024;;0.5;2e9;memory 0.75,issue slots 0.25\n\n"
      "profile;sum;2^24;p.csv;0;sum<int>;1.5;10;\n");
  const std::vector<RecordedEstimate> all = readEstimates(path());
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].group, "ladder");
  EXPECT_EQ(all[0].step, "sum, shared");
  EXPECT_EQ(all[0].where, "blocks of 8");
  EXPECT_EQ(all[0].record, "r.json");
  EXPECT_EQ(all[0].n, 1024u);
  EXPECT_EQ(all[0].ms, 0.5);
  EXPECT_EQ(all[0].instructions, 2e9);
  ASSERT_EQ(all[0].waits.size(), 2u);
  EXPECT_EQ(all[0].waits[1].first, "issue slots");
  EXPECT_EQ(all[0].waits[1].second, 0.25);
  EXPECT_EQ(all[1].kernel, "sum<int>");
  EXPECT_TRUE(all[1].waits.empty());
}

TEST_F(RecordedEstimates, RefuseALineThatIsNone) {
  for (const std::string line :
       {"a;b;c", "a;b;c;d;0;e;1;1", "a;b;c;d;0;e;1;1;x 1;", "a;b;c;d;0;e;fast;1;",
        "a;b;c;d;0;e;0;1;", "a;b;c;d;0;e;-1;1;", "a;b;c;d;0;e;nan;1;", "a;b;c;d;-1;e;1;1;",
        "a;b;c;d;0;e;1;;", "a;b;c;d;0;e;1;1;memory much"}) {
    write(line + "\n");
    EXPECT_TRUE(contains(refusalOf([&] { readEstimates(path()); }), "estimated.csv:3: ")) << line;
  }
  EXPECT_TRUE(contains(refusalOf([&] { readEstimates(path() + "x"); }), "cannot be read"));
}

TEST_F(RecordedEstimates, KnowWhatWasMeasuredOfThem) {
  Report record{.program = "p", .n = 1024};
  record.steps = {{.lesson = "02", .name = "sum", .n = 2048, .kernelMs = {5}},
                  {.lesson = "02", .name = "sum", .kernelMs = {1, 3, 2}},
                  {.lesson = "02", .name = "counted"}};
  EXPECT_EQ(measuredMs({.step = "sum", .n = 1024}, record), 2);
  EXPECT_EQ(measuredMs({.step = "sum"}, record), 5);
  EXPECT_EQ(measuredMs({.step = "sum", .n = 4}, record), 0);
  EXPECT_EQ(measuredMs({.step = "counted"}, record), 0);
  EXPECT_EQ(measuredMs({.step = "sun"}, record), 0);
}
