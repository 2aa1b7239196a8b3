// build/compare: result files of any programs and machines side by side.
#include <algorithm>
#include <iostream>
#include <optional>

#include "base/errors.h"
#include "base/escape.h"
#include "base/options.h"
#include "base/program_main.h"
#include "base/terminal.h"
#include "compare/comparison_tables.h"
#include "compare/reasons.h"
#include "compare/result_pages.h"
#include "report/result_file.h"

namespace {

const std::string program = "compare";

struct Options {
  std::vector<std::string> files;
  bool markdown = false, csv = false, rewrite = false;
  std::string html, svg;
  StepOrder order = StepOrder::lesson;
};

// Tables and sentences on standard output, as text or as Markdown.
class Printer {
 public:
  explicit Printer(bool markdown) : markdown_(markdown), columns_(tableColumns()) {}

  void print(const Comparison& all) const {
    for (size_t m = 0; m < all.machines.size(); ++m) {
      const std::string line =
          shown(headed(all, m, describe(*all.machines[m])) + source(*all.machines[m]));
      std::cout << (markdown_ ? "- " + line + '\n' : sentence(line));
    }
    std::cout << '\n';
    if (!all.steps.empty()) printTimes(all);
    for (const Report* report : all.counted) {
      std::cout << "\n"
                << paragraph("Reasons and times. Counted per 1,000 elements at " +
                             describe(*report) + source(*report) + ":");
      show(reasonsTable(all, *report));
    }
    if (all.estimated.empty()) return;
    std::cout << "\nEstimated by a model, not measured:" << end();
    show(estimatesTable(all));
  }

 private:
  static std::string source(const Report& report) {
    return (report.date.empty() ? "" : ", " + report.date.substr(0, 10)) + " (" + report.file + ")";
  }
  std::string shown(const std::string& text) const {
    return markdown_ ? markdownText(text) : terminalText(text);
  }
  std::string paragraph(const std::string& text) const {
    return markdown_ ? shown(text) + "\n\n" : sentence(shown(text));
  }
  const char* end() const { return markdown_ ? "\n\n" : "\n"; }
  void show(const Table& table) const {
    std::cout << (markdown_ ? table.markdown() : table.fitted(columns_)) << '\n';
  }

  void printTimes(const Comparison& all) const {
    const bool many = all.machines.size() > mostSideBySide;
    const bool labelled = std::ranges::any_of(
        all.machines, [](const Report* report) { return !report->label.empty(); });
    if (many) printRanking(all);
    for (const Table& table :
         timesTables(all, markdown_ ? SIZE_MAX : columns_, markdown_ ? mostSideBySide : SIZE_MAX))
      show(table);
    std::string legend = "× 02: times as fast as lesson 02 on that machine.";
    if (all.machines.size() > 1)
      legend += (markdown_ ? " Bold: " : " *: ") +
                std::string(all.sameInput ? "the fastest of its row."
                                          : "the fastest of its row in GB/s, as lengths differ.");
    std::cout << (markdown_ ? legend + end() : sentence(legend));
    for (const std::string& remark : remarks(all)) std::cout << paragraph(remark);
    if (!labelled || many) return;
    std::cout << '\n';
    printRanking(all);
  }

  void printRanking(const Comparison& all) const {
    std::cout << "The fastest step of each label:" << end();
    Table table = rankingTable(all);
    // The machines are listed above.
    while (!markdown_ && table.columns() > columns_ && table.rows()[0].size() > 5)
      table.dropLastColumn();
    show(table);
  }

  static constexpr size_t mostSideBySide = 6;  // machines in a table of Markdown
  bool markdown_;
  size_t columns_;
};

StepOrder orderOf(const std::string& name) {
  if (name == "lesson") return StepOrder::lesson;
  if (name == "name") return StepOrder::name;
  if (name == "time") return StepOrder::time;
  throw Error(exitUsage, "--sort '" + name + "': expected lesson, name or time");
}

// Nothing when only the help was asked for.
std::optional<Options> optionsOf(int argc, char** argv) {
  OptionReader app("Result files side by side: steps × machines", program);
  Options options;
  std::string sort = "lesson";
  app.words(options.files, "FILE", "result files, written by --json of any program");
  app.flag("--markdown", options.markdown, "tables in Markdown");
  app.flag("--csv", options.csv, "one line for each step and machine, for a spreadsheet");
  app.value("--html", options.html, "FILE", "also write a page that stands alone");
  app.value("--svg", options.svg, "FILE", "also draw the ladder of the first file that has times");
  app.value("--sort", sort, "ORDER", "order of the steps: lesson (default), name, time");
  app.flag("--rewrite", options.rewrite,
           "only write the files again, as programs write them today");
  app.footer("exit codes: 0 compared, 2 bad usage or input");
  if (!app.read(argc, argv)) return {};
  if (options.files.empty()) throw Error(exitUsage, "name one result file or more (--help)");
  if (options.markdown && options.csv)
    throw Error(exitUsage, "--markdown and --csv: choose one of them");
  if (options.rewrite && (options.markdown || options.csv || app.has("--html") ||
                          app.has("--svg") || app.has("--sort")))
    throw Error(exitUsage, "--rewrite: takes files and no other option");
  options.order = orderOf(sort);
  for (const auto& [option, path] :
       {std::pair("--html", &options.html), std::pair("--svg", &options.svg)})
    if (app.has(option) && path->empty())
      throw Error(exitUsage, option + std::string(" '': expected a file name"));
  return options;
}

// All are read before the first is written.
void rewrite(const std::vector<std::string>& files) {
  std::vector<std::pair<OutputFile, std::string>> changed;
  for (const std::string& path : files) {
    const std::string text = resultText(path), again = rewritten(text, path);
    if (again != text)
      changed.emplace_back(OutputFile("--rewrite", path, isResultFile, "a result file"), again);
  }
  for (auto& [file, text] : changed) file.write(text);
}

int compare(int argc, char** argv) {
  const std::optional<Options> options = optionsOf(argc, argv);
  if (!options) return exitRight;
  if (options->rewrite) {
    rewrite(options->files);
    return exitRight;
  }
  std::vector<Report> reports;
  for (const std::string& file : options->files) reports.push_back(readResult(file));
  const Comparison all = compareResults(reports, options->order);
  if (!options->svg.empty() && all.steps.empty())
    throw Error(exitUsage, "--svg " + options->svg + ": none of the files has times to draw");
  OutputFile page("--html", options->html, isOurPage, "a page of compare");
  OutputFile picture("--svg", options->svg, isOurPicture, "a picture of compare");
  page.mustNotBe(picture);
  if (options->csv)
    std::cout << tidyCsv(all);
  else
    Printer(options->markdown).print(all);
  if (!options->html.empty()) page.write(htmlPage(all));
  const auto timed = std::ranges::find_if(all.machines, [](const Report* report) {
    return std::ranges::any_of(report->steps, &StepResult::isTimed);
  });
  if (!options->svg.empty()) picture.write(ladderSvg(**timed));
  return exitRight;
}

}  // namespace

int main(int argc, char** argv) {
  return runProgram(program, [&] { return compare(argc, argv); });
}
