#include <fstream>
#include <iostream>

#include "base/format.h"
#include "base/program_main.h"
#include "cuda/device.h"
#include "estimate/card_program/figures.h"

int main() {
  return runProgram("card", [] {
    const Machine machine = selectDevice(0, "card");
    std::cout << machine.name << '\n';
    for (const auto& measure : {measureOneMultiprocessor, measureWholeCard})
      for (const Figure& f : measure())
        std::cout << fmt::format("{}\t{:.4f}\t{}\n", f.name, f.value, f.unit) << std::flush;
    return 0;
  });
}
