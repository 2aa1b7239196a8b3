// How good the model is on the development set and on the frozen one, beside the simplest of
// models.
#pragma once

namespace estimate {

// A line for each set, card and model: errors, and how often the order of two variants is right.
void setsTable();
// The mean error of each kind of kernels.
void kindsTable();

}  // namespace estimate
