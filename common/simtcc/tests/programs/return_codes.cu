// Sizes that do not fit in 64 bits, handles that were destroyed or never made, null pointers: each
// call returns what CUDA returns, and none crashes.
// prints: malloc(SIZE_MAX) in a kernel: null
// prints: 0 other
#include <cstdint>
#include <cstdio>

int other = 0;
void check(cudaError_t got, cudaError_t expected, int line) {
  cudaGetLastError();
  if (got == expected) return;
  printf("line %d: %s, not %s\n", line, cudaGetErrorName(got), cudaGetErrorName(expected));
  other++;
}
#define EXPECT(name, ...) check(__VA_ARGS__, cuda##name, __LINE__)
#define SIZE(...) EXPECT(ErrorInvalidValue, __VA_ARGS__)
#define NULL_POINTER(...) EXPECT(ErrorInvalidValue, __VA_ARGS__)
#define STREAM(...) EXPECT(ErrorInvalidResourceHandle, __VA_ARGS__)
#define EVENT(...) EXPECT(ErrorInvalidResourceHandle, __VA_ARGS__)
#define GRAPH(...) EXPECT(ErrorInvalidValue, __VA_ARGS__)

__device__ int variable[8];
__global__ void set(int *p, int value) { p[threadIdx.x] = value; }
__global__ void allocate() {
  volatile size_t most = SIZE_MAX;
  void *const p = malloc(most);
  printf("malloc(SIZE_MAX) in a kernel: %s\n", p ? "not null" : "null");
}
void call(void *) {}

void sizes(char *d, char *h) {
  const size_t most = SIZE_MAX, wraps = size_t(-1) * 4, half = (SIZE_MAX >> 1) + 1;
  const auto in = cudaMemcpyHostToDevice, out = cudaMemcpyDeviceToHost;
  void *p;
  size_t pitch;
  EXPECT(ErrorMemoryAllocation, cudaMalloc(&p, most));
  EXPECT(ErrorMemoryAllocation, cudaMallocManaged(&p, most));
  EXPECT(ErrorInvalidValue, cudaMallocPitch(&p, &pitch, most, 1));  // as driver 580 has it
  EXPECT(ErrorInvalidValue, cudaMallocPitch(&p, &pitch, half, 2));
  for (const size_t n : {most, wraps, size_t(-16), size_t(1025)}) {
    SIZE(cudaMemset(d, 0, n));
    SIZE(cudaMemsetAsync(d, 0, n));
    SIZE(cudaMemset(d + 16, 0, n));
    SIZE(cudaMemset2D(d, 32, 0, 16, n));
    SIZE(cudaMemset2D(d, n, 0, 16, 3));
    SIZE(cudaMemset2D(d, n, 0, n, 3));
    SIZE(cudaMemset3D({d, 32, 32, 4}, 0, {16, 4, n}));
    SIZE(cudaMemset3D({d, 32, 32, n}, 0, {16, 4, 2}));
    SIZE(cudaMemcpy(d, h, n, in));
    SIZE(cudaMemcpy(h, d, n, out));
    SIZE(cudaMemcpyAsync(d + 16, h, n, in));
    SIZE(cudaMemcpy(d, d, n, cudaMemcpyDeviceToDevice));
    SIZE(cudaMemcpy2D(d, 32, h, 32, 16, n, in));
    SIZE(cudaMemcpy2D(d, n, h, n, n, 2, in));
    SIZE(cudaMemcpy2DAsync(h, 16, d, n, 16, 3, out));
    SIZE(cudaMemcpyToSymbol(variable, h, n));
    SIZE(cudaMemcpyToSymbol(variable, h, 16, n));
    SIZE(cudaMemcpyToSymbol(variable, h, 16, size_t(-16)));
    SIZE(cudaMemcpyFromSymbol(h, variable, 16, n));
    SIZE(cudaMemcpyFromSymbol(h, variable, n, 16));
    cudaMemcpy3DParms c = {};
    c.srcPtr = {h, 32, 32, 4}, c.dstPtr = {d, 32, 32, 4}, c.extent = {16, 4, n}, c.kind = in;
    SIZE(cudaMemcpy3D(&c));
    c.extent = {16, 4, 2}, c.dstPos = {0, 0, n};
    SIZE(cudaMemcpy3D(&c));
    c.dstPos = {n, 0, 0};
    SIZE(cudaMemcpy3D(&c));
  }
  SIZE(cudaHostRegister(h, most, 0));
  SIZE(cudaHostRegister(h, 0, 0));
  SIZE(cudaHostRegister(h, size_t(1) << 46, 0));
  cudaArray_t a;
  const cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
  for (const size_t n : {most, wraps, half, size_t(1) << 32}) {
    SIZE(cudaMallocArray(&a, &f, n));
    SIZE(cudaMallocArray(&a, &f, 16, n));
    SIZE(cudaMalloc3DArray(&a, &f, {16, 16, n}));
  }
  int blocks = 0;
  for (const size_t shared : {most, size_t(-1024), size_t(1) << 40}) {
    EXPECT(Success, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, set, 32, shared));
    if (blocks != 0) other++, printf("%d blocks\n", blocks);
  }
  set<<<dim3(1), dim3(65536, 65536, 1)>>>((int *)d, 1);
  EXPECT(ErrorInvalidConfiguration, cudaGetLastError());
  set<<<1, 32, most>>>((int *)d, 1);
  SIZE(cudaGetLastError());
}

