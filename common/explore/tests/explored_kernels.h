// Kernels whose pages the tests look at.
#pragma once

#include "cuda/kernel.h"

// Thread t reads what thread t + 1 writes, and no barrier lies between.
__global__ void racing(int* data);

// Likewise, with all of them in shared memory.
__global__ void racingInShared(int* data);

// The same, and behind a barrier one that loses nothing and another that does.
__global__ void racingThrice(int* data);

__global__ void racingFromBlock5(int* data);

// The first pass of each half of the lanes meets that of the other in its banks.
__global__ void conflicting(int* data);

__global__ void halves(double* data);

// Bits that could be those of floats near 1, and of negative numbers.
__global__ void lookingLikeFloats(int* data, unsigned* others);
