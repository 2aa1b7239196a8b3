// says: ^key found: 00012345$
// A brute-force search for the text of a hash, with rounds as macros, a digest in constant memory, and a volatile flag of all threads.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
#include <sys/time.h>

#define ROTL(x, n) (((x) << (n)) | ((x) >> (32 - (n))))
#define F(x, y, z) ((x & y) | ((~x) & z))
#define G(x, y, z) ((x & z) | (y & (~z)))
#define STEP(f, a, b, c, d, m, s, t) \
  a += f(b, c, d) + m + t;           \
  a = ROTL(a, s);                    \
  a += b;

union Block {
  uint8_t bytes[16];
  uint32_t words[4];
};
__constant__ uint32_t c_target[4];
__constant__ const uint32_t c_init[] = {0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u};

__host__ __device__ static void digest(const Block *b, uint32_t init[4], uint32_t out[4]) {
  uint32_t A = init[0], B = init[1], C = init[2], D = init[3];
#pragma unroll
  for (int r = 0; r < 4; r++) {
    STEP(F, A, B, C, D, b->words[0], 7, 0xd76aa478)
    STEP(F, D, A, B, C, b->words[1], 12, 0xe8c7b756)
    STEP(G, C, D, A, B, b->words[2], 17, 0x242070db)
    STEP(G, B, C, D, A, b->words[3], 22, 0xc1bdceee)
  }
  out[0] = A, out[1] = B, out[2] = C, out[3] = D;
}
__host__ __device__ inline void write_key(Block *b, unsigned key) {
  for (int i = 7; i >= 0; --i) {
    b->bytes[i] = '0' + key % 10;
    key /= 10;
  }
  for (int i = 8; i < 16; ++i) b->bytes[i] = i == 8 ? 0x80 : 0;
}
__device__ volatile int found;

__global__ void __launch_bounds__(128, 8) search(unsigned first, unsigned *answer) {
  if (found) return;
  Block b;
  uint32_t init[4], out[4];
  for (int i = 0; i < 4; i++) init[i] = c_init[i];
  const unsigned key = first + blockIdx.x * blockDim.x + threadIdx.x;
  write_key(&b, key);
  digest(&b, init, out);
  if (out[0] == c_target[0] && out[1] == c_target[1] && out[2] == c_target[2] && out[3] == c_target[3]) {
    *answer = key;
    __threadfence();
    found = 1;
  }
}
static double now() {
  struct timeval tv;
  gettimeofday(&tv, NULL);
  return tv.tv_sec + tv.tv_usec * 1e-6;
}
int main(void) {
  Block b;
  uint32_t init[4] = {0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u}, want[4];
  write_key(&b, 12345);
  digest(&b, init, want);
  cudaMemcpyToSymbol(c_target, want, sizeof(want), 0, cudaMemcpyHostToDevice);
  unsigned *d_answer, answer = ~0u;
  cudaMalloc(&d_answer, sizeof *d_answer);
  int stop = 0;
  double t = now();
  for (unsigned first = 0; first < 20000 && !stop; first += 4096) {
    search<<<4096 / 128, 128>>>(first, d_answer);
    cudaMemcpyFromSymbol(&stop, found, sizeof(int));
  }
  t = now() - t;
  cudaMemcpy(&answer, d_answer, sizeof answer, cudaMemcpyDeviceToHost);
  fprintf(stderr, "%.3f s\n", t);
  printf("key found: %08u\n", answer);
  return answer == 12345 ? EXIT_SUCCESS : EXIT_FAILURE;
}
