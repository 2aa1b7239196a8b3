// What programs show in terminals of different widths.
#include "base/text.h"
#include "base/unicode.h"
#include "programs_testing.h"

static void expectNoLineLongerThan(unsigned short columns, const std::string& program,
                                   const Words& arguments) {
  const Outcome outcome = runCpu(program, arguments, {.columns = columns});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "right")) << outcome.out;
  for (const std::string& line : split(outcome.out, "\n"))
    EXPECT_LE(columnsOf(line), columns) << program << ": " << line;
}

// In wider terminals the ladder's estimates stand for those of the lessons, whose steps it has.
TEST(Terminal, HasRoomForWhatEveryProgramShows) {
  for (const unsigned short columns : {80, 100, 130}) {
    for (const std::string& program : programs) {
      Words arguments = {"--n", "2^12", "--samples", "2"};
      if (columns > 80 && program != "ladder") arguments.push_back("--no-estimate");
      expectNoLineLongerThan(columns, program, arguments);
    }
    expectNoLineLongerThan(columns, "09_mean_matvec", {"--batch", "2", "--samples", "2"});
    expectNoLineLongerThan(columns, "matrix_sum", {"--rows", "64", "--cols", "64"});
  }
}

TEST(Terminal, HasRoomForEveryCounter) {
  expectNoLineLongerThan(80, "ladder", {"--n", "2^12", "--counters", "--no-estimate"});
}

// What a narrow terminal leaves out stands in a file, in a line of 100 columns at most.
TEST(Terminal, LeavesOutWhatAFileHas) {
  const Words arguments = {"--n", "2^12", "--no-estimate"};
  const Outcome narrow = runCpu("03_neighbored_less", arguments, {.columns = 80});
  EXPECT_TRUE(contains(narrow.out, "Left out, as there are 80 columns: store sectors, barriers."))
      << narrow.out;
  const Outcome file = runCpu("03_neighbored_less", arguments);
  EXPECT_FALSE(contains(file.out, "Left out")) << file.out;
  EXPECT_TRUE(contains(file.out, "barriers")) << file.out;
}
