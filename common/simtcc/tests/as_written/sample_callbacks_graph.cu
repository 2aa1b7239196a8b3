// says: ^sum of 3 runs: 98304 98304 98304, callbacks: 7$
// Host functions and callbacks in streams, a graph that is captured over two streams, priorities, an allocation in stream order.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>
#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char *file, int line, bool abort = true) {
  if (code != cudaSuccess) {
    fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
    if (abort) exit(code);
  }
}
static std::atomic<int> calls{0};
struct Work { double *result; int id; };
void CUDART_CB hostFunction(void *data) {
  Work *w = reinterpret_cast<Work *>(data);
  if (*w->result >= 0) ++calls;
}
void CUDART_CB myCallback(cudaStream_t stream, cudaError_t status, void *userData) {
  if (status == cudaSuccess && stream && (size_t)userData == 4) calls++;
}
__global__ void fill(int *x, int n, int v) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] = v; }
__global__ void sum(const int *a, const int *b, double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = i < n ? double(a[i]) + b[i] : 0;
  for (int d = 16; d; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d);
  if (threadIdx.x % 32 == 0) atomicAdd(out, v);
}
int main() {
  const int n = 16384 * 2;
  int *a, *b, least, greatest; double *out, *pinned;
  cudaStream_t main_stream, side;
  gpuErrchk(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  gpuErrchk(cudaStreamCreateWithFlags(&main_stream, cudaStreamNonBlocking));
  gpuErrchk(cudaStreamCreateWithPriority(&side, cudaStreamNonBlocking, greatest));
  gpuErrchk(cudaMallocAsync((void **)&a, n * sizeof(int), main_stream));
  gpuErrchk(cudaMallocAsync(&b, n * sizeof(int), main_stream));
  gpuErrchk(cudaMalloc(&out, sizeof(double)));
  gpuErrchk(cudaMallocHost(&pinned, sizeof(double)));
  gpuErrchk(cudaStreamSynchronize(main_stream));
  cudaEvent_t fork, join;
  gpuErrchk(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  gpuErrchk(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  Work work = {pinned, 1};
  cudaGraph_t graph; cudaGraphExec_t exec;
  gpuErrchk(cudaStreamBeginCapture(main_stream, cudaStreamCaptureModeGlobal));
  gpuErrchk(cudaEventRecord(fork, main_stream));
  gpuErrchk(cudaStreamWaitEvent(side, fork, 0));
  fill<<<8, 128, 0, side>>>(b, n, 2);
  gpuErrchk(cudaEventRecord(join, side));
  fill<<<8, 128, 0, main_stream>>>(a, n, 1);
  gpuErrchk(cudaMemsetAsync(out, 0, sizeof(double), main_stream));
  gpuErrchk(cudaStreamWaitEvent(main_stream, join));
  sum<<<n / 256, 256, 0, main_stream>>>(a, b, out, n);
  gpuErrchk(cudaMemcpyAsync(pinned, out, sizeof(double), cudaMemcpyDeviceToHost, main_stream));
  gpuErrchk(cudaLaunchHostFunc(main_stream, hostFunction, &work));
  gpuErrchk(cudaStreamEndCapture(main_stream, &graph));
  size_t nodes = 0;
  gpuErrchk(cudaGraphGetNodes(graph, NULL, &nodes));
  std::vector<cudaGraphNode_t> list(nodes);
  gpuErrchk(cudaGraphGetNodes(graph, list.data(), &nodes));
  gpuErrchk(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
  printf("sum of 3 runs:");
  for (int i = 0; i < 3; i++) {
    gpuErrchk(cudaGraphLaunch(exec, main_stream));
    gpuErrchk(cudaStreamSynchronize(main_stream));
    printf(" %.0f", *pinned);
  }
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++)
    threads.emplace_back([=] {
      cudaStream_t s;
      gpuErrchk(cudaStreamCreate(&s));
      gpuErrchk(cudaStreamAddCallback(s, myCallback, (void *)4, 0));
      gpuErrchk(cudaStreamSynchronize(s));
      gpuErrchk(cudaStreamDestroy(s));
    });
  for (auto &t : threads) t.join();
  printf(", callbacks: %d\n", calls.load());
  gpuErrchk(cudaFreeAsync(a, main_stream));
  gpuErrchk(cudaFreeAsync(b, main_stream));
  gpuErrchk(cudaGraphExecDestroy(exec));
  gpuErrchk(cudaGraphDestroy(graph));
  return nodes != 6;
}
