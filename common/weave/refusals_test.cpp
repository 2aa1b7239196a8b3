// What build/weave refuses: figures, recipes, commands and names that make no sense.
#include "weave/small_repository_test.h"

namespace fs = std::filesystem;

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
      {"estimate(e; small; nobody)", "there is no estimate of 'nobody' of 'small' in e"},
      {"estimate(e; large; neighbored)", "there is no estimate of 'neighbored' of 'large' in e"},
      {"estimate(e; tried; neighbored; free)",
       "there is no estimate of 'neighbored' of 'tried' in e, 'free'"},
      {"estimate(e; tried; neighbored)", "there are several estimates of 'neighbored'"},
      {"estimate(e; small)", "estimate needs another argument"},
      {"estimate(e; a; b; c; d)", "estimate has no use for 'd'"},
      {"estimate(r; small; neighbored)", "'r' are no estimates of this page"},
      {"estimateError(e; tried)", "nothing of 'tried' in e was measured"},
      {"estimateError(e; small; elsewhere)", "nothing of 'small' in e, 'elsewhere', was measured"},
      {"estimateWorst(e; small; a; b)", "estimateWorst has no use for 'b'"},
      {"prof(q; fast; inst.sum; 512)", "'q' is no profile of this page"}};
  for (const auto& [formula, reason] : table) {
    const std::string problem = problemOfFigure(formula);
    EXPECT_TRUE(contains(problem, reason)) << formula.substr(0, 100);
    EXPECT_TRUE(problem.starts_with("05/page.weave:6: ")) << problem.substr(0, 100);
  }
}

TEST_F(WeaveTest, RefusesWhatACardDoesNotSay) {
  file("common/cards/a1.json", card);
  file("common/cards/b.json", "{");
  const std::pair<std::string, std::string> table[] = {
      {"card(a1; latency)", "there is no value 'latency' in common/cards/a1.json"},
      {"card(a1; name)", "there is no value 'name' in common/cards/a1.json"},
      {"card(a1; name/value~)", "there is no value 'name/value~' in common/cards/a1.json"},
      {"card(a1)", "card needs another argument"},
      {"card(a1; name; x)", "card has no use for 'x'"},
      {"card(b; clock_ghz)", "there is no value 'clock_ghz' in common/cards/b.json"},
      {"card(../../r; clock_ghz)", "is no path below the root"},
      {"card(c; clock_ghz)", "common/cards/c.json cannot be read"}};
  for (const auto& [formula, reason] : table)
    EXPECT_TRUE(contains(problemOfFigure(formula), reason)) << formula;
}

TEST_F(WeaveTest, RefusesEstimatesThatItCannotRead) {
  const std::string formula = "estimate(e; small; neighbored)";
  file("common/results/e.csv", replaced(estimates, "blocks of 512;r.json;0;;0.6", "0.6"));
  EXPECT_TRUE(contains(problemOfFigure(formula), "common/results/e.csv:3: expected 9 fields"));
  file("common/results/e.csv", replaced(estimates, "0.225", "soon"));
  const std::string problem = problemOfFigure(formula);
  EXPECT_TRUE(contains(problem, "common/results/e.csv:4: 'soon' is not a number")) << problem;
  EXPECT_TRUE(problem.starts_with("05/page.weave:6: ")) << problem;
  file("common/results/e.csv", replaced(estimates, "r.json", "../../../r.json"));
  EXPECT_TRUE(contains(problemOfFigure("estimateError(e; small)"), "is no path below the root"));
  fs::remove(root_.path("common/results/e.csv"));
  EXPECT_TRUE(contains(problemOfFigure(formula), "common/results/e.csv cannot be read"));
}

TEST_F(WeaveTest, RefusesRecipesThatItCannotFollow) {
  file("common/results/gone.json", result);
  const std::vector<std::pair<std::string, std::string>> table = {
      {"code x = kernel.cuh", "expected a file and a function"},
      {"code x = none.cuh f", "none.cuh cannot be read"},
      {"code x = kernel.cuh missing", "there is no function or struct missing in kernel.cuh"},
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
      {"times x = r, e, e", "times: expected RESULT, or RESULT, ESTIMATES"},
      {"times x = r, r", "'r' are no estimates of this page"},
      {"times x = r; nobody", "there is no step 'nobody' in r"},
      {"picture x = r", "expected a result and what it shows"},
      {"picture x = r \"a](http://b) [c\"", "no [ ] in what a picture shows"},
      {"roofline x = a.svg", "expected a file and what it shows"},
      {"roofline x = a.svg \"b\"", "the table has no rows"},
      {"roofline x = a.svg \"b\"\n  | ceiling | 1 | c |",
       "the first two rows are | bandwidth | and | ceiling |"},
      {"roofline x = a.svg \"b\"\n  | bandwidth | 0 | c |", "expected a number above 0, not '0'"},
      {"roofline x = a.svg \"b\"\n  | bandwidth | 1 | c |\n  | ceiling | 1 | c |",
       "expected a bandwidth, a ceiling and points"},
      {"roofline x = a.svg \"b\"\n  | bandwidth | 1 |", "expected three cells"},
      {"drawing x = a.svg \"b\"", "expected a file, what it shows and a command"},
      {"explored x = a.html \"b\"", "expected a file, what it shows and a command"},
      {"explored x = a.svg \"b\" build/cpu/hello", "'a.svg' is no name of a page"},
      {"sheet x = a.csv \"b\"", "expected a file, what it has and a command"},
      {"sheet x = a.svg \"b\" build/cpu/hello", "'a.svg' is no name of a table"},
      {"table x", "05/page.weave:6: the table has no rows"},
      {"table x\n  $y", "05/page.weave:7: the rows of a table begin with |"},
      {"table x\n  | a |\n  | $y |", "05/page.weave:8: nothing is called '$y'"},
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
      {"build/cpu/hello \"a b;c\"", "'a b;c' is no plain word"},
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
            "05/page.weave:6: no mark of the page is called 'y'");
}

TEST_F(WeaveTest, FillsNoPageWithWhatLooksLikeAMark) {
  program("echo '<!-- end weave -->'");
  EXPECT_TRUE(contains(problem("output x = build/cpu/hello"), "looks like a mark"));
}

// Pages come from other people, too.
TEST_F(WeaveTest, TellsEveryProblemWithoutControlCharacters) {
  file("README.md", page + "\x1b]0;title\x07 \x1b[31mred\n");
  const Outcome stale = run("--check");
  EXPECT_EQ(stale.exitCode, 1);
  EXPECT_FALSE(contains(stale.out, "\x1b")) << stale.out;
  file("common/weave/front_page.weave",
       recipes + "code \x1b[31mred = none.cuh f\nresult \x1b[2J = none.json\nwhat\x07\n");
  const Outcome wrong = run("--check");
  EXPECT_EQ(wrong.exitCode, 2);
  EXPECT_GE(std::ranges::count(wrong.err, '\n'), 2) << wrong.err;
  for (const char control : {'\x1b', '\x07'})
    EXPECT_EQ(wrong.err.find(control), std::string::npos) << wrong.err;
}
