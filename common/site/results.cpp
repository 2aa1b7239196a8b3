#include "site/results.h"

#include <algorithm>
#include <filesystem>

#include "compare/result_pages.h"
#include "report/result_file.h"
#include "weave/lines.h"

Results resultsOf(const Repository& repository) {
  constexpr size_t manySteps = 100;
  const std::string folder = "common/results/";
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(repository.root + "/" + folder))
    if (entry.path().extension() == ".json") names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  Results results;
  std::map<std::string, std::vector<Report>> byProgram;
  for (const std::string& name : names) {
    Report report = readResult(repository.root + "/" + folder + name);
    report.file = folder + name;
    if (std::ranges::none_of(report.steps, &StepResult::isTimed) ||
        report.steps.size() > manySteps || report.program == "frozen_kernels")
      continue;
    results.byMachine[report.machineName()].push_back(report);
    if (report.label.empty()) report.label = name;
    byProgram[report.program].push_back(std::move(report));
  }
  for (const auto& [program, reports] : byProgram)
    results.pages[program] = htmlPage(compareResults(reports, StepOrder::lesson));
  return results;
}

std::string resultPageOf(const std::string& program) {
  std::string name;
  for (const char c : program)
    if (isName("a" + std::string(1, c)) || c == '_') name += c;
  return "results/" + name + ".html";
}
