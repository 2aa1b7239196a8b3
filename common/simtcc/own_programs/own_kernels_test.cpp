// Which launches of programs made by simtcc are estimated, and by which code.
#include <sstream>

#include "test_support/estimates_testing.h"
#include "test_support/host_testing.h"
#include "test_support/program_testing.h"

// Compiled and started: what it says on stderr.
static std::string saidBy(const std::string& program, const Words& arguments = {},
                          const std::string& header = "", const Words& options = {},
                          const Words& again = {}, const Setting& setting = {}) {
  const TemporaryFolder folder;
  writeFile(folder.path("own.cu"), program);
  writeFile(folder.path("kernel in a header.cuh"), header);
  Words line = {folder.path("own.cu"), "-o", folder.path("own")};
  line.insert(line.end(), options.begin(), options.end());
  const Outcome compiled = run(SIMTCC, line);
  EXPECT_EQ(compiled.exitCode, 0) << compiled.err;
  const std::string err = run(folder.path("own"), arguments, setting).err;
  return again.empty() ? err : err + run(folder.path("own"), again).err;
}

// The time of a kernel's first row among the estimates.
static double msOf(const std::string& name, const std::string& err) {
  const size_t at = err.find("\n" + name + " ", err.find("estimated ms"));
  if (at == std::string::npos) return 0;
  std::istringstream row(err.substr(at));
  std::string kernel;
  double grid = 0, block = 0, launches = 0, ms = 0;
  row >> kernel >> grid >> block >> launches >> ms;
  return ms;
}

TEST(OwnPrograms, LaunchesWithOtherArgumentsAndSharedMemoryAreOtherRows) {
  NEEDS_ESTIMATES();
  const std::string err = saidBy(R"(
__global__ void add(int* a, float x, int turns) {
  extern __shared__ int s[];
  const int place = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < turns; i++) a[place] += int(x);
}
int main() {
  int* a;
  cudaMalloc(&a, 4096);
  cudaMemset(a, 0, 4096);
  for (int i = 0; i < 3; i++) {
    add<<<1, 64>>>(a, 1.0f, 1);
    add<<<1, 64>>>(a, 1.0f, 100);
    add<<<1, 64, 1024>>>(a, 1.0f, 1);
  }
  for (int i = 0; i < 10; i++) add<<<2, 32>>>(a, i, 1);
  for (int i = 1; i <= 20; i++) add<<<i, 16>>>(a, 1.0f, 0);
  return cudaDeviceSynchronize();
}
)");
  for (const std::string row : {"\nadd        1     64             0          1         3 ",
                                "\nadd        1     64             0          2         3 ",
                                "\nadd        1     64          1024          1         3 ",
                                "\nadd        2     32             0     4 to 7         4 ",
                                "\nadd        2     32             0    8 to 10         3 "})
    EXPECT_TRUE(contains(err, row)) << err;
  EXPECT_FALSE(contains(err, "\nadd        2     32             0          5")) << err;
}

TEST(OwnPrograms, FunctionsThatCallThemselvesAreEstimatedOrRefusedInALine) {
  NEEDS_ESTIMATES();
  const std::string program = R"(
__device__ int picked(int n, int deep) {
  int own[3] = {n, n + 1, n + 2};
  if (deep == 0) return own[n % 3] - n;
  return own[(n + deep) % 3] - n - (n + deep) % 3 + picked(n, deep - 1);
}
__global__ void nested(int* a, int n) { a[picked(n, 40) == n % 3 ? 0 : 1 << 28] = picked(n + 1, 150); }
__device__ int endless(int* a, int n) { a[n & 7] += n; return endless(a, n + 1) + a[n & 3]; }
__global__ void never(int* a) { a[8] = endless(a, 1); }
int main() {
  int* a;
  cudaMalloc(&a, 4096);
  nested<<<1, 32>>>(a, 7);
  never<<<1, 32>>>(a);
}
)";
  for (const char* compiler : {"nvcc", "clang++"}) {
    const std::string err = saidBy(program, {"--only-estimate", "--ptx"}, "",
                                   {std::string("--gpu-compiler=") + compiler});
    EXPECT_TRUE(contains(err, "\nnested ")) << err;
    EXPECT_TRUE(contains(err, "no estimate of never: it calls itself too often")) << err;
  }
}

