// thrust's header of this name, which has these others with nvcc, too.
#pragma once

#include_next <thrust/sort.h>

#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/sequence.h>
#include <thrust/tabulate.h>
#include <thrust/transform_reduce.h>
