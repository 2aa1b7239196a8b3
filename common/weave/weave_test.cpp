// build/weave: every kind of mark, what makes a page stale, and what is refused. WEAVE is the
// program.
#include "weave/weave.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/errors.h"
#include "test_support/host_testing.h"
#include "test_support/program_testing.h"
#include "weave/formula.h"

namespace {

namespace fs = std::filesystem;

const std::string kernel = R"(// A kernel.
__global__ void twice(int* data) {
  const unsigned t = threadIdx.x;
  if (t > 0) {
    data[t] *= 2;
  }
}

template <unsigned width>
__device__ int wide(int x) {
  return x * width;
}

__global__ void thrice(int* data) {
  const unsigned t = threadIdx.x;  // mine
  if (t > 1) {
    data[t] *= 3;
  }
}
)";

const std::string result = R"({"schema": 1, "program": "p", "backend": "gpu",
 "machine": {"name": "A GPU", "peak_gbps": 1000, "driver": "1", "cuda": "2"},
 "input": {"n": 1000000, "block": 512, "seed": 1, "samples": 1, "type": "int32"},
 "steps": [{"lesson": "02_neighbored", "name": "neighbored", "ok": true, "result": 1, "expected": 1,
   "blocks": 4, "kernel_ms": {"median": 0.5, "min": 0.5, "max": 0.5, "samples": [0.5]},
   "answer_ms": {"median": 1, "min": 1, "max": 1, "samples": [1]}},
  {"lesson": "CUB", "name": "cub::DeviceReduce::Sum", "ok": true, "result": 1, "expected": 1,
   "blocks": 4, "kernel_ms": {"median": 0.25, "min": 0.25, "max": 0.25, "samples": [0.25]},
   "answer_ms": {"median": 1, "min": 1, "max": 1, "samples": [1]}}]})";

const std::string page = R"(# A page
<!-- weave: code kernel.cuh twice from "if (t" to "  }" -->
old
<!-- end weave -->
<!-- weave: output build/cpu/hello world -->
<!-- end weave -->
It takes <!--=ms(r; neighbored) % ms-->?<!--/--> ms.
)";

// A repository of one page, one source, one result and one program.
class WeaveTest : public testing::Test {
 protected:
  WeaveTest() {
    fs::create_directories(root_.path("common/results"));
    fs::create_directories(root_.path("common/simt/tests"));
    fs::create_directories(root_.path("programs"));
    writeFile(root_.path("kernel.cuh"), kernel);
    writeFile(root_.path("common/results/r.json"), result);
    writeFile(root_.path("common/simt/tests/profile.csv"),
              "# comment\nkernel,block,blocks,metric,value\nfast<1 2>,512,4,inst.sum,1000\n");
    writeFile(root_.path("README.md"), page);
    program("echo \"hello $1\"");
  }
  void program(const std::string& script) {
    writeFile(root_.path("programs/hello"), "#!/bin/sh\n" + script + "\n");
    fs::permissions(root_.path("programs/hello"), fs::perms::owner_all);
  }
  Outcome run(const std::string& mode) {
    return ::run(WEAVE, {mode, "--root", root_.path(), "--programs", root_.path("programs")});
  }
  std::string woven(const std::string& mark) {
    const std::string text = "<!-- weave: " + mark + " -->\n<!-- end weave -->\n";
    const std::string all = weave(text, "README.md", repository()).text;
    const size_t begin = all.find("-->\n") + 4;
    return all.substr(begin, all.rfind("<!-- end") - begin);
  }
  std::string figure(const std::string& formula) { return Records(root_.path()).figure(formula); }
  void expectRefused(const std::string& text, const std::string& reason) {
    try {
      weave(text, "page.md", repository());
      ADD_FAILURE() << text << " was accepted";
    } catch (const Error& error) {
      EXPECT_TRUE(contains(error.what(), reason));
      EXPECT_TRUE(std::string(error.what()).starts_with("page.md:"));
      EXPECT_EQ(error.code, exitUsage);
    }
  }
  Repository repository() const { return {root_.path(), root_.path("programs")}; }

  TemporaryFolder root_;
};

}  // namespace

TEST_F(WeaveTest, FillsAPageAndFindsItUpToDateThen) {
  EXPECT_EQ(run("--check").exitCode, 1);
  EXPECT_EQ(run("--write").exitCode, 0);
  EXPECT_EQ(contentsOf(root_.path("README.md")), R"(# A page
<!-- weave: code kernel.cuh twice from "if (t" to "  }" -->
```cpp
  if (t > 0) {
    data[t] *= 2;
  }
```
<!-- end weave -->
<!-- weave: output build/cpu/hello world -->
```
$ build/cpu/hello world
hello world
```
<!-- end weave -->
It takes <!--=ms(r; neighbored) % ms-->0.5000<!--/--> ms.
)");
  EXPECT_EQ(run("--check").exitCode, 0);
  EXPECT_FALSE(contains(run("--write").out, "replaced"));
}

