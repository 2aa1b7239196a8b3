// Measures the card of this machine with one microbenchmark for each parameter of the timing model.

#include "base/counts.h"
#include "base/format.h"
#include "base/options.h"
#include "base/output_file.h"
#include "base/program_main.h"
#include "base/table.h"
#include "cuda/check.h"
#include "cuda/device.h"
#include "estimate/card_program/card_values.h"
#include "report/report.h"

namespace {

GpuProperties propertiesOf(const Machine& machine, int device) {
  const auto attribute = [device](cudaDeviceAttr which) {
    int value = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&value, which, device));
    return double(value);
  };
  return {.name = machine.name,
          .multiprocessors = attribute(cudaDevAttrMultiProcessorCount),
          .warps = attribute(cudaDevAttrMaxThreadsPerMultiProcessor) / 32,
          .blocks = attribute(cudaDevAttrMaxBlocksPerMultiprocessor),
          .registers = attribute(cudaDevAttrMaxRegistersPerMultiprocessor),
          .sharedBytes = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor),
          .reservedSharedBytes = attribute(cudaDevAttrReservedSharedMemoryPerBlock),
          .l2Bytes = attribute(cudaDevAttrL2CacheSize)};
}

bool isCardFile(const std::string& text) {
  try {
    estimate::parseCard(text, "");
    return true;
  } catch (const Error&) {
    return false;
  }
}

const std::string csvHeader = "figure,value,unit\n";

bool isFigures(const std::string& text) { return text.find(csvHeader) != std::string::npos; }

std::string csvOf(const Figures& figures, const std::string& when) {
  std::string text = "# What build/gpu/card measured: " + when + ".\n" + csvHeader;
  for (const Figure& f : figures)
    text += fmt::format("\"{}\",{:.4f},{}\n", f.name, f.value, f.unit);
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  return runProgram("card", [&]() -> int {
    OptionReader app("Measures what the timing model must know of a card.", "card");
    std::string json, csv, number = "0";
    app.value("--json", json, "FILE", "write the card's file");
    app.value("--csv", csv, "FILE", "write what was measured, a line for each figure");
    app.value("--device", number, "D", "which GPU (default 0)");
    if (!app.read(argc, argv)) return exitRight;
    const int device = int(parseCount("--device", number));
    OutputFile file("--json", json, isCardFile, "the file of a card");
    OutputFile figuresFile("--csv", csv, isFigures, "a file of figures");
    const Machine machine = selectDevice(device, "card");
    Figures figures;
    Table table;
    for (const auto& measure : {measureOneMultiprocessor, measureWholeCard}) {
      for (const Figure& f : measure()) {
        table.add({f.name, fmt::format("{:.4g}", f.value), f.unit});
        figures.push_back(f);
      }
    }
    table.alignLeft(2);
    table.print();
    const std::string when = machine.name + ", " + utcNow().substr(0, 10);
    figuresFile.write(csvOf(figures, when));
    file.write(cardText(cardFrom(propertiesOf(machine, device), figures, when)));
    return exitRight;
  });
}