TEST(OwnPrograms, MathematicsOfCudaAloneIsEstimated) {
  NEEDS_ESTIMATES();
  const std::string program = R"(
__global__ void inverses(float* a, double* b) {
  const float x = a[threadIdx.x];
  const double y = b[threadIdx.x];
  a[threadIdx.x] = erfinvf(x) + erfcinvf(x) + erfcxf(x) + normcdff(x) + normcdfinvf(x) + sinpif(x);
  b[threadIdx.x] = erfinv(y) + erfcinv(y) + erfcx(y) + normcdf(y) + normcdfinv(y) + rhypot(y, y);
}
int main() {
  float* a;
  cudaMalloc(&a, 4096);
  cudaMemset(a, 0, 4096);
  inverses<<<1, 32>>>(a, reinterpret_cast<double*>(a) + 64);
}
)";
  EXPECT_TRUE(contains(saidBy(program, {}, "", {"--gpu-compiler=clang++"}), "\ninverses "));
  EXPECT_TRUE(contains(saidBy(program, {}, "", {"--gpu-compiler=none"}),
                       "it was compiled with --gpu-compiler=none"));
}

TEST(OwnPrograms, ALaunchThatWouldTakeLongerThanTheProgramHasNoTime) {
  NEEDS_ESTIMATES();
  const std::string err = saidBy(R"(
__global__ void turns(volatile int* a, long n) {
  for (long i = 0; i < n; i++) a[threadIdx.x] = i;
}
int main() {
  int* a;
  cudaMalloc(&a, 128);
  turns<<<1, 1>>>(a, 10);
  turns<<<1, 1>>>(a, 2000000000);
  return cudaDeviceSynchronize();
}
)",
                                 {"--only-estimate"});
  EXPECT_TRUE(contains(err, "\nturns      1      1          1         1 ")) << err;
  EXPECT_TRUE(contains(err, "\nno estimate of turns: what its blocks do takes too much memory"))
      << err;
}

// nvcc's headers have other classes of these names than the executor.
TEST(OwnPrograms, KernelsOfHalvesHaveTheirCodeByEitherCompiler) {
  NEEDS_ESTIMATES();
  const std::string program = R"(
#include <cuda_bf16.h>
#include <cuda_fp16.h>
__global__ void twice(const __half2* a, __half2* b) { b[threadIdx.x] = __hadd2(a[threadIdx.x], a[threadIdx.x]); }
template <typename T>
__global__ void wider(const T* a, float* b) { b[threadIdx.x] = float(a[threadIdx.x]); }
int main() {
  float* a;
  cudaMalloc(&a, 4096);
  cudaMemset(a, 0, 4096);
  twice<<<1, 32>>>((const __half2*)a, (__half2*)a);
  wider<<<1, 32>>>((const __half*)a, a + 512);
  wider<<<1, 32>>>((const __nv_bfloat16*)a, a + 512);
}
)";
  for (const char* compiler : {"nvcc", "clang++"}) {
    const std::string err =
        saidBy(program, {"--only-estimate"}, "", {std::string("--gpu-compiler=") + compiler});
    for (const char* kernel : {"\ntwice ", "\nwider<__half> ", "\nwider<__nv_bfloat16> "})
      EXPECT_TRUE(contains(err, kernel)) << err;
    EXPECT_FALSE(contains(err, "no estimate")) << err;
  }
}

TEST(OwnPrograms, ArraysOfAThreadAreInRegistersWhereLoopsCanBeUnrolled) {
  NEEDS_ESTIMATES();
  const TemporaryFolder folder;
  struct Case {
    std::string place, pragma;
    bool hasArrays;
  };
  for (const auto& [place, pragma, hasArrays] : {Case{"at++", "", false},
                                                 {"at++ + int(x[0])", "", true},
                                                 {"at++", "#pragma unroll\n", false}}) {
    writeFile(folder.path("own.cu"), R"(
__global__ void sums(const float* data, float* out) {
  float sums[99] = {}, x[10];
  for (int row = 0; row < 4; ++row) {
    for (int i = 0; i < 10; ++i) x[i] = data[32 * i + threadIdx.x + row];
    int at = 10;
)" + pragma + R"(
    for (int i = 0; i < 10; ++i) {
      sums[i] += x[i];
)" + pragma + R"(
      for (int j = 0; j <= i; ++j) sums[)" +
                                         place + R"(] += x[i] * x[j];
    }
  }
  for (int i = 0; i < 65; ++i) out[32 * i + threadIdx.x] = sums[i];
})");
    const Outcome made = run(SIMTCC, {"-ptx", folder.path("own.cu"), "-o", folder.path("own.ptx"),
                                      "--gpu-compiler=clang++"});
    ASSERT_EQ(made.exitCode, 0) << made.err;
    EXPECT_EQ(contains(contentsOf(folder.path("own.ptx")), "\t.local "), hasArrays)
        << place << pragma;
  }
}

