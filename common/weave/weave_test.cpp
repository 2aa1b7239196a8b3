// build/weave: every kind of recipe, and what makes a page stale.
#include "weave/small_repository_test.h"

namespace fs = std::filesystem;

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
    EXPECT_TRUE(contains(outcome.err,
                         "weave: common/weave/front_page.weave:3: build/cpu/hello world failed"));
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
  fs::remove(root_.path("common/weave/front_page.weave"));
  EXPECT_TRUE(
      contains(run("--check").err,
               "weave: README.md:2: there is no recipe 'code' in common/weave/front_page.weave\n"));
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
  EXPECT_EQ(
      woven("times x = r"),
      "| step | kernel ms (min–max) | GB/s | % of peak | × step before | × lesson 02 | answer ms "
      "| answer: × CUB |\n|---|---|---|---|---|---|---|---|\n"
      "| neighbored | 0.5000 (0.5000–0.5000) | 8.0 | 0.8 |  | 1.00 | 1.000 | 0.80 |\n"
      "| cub::DeviceReduce::Sum | 0.2500 (0.2500–0.2500) | 16.0 | 1.6 |  | 2.00 | 0.8000 | "
      "1.00 |\n");
}

TEST_F(WeaveTest, ShowsWhatWasEstimatedBesideWhatWasMeasured) {
  EXPECT_EQ(
      woven("times x = r, e"),
      "| step | kernel ms (min–max) | *estimated* ms | % of peak | × step before | × lesson 02 "
      "| answer ms | answer: × CUB |\n|---|---|---|---|---|---|---|---|\n"
      "| neighbored | 0.5000 (0.5000–0.5000) | 0.6000 | 0.8 |  | 1.00 | 1.000 | 0.80 |\n"
      "| cub::DeviceReduce::Sum | 0.2500 (0.2500–0.2500) | 0.2250 | 1.6 |  | 2.00 | 0.8000 | "
      "1.00 |\n");
  EXPECT_EQ(figure("estimate(e; small; neighbored) % ms"), "0.6000");
  EXPECT_EQ(figure("estimate(e; tried; neighbored; free barriers) % .2f"), "0.45");
  EXPECT_EQ(figure("estimateInstructions(e; tried; neighbored; as it is) / 1000 % ,"), "1,000,000");
  EXPECT_EQ(figure("estimateError(e; small) % .0f"), "15");
  EXPECT_EQ(figure("estimateWorst(e; small) % .0f"), "20");
  EXPECT_EQ(figure("estimateWorst(e; small; blocks of 256) % .0f"), "10");
}

TEST_F(WeaveTest, ShowsWhatIsKnownOfACard) {
  file("common/cards/a1.json", card);
  EXPECT_EQ(figure("card(a1; memory_latency) / card(a1; clock_ghz) % .0f"), "350");
}

TEST_F(WeaveTest, OnlyStepsOfOursNeedAnEstimate) {
  file("common/results/e.csv", replaced(estimates, "cub::DeviceReduce::Sum", "another"));
  EXPECT_TRUE(contains(woven("times x = r, e"), "| 0.2500 (0.2500–0.2500) | – | 1.6 |"));
  file("common/results/e.csv", replaced(estimates, "small;neighbored;", "small;another;"));
  EXPECT_TRUE(
      contains(problem("times x = r, e"), "there is no estimate of 'neighbored' of r in e"));
  file("common/results/e.csv", replaced(estimates, "r.json;0", "r.json;5"));
  EXPECT_TRUE(contains(problem("times x = r, e"), "there is no estimate of 'neighbored'"));
}

