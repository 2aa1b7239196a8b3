#include "multi_gpu/gpus_mode.h"

#include <iostream>

#include "base/terminal.h"
#include "multi_gpu/cards.h"
#include "multi_gpu/scaling.h"
#include "report/tables.h"

Mode gpusMode(Ranks& ranks, const std::string& help, GpusProgram program,
              std::vector<std::pair<std::string, std::string>> leaveOut) {
  leaveOut.emplace_back("--device", "takes the GPUs from number 0 on");
  const auto run = [&ranks, program](const Options& given) {
    return ranks.together([&] {
      Options options = given;
      options.device = deviceFor(ranks);
      if (ranks.rank() > 0) options.json.clear();
      return program(options, ranks);
    });
  };
  return {.flag = "--gpus", .help = help, .run = run, .takesGpus = true, .leaveOut = leaveOut};
}

void printCards(const Report& report, const std::vector<std::string>& whats) {
  if (report.backend == Backend::cpu) {
    std::cout << "Counted on all GPUs together, which the executor imagines:\n";
    printSharedCounts(report, whats);
    return;
  }
  printScaling(report, whats);
  const std::string slow = slowGpuRemark(report);
  if (!slow.empty()) std::cout << sentence(slow) << '\n';
}

int finish(const Report& report, ResultFile& file, const std::string& whenRight) {
  std::cout << (report.allRight() ? whenRight + '\n' : "") << std::flush;
  file.write(report);
  return complain(report);
}