TEST(OwnPrograms, LoopsAreUnrolledFurtherWhereThatMakesArraysSmaller) {
  NEEDS_ESTIMATES();
  const TemporaryFolder folder;
  writeFile(folder.path("own.cu"), R"(
__global__ void permuted(const float* data, const int* order, int* out) {
  float f[64];
  int q[64];
  for (int i = 0; i < 64; ++i) f[i] = data[64 * threadIdx.x + i];
  for (int i = 0; i < 64; ++i) q[i] = int(f[i] * f[0]) * int(f[63 - i]) + int(f[i / 2] - 1);
  for (int i = 0; i < 64; ++i) out[64 * threadIdx.x + i] = q[order[i]];
})");
  const Outcome made = run(SIMTCC, {"-ptx", folder.path("own.cu"), "-o", folder.path("own.ptx"),
                                    "--gpu-compiler=clang++"});
  ASSERT_EQ(made.exitCode, 0) << made.err;
  EXPECT_TRUE(contains(contentsOf(folder.path("own.ptx")), "depot0[256]")) << "q alone";
}

// Which the toolkit does not have.
TEST(OwnPrograms, CodeIsOfTheSameCompilerWithTheHelpersOfSamples) {
  NEEDS_ESTIMATES();
  const auto by = [](const std::string& include) {
    const std::string err = saidBy(include + R"(
__global__ void set(int* a) { a[threadIdx.x] = 1; }
int main() {
  int* a;
  cudaMalloc(&a, 128);
  set<<<1, 32>>>(a);
}
)",
                                   {"--only-estimate"});
    const size_t from = err.find("from the code of");
    EXPECT_NE(from, err.npos) << err;
    return err.substr(from, err.find('\n', from) - from);
  };
  EXPECT_EQ(by("#include <helper_cuda.h>\n#include <helper_math.h>"), by(""));
}

