// build/weave: every kind of recipe, what makes a page stale, and what is refused. WEAVE is the
// program.
#include "weave/weave.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/errors.h"
#include "test_support/host_testing.h"
#include "test_support/program_testing.h"

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

const std::string profile = R"(# comment
kernel,block,blocks,metric,value
fast<1 2>,512,4,inst.sum,1000
fast<1 2>,512,4,l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum,80
)";

const std::string page = R"(# A page
<!-- weave: code -->
old
<!-- end weave -->
<!-- weave: run -->
<!-- end weave -->
It takes <!--=ms-->?<!--/--> ms.
)";

const std::string recipes = R"(result r = common/results/r.json
code   code = kernel.cuh twice from "if (t" to "  }"
output run  = build/cpu/hello world
figure ms   = ms(r; neighbored) % ms
)";

const std::string shortNames =
    "result r = common/results/r.json\nresult gone = common/results/gone.json\n"
    "profile p = profile.csv\nmetric instructions = inst.sum\n";

// A repository of three pages, one source, one result and one program.
class WeaveTest : public testing::Test {
 protected:
  WeaveTest() {
    for (const std::string folder : {"common/results", "common/simt", "programs"})
      fs::create_directories(root_.path(folder));
    file("kernel.cuh", kernel);
    file("common/results/r.json", result);
    file("profile.csv", profile);
    file("README.md", page);
    file("page.weave", recipes);
    file("common/README.md", "# Common\n");
    file("common/simt/README.md", "# The executor\n");
    program("echo \"hello $1\"");
  }
  void file(const std::string& path, const std::string& text) { writeFile(root_.path(path), text); }
  std::string text(const std::string& path) { return contentsOf(root_.path(path)); }
  void program(const std::string& script) {
    file("programs/hello", "#!/bin/sh\n" + script + "\n");
    fs::permissions(root_.path("programs/hello"), fs::perms::owner_all);
  }
  Outcome run(const std::string& mode) {
    return ::run(WEAVE, {mode, "--root", root_.path(), "--programs", root_.path("programs")});
  }
  Repository repository() const { return {root_.path(), root_.path("programs")}; }

  // What a recipe fills a block called x with, and a figure.
  std::string woven(const std::string& recipe) {
    return filled("<!-- weave: x -->\n", recipe, "<!-- end weave -->\n");
  }
  std::string figure(const std::string& formula) {
    return filled("<!--=x-->", "figure x = " + formula, "<!--/-->\n");
  }
  // The problem of such a block.
  std::string problem(const std::string& recipe) {
    return problemOf("<!-- weave: x -->\n<!-- end weave -->\n", recipe);
  }
  std::string problemOfFigure(const std::string& formula) {
    return problemOf("<!--=x-->1<!--/-->\n", "figure x = " + formula);
  }
  std::string problemOf(const std::string& text, const std::string& recipe) {
    Problems problems;
    weave(text, shortNames + recipe + "\n", "05/README.md", repository(), problems);
    EXPECT_EQ(problems.size(), 1u) << recipe << "\n" << joined(problems);
    return problems.empty() ? "" : problems[0];
  }

  TemporaryFolder root_;

 private:
  std::string filled(const std::string& open, const std::string& recipe, const std::string& close) {
    Problems problems;
    const std::string all =
        weave(open + close, shortNames + recipe + "\n", "README.md", repository(), problems).text;
    EXPECT_EQ(joined(problems), "");
    if (all.size() < open.size() + close.size()) return all;
    return all.substr(open.size(), all.size() - open.size() - close.size());
  }
};

}  // namespace

