// Part of what simtcc includes anyway.
#pragma once

#include "cuda_runtime.h"
