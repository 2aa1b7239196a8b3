// cuRAND: numbers that cuRAND's own headers give for the same seed, subsequence and offset.
// flags: -lcurand
// prints: xorwow 624778773 1867875844 3732235839 3577414006
// prints: 0.160146 -0.9406 -0.3534 0.273101644 2.725857232
// prints: philox 546353992 3665621163 1140953199 3419031310 2666454581
// prints: 430511320 0.266953 2.0996 0.536441435 0.160874763
// prints: mrg 3379073520 2521876100 4140929782
// prints: 0.343803 0.949455838 0.0133 0.1804 1.551368183
// prints: in a kernel 1 mean 1 deviation 1
// prints: host 624778773 1 uniform 1 normal 1 poisson 1
#include <curand.h>
#include <curand_kernel.h>

#include <cmath>
#include <cstdio>

__global__ void setup(curandState *states, unsigned long long seed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(seed, i, 0, &states[i]);
}
__global__ void draw(curandState *states, float *normal, unsigned *first, int each) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  curandState mine = states[i];
  first[i] = curand(&mine);
  for (int k = 0; k < each; ++k) normal[i * each + k] = curand_normal(&mine);
  states[i] = mine;
}
__global__ void numbers(double *x, unsigned *y) {
  curandState s;
  curand_init(1234ull, 0, 0, &s);
  y[0] = curand(&s), y[1] = curand(&s);
  curand_init(1234ull, 5, 0, &s);
  y[2] = curand(&s);
  curand_init(0x123456789abcdefull, 1000003, 777, &s);
  y[3] = curand(&s);
  curand_init(42, 1, 0, &s);
  x[0] = curand_uniform(&s), x[1] = curand_normal(&s), x[2] = curand_normal(&s);
  x[3] = curand_uniform_double(&s), x[4] = curand_normal_double(&s);
  curandStatePhilox4_32_10_t p;
  curand_init(1234ull, 0, 0, &p);
  y[4] = curand(&p);
  const uint4 four = curand4(&p);
  y[5] = four.x, y[6] = four.y, y[7] = four.z, y[8] = four.w;
  curand_init(0x123456789abcdefull, 1000003, 777, &p);
  y[9] = curand(&p), x[5] = curand_uniform(&p), x[6] = curand_normal(&p);
  x[7] = curand_normal2_double(&p).y, x[8] = curand_uniform_double(&p);
  curandStateMRG32k3a m;
  curand_init(1234ull, 0, 0, &m);
  y[10] = curand(&m), y[11] = curand(&m);
  curand_init(0x123456789abcdefull, 1000003, 777, &m);
  y[12] = curand(&m);
  curand_init(42, 5, 0, &m);
  x[9] = curand_uniform(&m), x[10] = curand_uniform_double(&m);
  x[11] = curand_normal(&m), x[12] = curand_normal(&m), x[13] = curand_normal_double(&m);
}
template <typename T>
void moments(const T *x, int n, double &mean, double &deviation) {
  mean = deviation = 0;
  for (int i = 0; i < n; ++i) mean += x[i] / double(n);
  for (int i = 0; i < n; ++i) deviation += (x[i] - mean) * (x[i] - mean) / n;
  deviation = std::sqrt(deviation);
}

int main() {
  double *x, hx[14], mean, deviation;
  unsigned *y, hy[13];
  cudaMalloc(&x, sizeof hx), cudaMalloc(&y, sizeof hy);
  numbers<<<1, 1>>>(x, y);
  cudaMemcpy(hx, x, sizeof hx, cudaMemcpyDeviceToHost), cudaMemcpy(hy, y, sizeof hy, cudaMemcpyDeviceToHost);
  std::printf("xorwow %u %u %u %u\n", hy[0], hy[1], hy[2], hy[3]);
  std::printf("%.6f %.4f %.4f %.9f %.9f\n", hx[0], hx[1], hx[2], hx[3], hx[4]);
  std::printf("philox %u %u %u %u %u\n", hy[4], hy[5], hy[6], hy[7], hy[8]);
  std::printf("%u %.6f %.4f %.9f %.9f\n", hy[9], hx[5], hx[6], hx[7], hx[8]);
  std::printf("mrg %u %u %u\n%.6f %.9f %.4f %.4f %.9f\n", hy[10], hy[11], hy[12], hx[9], hx[10], hx[11], hx[12], hx[13]);

  const int threads = 128, each = 20, n = threads * each;
  curandState *states;
  float *normal;
  unsigned *first, firsts[threads];
  cudaMalloc(&states, threads * sizeof(curandState)), cudaMalloc(&normal, n * sizeof(float)), cudaMalloc(&first, sizeof firsts);
  setup<<<2, 64>>>(states, 1234ull);
  draw<<<2, 64>>>(states, normal, first, each);
  static float hn[4096];
  cudaMemcpy(hn, normal, n * sizeof(float), cudaMemcpyDeviceToHost), cudaMemcpy(firsts, first, sizeof firsts, cudaMemcpyDeviceToHost);
  moments(hn, n, mean, deviation);
  std::printf("in a kernel %d mean %d deviation %d\n", firsts[5] == hy[2], std::abs(mean) < 0.1, std::abs(deviation - 1) < 0.1);

  curandGenerator_t generator;
  curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
  curandSetPseudoRandomGeneratorSeed(generator, 1234ull);
  unsigned *d, h[4100];
  float *f;
  cudaMalloc(&d, sizeof h), cudaMalloc(&f, 4096 * sizeof(float));
  curandGenerate(generator, d, 4100);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  curandGenerateUniform(generator, f, 4096);
  cudaMemcpy(hn, f, sizeof hn, cudaMemcpyDeviceToHost);
  moments(hn, 4096, mean, deviation);
  const bool uniform = std::abs(mean - 0.5) < 0.03;
  curandGenerateNormal(generator, f, 4096, 5.0f, 2.0f);
  cudaMemcpy(hn, f, sizeof hn, cudaMemcpyDeviceToHost);
  moments(hn, 4096, mean, deviation);
  const bool normals = std::abs(mean - 5) < 0.2 && std::abs(deviation - 2) < 0.2;
  curandGeneratePoisson(generator, d, 4096, 7.0);
  cudaMemcpy(h + 1, d, 4096 * sizeof(unsigned), cudaMemcpyDeviceToHost);
  moments(h + 1, 4096, mean, deviation);
  std::printf("host %u %d uniform %d normal %d poisson %d\n", h[0], h[0] == hy[0], uniform, normals, std::abs(mean - 7) < 0.3);
  curandDestroyGenerator(generator);
}
