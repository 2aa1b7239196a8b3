// Every function on the halves and bytes of a word, beside the same done part by part in plain C++.
#include <cstdio>

struct Part {
  int bits;
  bool is_signed;
  __host__ __device__ int low() const { return is_signed ? -(1 << (bits - 1)) : 0; }
  __host__ __device__ int high() const { return is_signed ? (1 << (bits - 1)) - 1 : (1 << bits) - 1; }
  __host__ __device__ int of(unsigned word, int k) const {
    int value = (int)(word >> k * bits & ((1u << bits) - 1));
    return is_signed && value > high() ? value - (1 << bits) : value;
  }
};

template <typename F>
unsigned parts(Part part, bool saturated, unsigned a, unsigned b, F f) {
  unsigned result = 0;
  for (int k = 0; k < 32 / part.bits; k++) {
    int value = f(part.of(a, k), part.of(b, k));
    if (saturated && value < part.low()) value = part.low();
    if (saturated && value > part.high()) value = part.high();
    result |= ((unsigned)value & ((1u << part.bits) - 1)) << k * part.bits;
  }
  return result;
}

// name, signed, saturated, of x and y
#define FUNCTIONS(WIDTH)                                    \
  F(__vadd##WIDTH, 0, 0, x + y)                             \
  F(__vsub##WIDTH, 0, 0, x - y)                             \
  F(__vaddss##WIDTH, 1, 1, x + y)                           \
  F(__vsubss##WIDTH, 1, 1, x - y)                           \
  F(__vaddus##WIDTH, 0, 1, x + y)                           \
  F(__vsubus##WIDTH, 0, 1, x - y)                           \
  F(__vavgs##WIDTH, 1, 0, x + y < 0 ? -((-x - y + 1) / 2) : (x + y + 1) / 2) \
  F(__vavgu##WIDTH, 0, 0, (x + y + 1) / 2)                  \
  F(__vhaddu##WIDTH, 0, 0, (x + y) / 2)                     \
  F(__vabsdiffs##WIDTH, 1, 0, abs(x - y))                   \
  F(__vabsdiffu##WIDTH, 0, 0, abs(x - y))                   \
  F(__vmaxs##WIDTH, 1, 0, x < y ? y : x)                    \
  F(__vmaxu##WIDTH, 0, 0, x < y ? y : x)                    \
  F(__vmins##WIDTH, 1, 0, x < y ? x : y)                    \
  F(__vminu##WIDTH, 0, 0, x < y ? x : y)                    \
  F(__vcmpeq##WIDTH, 0, 0, x == y ? -1 : 0)                 \
  F(__vcmpne##WIDTH, 0, 0, x != y ? -1 : 0)                 \
  F(__vcmpges##WIDTH, 1, 0, x >= y ? -1 : 0)                \
  F(__vcmpgeu##WIDTH, 0, 0, x >= y ? -1 : 0)                \
  F(__vcmpgts##WIDTH, 1, 0, x > y ? -1 : 0)                 \
  F(__vcmpgtu##WIDTH, 0, 0, x > y ? -1 : 0)                 \
  F(__vcmples##WIDTH, 1, 0, x <= y ? -1 : 0)                \
  F(__vcmpleu##WIDTH, 0, 0, x <= y ? -1 : 0)                \
  F(__vcmplts##WIDTH, 1, 0, x < y ? -1 : 0)                 \
  F(__vcmpltu##WIDTH, 0, 0, x < y ? -1 : 0)                 \
  F(__vseteq##WIDTH, 0, 0, x == y)                          \
  F(__vsetne##WIDTH, 0, 0, x != y)                          \
  F(__vsetges##WIDTH, 1, 0, x >= y)                         \
  F(__vsetgeu##WIDTH, 0, 0, x >= y)                         \
  F(__vsetgts##WIDTH, 1, 0, x > y)                          \
  F(__vsetgtu##WIDTH, 0, 0, x > y)                          \
  F(__vsetles##WIDTH, 1, 0, x <= y)                         \
  F(__vsetleu##WIDTH, 0, 0, x <= y)                         \
  F(__vsetlts##WIDTH, 1, 0, x < y)                          \
  F(__vsetltu##WIDTH, 0, 0, x < y)                          \
  F1(__vabs##WIDTH, 1, 0, abs(x))                           \
  F1(__vabsss##WIDTH, 1, 1, abs(x))                         \
  F1(__vneg##WIDTH, 1, 0, -x)                               \
  F1(__vnegss##WIDTH, 1, 1, -x)

// Dynamic programming: name, signed, of x, y and z.
#define MAX(p, q) ((p) > (q) ? (p) : (q))
#define MIN(p, q) ((p) < (q) ? (p) : (q))
#define FUNCTIONS3                                             \
  F3(__vimax3_s16x2, 1, MAX(MAX(x, y), z))                     \
  F3(__vimin3_s16x2, 1, MIN(MIN(x, y), z))                     \
  F3(__vimax3_u16x2, 0, MAX(MAX(x, y), z))                     \
  F3(__vimin3_u16x2, 0, MIN(MIN(x, y), z))                     \
  F3(__vimax3_s16x2_relu, 1, MAX(MAX(MAX(x, y), z), 0))        \
  F3(__vimin3_s16x2_relu, 1, MAX(MIN(MIN(x, y), z), 0))        \
  F3(__viaddmax_s16x2, 1, MAX((short)(x + y), z))              \
  F3(__viaddmin_s16x2, 1, MIN((short)(x + y), z))              \
  F3(__viaddmax_u16x2, 0, MAX((unsigned short)(x + y), z))     \
  F3(__viaddmin_u16x2, 0, MIN((unsigned short)(x + y), z))     \
  F3(__viaddmax_s16x2_relu, 1, MAX(MAX((short)(x + y), z), 0)) \
  F3(__viaddmin_s16x2_relu, 1, MAX(MIN((short)(x + y), z), 0))

constexpr int mostFunctions = 128;

__global__ void all(const unsigned *as, const unsigned *bs, const unsigned *cs, unsigned *results, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned a = as[i], b = bs[i], c = cs[i];
  int k = 0;
#define F(name, ...) results[k++ * n + i] = name(a, b);
#define F1(name, ...) results[k++ * n + i] = name(a);
#define F3(name, ...) results[k++ * n + i] = name(a, b, c);
  FUNCTIONS(2)
  FUNCTIONS(4)
  FUNCTIONS3
#undef F
#undef F1
#undef F3
  results[k++ * n + i] = __vsads2(a, b);
  results[k++ * n + i] = __vsadu2(a, b);
  results[k++ * n + i] = __vsads4(a, b);
  results[k++ * n + i] = __vsadu4(a, b);
  bool first, low;
  unsigned best = __vibmax_s16x2(a, b, &first, &low);
  results[k++ * n + i] = best ^ (first ? 0xffff0000 : 0) ^ (low ? 0xffff : 0);
  best = __vibmin_u16x2(a, b, &first, &low);
  results[k++ * n + i] = best ^ (first ? 0xffff0000 : 0) ^ (low ? 0xffff : 0);
  best = __vibmin_s32((int)a, (int)b, &first);
  results[k++ * n + i] = first ? ~best : best;
  best = __vibmax_u32(a, b, &first);
  results[k++ * n + i] = first ? ~best : best;
}

__global__ void words(int *out) {
  int i = 0;
  out[i++] = __vimax_s32_relu(-3, -2) + 10 * __vimin_s32_relu(7, 4) + 100 * __vimin_s32_relu(7, -4);
  out[i++] = __vimax3_s32(-3, 8, 2) + 10 * __vimin3_s32(4, 7, 5) + 100 * __vimax3_s32_relu(-1, -2, -3);
  out[i++] = (int)(__vimax3_u32(1, 4294967295u, 2) - __vimin3_u32(9, 8, 4294967295u));
  out[i++] = __viaddmax_s32(2147483647, 1, 5) + 10 * __viaddmin_s32(2, 3, 9) + 100 * __viaddmax_s32_relu(-5, 1, -2);
  out[i++] = (int)__viaddmax_u32(4294967295u, 3, 1) + 10 * (int)__viaddmin_u32(4294967295u, 9, 10) + 100 * __viaddmin_s32_relu(3, 3, 7);
}

int main() {
  const int n = 3000;
  static unsigned a[n], b[n], c[n], results[mostFunctions * n];
  unsigned long long state = 42;
  const auto random = [&] { return (unsigned)((state = state * 6364136223846793005ull + 1442695040888963407ull) >> 32); };
  // Words of random bits, and words whose bytes are the ones at which something happens.
  const unsigned edges[] = {0x00, 0x01, 0x7f, 0x80, 0x81, 0xff};
  for (int i = 0; i < n; i++)
    for (unsigned *x : {&a[i], &b[i], &c[i]}) {
      *x = random();
      if (i % 2)
        for (int k = 0; k < 4; k++) *x = *x << 8 | edges[random() % 6];
    }
  unsigned *da, *db, *dc, *out;
  cudaMalloc(&da, sizeof a);
  cudaMalloc(&db, sizeof b);
  cudaMalloc(&dc, sizeof c);
  cudaMalloc(&out, sizeof results);
  cudaMemset(out, 0, sizeof results);
  cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice);
  cudaMemcpy(dc, c, sizeof c, cudaMemcpyHostToDevice);
  all<<<(n + 127) / 128, 128>>>(da, db, dc, out, n);
  cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);

  int k = 0, wrong = 0;
  const auto compare = [&](const char *name, auto expected) {
    for (int i = 0; i < n; i++)
      if (results[k * n + i] != expected(a[i], b[i], c[i])) {
        printf("%s(%08x, %08x, %08x) is %08x, not %08x\n", name, a[i], b[i], c[i], results[k * n + i], expected(a[i], b[i], c[i]));
        wrong++;
        break;
      }
    k++;
  };
#define OF(bits, name, isSigned, saturated, expression)                          \
  compare(#name, [](unsigned v, unsigned w, unsigned) {                          \
    return parts({bits, isSigned}, saturated, v, w, [](int x, int y) { return (void)y, (int)(expression); }); \
  });
#define F(...) OF(16, __VA_ARGS__)
#define F1(...) OF(16, __VA_ARGS__)
  FUNCTIONS(2)
#undef F
#undef F1
#define F(...) OF(8, __VA_ARGS__)
#define F1(...) OF(8, __VA_ARGS__)
  FUNCTIONS(4)
#define F3(name, isSigned, expression)                                 \
  compare(#name, [](unsigned v, unsigned w, unsigned u) {              \
    const Part p = {16, isSigned};                                     \
    unsigned result = 0;                                               \
    for (int h = 0; h < 2; h++) {                                      \
      const int x = p.of(v, h), y = p.of(w, h), z = p.of(u, h);        \
      result |= (unsigned)(unsigned short)(expression) << 16 * h;      \
    }                                                                  \
    return result;                                                     \
  });
  FUNCTIONS3
  const auto sum = [](Part p, unsigned v, unsigned w) {
    int s = 0;
    for (int h = 0; h < 32 / p.bits; h++) s += abs(p.of(v, h) - p.of(w, h));
    return (unsigned)s;
  };
  compare("__vsads2", [&](unsigned v, unsigned w, unsigned) { return sum({16, true}, v, w); });
  compare("__vsadu2", [&](unsigned v, unsigned w, unsigned) { return sum({16, false}, v, w); });
  compare("__vsads4", [&](unsigned v, unsigned w, unsigned) { return sum({8, true}, v, w); });
  compare("__vsadu4", [&](unsigned v, unsigned w, unsigned) { return sum({8, false}, v, w); });
  compare("__vibmax_s16x2", [&](unsigned v, unsigned w, unsigned) {
    return parts({16, true}, false, v, w, [](int x, int y) { return x >= y ? ~x : y; });
  });
  compare("__vibmin_u16x2", [&](unsigned v, unsigned w, unsigned) {
    return parts({16, false}, false, v, w, [](int x, int y) { return x <= y ? ~x : y; });
  });
  compare("__vibmin_s32", [&](unsigned v, unsigned w, unsigned) { return (int)v <= (int)w ? ~v : w; });
  compare("__vibmax_u32", [&](unsigned v, unsigned w, unsigned) { return v >= w ? ~v : w; });
  printf("%d functions, %d wrong\n", k, wrong);

  int *more, h[5];
  cudaMalloc(&more, sizeof h);
  words<<<1, 1>>>(more);
  cudaMemcpy(h, more, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %d %d %d %d\n", h[0], h[1], h[2], h[3], h[4]);
}
// prints: 98 functions, 0 wrong
// prints: 40 48 -9 55 682
