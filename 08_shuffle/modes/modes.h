// What lesson 08's program can do beside its steps. Compiled by itself, in modes.cu: who changes a
// kernel of shuffle.cuh does not wait for it.
#pragma once

#include <vector>

#include "program/lesson.h"

class Ranks;

// The ranks must live as long as the modes.
std::vector<Mode> modesOf08(Ranks& ranks);
