// build/cpu/knobs NAME --explore FILE.html writes a page with something to turn.
#include "base/errors.h"
#include "base/options.h"
#include "base/output_file.h"
#include "base/program_main.h"
#include "draw/knobs/knobs.h"
#include "estimate/sampled.h"

int main(int argc, char** argv) {
  return runProgram("knobs", [&]() -> int {
    OptionReader app("Writes a page of a lesson on which something can be turned.", "knobs");
    std::vector<std::string> names;
    std::string file;
    app.words(names, "NAME", "in-flight (lesson 05), strides (03) or occupancy (06)");
    app.value("--explore", file, "FILE.html", "the page");
    if (!app.read(argc, argv)) return exitRight;
    if (names.size() != 1 || file.empty())
      throw Error(exitUsage, "expected a name and --explore FILE.html (--help)");
    if (const std::string lacking = estimate::whatEstimatesLack(); !lacking.empty())
      throw Error(exitUsage, lacking);
    OutputFile page("--explore", file, knobs::isKnobsPage, "a page that knobs wrote");
    page.write(knobs::knobsPage(names.front()));
    return exitRight;
  });
}