void streamsAndEvents(char *d, char *h, cudaStream_t s, cudaEvent_t e, cudaEvent_t good) {
  const auto in = cudaMemcpyHostToDevice;
  float ms;
  int priority;
  unsigned flags;
  cudaEventRecord(good);
  STREAM(cudaStreamDestroy(s));
  STREAM(cudaStreamSynchronize(s));
  STREAM(cudaStreamQuery(s));
  STREAM(cudaStreamGetPriority(s, &priority));
  STREAM(cudaStreamGetFlags(s, &flags));
  STREAM(cudaStreamWaitEvent(s, good, 0));
  STREAM(cudaEventRecord(good, s));
  STREAM(cudaMemcpyAsync(d, h, 4, in, s));
  STREAM(cudaMemsetAsync(d, 0, 4, s));
  STREAM(cudaLaunchHostFunc(s, call, nullptr));
  set<<<1, 1, 0, s>>>((int *)d, 1);
  STREAM(cudaGetLastError());
  EVENT(cudaEventRecord(e, 0));
  EVENT(cudaEventDestroy(e));
  EVENT(cudaEventSynchronize(e));
  EVENT(cudaEventQuery(e));
  EVENT(cudaEventElapsedTime(&ms, good, e));
  EVENT(cudaEventElapsedTime(&ms, e, good));
  EVENT(cudaStreamWaitEvent(0, e, 0));
  NULL_POINTER(cudaEventElapsedTime(nullptr, good, good));
}

void graphs(cudaGraph_t g, cudaGraphExec_t x, cudaGraphNode_t n, cudaStream_t s, cudaGraph_t good) {
  cudaGraph_t clone;
  cudaGraphExec_t made;
  cudaGraphNode_t node;
  size_t count = 0;
  GRAPH(cudaGraphDestroy(g));
  GRAPH(cudaGraphClone(&clone, g));
  GRAPH(cudaGraphInstantiate(&made, g, 0));
  GRAPH(cudaGraphGetNodes(g, nullptr, &count));
  GRAPH(cudaGraphAddEmptyNode(&node, g, nullptr, 0));
  GRAPH(cudaGraphDestroyNode(n));
  GRAPH(cudaGraphLaunch(x, 0));
  GRAPH(cudaGraphExecDestroy(x));
  GRAPH(cudaGraphAddEmptyNode(&node, good, &n, 1));
  GRAPH(cudaGraphAddChildGraphNode(&node, good, nullptr, 0, g));
  NULL_POINTER(cudaGraphAddKernelNode(&node, good, nullptr, 0, nullptr));
  NULL_POINTER(cudaGraphAddMemcpyNode(&node, good, nullptr, 0, nullptr));
  cudaKernelNodeParams k = {(void *)set, dim3(1), dim3(1), 0, nullptr, nullptr};
  NULL_POINTER(cudaGraphAddKernelNode(&node, good, nullptr, 0, &k));
  cudaGraphGetNodes(good, nullptr, &count);
  if (count != 0) other++, printf("%zu nodes of calls that failed\n", count);
  EXPECT(Success, cudaGraphInstantiate(&made, good, 0));
  STREAM(cudaGraphLaunch(made, s));
  cudaGraphExecDestroy(made);
}

void arrays(cudaArray_t a, char *h) {
  const auto in = cudaMemcpyHostToDevice;
  cudaChannelFormatDesc f;
  cudaExtent extent;
  unsigned flags;
  EXPECT(ErrorInvalidValue, cudaFreeArray(a));
  EXPECT(ErrorInvalidValue, cudaGetChannelDesc(&f, a));
  EXPECT(ErrorInvalidValue, cudaArrayGetInfo(&f, &extent, &flags, a));
  EXPECT(ErrorInvalidValue, cudaMemcpy2DToArray(a, 0, 0, h, 4, 4, 1, in));
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = a;
  cudaTextureDesc t = {};
  cudaTextureObject_t texture;
  cudaSurfaceObject_t surface;
  EXPECT(ErrorInvalidValue, cudaCreateTextureObject(&texture, &r, &t, nullptr));
  EXPECT(ErrorInvalidValue, cudaCreateSurfaceObject(&surface, &r));
}

