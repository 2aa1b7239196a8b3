// What lesson 08's program can do beside its steps. Compiled by itself, in modes.cu: who changes a
// kernel of shuffle.cuh does not wait for it.
#pragma once

#include <vector>

#include "multi_gpu/ranks.h"
#include "program/lesson.h"

// ranks: the processes of this program, for --gpus.
std::vector<Mode> modesOf08(Ranks& ranks);