// Names as compilers make them, and who is called so twice.
TEST(OwnPrograms, AKernelOfAnyNameHasItsOwnCode) {
  NEEDS_ESTIMATES();
  const std::string err =
      saidBy(R"(
#include <cooperative_groups.h>
#include <cstdio>
#include "kernel in a header.cuh"
__constant__ float weights[16];
__device__ int counter;
static __device__ int onlyHere;
namespace a {
__global__ void scale(float* x) { x[threadIdx.x] *= weights[threadIdx.x % 16]; }
__device__ int inNamespace;
__global__ void keep(int* x) { if (threadIdx.x == 0) inNamespace = x[0]; }
}
namespace b { __global__ void scale(float* x) { x[threadIdx.x] += 1; } }
namespace { __global__ void hidden(int* x) { x[threadIdx.x] = onlyHere; } }
static __global__ void onlyOfThisFile(int* x) { x[threadIdx.x] += onlyHere; }
extern "C" __global__ void plain(int* x) { atomicAdd(&counter, x[threadIdx.x]); }
template <typename T, int N = 4>
__global__ void add(const T* x, T* out, int n) {
  T sum = 0;
  for (int k = 0; k < N; k++)
    if (threadIdx.x * N + k < n) sum += x[threadIdx.x * N + k];
  out[threadIdx.x] = sum;
}
template <int threads>
__global__ void total(const float* x, float* out) {
  extern __shared__ float part[];
  part[threadIdx.x] = x[threadIdx.x];
  cooperative_groups::this_thread_block().sync();
  for (int s = threads / 2; s > 0; s /= 2) {
    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = part[0];
}
template <typename F>
__global__ void each(F f, float* x) { f(x, threadIdx.x); }
struct Three { float a; char b; double c; };
__global__ void byValue(Three p, float* x, char k) { x[threadIdx.x] = p.a + p.c + k; }
__global__ void over(float* x) { x[threadIdx.x] = 1; }
__global__ void over(int* x) { x[threadIdx.x] = 1; }
__global__ void prints(int* x) { if (threadIdx.x == 0) printf("%d\n", x[0]); }
int main(int argc, char**) {
  float *x, *y;
  int* k;
  cudaMalloc(&x, 4096);
  cudaMalloc(&y, 4096);
  cudaMalloc(&k, 4096);
  cudaMemset(x, 0, 4096);
  cudaMemset(k, 0, 4096);
  const float one[16] = {1};
  const int zero = 0;
  cudaMemcpyToSymbol(weights, one, sizeof one);
  cudaMemcpyToSymbol(onlyHere, &zero, sizeof zero);
  if (argc > 1) {  // a report has no more rows
    over<<<1, 32>>>(x);
    inHeader<<<1, 32>>>(k);
    prints<<<1, 32>>>(k);
    return cudaDeviceSynchronize();
  }
  a::scale<<<1, 32>>>(x);
  b::scale<<<1, 32>>>(x);
  a::keep<<<1, 32>>>(k);
  hidden<<<1, 32>>>(k);
  onlyOfThisFile<<<1, 32>>>(k);
  plain<<<1, 32>>>(k);
  add<<<1, 32>>>(x, y, 1024);
  add<float, 2><<<1, 32>>>(x, y, 1024);
  total<256><<<1, 256, 1024>>>(x, y);
  each<<<1, 32>>>([=] __device__(float* p, int i) { p[i] = 2; }, x);
  each<<<1, 32>>>([=] __device__(float* p, int i) { p[i] += y[i]; }, x);
  byValue<<<1, 32>>>({1, 2, 3}, x, 4);
  return cudaDeviceSynchronize();
}
)",
             {}, "__global__ void inHeader(int* x) { x[threadIdx.x] = 3; }\n", {}, {"--", "more"});
  const std::string table = err.substr(std::min(err.find("estimated ms each"), err.size()));
  // Twelve have rows, the others are named below them.
  for (const std::string name : {"a::scale", "b::scale", "a::keep", "hidden", "onlyOfThisFile",
                                 "plain", "add<float, 4>", "add<float, 2>", "total<256>",
                                 "each<main::{lambda", "byValue", "over", "inHeader", "prints"}) {
    const bool isThere = contains(table, "\n" + name) || contains(table, ": " + name) ||
                         contains(table, ", " + name);
    EXPECT_TRUE(isThere) << name << err;
  }
  EXPECT_FALSE(contains(err, "no estimate")) << err;
}

TEST(OwnPrograms, EachFileHasItsOwnKernelsAndVariables) {
  NEEDS_ESTIMATES();
  const TemporaryFolder folder;
  const std::string part = R"(
static __device__ int turns = TURNS;
static __global__ void work(volatile int* x) {
  for (int i = 0; i < turns; i++) x[threadIdx.x] = i;
}
void NAME(int* x) { work<<<1, 32>>>(x); }
)";
  writeFile(folder.path("short.cu"), "#define TURNS 1\n#define NAME inShort\n" + part);
  writeFile(folder.path("long.cu"), "#define TURNS 1000\n#define NAME inLong\n" + part + R"(
void inShort(int* x);
int main(int argc, char**) {
  int* x;
  cudaMalloc(&x, 128);
  argc > 1 ? inShort(x) : inLong(x);
  return cudaDeviceSynchronize();
}
)");
  const Outcome compiled =
      run(SIMTCC, {folder.path("short.cu"), folder.path("long.cu"), "-o", folder.path("both")});
  ASSERT_EQ(compiled.exitCode, 0) << compiled.err;
  const auto time = [&](const Words& arguments) {
    const std::string err = run(folder.path("both"), arguments).err;
    const size_t row = err.rfind("\nwork ");
    return row == std::string::npos ? -1 : std::stod(err.substr(err.find('.', row) - 1));
  };
  const double shortTime = time({"--", "short"}), longTime = time({});
  EXPECT_GT(shortTime, 0);
  EXPECT_GT(longTime, 1.5 * shortTime);
}

