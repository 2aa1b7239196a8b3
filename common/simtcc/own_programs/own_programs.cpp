// What the programs get that simtcc and add_cuda_program() make in this repository, beyond counts
// and faults: estimated times, and a page to step through a launch. simtcc links them with
// --wrap=main, so that options in front of the program's own arguments arrive here.
#include <cstdlib>
#include <iostream>
#include <map>
#include <optional>
#include <utility>

#include "base/errors.h"
#include "base/output_file.h"
#include "estimate/card.h"
#include "estimate/gpu_code/of_executor.h"
#include "explore/explore.h"
#include "simtcc/own_programs/explored_launch.h"
#include "simtcc/own_programs/launch_estimates.h"
#include "simtcc/own_programs/options.h"
#include "simtcc/own_programs/report_page.h"
#include "simtcc/runtime/program_observer.h"
#include "simtcc/runtime/runtime.h"

extern "C" int __real_main(int argc, char** argv, char** environment);

namespace {

// Standard output is the program's own.
struct OnStandardError {
  std::streambuf* const before = std::cout.rdbuf(std::cerr.rdbuf());
  ~OnStandardError() { std::cout.rdbuf(before); }
};

class Observer : public simt::ProgramObserver {
 public:
  explicit Observer(const ProgramOptions& options)
      : options_(options),
        page_("--explore", options.explore, isExplorePage, "a page written by --explore"),
        report_("--report", options.report, isReportPage, "a page written by --report") {
    page_.mustNotBe(report_);
    if (!options_.run) runNothing();
    if (!options_.estimate) return;
    try {
      estimate::findCard(options_.card);  // or says which there are
    } catch (const Error& error) {
      if (options_.cardAsked) throw;
      options_.estimate = false;
      whyNoEstimate_ = error.what();
    }
  }

  void launchBegins(const simt::ObservedLaunch& launch) override {
    if (estimates()) estimates_.begin(launch);
    if (options_.explore.empty()) return;
    exploring_ =
        !explored_ && (options_.kernel.empty() || nameOf(launch.kernel) == options_.kernel);
    if (!exploring_) return;
    exploredKernel_ = launch.kernel;
    launch_.begin(launch);
  }

  void launchEnds(const simt::Counters& counted, const std::vector<simt::Fault>& faults) override {
    if (!std::exchange(exploring_, false)) return;
    explored_ = true;
    launch_.end(counted, faults);
    writePage(page_, launch_.page());
  }

  uint64_t launches() override { return estimates_.launches(); }
  std::optional<double> estimatedMs(uint64_t from, uint64_t to) override {
    return estimates_.msBetween(from, to);
  }
  std::map<std::string, double> estimatedMsOfKernels() override {
    std::map<std::string, double> all;
    for (const EstimatedLaunches& each : estimates_.inAll())
      if (each.ms > 0) all[each.kernel] += each.ms * double(each.launches);
    return all;
  }

  void programEnds(const simt::ProgramSummary& summary, bool isQuiet) override {
    if (!isQuiet) {
      if (estimates()) estimates_.print();
      if (!whyNoEstimate_.empty()) std::cerr << "no estimate: " << whyNoEstimate_ << '\n';
    }
    if (options_.report.empty()) return;
    ReportPage page{.program = options_.program, .path = options_.report, .summary = summary};
    if (estimates()) {
      page.card = estimate::findCard(options_.card).name;
      page.compiler = estimate::gpu_code::whoMadeIt();
      page.estimates = estimates_.inAll();
    }
    if (explored_) page.exploredKernel = exploredKernel_, page.exploredPage = options_.explore;
    writePage(report_, reportPage(page));
  }

  int exitCode() override {
    estimates_.stop();
    if (!options_.explore.empty() && !explored_) {
      std::cerr << (options_.kernel.empty() ? "--explore: the program launched no kernel"
                                            : "--kernel: the program launched none of that name")
                << '\n';
      return exitUsage;
    }
    return failed_ ? exitUsage : 0;
  }

 private:
  bool estimates() const {
    return options_.estimate && (options_.explore.empty() || !options_.report.empty());
  }
  void writePage(OutputFile& file, const std::string& page) {
    const OnStandardError scope;
    try {
      file.write(page, "open it in a browser");
    } catch (const std::exception& error) {
      std::cerr << error.what() << '\n';
      failed_ = true;
    }
  }
  void runNothing() {
    simt::Settings settings = simt::settings();
    settings.instead = [](const simt::LaunchCall&) {};
    withoutKernels_.emplace(settings);
    simt::reportOtherUse(
        "No kernel ran (--only-estimate): what the program has in its arrays is not what they "
        "make.");
  }
  // Without template arguments.
  static std::string nameOf(const std::string& kernel) {
    return kernel.substr(0, kernel.find('<'));
  }

  ProgramOptions options_;
  OutputFile page_, report_;
  LaunchEstimates estimates_{options_};
  ExploredLaunch launch_{options_};
  std::string whyNoEstimate_, exploredKernel_;
  std::optional<simt::WithSettings> withoutKernels_;
  bool exploring_ = false, explored_ = false, failed_ = false;
};

}  // namespace

extern "C" int __wrap_main(int argc, char** argv, char** environment) {
  std::vector<std::string> arguments(argv, argv + argc);
  try {
    const ProgramOptions options = takeOptions(arguments);
    if (options.full) setenv("SIMT_SEARCH", "all", 1);
    if (options.fast) setenv("SIMT_FAST", "1", 1);
    simt::observeProgram(
        new Observer(options));  // it outlives everything that ends with the program
  } catch (const Error& error) {
    std::cerr << (argc > 0 ? argv[0] : "program") << ": " << error.what() << '\n';
    return error.code;
  }
  // The words that are left are the last of argv.
  const int taken = argc - int(arguments.size());
  for (int i = 1; i + taken <= argc; ++i) argv[i] = argv[i + taken];  // with the null at the end
  return __real_main(argc - taken, argv, environment);
}
