// Of mean_matvec_test.cu.
#include "cuda/kernel.h"

__global__ void losesOne(double* result) { result[0] = nan(""); }