TEST(OwnPrograms, OnlyAKernelWithoutCodeOfAGpuHasNoEstimate) {
  NEEDS_ESTIMATES();
  const std::string err = saidBy(R"(
__global__ void fetches(cudaTextureObject_t texture, float* x) {
  x[threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x);
}
__global__ void adds(float* x) { x[threadIdx.x] += 1; }
__device__ int asks(const char* text) { int n = 0; while (text[n]) n++; return n; }
__global__ void shouts(int* x) { x[threadIdx.x] = asks("hello"); }
int main() {
  float *from, *to;
  cudaMalloc(&from, 128);
  cudaMalloc(&to, 128);
  cudaMemset(from, 0, 128);
  cudaMemset(to, 0, 128);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear = {from, cudaCreateChannelDesc<float>(), 128};
  cudaTextureDesc how = {};
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &resource, &how, nullptr);
  fetches<<<1, 32>>>(texture, to);
  adds<<<1, 32>>>(to);
  shouts<<<1, 32>>>((int*)to);
  return cudaDeviceSynchronize();
}
)",
                                 {}, "", {"--gpu-compiler=clang++"});
  EXPECT_TRUE(contains(err, "no estimate of fetches: there is no code of a GPU for it: own.cu:3: "))
      << err;
  EXPECT_TRUE(contains(err, "\nadds ")) << err;
  EXPECT_TRUE(contains(err, "\nshouts ")) << err;
}

// 4 GiB of the device, and a product that the executor would take minutes for.
TEST(OwnPrograms, AreEstimatedWithoutBeingRun) {
  NEEDS_ESTIMATES();
  const std::string err = saidBy(R"(
#include <cstdio>
__global__ void copy(const float4* from, float4* to) {
  const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  to[i] = from[i];
}
__global__ void product(const float* a, const float* b, float* c, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}
int main() {
  const size_t bytes = size_t(1) << 31;
  float4 *from, *to;
  cudaMalloc(&from, bytes);
  cudaMalloc(&to, bytes);
  copy<<<bytes / 16 / 256, 256>>>(from, to);
  product<<<dim3(64, 64), dim3(32, 32)>>>((float*)from, (float*)from, (float*)to, 2048);
  return cudaDeviceSynchronize();
}
)",
                                 {"--only-estimate"});
  EXPECT_TRUE(contains(err, "No kernel ran (--only-estimate)")) << err;
  EXPECT_FALSE(contains(err, "Counted by")) << err;
  for (const std::string row : {"\ncopy ", "\nproduct "}) EXPECT_TRUE(contains(err, row)) << err;
}

// Of three launches that are alike, the first and the one behind the host's next turn wait for
// pages.
TEST(OwnPrograms, WaitForPagesOfManagedMemoryThatTheHostHas) {
  NEEDS_ESTIMATES();
  const std::string err = saidBy(R"(
__global__ void first(int* a) { a[blockIdx.x * blockDim.x + threadIdx.x]++; }
__global__ void fetched(int* a) { a[blockIdx.x * blockDim.x + threadIdx.x]++; }
__global__ void counts(int* a) { a[threadIdx.x]++; }
__global__ void beside(int* a) { a[threadIdx.x]++; }
int main() {
  const int n = 1 << 20;
  int *a, *b, *few, *others;
  cudaMallocManaged(&few, 128);
  cudaMallocManaged(&others, 128);
  for (int i = 0; i < 32; i++) few[i] = others[i] = i;
  counts<<<1, 32>>>(few);
  beside<<<1, 32>>>(others);
  cudaMallocManaged(&a, n * 4);
  cudaMallocManaged(&b, n * 4);
  for (int i = 0; i < n; i++) a[i] = b[i] = i;
  first<<<n / 256, 256>>>(a);
  first<<<n / 256, 256>>>(a);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; i++) a[i] = 0;
  first<<<n / 256, 256>>>(a);
  cudaMemPrefetchAsync(b, n * 4, 0);
  fetched<<<n / 256, 256>>>(b);
  return cudaDeviceSynchronize();
}
)");
  const auto row = [&](const std::string& begin) {
    const size_t at = err.find("\n" + begin);
    EXPECT_NE(at, std::string::npos) << err;
    return err.substr(at + 1, err.find('\n', at + 1) - at);
  };
  EXPECT_TRUE(contains(row("first    4096    256          1         2 "), "pages of managed"))
      << err;
  EXPECT_FALSE(contains(row("first    4096    256          2         1 "), "managed")) << err;
  EXPECT_FALSE(contains(row("fetched  4096    256 "), "managed")) << err;
  EXPECT_TRUE(contains(row("counts      1     32 "), "managed")) << err;
  EXPECT_FALSE(contains(row("beside      1     32 "), "managed")) << err;
}

