// CUDA's runtime for programs that the executor runs: the language and the functions. simtcc
// includes it first in every .cu file, as nvcc does with CUDA's own.
#pragma once

#include "simt/device/names_begin.h"
#ifndef __cplusplus
#error "the executor's CUDA headers are C++: a file that includes them is a .cu or a .cpp file"
#endif
#define __CUDA_RUNTIME_H__

// What CUDA's own header brings along.
// std::lerp is of C++20, which CUDA's compiler takes only where it is asked to: until then the name
// is the program's.
#ifdef SIMT_BEFORE_CPP20
#define lerp simt_standard_lerp
#endif
#include <math.h>
#undef lerp
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cuda_runtime_api.h"
#include "nv_atomics.h"
#include "simt/device/cuda.h"
#include "simtcc/runtime/ptx.h"

#ifndef __clang__
#define __builtin_assume(condition) ((void)0)
#endif
#define __assume(condition) __builtin_assume(condition)

// Host code may include declarations of such variables.
#ifndef SIMT_TRANSLATED
#define __constant__
#define __managed__
#endif

#include "simt/device/names_end.h"
