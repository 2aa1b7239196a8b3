// args: /tmp
// says: ^mapped 0 wrong, registered 0 wrong, kinds host device managed, order 0 wrong, called back 2, file 0 wrong$
// The host's side: zero-copy memory, registered pages, kinds of pointers, priorities, events between streams, host functions with C++ state, fstream, a .txt written and read, exceptions for errors.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <iostream>
#include <memory>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>
#include <cuda_profiler_api.h>
#include <unistd.h>
struct cuda_error : std::runtime_error { cuda_error(cudaError_t e, const char *what, int line) : std::runtime_error(std::string(what) + ":" + std::to_string(line) + ": " + cudaGetErrorName(e)) {} };
#define CUDA_CHECK(call) if (cudaError_t e_ = (call); e_ != cudaSuccess) throw cuda_error(e_, #call, __LINE__)
template <typename T> struct device_delete { void operator()(T *p) const noexcept { cudaFree(p); } };
template <typename T> using device_ptr = std::unique_ptr<T[], device_delete<T>>;
template <typename T> device_ptr<T> make_device(size_t n) { T *p = nullptr; CUDA_CHECK(cudaMalloc(&p, n * sizeof(T))); return device_ptr<T>(p); }
class Stream {
  cudaStream_t s_ = nullptr;
 public:
  explicit Stream(int priority) { CUDA_CHECK(cudaStreamCreateWithPriority(&s_, cudaStreamNonBlocking, priority)); }
  ~Stream() { if (s_) cudaStreamDestroy(s_); }
  Stream(Stream &&o) noexcept : s_(std::exchange(o.s_, nullptr)) {}
  Stream &operator=(Stream &&) = delete;
  operator cudaStream_t() const { return s_; }
};
__global__ void axpby(const float *__restrict__ x, float *__restrict__ y, float a, float b, size_t n) { for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) y[i] = a * x[i] + b * y[i]; }
__global__ void chain(int *x, int k, int n) { const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = x[i] * 3 + k; }
static const char *kind(const void *p) {
  cudaPointerAttributes a; const cudaError_t e = cudaPointerGetAttributes(&a, p);
  if (e != cudaSuccess) { cudaGetLastError(); return "?"; }
  return a.type == cudaMemoryTypeHost ? "host" : a.type == cudaMemoryTypeDevice ? "device" : a.type == cudaMemoryTypeManaged ? "managed" : "unregistered";
}
int run(const std::string &folder) {
  const size_t n = 3000; int wrong[4] = {};
  CUDA_CHECK(cudaSetDeviceFlags(cudaDeviceMapHost | cudaDeviceScheduleYield));
  float *hx, *dx, *hy, *dy, *pages = static_cast<float *>(aligned_alloc(4096, 4096 * 3)), *dp;
  CUDA_CHECK(cudaHostAlloc(&hx, n * sizeof(float), cudaHostAllocMapped | cudaHostAllocWriteCombined)); CUDA_CHECK(cudaHostAlloc(&hy, n * sizeof(float), cudaHostAllocMapped | cudaHostAllocPortable));
  CUDA_CHECK(cudaHostGetDevicePointer(&dx, hx, 0)); CUDA_CHECK(cudaHostGetDevicePointer(&dy, hy, 0));
  for (size_t i = 0; i < n; ++i) hx[i] = float(i), hy[i] = 1;
  nvtxRangePushA("mapped"); cudaProfilerStart();
  axpby<<<8, 128>>>(dx, dy, 2.f, 3.f, n);
  CUDA_CHECK(cudaDeviceSynchronize()); cudaProfilerStop(); nvtxRangePop();
  for (size_t i = 0; i < n; ++i) wrong[0] += hy[i] != 2.f * i + 3;
  CUDA_CHECK(cudaHostRegister(pages, 4096 * 3, cudaHostRegisterMapped)); CUDA_CHECK(cudaHostGetDevicePointer(&dp, pages, 0));
  std::iota(pages, pages + n, 0.f); axpby<<<dim3(3), 256>>>(dp, dy, 1.f, 0.f, n); CUDA_CHECK(cudaDeviceSynchronize());
  wrong[1] = !std::equal(pages, pages + n, hy); CUDA_CHECK(cudaHostUnregister(pages));
  float *managed; CUDA_CHECK(cudaMallocManaged(&managed, 64)); auto device = make_device<int>(n);
  std::ostringstream kinds; kinds << kind(hx) << " " << kind(device.get()) << " " << kind(managed);
  int least, greatest; CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  std::vector<Stream> streams; streams.emplace_back(least); streams.emplace_back(greatest); streams.push_back(Stream(0));
  std::vector<cudaEvent_t> events(6);
  for (auto &e : events) CUDA_CHECK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
  CUDA_CHECK(cudaMemsetAsync(device.get(), 0, n * sizeof(int), streams[0]));
  std::atomic<int> called{0};
  for (int k = 0; k < 6; ++k) {
    cudaStream_t s = streams[k % 3];
    if (k) CUDA_CHECK(cudaStreamWaitEvent(s, events[k - 1], 0));
    chain<<<(n + 255) / 256, 256, 0, s>>>(device.get(), k, n);
    if (k == 2) CUDA_CHECK(cudaLaunchHostFunc(s, [](void *p) { ++*static_cast<std::atomic<int> *>(p); }, &called));
    if (k == 4) CUDA_CHECK(cudaStreamAddCallback(s, [](cudaStream_t, cudaError_t status, void *p) { *static_cast<std::atomic<int> *>(p) += status == cudaSuccess; }, &called, 0));
    CUDA_CHECK(cudaEventRecord(events[k], s));
  }
  const auto begin = std::chrono::steady_clock::now();
  while (cudaEventQuery(events.back()) == cudaErrorNotReady) if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(60)) throw std::runtime_error("never ready");
  CUDA_CHECK(cudaDeviceSynchronize());
  std::vector<int> got(n); CUDA_CHECK(cudaMemcpy(got.data(), device.get(), n * sizeof(int), cudaMemcpyDeviceToHost));
  int want = 0; for (int k = 0; k < 6; ++k) want = want * 3 + k;
  wrong[2] = int(n - std::count(got.begin(), got.end(), want));
  const std::string name = folder + "/numbers_" + std::to_string(getpid()) + ".txt";
  { std::ofstream file(name); for (size_t i = 0; i < 20; ++i) file << got[i] << (i % 5 == 4 ? '\n' : ' '); }
  { std::ifstream file(name); int v, count = 0; while (file >> v) ++count, wrong[3] += v != want; wrong[3] += count != 20; }
  std::remove(name.c_str());
  try { CUDA_CHECK(cudaMemcpy(nullptr, got.data(), 4, cudaMemcpyHostToDevice)); ++wrong[3]; } catch (const cuda_error &e) { wrong[3] += std::string(e.what()).find("cudaErrorInvalidValue") == std::string::npos; }
  cudaGetLastError();
  std::cout << "mapped " << wrong[0] << " wrong, registered " << wrong[1] << " wrong, kinds " << kinds.str() << ", order " << wrong[2] << " wrong, called back " << called << ", file " << wrong[3] << " wrong" << std::endl;
  for (auto e : events) cudaEventDestroy(e);
  CUDA_CHECK(cudaFreeHost(hx)); CUDA_CHECK(cudaFreeHost(hy)); CUDA_CHECK(cudaFree(managed)); free(pages);
  return wrong[0] + wrong[1] + wrong[2] + wrong[3];
}
int main(int argc, char **argv) { try { return run(argc > 1 ? argv[1] : ".") ? EXIT_FAILURE : EXIT_SUCCESS; } catch (const std::exception &e) { std::cerr << e.what() << '\n'; return EXIT_FAILURE; } }