TEST_F(WeaveTest, NamesTheStepBeforeUnlessItIsTheRowAbove) {
  std::string based = result;
  const std::string library = R"({"lesson": "CUB", )";
  based.replace(based.find(library), library.size(), library + R"("based_on": "neighbored", )");
  file("common/results/r.json", based);
  EXPECT_TRUE(contains(woven("times x = r"), "| 1.6 | 2.00 | 2.00 |"));
  EXPECT_TRUE(
      contains(woven("times x = r; cub::DeviceReduce::Sum"), "| 1.6 | 2.00 (neighbored) | 2.00 |"));
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
  file("common/weave/front_page.weave",
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

TEST_F(WeaveTest, DrawsARooflineFromRowsLikeThoseOfATable) {
  file("README.md", "<!-- weave: a -->\n<!-- end weave -->\n");
  file("common/weave/front_page.weave",
       "result r = common/results/r.json\nroofline a = roof.svg \"the roof\"\n"
       "  each step: neighbored; cub::DeviceReduce::Sum\n"
       "  | bandwidth | {peakgbps(r)} | 1 TB/s |\n  | ceiling | 67000 | 67 TFLOP/s |\n"
       "  | $step | 0.25 | {1 / ms(r; $step) % .1f} |\n");
  EXPECT_EQ(run("--write").exitCode, 0);
  EXPECT_EQ(text("README.md"), "<!-- weave: a -->\n![the roof](roof.svg)\n<!-- end weave -->\n");
  EXPECT_TRUE(text("roof.svg").starts_with("<svg"));
  EXPECT_TRUE(contains(text("roof.svg"), ">cub::DeviceReduce::Sum</text>"));
  EXPECT_EQ(run("--check").exitCode, 0);
}

TEST_F(WeaveTest, LinksToThePageThatAProgramWrites) {
  file("README.md", "<!-- weave: s -->\n<!-- end weave -->\n");
  file("common/weave/front_page.weave", "explored s = steps.html \"its steps\" build/cpu/hello\n");
  program("echo \"<!doctype html>$1\" > \"$2\"");
  EXPECT_EQ(run("--write").exitCode, 0);
  EXPECT_EQ(text("README.md"), "<!-- weave: s -->\n[its steps](steps.html)\n<!-- end weave -->\n");
  EXPECT_EQ(text("steps.html"), "<!doctype html>--explore\n");
  file("steps.html", "<!doctype html>older");
  EXPECT_TRUE(contains(run("--check").out, "steps.html is not what --explore would write now"));
  file("steps.html", "mine");
  EXPECT_TRUE(
      contains(run("--write").err, "steps.html is no page of --explore: it is not replaced"));
}

TEST_F(WeaveTest, LinksToALongTableThatAProgramPrints) {
  file("README.md", "<!-- weave: t -->\n<!-- end weave -->\n");
  file("common/weave/front_page.weave", "sheet t = all.csv \"all of it\" build/cpu/hello\n");
  program("printf 'a,b\\n1,2\\n'");
  EXPECT_EQ(run("--write").exitCode, 0);
  EXPECT_EQ(text("README.md"), "<!-- weave: t -->\n[all of it](all.csv)\n<!-- end weave -->\n");
  EXPECT_EQ(text("all.csv"), "# Made by build/cpu/hello\na,b\n1,2\n");
  EXPECT_EQ(run("--check").exitCode, 0);
  file("all.csv", "# Made by build/cpu/hello\na,b\n1,3\n");
  EXPECT_TRUE(contains(run("--check").out, "all.csv is stale"));
  file("all.csv", "mine");
  EXPECT_TRUE(
      contains(run("--write").err, "all.csv is no table of a program's: it is not replaced"));
}

TEST_F(WeaveTest, ComparesTheEstimatesOfPagesThatTheSameCompilerMade) {
  const auto page = [](const std::string& compiler, const std::string& estimate,
                       const std::string& rest = "the rest") {
    return "<!doctype html><script id=\"estimated\">{\"compiler\":\"" + compiler + "\"," +
           estimate + "}</script>" + rest;
  };
  file("README.md", "<!-- weave: s -->\n<!-- end weave -->\n");
  file("common/weave/front_page.weave", "explored s = steps.html \"its steps\" build/cpu/hello\n");
  program("echo '" + page("GNU 12", "3 ms") + "' > \"$2\"");
  EXPECT_EQ(run("--write").exitCode, 0);
  const auto isUpToDate = [&](const std::string& text) {
    file("steps.html", text + "\n");
    return run("--check").exitCode == 0;
  };
  EXPECT_TRUE(isUpToDate(page("GNU 12", "3 ms")));
  EXPECT_FALSE(isUpToDate(page("GNU 12", "4 ms")));
  EXPECT_TRUE(isUpToDate(page("Clang 14", "4 ms")));
  EXPECT_FALSE(isUpToDate(page("Clang 14", "4 ms", "another")));
  EXPECT_FALSE(isUpToDate("<!doctype html>"));
}

TEST_F(WeaveTest, ReplacesNothingButDrawings) {
  file("README.md", "<!-- weave: b -->\n<!-- end weave -->\n");
  file("common/weave/front_page.weave", "drawing b = block.svg \"a block\" build/cpu/hello\n");
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
  EXPECT_TRUE(contains(outcome.err,
                       "common/weave/front_page.weave:1: block.svg leads out of the repository"));
  EXPECT_EQ(contentsOf(elsewhere.path("theirs.svg")), "<svg>theirs");
}

TEST_F(WeaveTest, WhatAProgramPrintsCanBePartOfThePage) {
  program("printf '| a |\\n|---|\\n| 1 |\\n'");
  EXPECT_EQ(woven("markdown x = build/cpu/hello"), "| a |\n|---|\n| 1 |\n");
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

TEST_F(WeaveTest, KnowsTheCardAndItsRoofWhereTheFileSays) {
  EXPECT_TRUE(contains(problemOfFigure("identity(r)"), "does not say which card it is of"));
  EXPECT_TRUE(contains(problemOfFigure("roofgbps(r)"), "does not say how fast its card reads"));
  std::string known = result;
  known.insert(known.find("\"peak_gbps\""), "\"identity\": \"0123abcd\", \"roof_gbps\": 950.5, ");
  writeFile(root_.path("common/results/r.json"), known);
  EXPECT_EQ(figure("identity(r)"), "0123abcd");
  EXPECT_EQ(figure("roofgbps(r) % .1f"), "950.5");
}

TEST_F(WeaveTest, KnowsWhatSeveralGpusTook) {
  std::string shared = result;
  shared.insert(shared.find("\"peak_gbps\""), "\"gpus\": 2, ");
  shared.insert(shared.find("\"blocks\""),
                "\"gpus\": 2, \"part_ms\": {\"NCCL\": {\"median\": 0.125, \"min\": 0.125, "
                "\"max\": 0.125, \"samples\": [0.125]}}, ");
  writeFile(root_.path("common/results/r.json"), shared);
  EXPECT_EQ(figure("part(r; neighbored; NCCL) % .3f"), "0.125");
  EXPECT_EQ(figure("gpus(r; neighbored)"), "2");
  EXPECT_EQ(figure("peak(r; neighbored)"), "0.4");  // of both
  EXPECT_TRUE(contains(problemOfFigure("part(r; neighbored; GPU 7)"), "has no part 'GPU 7' in r"));
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
