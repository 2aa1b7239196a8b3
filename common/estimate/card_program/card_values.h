// From what the microbenchmarks measured to the values of a card.
#pragma once

#include "estimate/card.h"
#include "estimate/card_program/figures.h"

// What the CUDA runtime says of a GPU.
struct GpuProperties {
  std::string name;
  double multiprocessors = 0, warps = 0, blocks = 0, registers = 0, sharedBytes = 0;
  double reservedSharedBytes = 0, l2Bytes = 0;
};

// A card whose every value says how it was obtained; when: the date, for that. Throws Error
// (exitWrong) with one line when a figure is missing or gives an impossible value.
estimate::Card cardFrom(const GpuProperties& gpu, const Figures& figures, const std::string& when);
