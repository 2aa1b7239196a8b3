// What lesson 08's program can do beside its steps. Compiled by itself, in modes.cu, and without
// kernels: who changes one does not wait for it.
#pragma once

#include <vector>

#include "program/lesson.h"

class Ranks;

// The ranks must live as long as the modes.
std::vector<Mode> modesOf08(Ranks& ranks);
