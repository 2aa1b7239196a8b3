// Programs made by simtcc, started as their authors would: estimates, and the page of a launch.
#include "test_support/estimates_testing.h"
#include "test_support/host_testing.h"
#include "test_support/program_testing.h"

namespace {

const std::string program = R"(
#include <cstdio>
#include <cstdlib>
__global__ void twice(int* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] *= 2;
}
__global__ void sumUp(const int* a, int* sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n + OVER) atomicAdd(sum, a[i]);
}
int main(int argc, char** argv) {
  for (int i = 1; i < argc; i++) printf("%s\n", argv[i]);
  if (argc > 1 && argv[argc] == nullptr) printf("null at the end\n");
  if (LAUNCHES == 0) exit(0);
  const int n = 1000;
  int *a, *sum;
  cudaMalloc(&a, n * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(a, 0, n * sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  for (int i = 0; i < LAUNCHES; i++) twice<<<4, 256>>>(a, n);
  sumUp<<<8, 128>>>(a, sum, n);
  cudaDeviceSynchronize();
  return 7;
}
)";

// Compiled once for all tests; -D options make its variants.
class OwnProgram : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    writeFile(folder_->path("own.cu"), program);
  }
  static void TearDownTestSuite() { delete folder_; }
  static Outcome start(const Words& arguments, const Setting& setting = {},
                       const Words& defined = {"-DOVER=0", "-DLAUNCHES=3"}) {
    std::string name = "own";
    for (const std::string& word : defined) name += word;
    if (!std::filesystem::exists(folder_->path(name))) {
      Words line = {folder_->path("own.cu"), "-o", folder_->path(name)};
      line.insert(line.end(), defined.begin(), defined.end());
      const Outcome compiled = run(SIMTCC, line);
      EXPECT_EQ(compiled.exitCode, 0) << compiled.err;
    }
    return run(folder_->path(name), arguments, setting);
  }
  static TemporaryFolder* folder_;
};
TemporaryFolder* OwnProgram::folder_ = nullptr;

}  // namespace

TEST_F(OwnProgram, IsToldWhatEachKindOfLaunchWouldTake) {
  NEEDS_ESTIMATES();
  const Outcome end = start({});
  EXPECT_EQ(end.exitCode, 7);
  EXPECT_EQ(end.out, "");
  ASSERT_TRUE(contains(end.err, "Estimated on an NVIDIA H200 by a timing model, not measured"));
  const std::string table = end.err.substr(end.err.find("estimated ms each"));
  for (const std::string row :
       {"\ntwice      4    256         3 ", "\nsumUp      8    128         1 "})
    EXPECT_TRUE(contains(table, row)) << table;
}

TEST_F(OwnProgram, ShowsThePtxOfItsLines) {
  NEEDS_ESTIMATES();
  const std::string err = start({"--ptx"}).err;
  const std::string twice = err.substr(std::min(err.find("PTX of twice"), err.size()));
  EXPECT_TRUE(contains(twice, "own.cu:6  if (i < n) a[i] *= 2;\n")) << err;
  EXPECT_TRUE(contains(twice, "ld.global.u32 ")) << err;
  EXPECT_TRUE(contains(twice, "st.global.u32 ")) << err;
}

TEST_F(OwnProgram, HasTheSameEstimateEveryTime) { EXPECT_EQ(start({}).err, start({}).err); }

TEST_F(OwnProgram, GetsTheArgumentsBehindTheOptions) {
  EXPECT_EQ(start({"--where", "a", "--card"}).out, "a\n--card\nnull at the end\n");
  EXPECT_EQ(start({"--no-estimate", "--", "--where"}).out, "--where\nnull at the end\n");
  EXPECT_EQ(start({"a", "--explore"}).out, "a\n--explore\nnull at the end\n");
}

TEST_F(OwnProgram, IsEstimatedOnAnotherCardAndNotAtAll) {
  NEEDS_ESTIMATES();
  EXPECT_TRUE(contains(start({"--card", "h100"}).err, "Estimated on an NVIDIA H100"));
  EXPECT_TRUE(contains(start({"--card=h100"}).err, "Estimated on an NVIDIA H100"));
  EXPECT_FALSE(contains(start({"--no-estimate"}).err, "stimate"));
  EXPECT_EQ(start({}, {.environment = {{"SIMT_QUIET", "1"}}}).err, "");
}

TEST_F(OwnProgram, SaysAtWhichLinesWarpsWait) {
  NEEDS_ESTIMATES();
  const Outcome end = start({"--where"});
  EXPECT_TRUE(contains(end.err, "Where the estimated time of twice goes:"));
  EXPECT_TRUE(contains(end.err, "own.cu:6")) << end.err;
}

