// args: 7
// says: ^gpu Unrolling8
// tells: On the same assumption, that the lanes of a warp run in lock-step
// exit: 1
// A professional's book: grids of reductions with eight blocks unrolled and a volatile last warp that trusts lock-step (a fault since Volta).
#include <cuda_runtime.h>
#include <stdio.h>
#include <sys/time.h>
#define CHECK(call)                                                            \
{                                                                              \
    const cudaError_t error = call;                                            \
    if (error != cudaSuccess)                                                  \
    {                                                                          \
        fprintf(stderr, "Error: %s:%d, ", __FILE__, __LINE__);                 \
        fprintf(stderr, "code: %d, reason: %s\n", error,                       \
                cudaGetErrorString(error));                                    \
        exit(1);                                                               \
    }                                                                          \
}
inline double seconds()
{
    struct timeval tp;
    struct timezone tzp;
    int i = gettimeofday(&tp, &tzp);
    return ((double)tp.tv_sec + (double)tp.tv_usec * 1.e-6);
}
int recursiveReduce(int *data, int const size)
{
    if (size == 1) return data[0];
    int const stride = size / 2;
    for (int i = 0; i < stride; i++) data[i] += data[i + stride];
    return recursiveReduce(data, stride);
}
__global__ void reduceUnrollWarps8 (int *g_idata, int *g_odata, unsigned int n)
{
    unsigned int tid = threadIdx.x;
    unsigned int idx = blockIdx.x * blockDim.x * 8 + threadIdx.x;
    int *idata = g_idata + blockIdx.x * blockDim.x * 8;
    if (idx + 7 * blockDim.x < n)
    {
        int a1 = g_idata[idx];
        int sum = a1;
        for (int k = 1; k < 8; k++) sum += g_idata[idx + k * blockDim.x];
        g_idata[idx] = sum;
    }
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 32; stride >>= 1)
    {
        if (tid < stride)
        {
            idata[tid] += idata[tid + stride];
        }
        __syncthreads();
    }
    if (tid < 32)
    {
        volatile int *vmem = idata;
        vmem[tid] += vmem[tid + 32];
        vmem[tid] += vmem[tid + 16];
        vmem[tid] += vmem[tid +  8];
        vmem[tid] += vmem[tid +  4];
        vmem[tid] += vmem[tid +  2];
        vmem[tid] += vmem[tid +  1];
    }
    if (tid == 0) g_odata[blockIdx.x] = idata[0];
}
int main(int argc, char **argv)
{
    int dev = 0, blocksize = 64;
    cudaDeviceProp deviceProp;
    CHECK(cudaGetDeviceProperties(&deviceProp, dev));
    printf("%s starting reduction at device %d: %s\n", argv[0], dev, deviceProp.name);
    CHECK(cudaSetDevice(dev));
    int size = 1 << 12;
    if (argc > 2) blocksize = atoi(argv[2]);
    dim3 block (blocksize, 1);
    dim3 grid  ((size + block.x - 1) / block.x, 1);
    size_t bytes = size * sizeof(int);
    int *h_idata = (int *) malloc(bytes), *h_odata = (int *) malloc(grid.x * sizeof(int)), *tmp = (int *) malloc(bytes);
    for (int i = 0; i < size; i++) h_idata[i] = (int)( rand() & 0xFF );
    memcpy (tmp, h_idata, bytes);
    int *d_idata = NULL, *d_odata = NULL;
    CHECK(cudaMalloc((void **) &d_idata, bytes));
    CHECK(cudaMalloc((void **) &d_odata, grid.x * sizeof(int)));
    int cpu_sum = recursiveReduce (tmp, size), gpu_sum = 0;
    CHECK(cudaMemcpy(d_idata, h_idata, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaDeviceSynchronize());
    double iStart = seconds();
    reduceUnrollWarps8<<<grid.x / 8, block>>>(d_idata, d_odata, size);
    CHECK(cudaDeviceSynchronize());
    double iElaps = seconds() - iStart;
    CHECK(cudaMemcpy(h_odata, d_odata, grid.x / 8 * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < grid.x / 8; i++) gpu_sum += h_odata[i];
    printf("gpu Unrolling8  elapsed %f sec gpu_sum: %d <<<grid %d block %d>>> %s\n", iElaps, gpu_sum, grid.x / 8, block.x, gpu_sum == cpu_sum ? "Arrays match." : "Arrays do not match.");
    CHECK(cudaDeviceReset());
    return 0;
}