void nullPointers(char *d, char *h) {
  const auto in = cudaMemcpyHostToDevice, out = cudaMemcpyDeviceToHost;
  NULL_POINTER(cudaMalloc((void **)nullptr, 4));
  NULL_POINTER(cudaMemcpy(d, nullptr, 4, in));
  NULL_POINTER(cudaMemcpy(nullptr, d, 4, out));
  NULL_POINTER(cudaMemcpy(nullptr, h, 4, in));
  NULL_POINTER(cudaMemset(nullptr, 0, 4));
  NULL_POINTER(cudaMemcpy2D(d, 4, nullptr, 4, 4, 1, in));
  NULL_POINTER(cudaMemcpyToSymbol(variable, nullptr, 4));
  NULL_POINTER(cudaMemcpyFromSymbol(nullptr, variable, 4));
  NULL_POINTER(cudaHostRegister(nullptr, 4, 0));
  NULL_POINTER(cudaGetDeviceCount(nullptr));
  NULL_POINTER(cudaGetDevice(nullptr));
  NULL_POINTER(cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0));
  NULL_POINTER(cudaEventCreate(nullptr));
  NULL_POINTER(cudaStreamCreate(nullptr));
  NULL_POINTER(cudaGraphCreate(nullptr, 0));
  NULL_POINTER(cudaPointerGetAttributes(nullptr, d));
  NULL_POINTER(cudaLaunchKernel((void *)set, dim3(1), dim3(1), nullptr, 0, 0));
  EXPECT(ErrorInvalidDeviceFunction,
         cudaLaunchKernel((const void *)h, dim3(1), dim3(1), nullptr, 0, 0));
  EXPECT(Success, cudaFree(nullptr));
  EXPECT(Success, cudaMemcpy(nullptr, nullptr, 0, in));
}

void ownership(char *d, char *h) {
  void *pinned, *symbol;
  cudaMallocHost(&pinned, 64);
  cudaGetSymbolAddress(&symbol, variable);
  EXPECT(ErrorInvalidValue, cudaFree(pinned));
  EXPECT(ErrorInvalidValue, cudaFreeHost(d));
  EXPECT(ErrorInvalidValue, cudaFree(symbol));
  EXPECT(ErrorInvalidValue, cudaFree(d + 16));
  EXPECT(ErrorHostMemoryNotRegistered, cudaHostUnregister(h));
  EXPECT(Success, cudaMemcpyToSymbol(variable, h, 32));
  EXPECT(Success, cudaFreeHost(pinned));
  EXPECT(ErrorInvalidValue, cudaFreeHost(pinned));
}

int main() {
  static char h[4096];
  char *d;
  cudaMalloc(&d, 1024);
  sizes(d, h);
  nullPointers(d, h);
  ownership(d, h);
  cudaStream_t s, never = (cudaStream_t)h;
  cudaEvent_t e, goodEvent;
  cudaStreamCreate(&s);
  cudaStreamDestroy(s);
  cudaEventCreate(&e);
  cudaEventCreate(&goodEvent);
  cudaEventDestroy(e);
  streamsAndEvents(d, h, s, e, goodEvent);
  streamsAndEvents(d, h, never, (cudaEvent_t)h, goodEvent);
  cudaGraph_t g, goodGraph;
  cudaGraphExec_t x;
  cudaGraphNode_t n;
  cudaGraphCreate(&g, 0);
  cudaGraphCreate(&goodGraph, 0);
  cudaGraphAddEmptyNode(&n, g, nullptr, 0);
  cudaGraphInstantiate(&x, g, 0);
  cudaGraphExecDestroy(x);
  cudaGraphDestroy(g);
  graphs(g, x, n, s, goodGraph);
  graphs((cudaGraph_t)h, (cudaGraphExec_t)h, (cudaGraphNode_t)h, never,
         goodGraph);
  cudaArray_t a;
  const cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
  cudaMallocArray(&a, &f, 16);
  cudaFreeArray(a);
  arrays(a, h);
  arrays((cudaArray_t)h, h);
  allocate<<<1, 1>>>();
  EXPECT(Success, cudaDeviceSynchronize());
  EXPECT(Success, cudaFree(d));
  EXPECT(ErrorInvalidValue, cudaFree(d));
  printf("%d other\n", other);
}