TEST_F(OwnProgram, IsSteppedThroughFromItsFirstLaunchOrThatOfAKernel) {
  const std::string page = folder_->path("page.html");
  EXPECT_EQ(start({"--explore", page}).exitCode, 7);
  EXPECT_TRUE(contains(contentsOf(page), "\"title\":\"twice\""));
  EXPECT_EQ(start({"--explore", page, "--kernel", "sumUp"}).exitCode, 7);
  EXPECT_TRUE(contains(contentsOf(page), "\"title\":\"sumUp\""));
}

TEST_F(OwnProgram, HasTheTimelineOfTheExploredLaunchOnItsPage) {
  NEEDS_ESTIMATES();
  const std::string page = folder_->path("timeline.html");
  start({"--explore", page, "--explore-block", "2"});
  const std::string text = contentsOf(page);
  EXPECT_TRUE(contains(text,
                       "estimated on an NVIDIA H200, not measured: this launch, 4 blocks of "
                       "256 threads"));
  EXPECT_TRUE(contains(text, "\"timeline\":{"));
  EXPECT_TRUE(contains(text, "some are shown: 2 and 3"));
  start({"--explore", page, "--no-estimate"});
  EXPECT_FALSE(contains(contentsOf(page), "not measured: "));
}

TEST_F(OwnProgram, HasAPageThatOpensAtItsFault) {
  const std::string page = folder_->path("fault.html");
  const Outcome end = start({"--explore", page, "--kernel", "sumUp", "--explore-block", "7"}, {},
                            {"-DOVER=1", "-DLAUNCHES=1"});
  EXPECT_EQ(end.exitCode, 1);
  EXPECT_TRUE(contains(end.err, "reads a[1000]"));
  EXPECT_TRUE(contains(contentsOf(page), "reads a[1000]"));
}

TEST_F(OwnProgram, HasAReportWithEverything) {
  NEEDS_ESTIMATES();
  start({}, {}, {"-DOVER=1", "-DLAUNCHES=3"});  // compiled
  const std::string hostile = folder_->path("<img src=x>"), page = folder_->path("report.html");
  std::filesystem::copy_file(folder_->path("own-DOVER=1-DLAUNCHES=3"), hostile);
  const std::string explored = folder_->path("a page.html");
  const Outcome end = run(hostile, {"--report", page, "--explore", explored, "--kernel", "sumUp"},
                          {.environment = {{"SIMT_QUIET", "1"}}});
  EXPECT_EQ(end.exitCode, 1) << end.err;
  const std::string text = contentsOf(page);
  EXPECT_TRUE(contains(text, "<title>What &lt;img src=x&gt; did</title>"));
  EXPECT_FALSE(contains(text, "<img"));
  EXPECT_TRUE(contains(text, "<li>sumUp, block 7: "));
  EXPECT_TRUE(contains(text, "<a href=\"./a%20page.html\">sumUp</a>"));
  EXPECT_TRUE(contains(text, "<td>twice</td><td>4</td><td>256</td><td>0</td><td>1</td><td>3</td>"));
  EXPECT_TRUE(contains(text, "load sectors"));
  EXPECT_EQ(run(hostile, {"--report", page}).exitCode, 1);  // its own page again
  const Outcome other = start({"--report", folder_->path("own.cu")});
  EXPECT_EQ(other.exitCode, 2);
  EXPECT_TRUE(contains(other.err, "--report")) << other.err;
  const Outcome nowhere = start({"--report", folder_->path("none/page.html")});
  EXPECT_EQ(nowhere.exitCode, 2);
  EXPECT_EQ(std::ranges::count(nowhere.err, '\n'), 1) << nowhere.err;
  EXPECT_EQ(start({"--report", page, "--explore", page}).exitCode, 2);
}

// The files that it opens get the number of the standard output then.
TEST_F(OwnProgram, RunsWithoutStandardOutput) {
  NEEDS_ESTIMATES();
  start({});  // compiled
  const Words defined = {"-DOVER=0", "-DLAUNCHES=3"};
  const Outcome end =
      run("/bin/sh", {"-c", "exec \"$0\" >&-", folder_->path("own" + defined[0] + defined[1])});
  EXPECT_EQ(end.exitCode, 7);
  EXPECT_TRUE(contains(end.err, "estimated ms each")) << end.err;
}

