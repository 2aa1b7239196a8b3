// A graph captured from two streams, launched, updated, and the mistakes that end a capture.
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                              \
  do {                                                                           \
    const cudaError_t error = (call);                                            \
    if (error != cudaSuccess) {                                                  \
      printf("line %d: %s\n", __LINE__, cudaGetErrorName(error));                \
      exit(1);                                                                   \
    }                                                                            \
  } while (0)

template <typename T>
__global__ void addNumber(T *values, int n, T number) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] += number;
}
__global__ void addArrays(const float *a, const float *b, float *sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] + b[i];
}
void count(void *calls) { ++*static_cast<int *>(calls); }

int main() {
  const int n = 1000;
  float *a, *b, *sum, *in, *out;
  CHECK(cudaMalloc(&a, n * sizeof(float)));
  CHECK(cudaMalloc(&b, n * sizeof(float)));
  CHECK(cudaMalloc(&sum, n * sizeof(float)));
  CHECK(cudaMallocHost(&in, n * sizeof(float)));
  CHECK(cudaMallocHost(&out, n * sizeof(float)));
  for (int i = 0; i < n; ++i) in[i] = i;
  cudaStream_t first, second;
  CHECK(cudaStreamCreate(&first));
  CHECK(cudaStreamCreate(&second));
  cudaEvent_t fork, join;
  CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  CHECK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  cudaGraphExec_t executable = nullptr;
  int calls = 0;
  for (int turn = 0; turn < 3; ++turn) {
    CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    CHECK(cudaEventRecord(fork, first));
    CHECK(cudaStreamWaitEvent(second, fork, 0));
    CHECK(cudaMemcpyAsync(a, in, n * sizeof(float), cudaMemcpyHostToDevice, first));
    addNumber<<<4, 256, 0, first>>>(a, n, float(turn));
    CHECK(cudaMemsetAsync(b, 0, n * sizeof(float), second));
    addNumber<float><<<4, 256, 0, second>>>(b, n, 2.0f);
    CHECK(cudaEventRecord(join, second));
    CHECK(cudaStreamWaitEvent(first, join, 0));
    addArrays<<<4, 256, 0, first>>>(a, b, sum, n);
    CHECK(cudaMemcpyAsync(out, sum, n * sizeof(float), cudaMemcpyDeviceToHost, first));
    CHECK(cudaLaunchHostFunc(first, count, &calls));
    cudaStreamCaptureStatus status;
    CHECK(cudaStreamIsCapturing(second, &status));
    if (status != cudaStreamCaptureStatusActive) printf("the second stream is not captured\n");
    cudaGraph_t graph;
    CHECK(cudaStreamEndCapture(first, &graph));
    size_t nodes = 0, roots = 0;
    CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
    CHECK(cudaGraphGetRootNodes(graph, nullptr, &roots));
    if (turn == 0) printf("%zu nodes, %zu of them first\n", nodes, roots);
    if (calls != turn * 2) printf("the capture ran something\n");
    if (executable) {
      cudaGraphExecUpdateResultInfo result;
      CHECK(cudaGraphExecUpdate(executable, graph, &result));
    } else {
      CHECK(cudaGraphInstantiate(&executable, graph, NULL, NULL, 0));
    }
    CHECK(cudaGraphDestroy(graph));
    for (int i = 0; i < 2; ++i) CHECK(cudaGraphLaunch(executable, first));
    CHECK(cudaStreamSynchronize(first));
    for (int i = 0; i < n; ++i)
      if (out[i] != i + turn + 2) return printf("wrong: %d\n", i);
  }
  printf("%d calls\n", calls);

  // Another graph than the executable is of.
  cudaGraph_t graph;
  CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeRelaxed));
  addNumber<<<4, 256, 0, first>>>(a, n, 1.0f);
  CHECK(cudaStreamEndCapture(first, &graph));
  cudaGraphExecUpdateResultInfo result;
  printf("%s\n", cudaGetErrorName(cudaGraphExecUpdate(executable, graph, &result)));
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));

  // A wait, a copy that waits, and a stream that nobody waits for.
  CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  printf("%s\n", cudaGetErrorName(cudaStreamSynchronize(first)));
  printf("%s\n", cudaGetErrorName(cudaStreamEndCapture(first, &graph)));
  CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  printf("%s\n", cudaGetErrorName(cudaMemcpy(a, in, 4, cudaMemcpyHostToDevice)));
  printf("%s\n", cudaGetErrorName(cudaStreamEndCapture(first, &graph)));
  CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  CHECK(cudaEventRecord(fork, first));
  CHECK(cudaStreamWaitEvent(second, fork, 0));
  addNumber<<<4, 256, 0, second>>>(a, n, 1.0f);
  printf("%s\n", cudaGetErrorName(cudaStreamEndCapture(first, &graph)));
  cudaGetLastError();

  // A capture ends with its stream.
  cudaStream_t gone;
  CHECK(cudaStreamCreate(&gone));
  CHECK(cudaStreamBeginCapture(gone, cudaStreamCaptureModeGlobal));
  addNumber<<<4, 256, 0, gone>>>(a, n, 1.0f);
  cudaStreamDestroy(gone);
  CHECK(cudaMemcpy(a, in, 4, cudaMemcpyHostToDevice));
}
// prints: 7 nodes, 2 of them first
// prints: 6 calls
// prints: cudaErrorGraphExecUpdateFailure
// prints: cudaErrorStreamCaptureUnsupported
// prints: cudaErrorStreamCaptureInvalidated
// prints: cudaErrorStreamCaptureImplicit
// prints: cudaErrorStreamCaptureInvalidated
// prints: cudaErrorStreamCaptureUnjoined
