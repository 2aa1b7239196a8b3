#include <assert.h>

__global__ void check(int n) { assert((int)threadIdx.x < n); }

int main() { check<<<1, 32>>>(30); }
// exit: 1
// tells: check, block 0: assertion failed: .*threadIdx.x < n