TEST_F(WeaveTest, ShowsWhatIsStaleWhenAKernelChanges) {
  run("--write");
  writeFile(root_.path("kernel.cuh"), std::string(kernel).replace(kernel.find("*= 2"), 4, "+= 7"));
  const Outcome outcome = run("--check");
  EXPECT_EQ(outcome.exitCode, 1);
  EXPECT_TRUE(contains(outcome.out, "README.md is stale"));
  EXPECT_TRUE(contains(outcome.out, "-    data[t] *= 2;\n+    data[t] += 7;"));
}

TEST_F(WeaveTest, ShowsWhatIsStaleWhenARecordedNumberChanges) {
  run("--write");
  std::string other = result;
  for (size_t at; (at = other.find("0.5")) != std::string::npos;) other.replace(at, 3, "0.75");
  writeFile(root_.path("common/results/r.json"), other);
  const Outcome outcome = run("--check");
  EXPECT_EQ(outcome.exitCode, 1);
  EXPECT_TRUE(contains(outcome.out, "-->0.7500<!--/-->"));
}

TEST_F(WeaveTest, ShowsWhatIsStaleWhenAProgramSaysSomethingElse) {
  run("--write");
  program("echo goodbye");
  const Outcome outcome = run("--check");
  EXPECT_EQ(outcome.exitCode, 1);
  EXPECT_TRUE(contains(outcome.out, "-hello world\n+goodbye"));
}

TEST_F(WeaveTest, ChangesNothingWhenAMarkCannotBeFilled) {
  program("exit 3");
  for (const std::string mode : {"--write", "--check"}) {
    const Outcome outcome = run(mode);
    EXPECT_EQ(outcome.exitCode, 2);
    EXPECT_TRUE(contains(outcome.err, "weave: README.md:"));
    EXPECT_TRUE(contains(outcome.err, "build/cpu/hello world failed"));
    EXPECT_EQ(contentsOf(root_.path("README.md")), page);
  }
}

TEST_F(WeaveTest, RefusesBadUsage) {
  EXPECT_TRUE(contains(::run(WEAVE, {}).err, "choose --write or --check"));
  EXPECT_TRUE(contains(::run(WEAVE, {"--check", "--write"}).err, "choose --write or --check"));
  EXPECT_TRUE(contains(::run(WEAVE, {"--check", "--root", "/"}).err, "is not the repository"));
  EXPECT_EQ(::run(WEAVE, {"--bogus"}).exitCode, 2);
}

TEST_F(WeaveTest, TakesFunctionsFromSources) {
  EXPECT_EQ(woven("code kernel.cuh wide"),
            "```cpp\ntemplate <unsigned width>\n__device__ int wide(int x) {\n"
            "  return x * width;\n}\n```\n");
  EXPECT_EQ(woven("code kernel.cuh twice from \"data[t]\" before \"  }\" less 2"),
            "```cpp\n  data[t] *= 2;\n```\n");
  EXPECT_EQ(woven("diff kernel.cuh twice kernel.cuh thrice"),
            "```diff\n-  if (t > 0) {\n-    data[t] *= 2;\n+  if (t > 1) {\n"
            "+    data[t] *= 3;\n```\n");
}

TEST_F(WeaveTest, MakesTablesOfTimes) {
  EXPECT_EQ(woven("times r"),
            "| step | kernel ms (min–max) | GB/s | % of peak | × step before | × lesson 02 | × CUB "
            "| answer ms |\n|---|---|---|---|---|---|---|---|\n"
            "| neighbored | 0.5000 (0.5000–0.5000) | 8.0 | 0.8 |  | 1.00 | 0.50 | 1.000 |\n"
            "| cub::DeviceReduce::Sum | 0.2500 (0.2500–0.2500) | 16.0 | 1.6 |  | 2.00 | 1.00 | "
            "1.000 |\n");
}

TEST_F(WeaveTest, RepeatsTheLinesOfAGrid) {
  EXPECT_EQ(woven("grid\na=neighbored; b=cub::DeviceReduce::Sum\n| |[[ # |]]\n"
                  "| blocks |[[ {blocks(r; $)} |]]\n| # | {ms(r; $) * 1000 % .0f} |\nend"),
            "| | a | b |\n| blocks | 4 | 4 |\n| a | 500 |\n| b | 250 |\nend\n");
}