TEST_F(OwnProgram, RefusesWhatCannotBe) {
  const auto refused = [](const Words& arguments, const std::string& why) {
    const Outcome end = start(arguments);
    EXPECT_EQ(end.exitCode, 2);
    EXPECT_TRUE(contains(end.err, why)) << end.err;
  };
  refused({"--card", "rtx"}, "rtx is neither a card nor a file");
  refused({"--card"}, "--card: a value is missing");
  refused({"--card=", "h100"}, "--card: a value is missing");
  refused({"--explore=" + folder_->path("own.cu")}, "--explore");
  refused({"--explore-block", "x"}, "--explore-block");
  refused({"--explore", folder_->path("own.cu")}, "--explore");
  refused({"--explore", folder_->path("none/page.html")}, "--explore");
  refused({"--explore", folder_->path("other.html"), "--kernel", "thrice"},
          "--kernel: the program launched none of that name");
  EXPECT_EQ(contentsOf(folder_->path("own.cu")), program);
  const Outcome without =
      start({"--explore", folder_->path("other.html")}, {}, {"-DOVER=0", "-DLAUNCHES=0"});
  EXPECT_EQ(without.exitCode, 2);
  EXPECT_TRUE(contains(without.err, "--explore: the program launched no kernel"));
  const Outcome quiet = start({"--explore", folder_->path("other.html"), "--kernel", "thrice"},
                              {.environment = {{"SIMT_QUIET", "1"}}}, {"-DOVER=0", "-DLAUNCHES=0"});
  EXPECT_EQ(quiet.exitCode, 2);
}

TEST_F(OwnProgram, RefusesWhatTheEnvironmentCannotAskFor) {
  const auto refused = [](const std::string& name, const std::string& value,
                          const std::string& why) {
    const Outcome end = start({}, {.environment = {{name, value}}});
    EXPECT_EQ(end.exitCode, 2) << name << '=' << value;
    EXPECT_EQ(end.out, "");
    EXPECT_EQ(end.err, why + "\n");
  };
  const std::string orders = " in the environment: it can be forward, reverse, random or random:7";
  for (const std::string value : {"revers", "", "random:", "random:x", "Reverse", "random:-1"})
    refused("SIMT_SCHEDULE", value, "SIMT_SCHEDULE=" + value + orders);
  for (const std::string name : {"SIMT_FAST", "SIMT_STRICT", "SIMT_QUIET"})
    refused(name, "yes", name + "=yes in the environment: it can be 0 or 1");
  refused("SIMT_WORKERS", "two",
          "SIMT_WORKERS=two in the environment: it can be a number of processes");
  refused("SIMT_PATIENCE", "1s",
          "SIMT_PATIENCE=1s in the environment: it can be a number of seconds");
  refused("SIMT_SHEDULE", "reverse",
          "SIMT_SHEDULE in the environment is not known: there are SIMT_QUIET, SIMT_FAST, "
          "SIMT_STRICT, SIMT_SCHEDULE, SIMT_WORKERS, SIMT_PATIENCE, SIMT_SEARCH");
  refused("SIMT_FAST", "\033[2J", "SIMT_FAST=?[2J in the environment: it can be 0 or 1");
  for (const std::string value : {"forward", "reverse", "random", "random:7"})
    EXPECT_EQ(start({}, {.environment = {{"SIMT_SCHEDULE", value}}}).exitCode, 7);
}

TEST_F(OwnProgram, SaysThatNoFaultsWereFoundOnlyWhereTheyWereLookedFor) {
  EXPECT_TRUE(contains(start({}).err, "No faults found."));
  const std::string fast = start({}, {.environment = {{"SIMT_FAST", "1"}}}).err;
  EXPECT_FALSE(contains(fast, "No faults found.")) << fast;
  EXPECT_TRUE(contains(fast, "Not searched for faults, but for bounds: SIMT_FAST.")) << fast;
}

// As where a program was moved to another computer: the folder of the cards is not there.
TEST_F(OwnProgram, CountsWithoutItsCheckoutAndSaysWhyItDoesNotEstimate) {
  NEEDS_ESTIMATES();
  start({});  // compiled
  std::string bytes = contentsOf(folder_->path("own-DOVER=0-DLAUNCHES=3"));
  const std::string cards = "/common/cards";
  size_t at = bytes.find(cards);
  ASSERT_NE(at, std::string::npos);
  for (; at != std::string::npos; at = bytes.find(cards, at)) bytes[at + cards.size() - 1] = 'X';
  const std::string moved = folder_->path("moved");
  writeFile(moved, bytes);
  std::filesystem::permissions(moved, std::filesystem::perms::owner_all);
  const Outcome end = run(moved, {});
  EXPECT_EQ(end.exitCode, 7);
  EXPECT_TRUE(contains(end.err, "No faults found."));
  EXPECT_TRUE(contains(end.err, "no estimate: h200 cannot be looked up: "));
  EXPECT_TRUE(contains(end.err, "/common/cardX, where this program was built, is not there"));
  EXPECT_EQ(run(moved, {"--card", "h100"}).exitCode, 2);
}

