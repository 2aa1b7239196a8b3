// CUDA's runtime for programs that the executor runs: the language and the functions. simt/cc
// includes it first in every .cu file, as nvcc does with CUDA's own.
#pragma once

#include "cuda_runtime_api.h"
#include "simt/cuda.h"