TEST_F(WeaveTest, PicksLinesFromAnOutput) {
  program("echo one; echo two; echo three");
  EXPECT_EQ(woven("excerpt \"th\" \"one\" : build/cpu/hello"), "```\nthree\none\n```\n");
}

TEST_F(WeaveTest, DrawsTheLadder) {
  EXPECT_EQ(woven("picture r \"the ladder\""), "![the ladder](common/results/r.svg)\n");
  EXPECT_EQ(run("--write").exitCode, 0);
}

TEST_F(WeaveTest, LeavesOutWhatDiffersBetweenMachines) {
  program("echo 'The kernels run on the CPU (Some (R) CPU) under the SIMT'");
  EXPECT_TRUE(contains(woven("output build/cpu/hello"),
                       "\nNo GPU here: the kernels run on the CPU under the SIMT\n"));
}

TEST_F(WeaveTest, CalculatesFigures) {
  EXPECT_EQ(figure("1 + 2 * 3"), "7");
  EXPECT_EQ(figure("(1 + 2) * 3 - 4 / 2 / 2"), "8");
  EXPECT_EQ(figure("10 / 4"), "2.5");
  EXPECT_EQ(figure("1234567 % ,"), "1,234,567");
  EXPECT_EQ(figure("123 % ,"), "123");
  EXPECT_EQ(figure("2 / 3 % .3f"), "0.667");
  EXPECT_EQ(figure("ms(r; neighbored) / ms(r; cub::DeviceReduce::Sum) % .2f"), "2.00");
  EXPECT_EQ(figure("peak(r; neighbored)"), "0.8");
  EXPECT_EQ(figure("spread(r; neighbored)"), "0.5000 (0.5000–0.5000)");
  EXPECT_EQ(figure("machine(r)"), "A GPU");
  EXPECT_EQ(figure("prof(profile; fast; inst.sum; 512) / profblocks(profile; fast<1 2>; 512)"),
            "250");
}

TEST_F(WeaveTest, RefusesMarksItCannotFill) {
  const auto mark = [](const std::string& inside) {
    return "<!-- weave: " + inside + " -->\n<!-- end weave -->\n";
  };
  const std::vector<std::pair<std::string, std::string>> table = {
      {"<!-- weave: times r -->\n", "no <!-- end weave --> behind the mark"},
      {"<!-- weave: times r\n", "the mark does not end with -->"},
      {"<!-- weave: times r -->\n<!-- weave: times r -->\n<!-- end weave -->\n",
       "before the next mark"},
      {"a <!--=1 + 1--> b\n", "a figure ends with"},
      {"<!--=ms(r; nobody)-->1<!--/-->\n", "there is no step 'nobody' in r"},
      {"<!--=ms(none; a)-->1<!--/-->\n", "none.json: cannot be read"},
      {"<!--=1 +-->1<!--/-->\n", "is no number and no function"},
      {"<!--=(1-->1<!--/-->\n", "a ')' is missing"},
      {"<!--=1 1-->1<!--/-->\n", "does not belong in a formula"},
      {"<!--=ms(r)-->1<!--/-->\n", "ms needs another argument"},
      {"<!--=fly(r)-->1<!--/-->\n", "'fly' is no function"},
      {"<!--=1 % x-->1<!--/-->\n", "'x' is no format"},
      {"<!--=count(r; neighbored; barriers)-->1<!--/-->\n", "was not counted"},
      {"<!--=prof(profile; slow; inst.sum; 512)-->1<!--/-->\n", "there is no inst.sum of slow"},
      {mark("dance"), "'dance' is no kind of mark"},
      {mark("code kernel.cuh"), "expected a file and a function"},
      {mark("code none.cuh f"), "cannot be read"},
      {mark("code kernel.cuh missing"), "there is no function missing in kernel.cuh"},
      {mark("code kernel.cuh twice from \"nowhere\""), "'nowhere' is not in twice"},
      {mark("counts 100; a=b"), "expected 512 or 512 per 1000"},
      {mark("grid"), "expected the keys and a template"},
      {mark("output rm -rf x"), "expected a command that begins with build/cpu/"},
      {mark("output build/cpu/none"), "failed"},
      {mark("excerpt \"never\" : build/cpu/hello"), "no line of build/cpu/hello begins with"}};
  for (const auto& [text, reason] : table) {
    SCOPED_TRACE(text);
    expectRefused(text, reason);
  }
}