// Blocks that do so many turns, one after the other; "host[3] = 101;" are those that do others.
static double msOfTurns(unsigned blocks, unsigned turns, const std::string& others) {
  const std::string count = std::to_string(blocks);
  const std::string err = saidBy(R"(
__global__ void chained(const int* turns, int* out) {
  int x = blockIdx.x;
  for (int i = turns[blockIdx.x]; i > 0; i--) x = out[(x * 7 + i) & 1023];
  out[1024 + blockIdx.x] = x;
}
int main() {
  static int host[)" + count + R"(];
  for (int& each : host) each = )" +
                                 std::to_string(turns) + ";\n" + others + R"(
  int *turns, *out;
  cudaMalloc(&turns, sizeof host);
  cudaMalloc(&out, 4 * sizeof host);
  cudaMemset(out, 0, 4 * sizeof host);
  cudaMemcpy(turns, host, sizeof host, cudaMemcpyHostToDevice);
  chained<<<)" + count + R"(, 32>>>(turns, out);
  return cudaDeviceSynchronize();
}
)");
  const double ms = msOf("chained", err);
  EXPECT_GT(ms, 0) << err;
  return ms;
}

TEST(OwnPrograms, OfManyBlocksTheOneThatDoesMostIsLookedFor) {
  NEEDS_ESTIMATES();
  EXPECT_GT(msOfTurns(2000, 100, "host[3] = 101; host[777] = 1000;"), 0.04);
}

