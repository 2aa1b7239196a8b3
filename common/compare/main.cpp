// build/compare: result files of any programs and machines side by side.
#include <CLI/CLI.hpp>
#include <iostream>

#include "base/errors.h"
#include "base/program_main.h"
#include "compare/comparison.h"
#include "compare/result_pages.h"
#include "report/result_file.h"

namespace {

const std::string program = "compare";

// Everything as text or as Markdown, on standard output.
void print(const Comparison& all, bool markdown) {
  const auto show = [&](const Table& table) {
    std::cout << (markdown ? table.markdown() : table.text()) << '\n';
  };
  const std::string bullet = markdown ? "- " : "", end = markdown ? "\n\n" : "\n";
  const auto source = [](const Report& report) {
    return (report.date.empty() ? "" : ", " + report.date.substr(0, 10)) + " (" + report.file + ")";
  };
  for (size_t m = 0; m < all.machines.size(); ++m)
    std::cout << bullet << headed(all, m, describe(*all.machines[m])) << source(*all.machines[m])
              << '\n';
  std::cout << '\n';
  if (!all.rows.empty()) {
    show(timesTable(all));
    std::cout << "× 02: times as fast as lesson 02 on that machine.";
    if (all.machines.size() > 1)
      std::cout << (markdown ? " Bold: " : " *: ")
                << (all.sameInput ? "the fastest of its row."
                                  : "the fastest of its row in GB/s, as lengths differ.");
    std::cout << end;
    for (const Report* report : all.machines)
      if (!report->label.empty()) {
        std::cout << "\nThe fastest step of each label:" << end;
        show(labelsTable(all));
        break;
      }
  }
  for (const Report* report : all.counted) {
    std::cout << "\nReasons and times. Counted per 1,000 elements at " << describe(*report)
              << source(*report) << ':' << end;
    show(reasonsTable(all, *report));
  }
}

int compare(int argc, char** argv) {
  CLI::App app("Result files side by side: steps × machines", program);
  std::vector<std::string> files;
  bool markdown = false, csv = false;
  std::string html, svg, sort = "lesson";
  app.add_option("files", files, "result files, written by --json of any program")
      ->type_name("FILE");
  app.add_flag("--markdown", markdown, "tables in Markdown");
  app.add_flag("--csv", csv, "one line for each step and machine, for a spreadsheet");
  app.add_option("--html", html, "also write a page that stands alone")->type_name("FILE");
  app.add_option("--svg", svg, "also draw the ladder of the first file that has times")
      ->type_name("FILE");
  app.add_option("--sort", sort, "order of the steps: lesson (default), name, time")
      ->type_name("ORDER");
  app.footer("exit codes: 0 compared, 2 bad usage or input");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help();
    return exitRight;
  } catch (const CLI::ParseError& error) {
    throw Error(exitUsage, std::string(error.what()) + " (--help lists the options)");
  }
  if (files.empty()) throw Error(exitUsage, "name one result file or more (--help)");
  if (markdown && csv) throw Error(exitUsage, "--markdown and --csv: choose one of them");
  if (sort != "lesson" && sort != "name" && sort != "time")
    throw Error(exitUsage, "--sort '" + sort + "': expected lesson, name or time");
  for (const auto& [option, path] : {std::pair("--html", &html), std::pair("--svg", &svg)})
    if (app.count(option) && path->empty())
      throw Error(exitUsage, option + std::string(" '': expected a file name"));
  if (!html.empty() && html == svg)
    throw Error(exitUsage, "--html and --svg: name two different files");

  std::vector<Report> reports;
  for (const std::string& file : files) reports.push_back(readResult(file));
  const Comparison all = compareResults(reports, sort == "name"   ? RowOrder::name
                                                 : sort == "time" ? RowOrder::time
                                                                  : RowOrder::lesson);
  if (!svg.empty() && all.rows.empty())
    throw Error(exitUsage, "--svg " + svg + ": none of the files has times to draw");
  OutputFile page("--html", html, isOurPage, "a page of compare");
  OutputFile picture("--svg", svg, isOurPicture, "a picture of compare");
  if (csv)
    std::cout << tidyCsv(all);
  else
    print(all, markdown);
  if (!html.empty()) page.write(htmlPage(all));
  for (const Report* report : all.machines)
    if (!svg.empty() && std::any_of(report->steps.begin(), report->steps.end(),
                                    [](const StepResult& s) { return !s.kernelMs.empty(); })) {
      picture.write(ladderSvg(*report));
      break;
    }
  return exitRight;
}

}  // namespace

int main(int argc, char** argv) {
  return runProgram(program, [&] { return compare(argc, argv); });
}