TEST_F(WeaveTest, FillsAPageAndFindsItUpToDateThen) {
  EXPECT_EQ(run("--check").exitCode, 1);
  const Outcome written = run("--write");
  EXPECT_EQ(written.exitCode, 0) << written.err;
  EXPECT_EQ(text("README.md"), R"(# A page
<!-- weave: code -->
```cpp
  if (t > 0) {
    data[t] *= 2;
  }
```
<!-- end weave -->
<!-- weave: run -->
```
$ build/cpu/hello world
hello world
```
<!-- end weave -->
It takes <!--=ms-->0.5000<!--/--> ms.
)");
  EXPECT_EQ(run("--check").exitCode, 0);
  EXPECT_FALSE(contains(run("--write").out, "replaced"));
}

TEST_F(WeaveTest, ShowsWhatIsStaleWhenAKernelChanges) {
  run("--write");
  file("kernel.cuh", std::string(kernel).replace(kernel.find("*= 2"), 4, "+= 7"));
  const Outcome outcome = run("--check");
  EXPECT_EQ(outcome.exitCode, 1);
  EXPECT_TRUE(contains(outcome.out, "README.md is stale"));
  EXPECT_TRUE(contains(outcome.out, "-    data[t] *= 2;\n+    data[t] += 7;"));
}