// Of so many blocks nobody looks at all: the first does most where things are sorted by how much.
TEST(OwnPrograms, AFirstBlockThatDoesMostEndsLast) {
  NEEDS_ESTIMATES();
  EXPECT_GT(msOfTurns(100'000, 8, "host[0] = 10'000;"), 0.2);
}

// … and of uneven ones that do too much to be looked at: the one that has furthest to go.
TEST(OwnPrograms, OfManyUnevenBlocksTheLongestIsFoundByWhereItsLoopBegins) {
  NEEDS_ESTIMATES();
  const std::string uneven = "for (int i = 0; i < 20000; i++) host[i] = i % 3 ? 100 : 700;\n";
  const double without = msOfTurns(20'000, 100, uneven);
  EXPECT_LT(without, 0.1);
  EXPECT_GT(msOfTurns(20'000, 100, uneven + "host[7777] = 20'000;"), 0.4);
}

// An image whose work lies in a part that the first sample of blocks lies outside of.
TEST(OwnPrograms, OfManyBlocksThoseThatDoMuchAreFound) {
  NEEDS_ESTIMATES();
  const std::string err = saidBy(R"(
__global__ void image(int* out) {
  const int b = blockIdx.x;
  int x = b;
  for (int i = b > 1700 && b < 2600 ? 10'000 : 10 + b % 3; i > 0; i--) x = x * x + i;
  out[b * 64 + threadIdx.x] = x;
}
int main() {
  int* out;
  cudaMalloc(&out, 4096 * 256);
  image<<<4096, 64>>>(out);
  return cudaDeviceSynchronize();
}
)");
  EXPECT_GT(msOf("image", err), 0.02) << err;
}

// Those that are looked at first, at 0.382 and 0.764 of the grid, do more than the rest.
TEST(OwnPrograms, OfBlocksThatDoLittleThoseThatDoMoreDoNotStandForAll) {
  NEEDS_ESTIMATES();
  const std::string err = saidBy(R"(
__device__ void work(int* out, int turns) {
  int x = blockIdx.x;
#pragma unroll 1
  for (int i = turns; i > 0; i--) x = x * x + i;
  out[blockIdx.x * 64 + threadIdx.x] = x;
}
__global__ void all(int* out) { work(out, blockIdx.x > 100 ? 160 : 60); }
__global__ void some(int* out) { work(out, blockIdx.x % 780 < 50 ? 160 : 60); }
int main() {
  int* out;
  cudaMalloc(&out, 2048 * 256);
  all<<<2048, 64>>>(out);
  some<<<2048, 64>>>(out);
  return cudaDeviceSynchronize();
}
)");
  EXPECT_LT(msOf("some", err), 0.85 * msOf("all", err)) << err;
}

// Blocks that are looked at because the first ones differ may hang on what no kernel has put there.
TEST(OwnPrograms, WhatOtherBlocksCannotDoIsNoReasonForNoEstimate) {
  NEEDS_ESTIMATES();
  const std::string err = saidBy(R"(
__global__ void chase(int** from, int* out) {
  const int b = blockIdx.x;
  int x = b;
  for (int i = b % 5; i > 0; i--) x = x * x + i;
  if (b > 800 && b < 1500) x += *from[0];
  out[b * 64 + threadIdx.x] = x;
}
int main() {
  int **from, *out;
  cudaMalloc(&from, 8);
  cudaMalloc(&out, 2048 * 256);
  cudaMemset(from, 0, 8);
  chase<<<2048, 64>>>(from, out);
  return cudaDeviceSynchronize();
}
)",
                                 {"--only-estimate"});
  EXPECT_GT(msOf("chase", err), 0) << err;
}

// A launch that other processes shared came before, so that they share the arrays, too.
TEST(OwnPrograms, AreEstimatedWithMemoryAsItIsAtTheLaunch) {
  NEEDS_ESTIMATES();
  const std::string err = saidBy(R"(
__global__ void fill(int* a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int turn = 0; turn < n; turn++) a[i] = turn + 1;
}
__global__ void walk(int* a, float* sums) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int turns = a[i];
  a[i] = 0;  // long before another process has begun to read
  float sum = 0;
  for (int turn = 0; turn < turns; turn++) sum = sum * 0.5f + 1;
  sums[i] = sum;
}
int main() {
  int* a;
  float* sums;
  const int n = 1 << 19;
  cudaMalloc(&a, n * sizeof(int));
  cudaMalloc(&sums, n * sizeof(float));
  fill<<<n / 256, 256>>>(a, 5000);
  walk<<<1, 32>>>(a, sums);
  return cudaDeviceSynchronize();
}
)",
                                 {}, "", {}, {}, {.environment = {{"SIMT_SEARCH", "0.01"}}});
  EXPECT_GT(msOf("walk", err), 0.01) << err;
}

// A table that fills: the blocks that come first leave the others chains to go along.
TEST(OwnPrograms, AreEstimatedWithWhatBlocksBeforeHavePutIntoATable) {
  NEEDS_ESTIMATES();
  const std::string err = saidBy(R"(
__global__ void sparse(int* table, int mask) {
  const int key = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int place = key * 64 & mask;
  while (atomicCAS(&table[place], 0, key) != 0) place = (place + 1) & mask;
}
__global__ void crowded(int* table, int mask) {
  const int key = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int place = key % 32 * 16384;  // of all blocks as many
  while (atomicCAS(&table[place], 0, key) != 0) place = (place + 1) & mask;
}
__global__ void pushed(int* table, int) {
  int key = blockIdx.x * blockDim.x + threadIdx.x + 1;
  for (int turn = 0; turn < 200 && key != 0; turn++)
    key = atomicExch(&table[(key + turn * 7919) * 2654435761u >> 20], key);
}
int main() {
  int* table;
  const int room = 1 << 20;
  cudaMalloc(&table, room * sizeof(int));
  cudaMemset(table, 0, room * sizeof(int));
  sparse<<<256, 64>>>(table, room - 1);
  cudaMemset(table, 0, room * sizeof(int));
  crowded<<<256, 64>>>(table, room - 1);
  cudaMemset(table, 0, room * sizeof(int));
  pushed<<<256, 64>>>(table, room - 1);
  return cudaDeviceSynchronize();
}
)");
  EXPECT_GT(msOf("crowded", err), 30 * msOf("sparse", err)) << err;
  EXPECT_GT(msOf("pushed", err), 5 * msOf("sparse", err)) << err;
}
