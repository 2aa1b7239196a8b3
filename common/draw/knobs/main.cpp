// build/cpu/knobs NAME --explore FILE.html writes a page with something to turn.
#include "base/errors.h"
#include "base/options.h"
#include "base/output_file.h"
#include "base/program_main.h"
#include "draw/knobs/knobs.h"
#include "estimate/sampled.h"

int main(int argc, char** argv) {
  return runProgram("knobs", [&]() -> int {
    CLI::App app{"Writes a page of a lesson on which something can be turned."};
    std::string name, file;
    app.add_option("name", name, "in-flight (lesson 05), strides (03) or occupancy (06)")
        ->required();
    app.add_option("--explore", file, "the page, an HTML file")->required();
    if (!readOptions(app, argc, argv)) return exitRight;
    if (const std::string lacking = estimate::whatEstimatesLack(); !lacking.empty())
      throw Error(exitUsage, lacking);
    OutputFile page("--explore", file, knobs::isKnobsPage, "a page that knobs wrote");
    page.write(knobs::knobsPage(name));
    return exitRight;
  });
}