TEST_F(WeaveTest, ShowsWhatIsStaleWhenARecordedNumberChanges) {
  run("--write");
  file("common/results/r.json", replaced(result, "0.5", "0.75"));
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

TEST_F(WeaveTest, ChangesNoPageWhileAnyPageHasAProblem) {
  fs::create_directories(root_.path("05_unroll2"));
  file("05_unroll2/README.md", "# Later\n<!-- weave: gone -->\nmine\n");
  program("exit 3");
  for (const std::string mode : {"--write", "--check"}) {
    const Outcome outcome = run(mode);
    EXPECT_EQ(outcome.exitCode, 2);
    EXPECT_TRUE(contains(outcome.err, "weave: 05_unroll2/README.md:2: the block 'gone' has no"));
    EXPECT_TRUE(contains(outcome.err, "weave: page.weave:3: build/cpu/hello world failed"));
    EXPECT_EQ(text("README.md"), page);
    EXPECT_EQ(text("05_unroll2/README.md"), "# Later\n<!-- weave: gone -->\nmine\n");
  }
}

TEST_F(WeaveTest, MissesAPageThatIsGone) {
  run("--write");
  fs::create_directories(root_.path("05_unroll2"));
  for (const std::string page : {"README.md", "common/README.md", "common/simt/README.md"})
    fs::remove(root_.path(page));
  const Outcome outcome = run("--check");
  EXPECT_EQ(outcome.exitCode, 2);
  for (const std::string page :
       {"README.md", "05_unroll2/README.md", "common/README.md", "common/simt/README.md"})
    EXPECT_TRUE(contains(outcome.err, "weave: " + page + ": is missing\n"));
}

TEST_F(WeaveTest, MissesRecipesThatAreGone) {
  fs::remove(root_.path("page.weave"));
  EXPECT_TRUE(contains(run("--check").err,
                       "weave: README.md:2: there is no recipe 'code' in page.weave\n"));
}

TEST_F(WeaveTest, RefusesBadUsage) {
  EXPECT_TRUE(contains(::run(WEAVE, {}).err, "choose --write or --check"));
  EXPECT_TRUE(contains(::run(WEAVE, {"--check", "--write"}).err, "choose --write or --check"));
  EXPECT_TRUE(contains(::run(WEAVE, {"--check", "--root", "/"}).err, "is not the repository"));
  EXPECT_EQ(::run(WEAVE, {"--bogus"}).exitCode, 2);
}

TEST_F(WeaveTest, TakesFunctionsFromSources) {
  EXPECT_EQ(woven("code x = kernel.cuh wide"),
            "```cpp\ntemplate <unsigned width>\n__device__ int wide(int x) {\n"
            "  return x * width;\n}\n```\n");
  EXPECT_EQ(woven("code x = kernel.cuh twice from \"data[t]\" before \"  }\" less 2"),
            "```cpp\n  data[t] *= 2;\n```\n");
  EXPECT_EQ(woven("diff x = kernel.cuh twice kernel.cuh thrice"),
            "```diff\n-  if (t > 0) {\n-    data[t] *= 2;\n+  if (t > 1) {\n"
            "+    data[t] *= 3;\n```\n");
}

TEST_F(WeaveTest, MakesTablesOfTimes) {
  EXPECT_EQ(woven("times x = r"),
            "| step | kernel ms (min–max) | GB/s | % of peak | × step before | × lesson 02 | × CUB "
            "| answer ms |\n|---|---|---|---|---|---|---|---|\n"
            "| neighbored | 0.5000 (0.5000–0.5000) | 8.0 | 0.8 |  | 1.00 | 0.50 | 1.000 |\n"
            "| cub::DeviceReduce::Sum | 0.2500 (0.2500–0.2500) | 16.0 | 1.6 |  | 2.00 | 1.00 | "
            "1.000 |\n");
}

TEST_F(WeaveTest, RepeatsRowsAndPartsOfThem) {
  EXPECT_EQ(woven("table x\n  each shown=step: a=neighbored; b=cub::DeviceReduce::Sum\n"
                  "  each n: 1; 2\n  | |[[ $shown |]] end |\n  |---|[[---|]]---|\n"
                  "  | blocks |[[ {blocks(r; $step)} |]]\n"
                  "  | $shown |[[ {ms(r; $step) * $n % .2f} |]]"),
            "| | a | b | end |\n|---|---|---|---|\n| blocks | 4 | 4 |\n"
            "| a | 0.50 | 1.00 |\n| b | 0.25 | 0.50 |\n");
}

TEST_F(WeaveTest, PicksLinesFromAnOutput) {
  program("echo one; echo two; echo three");
  EXPECT_EQ(woven("excerpt x = \"th\" \"one\" : build/cpu/hello"), "```\nthree\none\n```\n");
}

TEST_F(WeaveTest, DrawsTheLadderAndWhatProgramsDraw) {
  file("README.md",
       "<!-- weave: a -->\n<!-- end weave -->\n<!-- weave: b -->\n<!-- end weave -->\n");
  file("page.weave",
       "result r = common/results/r.json\npicture a = r \"the ladder\"\n"
       "drawing b = block.svg \"a block\" build/cpu/hello\n");
  program("echo \"<svg>$1\" > \"$2\"");
  EXPECT_EQ(run("--write").exitCode, 0);
  EXPECT_EQ(text("README.md"),
            "<!-- weave: a -->\n![the ladder](common/results/r.svg)\n<!-- end weave -->\n"
            "<!-- weave: b -->\n![a block](block.svg)\n<!-- end weave -->\n");
  EXPECT_EQ(text("block.svg"), "<svg>--svg\n");
  EXPECT_TRUE(text("common/results/r.svg").starts_with("<svg"));
  EXPECT_EQ(run("--check").exitCode, 0);
}

TEST_F(WeaveTest, ReplacesNothingButDrawings) {
  file("README.md", "<!-- weave: b -->\n<!-- end weave -->\n");
  file("page.weave", "drawing b = block.svg \"a block\" build/cpu/hello\n");
  program("echo '<svg>' > \"$2\"");
  file("block.svg", "mine");
  Outcome outcome = run("--write");
  EXPECT_EQ(outcome.exitCode, 2);
  EXPECT_TRUE(contains(outcome.err, "block.svg is no drawing: it is not replaced"));
  EXPECT_EQ(text("block.svg"), "mine");
  fs::remove(root_.path("block.svg"));
  const TemporaryFolder elsewhere;
  writeFile(elsewhere.path("theirs.svg"), "<svg>theirs");
  fs::create_symlink(elsewhere.path("theirs.svg"), root_.path("block.svg"));
  outcome = run("--write");
  EXPECT_EQ(outcome.exitCode, 2);
  EXPECT_TRUE(contains(outcome.err, "page.weave:1: block.svg leads out of the repository"));
  EXPECT_EQ(contentsOf(elsewhere.path("theirs.svg")), "<svg>theirs");
}

TEST_F(WeaveTest, LeavesOutWhatDiffersBetweenMachines) {
  program("echo 'The kernels run on the CPU (Some (R) CPU) under the SIMT'");
  EXPECT_TRUE(contains(woven("output x = build/cpu/hello"),
                       "\nNo GPU here: the kernels run on the CPU under the SIMT\n"));
}

TEST_F(WeaveTest, KnowsFigures) {
  EXPECT_EQ(figure("ms(r; neighbored) / ms(r; cub::DeviceReduce::Sum) % .2f"), "2.00");
  EXPECT_EQ(figure("peak(r; neighbored)"), "0.8");
  EXPECT_EQ(figure("spread(r; neighbored)"), "0.5000 (0.5000–0.5000)");
  EXPECT_EQ(figure("machine(r)"), "A GPU");
  EXPECT_EQ(figure("prof(p; fast; instructions; 512) / profblocks(p; fast<1 2>; 512)"), "250");
  for (const std::string metric : {"inst.sum", "instructions", "load_requests", "load requests",
                                   "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"})
    EXPECT_EQ(figure("prof(p; fast; " + metric + "; 512)"), metric[0] == 'i' ? "1000" : "80");
}

TEST_F(WeaveTest, KnowsNamedFormulas) {
  const std::string formula = "\nformula half(a; b) = ms(r; $a) / $b % .3f";
  EXPECT_EQ(figure("half(neighbored; 2)" + formula), "0.250");
  EXPECT_EQ(figure("half(neighbored; 2) % .1f" + formula), "0.2");
  EXPECT_EQ(figure("half(neighbored; 2) * 4" + formula), "1");
  EXPECT_EQ(figure("name()\nformula name() = machine(r)"), "A GPU");
  EXPECT_TRUE(contains(problemOfFigure("half(neighbored)" + formula), "half takes 2 arguments"));
  EXPECT_TRUE(contains(problemOfFigure("f(1)\nformula f(a) = $b"), "nothing is called '$b'"));
  EXPECT_TRUE(
      contains(problemOfFigure("f()\nformula f() = f() + 1"), "more than 8 named formulas"));
  EXPECT_TRUE(contains(problemOfFigure("f()\nformula f() = g()\nformula g() = f()"),
                       "more than 8 named formulas"));
}

TEST_F(WeaveTest, RefusesWhatGrowsWithoutEnd) {
  std::string formulas = "\nformula f0(x) = 1";
  for (int i = 1; i < 7; ++i) {
    formulas += "\nformula f" + std::to_string(i) + "(x) = 0";
    for (int j = 0; j < 20; ++j) formulas += " + f" + std::to_string(i - 1) + "($x)";
  }
  EXPECT_TRUE(contains(problemOfFigure("f6(1)" + formulas), "more than 10,000 functions"));
  const std::string times30 = replaced(std::string(30, '.'), ".", "$x ");
  EXPECT_TRUE(contains(
      problemOfFigure("f(1)\nformula f(x) = g(" + times30 + ")\nformula g(x) = h(" + times30 +
                      ")\nformula h(x) = i(" + times30 + ")\nformula i(x) = " + times30),
      "grows beyond 100,000 bytes"));
  std::string each = ": 1";
  for (int i = 0; i < 2000; ++i) each += "; 1";
  EXPECT_TRUE(
      contains(problem("table x\n  each a" + each + "\n  each b" + each + "\n  | $a |[[ $b |]]"),
               "beyond a million bytes"));
}

TEST_F(WeaveTest, RefusesFiguresThatItCannotTell) {
  const std::vector<std::pair<std::string, std::string>> table = {
      {"ms(r; nobody)", "there is no step 'nobody' in r"},
      {"ms(gone; a)", "common/results/gone.json cannot be read"},
      {"ms(none; a)", "'none' is no result of this page"},
      {"ms(r)", "ms needs another argument"},
      {"ms(r; neighbored; 1; 2; 3)", "ms has no use for '3'"},
      {"ms(r; neighbored; 2^20)", "there is no step 'neighbored' in r"},
      {"fly(r)", "'fly' is no function"},
      {"machine(r) + 1", "machine is a text: it stands alone"},
      {"machine(r) % .2f", "machine is a text: it has no format"},
      {"1 % x", "'x' is no format"},
      {"1 / 0", "divides by zero"},
      {std::string(200000, '('), "more than 100 parentheses in each other"},
      {"count(r; neighbored; barriers)", "was not counted"},
      {"prof(p; slow; inst.sum; 512)", "there is no inst.sum of slow"},
      {"prof(p; fast; barriers; 512)", "the profiler has no like of barriers"},
      {"prof(p; fast; inst.sum; x)", "block 'x'"},
      {"prof(q; fast; inst.sum; 512)", "'q' is no profile of this page"}};
  for (const auto& [formula, reason] : table) {
    const std::string problem = problemOfFigure(formula);
    EXPECT_TRUE(contains(problem, reason)) << formula.substr(0, 100);
    EXPECT_TRUE(problem.starts_with("05/page.weave:5: ")) << problem.substr(0, 100);
  }
}

TEST_F(WeaveTest, RefusesRecipesThatItCannotFollow) {
  file("common/results/gone.json", result);
  const std::vector<std::pair<std::string, std::string>> table = {
      {"code x = kernel.cuh", "expected a file and a function"},
      {"code x = none.cuh f", "none.cuh cannot be read"},
      {"code x = kernel.cuh missing", "there is no function missing in kernel.cuh"},
      {"code x = kernel.cuh (", "'(' is no function"},
      {"code x = kernel.cuh twice from \"nowhere\"", "'nowhere' is not in twice"},
      {"code x = kernel.cuh twice from \"if", "a \" has no end"},
      {"code x = kernel.cuh twice form \"if\"", "expected from, to, before or less, not 'form'"},
      {"code x = kernel.cuh twice less x", "less: expected a number of columns, not 'x'"},
      {"code x = kernel.cuh twice less -1", "less: expected a number of columns, not '-1'"},
      {"code x = kernel.cuh twice less 999999999999999999999",
       "less: expected a number of columns"},
      {"code x = kernel.cuh twice less", "nothing stands behind 'less'"},
      {"code x = ../../etc/passwd f", "is no path below the root"},
      {"code x = /etc/passwd f", "is no path below the root"},
      {"code x = common f", "common cannot be read"},
      {"result y = ../r.json\ntimes x = y", "is no path below the root"},
      {"diff x = kernel.cuh twice kernel.cuh", "expected a file and a function, twice"},
      {"counts x = r; p; per thread; a=b", "expected per block or per 1000"},
      {"counts x = r; p; per block; a", "expected STEP=KERNEL, not 'a'"},
      {"counts x = r; p", "expected RESULT; PROFILE; PART; STEP=KERNEL"},
      {"times x = r; nobody", "there is no step 'nobody' in r"},
      {"picture x = r", "expected a result and what it shows"},
      {"picture x = r \"a](http://b) [c\"", "no [ ] in what a picture shows"},
      {"drawing x = a.svg \"b\"", "expected a file, what it shows and a command"},
      {"table x", "05/page.weave:5: the table has no rows"},
      {"table x\n  $y", "05/page.weave:6: the rows of a table begin with |"},
      {"table x\n  | a |\n  | $y |", "05/page.weave:7: nothing is called '$y'"},
      {"table x\n  | [[a |", "a ]] is missing"},
      {"table x\n  | {1 |", "a } is missing"},
      {"table x\n  |[[ a |]]", "nothing says what ' a |' is repeated for"},
      {"table x\n  each a: 1; 2\n  each b: 1; 2\n  | $a $b |", "is repeated for two lists at once"},
      {"table x\n  each a b: 1\n  | $a |", "'a b' is no name"},
      {"excerpt x = \"a\" build/cpu/hello", "expected texts, a colon and a command"},
      {"excerpt x = \"never\" : build/cpu/hello", "no line of build/cpu/hello begins with"}};
  for (const auto& [recipe, reason] : table) {
    const std::string found =
        recipe.find("each a b") != std::string::npos
            ? problemOf("<!-- weave: x -->\n<!-- end weave -->\n", "table x\n  each a b: 1")
            : problem(recipe);
    EXPECT_TRUE(contains(found, reason)) << recipe;
    EXPECT_TRUE(found.starts_with("05/page.weave:")) << found;
  }
}

TEST_F(WeaveTest, RunsNothingButProgramsOfThisBuild) {
  file("programs/loud", "not a program");
  const std::string here = root_.path("here");
  const std::vector<std::pair<std::string, std::string>> table = {
      {"rm -rf x", "expected a command that begins with build/cpu/"},
      {"build/gpu/hello", "expected a command that begins with build/cpu/"},
      {"build/cpu/none", "is no program of this build (cmake --build build --target none)"},
      {"build/cpu/", "'build/cpu/' is no program"},
      {"build/cpu/../hello", "is no program"},
      {"build/cpu/.", "is no program"},
      {"build/cpu/tests/hello", "is no program"},
      {"build/cpu/hello'>" + here + ";touch " + here, "is no program"},
      {"build/cpu/hello ;touch " + here, "';touch' is no plain word"},
      {"build/cpu/hello $(touch x)", "'$(touch' is no plain word"},
      {"build/cpu/hello `x`", "'`x`' is no plain word"},
      {"build/cpu/hello \"\"", "'' is no plain word"},
      {"build/cpu/hello --json a.json", "--json is not for pages"},
      {"build/cpu/hello --svg=a.svg", "--svg=a.svg is not for pages"},
      {"build/cpu/loud", "build/cpu/loud failed"}};
  for (const auto& [command, reason] : table)
    EXPECT_TRUE(contains(problem("output x = " + command), reason)) << command;
  for (const std::string name :
       {"../a.svg", "/tmp/a.svg", "a/b.svg", "kernel.cuh", ".svg", ".a.svg", "..svg", "README.md"})
    EXPECT_TRUE(contains(problem("drawing x = " + name + " \"b\" build/cpu/hello"),
                         "is no name of a drawing"))
        << name;
  EXPECT_FALSE(fs::exists(here));
}

TEST_F(WeaveTest, RefusesNamesThatDoNotFit) {
  EXPECT_EQ(problemOf("\n<!-- weave: y -->\n<!-- end weave -->\n", ""),
            "05/README.md:2: there is no recipe 'y' in 05/page.weave");
  EXPECT_EQ(problemOf("\nx <!--=y-->1<!--/-->\n", ""),
            "05/README.md:2: there is no recipe 'y' in 05/page.weave");
  EXPECT_EQ(problemOf("<!-- weave: y -->\n<!-- end weave -->\n", "figure y = 1"),
            "05/README.md:1: 'y' is a figure");
  EXPECT_EQ(problemOf("x <!--=y-->1<!--/-->\n", "times y = r"), "05/README.md:1: 'y' is a block");
  EXPECT_EQ(problemOf("# Page\n", "figure y = 1"),
            "05/page.weave:5: no mark of the page is called 'y'");
}

TEST_F(WeaveTest, FillsNoPageWithWhatLooksLikeAMark) {
  program("echo '<!-- end weave -->'");
  EXPECT_TRUE(contains(problem("output x = build/cpu/hello"), "looks like a mark"));
}
