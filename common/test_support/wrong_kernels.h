// Kernels that tests get wrong on purpose; wrong_kernels.cu has them, on the cpu
// backend only.
#pragma once

#include "cuda/kernel.h"

// Block sums without the first element of every block.
__global__ void forgetsTheFirst(int* data, int* blockSums, size_t n);

// Leaves the element behind the last one.
__global__ void readsBehindTheEnd(int* data, int* blockSums, size_t n);

// Lesson 02's exercise and lesson 04's, solved but for a barrier that half of the threads never
// reach.
__global__ void rangesWithABarrierInABranch(int* data, int* ranges, size_t n);
__global__ void fourSumsWithABarrierInABranch(int* data, int* sums, size_t n);

// Lesson 03's kernel without the barrier between its steps.
__global__ void neighboredLessWithoutItsBarrier(int* data, int* blockSums, size_t n);