TEST(OwnPrograms, EndWithOneScreenAndWhatTakesLongestFirst) {
  NEEDS_ESTIMATES();
  const TemporaryFolder folder;
  writeFile(folder.path("many.cu"), R"(
#include <cstdio>
template <int N> __global__ void work(float* x) {
  for (int i = 0; i < N * 300; i++) x[threadIdx.x] = x[threadIdx.x] * 1.5f + i;
}
template <int N> void all(float* x) {
  for (int i = 0; i < 20; i++) work<N><<<1, 32>>>(x);
  if constexpr (N > 1) all<N - 1>(x);
}
int main() {
  float *x, ms[3];
  cudaEvent_t events[4];
  cudaMalloc(&x, 128);
  cudaMemset(x, 0, 128);
  for (auto& e : events) cudaEventCreate(&e);
  cudaEventRecord(events[0]);
  work<1><<<1, 32>>>(x);
  cudaEventRecord(events[1]);
  work<13><<<1, 32>>>(x);
  work<13><<<1, 32>>>(x);
  cudaEventRecord(events[2]);
  for (int i = 0; i < 2; i++) cudaEventElapsedTime(&ms[i], events[i], events[i + 1]);
  cudaEventElapsedTime(&ms[2], events[0], events[2]);
  printf("%d %d %f\n", ms[0] > 0 && ms[0] < ms[1], fabsf(ms[0] + ms[1] - ms[2]) < 1e-6f, ms[1]);
  all<14>(x);
}
)");
  const Outcome compiled = run(SIMTCC, {folder.path("many.cu"), "-o", folder.path("many")});
  ASSERT_EQ(compiled.exitCode, 0) << compiled.err;
  const Outcome end = run(folder.path("many"), {});
  EXPECT_TRUE(end.out.starts_with("1 1 ")) << end.out;
  EXPECT_EQ(run(folder.path("many"), {}).out, end.out);
  EXPECT_TRUE(contains(end.err, "got from CUDA events are estimated")) << end.err;
  EXPECT_LT(std::ranges::count(end.err, '\n'), 40) << end.err;
  for (const std::string table : {"lanes\n", "estimated ms each"}) {
    const size_t from = end.err.find(table);
    ASSERT_NE(from, std::string::npos) << end.err;
    EXPECT_LT(end.err.find("\nwork<14>", from), end.err.find("\nwork<12>", from)) << end.err;
  }
  EXPECT_TRUE(contains(end.err, "and 2 more: work<2>, work<1>")) << end.err;
}

TEST(Simtcc, NamesTheFileThatItCannotRead) {
  const TemporaryFolder folder;
  const auto refused = [](const Words& arguments, const std::string& why,
                          const Setting& setting = {}) {
    const Outcome end = run(SIMTCC, arguments, setting);
    EXPECT_EQ(end.exitCode, 2);
    EXPECT_EQ(end.err, why + "\n");
  };
  refused({folder.path("none.cu")}, "simtcc: " + folder.path("none.cu") + " cannot be read");
  std::filesystem::create_directory(folder.path("a.cu"));
  refused({folder.path("a.cu")}, "simtcc: " + folder.path("a.cu") + " is a folder");
  writeFile(folder.path("b.cu"), "int main() {}\n");
  refused({folder.path("b.cu")}, "simtcc: TMPDIR names no folder",
          {.environment = {{"TMPDIR", folder.path("none")}}});
}

// Also where a compiler speaks the user's language.
TEST(Simtcc, NamesAMissingHeaderInOneLine) {
  const TemporaryFolder folder;
  writeFile(folder.path("it's a program.cu"), "#include \"book.h\"\nint main() {}\n");
  const Outcome end =
      run(SIMTCC, {folder.path("it's a program.cu")}, {.environment = {{"LC_ALL", "C.UTF-8"}}});
  EXPECT_EQ(end.exitCode, 1);
  EXPECT_EQ(std::ranges::count(end.err, '\n'), 1) << end.err;
  EXPECT_TRUE(contains(end.err,
                       "it's a program.cu:1:10: the header book.h is missing: it belongs "
                       "beside this file, as " +
                           folder.path("book.h")))
      << end.err;
}
