// A small repository of its own for each test of build/weave. WEAVE is the program.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>

#include "base/errors.h"
#include "test_support/host_testing.h"
#include "test_support/program_testing.h"
#include "weave/weave.h"

inline const std::string kernel = R"(// A kernel.
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

inline const std::string result = R"({"schema": 1, "program": "p", "backend": "gpu",
 "machine": {"name": "A GPU", "peak_gbps": 1000, "driver": "1", "cuda": "2"},
 "input": {"n": 1000000, "block": 512, "seed": 1, "samples": 1, "type": "int32"},
 "steps": [{"lesson": "02_neighbored", "name": "neighbored", "ok": true, "result": 1, "expected": 1,
   "blocks": 4, "kernel_ms": {"median": 0.5, "min": 0.5, "max": 0.5, "samples": [0.5]},
   "answer_ms": {"median": 1, "min": 1, "max": 1, "samples": [1]}},
  {"lesson": "CUB", "name": "cub::DeviceReduce::Sum", "ok": true, "result": 1, "expected": 1,
   "blocks": 4, "kernel_ms": {"median": 0.25, "min": 0.25, "max": 0.25, "samples": [0.25]},
   "answer_ms": {"median": 0.8, "min": 0.8, "max": 0.8, "samples": [0.8]}}]})";

inline const std::string profile = R"(# comment
kernel,block,blocks,metric,value
fast<1 2>,512,4,inst.sum,1000
fast<1 2>,512,4,l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum,80
)";

inline const std::string estimates = R"(# comment
group;step;where;record;n;kernel;ms;instructions;waits
small;neighbored;blocks of 512;r.json;0;;0.6;1e9;memory 0.5
small;cub::DeviceReduce::Sum;blocks of 256;r.json;0;;0.225;1e9;memory 0.5
small;late;blocks of 512;r.json;0;;9;1e9;
tried;neighbored;as it is;;0;;0.6;1e9;
tried;neighbored;free barriers;;0;;0.45;1e9;
)";

inline const std::string card = R"({"schema": 1, "card": "A GPU", "parameters": {
 "memory_latency": {"value": 700.0, "unit": "cycles", "how": "tried"},
 "clock_ghz": {"value": 2, "unit": "GHz", "how": "said"}, "name": {"value": "a", "unit": ""}}})";

inline const std::string page = R"(# A page
<!-- weave: code -->
old
<!-- end weave -->
<!-- weave: run -->
<!-- end weave -->
It takes <!--=ms-->?<!--/--> ms.
)";

inline const std::string recipes = R"(result r = common/results/r.json
code   code = kernel.cuh twice from "if (t" to "  }"
output run  = build/cpu/hello world
figure ms   = ms(r; neighbored) % ms
)";

inline const std::string shortNames =
    "result r = common/results/r.json\nresult gone = common/results/gone.json\n"
    "profile p = profile.csv\nmetric instructions = inst.sum\n"
    "estimates e = common/results/e.csv\n";

// A repository of three pages, one source, one result and one program.
class WeaveTest : public testing::Test {
 protected:
  WeaveTest() {
    for (const std::string folder : {"common/cards", "common/results", "common/simt", "common/site",
                                     "common/weave", "programs"})
      std::filesystem::create_directories(root_.path(folder));
    file("kernel.cuh", kernel);
    file("common/results/r.json", result);
    file("profile.csv", profile);
    file("common/results/e.csv", estimates);
    file("README.md", page);
    file("common/weave/front_page.weave", recipes);
    file("common/README.md", "# Common\n");
    file("common/simt/README.md", "# The executor\n");
    program("echo \"hello $1\"");
  }
  void file(const std::string& path, const std::string& text) { writeFile(root_.path(path), text); }
  std::string text(const std::string& path) { return contentsOf(root_.path(path)); }
  void program(const std::string& script) {
    file("programs/hello", "#!/bin/sh\n" + script + "\n");
    std::filesystem::permissions(root_.path("programs/hello"), std::filesystem::perms::owner_all);
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
