// Programs that mpirun starts: a process for each GPU, here for each imagined one.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "whole_tests/programs_testing.h"

namespace {

// As root and with more processes than cores only where Open MPI is told so; others do not read
// these.
const Setting asAnyone = {
    .environment = {{"OMPI_ALLOW_RUN_AS_ROOT", "1"},
                    {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
                    {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
                    {"PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"},
                    {"OMPI_MCA_btl_vader_single_copy_mechanism", "none"}}};

Outcome mpirun(const Words& words) { return run(MPIRUN, words, asAnyone); }

// What mpirun prints besides begins with lines of its own.
unsigned linesOf(const std::string& program, const std::string& text) {
  unsigned count = 0;
  for (size_t at = text.find(program + ": "); at != std::string::npos;
       at = text.find(program + ": ", at + 1))
    ++count;
  return count;
}

std::string after(const std::string& text, const std::string& mark) {
  const size_t at = text.find(mark);
  return at == std::string::npos ? "no '" + mark + "' in " + text : text.substr(at);
}

void expectOneLineOfMpirun(const Outcome& outcome, const std::string& line, int exitCode) {
  const std::string all = outcome.out + outcome.err;
  EXPECT_TRUE(contains(all, "08_shuffle: " + line + "\n")) << all;
  EXPECT_EQ(linesOf("08_shuffle", all), 1u) << all;
  EXPECT_EQ(outcome.exitCode, exitCode) << all;
}

}  // namespace

#define NEEDS_MPIRUN() \
  if (access(MPIRUN, X_OK) != 0) GTEST_SKIP() << "no mpirun (Debian and Ubuntu: openmpi-bin)"

TEST(Mpirun, CountsWhatOneProcessCounts) {
  NEEDS_MPIRUN();
  for (const Words& words : {Words{cpuPrograms + "/08_shuffle", "--gpus", "all", "--n", "2^12"},
                             Words{cpuPrograms + "/09_mean_matvec", "--gpus", "all", "--batch", "7",
                                   "--rows", "16", "--cols", "16"}}) {
    Words arguments(words.begin() + 1, words.end()), ranks = words;
    arguments[1] = "3";
    ranks.insert(ranks.begin(), {"-n", "3"});
    const Outcome one = run(words[0], arguments), three = mpirun(ranks);
    EXPECT_EQ(three.exitCode, 0) << three.err;
    EXPECT_EQ(after(three.out, "Counted"), after(one.out, "Counted")) << three.err;
    EXPECT_TRUE(contains(three.out, "3 GPUs, a process for each"));
  }
}

TEST(Mpirun, WritesOneFile) {
  NEEDS_MPIRUN();
  const TemporaryFolder folder;
  const std::string file = folder.path("result.json"), program = cpuPrograms + "/08_shuffle";
  const Outcome outcome = mpirun({"-n", "2", program, "--gpus", "2", "--n", "100", "--json", file});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_EQ(folder.names(), Words{"result.json"});
}

TEST(Mpirun, RefusesInOneLine) {
  NEEDS_MPIRUN();
  const std::string program = cpuPrograms + "/08_shuffle";
  expectOneLineOfMpirun(mpirun({"-n", "3", program, "--gpus", "2"}),
                        "--gpus 2: mpirun has started 3 processes, one for each GPU; with --gpus "
                        "all these are all",
                        2);
  expectOneLineOfMpirun(mpirun({"-n", "2", program, "--n", "100"}),
                        "mpirun has started 2 processes, one for each GPU: that is for --gpus all",
                        2);
  expectOneLineOfMpirun(mpirun({"-n", "2", program, "--gpus", "all", "--n", "x"}),
                        "--n 'x': expected a count such as 1000003 or 2^28", 2);
  expectOneLineOfMpirun(mpirun({"-n", "1", program, "--gpus", "all", "--n", "7", ":", "-n", "1",
                                program, "--gpus", "all", "--n", "8"}),
                        "process 1 of 2 was given other arguments than process 0: '--gpus all --n "
                        "8' and not '--gpus all --n 7'",
                        2);
}

// As where it was built without.
TEST(Mpirun, SaysWhatToInstallWhereThereIsNoMpi) {
  const TemporaryFolder folder;
  const std::string program = folder.path("08_shuffle");
  std::filesystem::copy_file(cpuPrograms + "/08_shuffle", program);
  for (const std::string rank : {"0", "1"}) {
    const Outcome outcome =
        run(program, {"--gpus", "all"},
            {.environment = {{"OMPI_COMM_WORLD_SIZE", "2"}, {"OMPI_COMM_WORLD_RANK", rank}}});
    EXPECT_EQ(outcome.exitCode, rank == "0" ? 3 : 0);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(contains(outcome.err, "this was built without MPI"), rank == "0") << outcome.err;
  }
}
