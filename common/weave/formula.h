// The figures of a page: formulas over recorded results.
#pragma once

#include <map>
#include <string>

#include "report/profile.h"
#include "report/report.h"

// Reads recorded results and profiles, each file once.
class Records {
 public:
  // root: of the repository. Names of result files are without folder and .json; "profile" is
  // common/simt/tests/profile.csv, "profile09" that of lesson 09, other .csv are among the results.
  explicit Records(std::string root) : root_(std::move(root)) {}

  // A figure as a page shows it. A formula is arithmetic over numbers and functions, with a format
  // behind %: "ms(h200_ladder; unroll 2) / ms(h200_ladder; unroll 8) % .2f". Arguments are
  // separated by semicolons. Of a step (FILE; STEP, then n or a cache state where names repeat):
  //   ms, min, max, answer, gbps, peak (percent), blocks, n; spread, spreadus: texts.
  //   count(FILE; STEP; COUNTER), of the executor, for the whole launch.
  //   counted, the same per block as pages show it.
  //   geomean(FILE; STEP; OTHER; CACHE): how much longer a step takes than another, over all n.
  // Of a profile (CSV; KERNEL; METRIC, then the block size): prof, and profblocks(CSV; KERNEL;
  // block). Of a file (FILE): machine, driver, cuda, samples, size, peakgbps. Formats: .2f, ','
  // with separators of thousands, g as short as it can be, ms as times are shown. Throws Error
  // (exitUsage).
  std::string figure(const std::string& formula);

  const Report& report(const std::string& name);
  const StepResult& step(const std::string& name, const std::string& step,
                         const std::string& which1 = "", const std::string& which2 = "");

 private:
  friend class Parser;
  double profile(const std::string& csv, const std::string& kernel, const std::string& metric,
                 const std::string& block);

  std::string root_;
  std::map<std::string, Report> reports_;
  std::map<std::string, Profile> profiles_;
};
