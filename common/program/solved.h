// Which exercises a reader has solved, over all lessons. It is kept in a file of the reader's,
// which outlives the build: $XDG_STATE_HOME/cuda_reduction_step_by_step/solved, or below
// ~/.local/state.
#pragma once

#include <string>

#include "program/options.h"

// Keeps that the exercise of this number, 0 for the graded one, is solved, and says on standard
// output how far the lesson is. Where nothing can be kept, says so in a line on stderr.
void keepSolved(const std::string& program, unsigned number);

// The mode --progress of a lesson's program.
Mode progressMode();
