// The kernels of this folder that either backend has.
#include "grid_sync.cuh"
#include "two_launches.cuh"
