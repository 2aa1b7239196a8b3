__device__ int table[10];

__global__ void fill() { table[threadIdx.x] = 1; }

int main() { fill<<<1, 32>>>(); }
// exit: 1
// tells: fill, block 0: thread 10 writes table\[10\] at fault_device_variable.cu:3, but table has 10 elements
