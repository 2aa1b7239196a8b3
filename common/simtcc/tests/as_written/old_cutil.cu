// says: ^TEST PASSED 0$
// nvcc: takes it with CUDA 10
// How programs were written for the first GPUs: macros of an own cutil, __mul24 everywhere, calls of threads instead of devices, cudaError without _t.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define CUDA_SAFE_CALL_NO_SYNC( call) {                                    \
    cudaError err = call;                                                  \
    if( cudaSuccess != err) {                                              \
        fprintf(stderr, "Cuda error in file '%s' in line %i : %s.\n",      \
                __FILE__, __LINE__, cudaGetErrorString( err) );            \
        exit(EXIT_FAILURE);                                                \
    } }
#define CUDA_SAFE_CALL( call)     CUDA_SAFE_CALL_NO_SYNC(call);
#define CUT_CHECK_ERROR(errorMessage) {                                    \
    cudaError_t err = cudaGetLastError();                                  \
    if( cudaSuccess != err) { fprintf(stderr, "%s: %s\n", errorMessage, cudaGetErrorString( err)); exit(EXIT_FAILURE); } \
    err = cudaThreadSynchronize();                                         \
    if( cudaSuccess != err) exit(EXIT_FAILURE);                            \
    }
#define CUT_EXIT(argc, argv) exit(failed ? EXIT_FAILURE : EXIT_SUCCESS);
#define IMUL(a, b) __mul24(a, b)
#define SDATA( index)      sdata[index]
typedef unsigned int uint;
typedef unsigned char uchar;
#define KERNEL_LENGTH 17
__device__ __constant__ float d_Kernel[KERNEL_LENGTH];
typedef struct __builtin_align__(16) { float m[3]; uint tag; } Item;

__global__ void
testKernel( float* g_idata, Item* g_odata)
{
  extern  __shared__  float sdata[];
  const unsigned int tid = IMUL(blockIdx.x, blockDim.x) + threadIdx.x;
  const unsigned int num_threads = blockDim.x;
  SDATA(threadIdx.x) = g_idata[tid];
  __syncthreads();
  SDATA(threadIdx.x) = (float) num_threads * SDATA( threadIdx.x) + d_Kernel[tid % KERNEL_LENGTH];
  __syncthreads();
  Item item;
  item.m[0] = SDATA(threadIdx.x);
  item.m[1] = __int_as_float(__float_as_int(item.m[0]) & 0x7fffffff);
  item.m[2] = __fsqrt_rn(__fmul_rn(item.m[1], item.m[1])) + __saturatef(-3.f) + __fdividef(0.f, 2.f);
  item.tag = __usad(tid, 3, 0u) + __umul24(tid, 2) + __float2uint_rz(2.9f) + __umulhi(1u << 31, 4u) + __ffs(8) + __clz(1);
  g_odata[tid] = item;
}

int main( int argc, char** argv)
{
  int failed = 0;
  const uint num_threads = 32, blocks = 2, n = num_threads * blocks;
  float h_Kernel[KERNEL_LENGTH], h_idata[n];
  for( unsigned int i = 0; i < KERNEL_LENGTH; ++i) h_Kernel[i] = (float) i;
  for( unsigned int i = 0; i < n; ++i) h_idata[i] = (float) i - 5;
  CUDA_SAFE_CALL( cudaThreadSetLimit( cudaLimitStackSize, 4096));
  CUDA_SAFE_CALL( cudaThreadSetCacheConfig( cudaFuncCachePreferL1));
  CUDA_SAFE_CALL( cudaSetDeviceFlags( cudaDeviceBlockingSync));
  float* d_idata; Item* d_odata;
  CUDA_SAFE_CALL( cudaMalloc( (void**) &d_idata, sizeof h_idata));
  CUDA_SAFE_CALL( cudaMalloc( (void**) &d_odata, n * sizeof(Item)));
  CUDA_SAFE_CALL( cudaMemcpy( d_idata, h_idata, sizeof h_idata, cudaMemcpyHostToDevice));
  CUDA_SAFE_CALL( cudaMemcpyToSymbol( d_Kernel, h_Kernel, sizeof h_Kernel));
  dim3  grid( blocks, 1, 1);
  dim3  threads( num_threads, 1, 1);
  testKernel<<< grid, threads, num_threads * sizeof( float) >>>( d_idata, d_odata);
  CUT_CHECK_ERROR("Kernel execution failed");
  Item* h_odata = (Item*) malloc( n * sizeof(Item));
  CUDA_SAFE_CALL( cudaMemcpy( h_odata, d_odata, n * sizeof(Item), cudaMemcpyDeviceToHost));
  for( unsigned int i = 0; i < n; ++i) {
    float want = 32 * h_idata[i] + h_Kernel[i % KERNEL_LENGTH];
    failed += h_odata[i].m[0] != want || h_odata[i].m[2] != (want < 0 ? -want : want);
    failed += h_odata[i].tag != (i > 3 ? i - 3 : 3 - i) + 2 * i + 2 + 2 + 4 + 31;
  }
  printf( "TEST %s %d\n", failed ? "FAILED" : "PASSED", failed);
  CUDA_SAFE_CALL(cudaFree(d_idata));
  cudaThreadExit();
  CUT_EXIT(argc, argv);
}
