// cuRAND's generators for kernels, XORWOW, Philox and MRG32k3a, with cuRAND's sequences: the same
// seed, subsequence and offset give the same numbers, normal ones but for the last digits. Numbers
// of curand_poisson() have its distribution and not its sequence. Other generators are not there.
#pragma once

#include "simt/device/names_begin.h"

#include "cuda_runtime.h"

namespace simt {
// So many subsequences of 2^67 numbers, or so many numbers, further (runtime/random.cpp).
void skipXorwow(unsigned (&v)[5], unsigned long long n, bool subsequences);
// n * 2^power numbers further.
void skipMrg32k3a(unsigned (&s1)[3], unsigned (&s2)[3], unsigned long long n, unsigned power);
}  // namespace simt

struct curandStateXORWOW {
  unsigned d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned STATE;
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
struct curandStateMRG32k3a {
  unsigned s1[3], s2[3];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
using curandStateMRG32k3a_t = curandStateMRG32k3a;
using curandStateXORWOW_t = curandStateXORWOW;
using curandState_t = curandStateXORWOW;
using curandState = curandStateXORWOW;
using curandStatePhilox4_32_10_t = curandStatePhilox4_32_10;

namespace simt::random {

template <typename State>
concept Generator = std::is_same_v<State, curandStateXORWOW> ||
    std::is_same_v<State, curandStatePhilox4_32_10> || std::is_same_v<State, curandStateMRG32k3a>;

inline uint4 philox(uint4 c, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t first = uint64_t(0xD2511F53u) * c.x, second = uint64_t(0xCD9E8D57u) * c.z;
    c = make_uint4(unsigned(second >> 32) ^ c.y ^ key.x, unsigned(second),
                   unsigned(first >> 32) ^ c.w ^ key.y, unsigned(first));
    key.x += 0x9E3779B9u, key.y += 0xBB67AE85u;
  }
  return c;
}
// The counter's words are two numbers of 64 bits, of which the first carries into the second.
inline void advance(curandStatePhilox4_32_10* s, unsigned long long n) {
  const unsigned long long low = s->ctr.x | (unsigned long long)s->ctr.y << 32, sum = low + n;
  s->ctr.x = unsigned(sum), s->ctr.y = unsigned(sum >> 32);
  if (sum < low && ++s->ctr.z == 0) ++s->ctr.w;
}
template <typename State>
void forgetExtra(State* s) {
  s->boxmuller_flag = s->boxmuller_flag_double = 0;
  s->boxmuller_extra = 0, s->boxmuller_extra_double = 0;
}
inline void skip(curandStateMRG32k3a* s, unsigned long long n, unsigned power) {
  unsigned s1[] = {s->s1[0], s->s1[1], s->s1[2]}, s2[] = {s->s2[0], s->s2[1], s->s2[2]};
  simt::skipMrg32k3a(s1, s2, n, power);
  for (int i = 0; i < 3; ++i) s->s1[i] = s1[i], s->s2[i] = s2[i];
}
constexpr float part = 2.3283064e-10f;               // 2^-32
constexpr double finePart = 1.1102230246251565e-16;  // 2^-53
inline float uniform(unsigned x) { return float(x) * part + part / 2; }
inline double uniform(unsigned x, unsigned y) {
  return double((unsigned long long)x ^ (unsigned long long)y << 21) * finePart + finePart / 2;
}
inline float2 normals(unsigned x, unsigned y) {
  constexpr float turn = part * 6.2831855f;
  const float size = sqrtf(-2.0f * logf(uniform(x))), angle = float(y) * turn + turn / 2;
  return make_float2(sinf(angle) * size, cosf(angle) * size);
}
inline double2 normals(unsigned x, unsigned x2, unsigned y, unsigned y2) {
  const double size = sqrt(-2.0 * log(uniform(x, x2)));
  const double angle =
      double((unsigned long long)y ^ (unsigned long long)y2 << 21) * (finePart * 2) + finePart;
  return make_double2(sinpi(angle) * size, cospi(angle) * size);
}

}  // namespace simt::random

inline void skipahead_sequence(unsigned long long n, curandStateXORWOW* s) {
  unsigned v[5] = {s->v[0], s->v[1], s->v[2], s->v[3], s->v[4]};
  simt::skipXorwow(v, n, true);
  for (int i = 0; i < 5; ++i) s->v[i] = v[i];
}
inline void skipahead(unsigned long long n, curandStateXORWOW* s) {
  unsigned v[5] = {s->v[0], s->v[1], s->v[2], s->v[3], s->v[4]};
  simt::skipXorwow(v, n, false);
  for (int i = 0; i < 5; ++i) s->v[i] = v[i];
  s->d += 362437u * unsigned(n);
}
inline void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10* s) {
  const unsigned long long high = (s->ctr.z | (unsigned long long)s->ctr.w << 32) + n;
  s->ctr.z = unsigned(high), s->ctr.w = unsigned(high >> 32);
  s->output = simt::random::philox(s->ctr, s->key);
}
inline void skipahead(unsigned long long n, curandStatePhilox4_32_10* s) {
  const unsigned place = s->STATE + unsigned(n & 3);
  simt::random::advance(s, n / 4 + place / 4);
  s->STATE = place % 4;
  s->output = simt::random::philox(s->ctr, s->key);
}

inline void skipahead(unsigned long long n, curandStateMRG32k3a* s) { simt::random::skip(s, n, 0); }
inline void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a* s) {
  simt::random::skip(s, n, 76);
}
inline void skipahead_sequence(unsigned long long n, curandStateMRG32k3a* s) {
  simt::random::skip(s, n, 127);
}

inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                        unsigned long long offset, curandStateMRG32k3a* s) {
  const unsigned x[] = {unsigned(seed) ^ 0x55555555u, unsigned(seed >> 32) ^ 0xAAAAAAAAu};
  for (int i = 0; i < 3; ++i) {
    s->s1[i] = seed ? unsigned(uint64_t(x[i % 2]) * 12345u % 4294967087u) : 12345u;
    s->s2[i] = seed ? unsigned(uint64_t(x[(i + 1) % 2]) * 12345u % 4294944443u) : 12345u;
  }
  skipahead_subsequence(subsequence, s);
  skipahead(offset, s);
  simt::random::forgetExtra(s);
}
inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                        unsigned long long offset, curandStateXORWOW* s) {
  const unsigned a = 1099087573u * (unsigned(seed) ^ 0xaad26b49u),
                 b = 2591861531u * (unsigned(seed >> 32) ^ 0xf7dcefddu);
  s->d = 6615241u + b + a;
  s->v[0] = 123456789u + a, s->v[1] = 362436069u ^ a, s->v[2] = 521288629u + b;
  s->v[3] = 88675123u ^ b, s->v[4] = 5783321u + a;
  if (subsequence) skipahead_sequence(subsequence, s);
  if (offset) skipahead(offset, s);
  simt::random::forgetExtra(s);
}
inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                        unsigned long long offset, curandStatePhilox4_32_10* s) {
  s->ctr = make_uint4(0, 0, 0, 0);
  s->key = make_uint2(unsigned(seed), unsigned(seed >> 32));
  s->STATE = 0;
  skipahead_sequence(subsequence, s);
  skipahead(offset, s);
  simt::random::forgetExtra(s);
}

inline unsigned curand(curandStateXORWOW* s) {
  const unsigned t = s->v[0] ^ s->v[0] >> 2;
  s->v[0] = s->v[1], s->v[1] = s->v[2], s->v[2] = s->v[3], s->v[3] = s->v[4];
  s->v[4] = (s->v[4] ^ s->v[4] << 4) ^ (t ^ t << 1);
  s->d += 362437u;
  return s->v[4] + s->d;
}
inline unsigned curand(curandStatePhilox4_32_10* s) {
  const uint4 o = s->output;
  const unsigned result = s->STATE == 0 ? o.x : s->STATE == 1 ? o.y : s->STATE == 2 ? o.z : o.w;
  if (++s->STATE == 4) {
    simt::random::advance(s, 1);
    s->output = simt::random::philox(s->ctr, s->key);
    s->STATE = 0;
  }
  return result;
}
// 1 to 4294967087.
inline double curand_MRG32k3a(curandStateMRG32k3a* s) {
  constexpr int64_t first = 4294967087, second = 4294944443;
  int64_t p1 = (1403580 * int64_t(s->s1[1]) - 810728 * int64_t(s->s1[0])) % first;
  int64_t p2 = (527612 * int64_t(s->s2[2]) - 1370589 * int64_t(s->s2[0])) % second;
  if (p1 < 0) p1 += first;
  if (p2 < 0) p2 += second;
  s->s1[0] = s->s1[1], s->s1[1] = s->s1[2], s->s1[2] = unsigned(p1);
  s->s2[0] = s->s2[1], s->s2[1] = s->s2[2], s->s2[2] = unsigned(p2);
  return double(p1 > p2 ? p1 - p2 : p1 - p2 + first);
}
inline unsigned curand(curandStateMRG32k3a* s) {
  return unsigned(curand_MRG32k3a(s) * 1.000000048662);
}
inline uint4 curand4(curandStatePhilox4_32_10* s) {
  const uint4 now = s->output;
  simt::random::advance(s, 1);
  const uint4 next = s->output = simt::random::philox(s->ctr, s->key);
  switch (s->STATE) {
    case 1: return make_uint4(now.y, now.z, now.w, next.x);
    case 2: return make_uint4(now.z, now.w, next.x, next.y);
    case 3: return make_uint4(now.w, next.x, next.y, next.z);
    default: return now;
  }
}

template <simt::random::Generator State>
float curand_uniform(State* s) {
  return simt::random::uniform(curand(s));
}
inline float curand_uniform(curandStateMRG32k3a* s) {
  return float(curand_MRG32k3a(s) * 2.3283065498378288e-10);
}
inline double curand_uniform_double(curandStateMRG32k3a* s) {
  return curand_MRG32k3a(s) * 2.3283065498378288e-10;
}
inline double curand_uniform_double(curandStateXORWOW* s) {
  const unsigned x = curand(s);
  return simt::random::uniform(x, curand(s));
}
inline double curand_uniform_double(curandStatePhilox4_32_10* s) {
  return curand(s) * 2.3283064365386963e-10 + 2.3283064365386963e-10;
}
inline float4 curand_uniform4(curandStatePhilox4_32_10* s) {
  using simt::random::uniform;
  const uint4 x = curand4(s);
  return make_float4(uniform(x.x), uniform(x.y), uniform(x.z), uniform(x.w));
}
inline double2 curand_uniform2_double(curandStatePhilox4_32_10* s) {
  const uint4 x = curand4(s);
  return make_double2(simt::random::uniform(x.x, x.y), simt::random::uniform(x.z, x.w));
}

template <simt::random::Generator State>
float2 curand_normal2(State* s) {
  const unsigned x = curand(s);
  return simt::random::normals(x, curand(s));
}
inline float2 curand_normal2(curandStateMRG32k3a* s) {
  const float x = curand_uniform(s), angle = curand_uniform(s) * 6.2831853f;
  const float size = sqrtf(-2.0f * logf(x));
  return make_float2(sinf(angle) * size, cosf(angle) * size);
}
inline double2 curand_normal2_double(curandStateMRG32k3a* s) {
  const double x = curand_uniform_double(s), y = curand_uniform_double(s);
  const double size = sqrt(-2.0 * log(x));
  return make_double2(sinpi(2 * y) * size, cospi(2 * y) * size);
}
inline float4 curand_normal4(curandStatePhilox4_32_10* s) {
  const uint4 x = curand4(s);
  const float2 a = simt::random::normals(x.x, x.y), b = simt::random::normals(x.z, x.w);
  return make_float4(a.x, a.y, b.x, b.y);
}
inline double2 curand_normal2_double(curandStateXORWOW* s) {
  const unsigned x = curand(s), x2 = curand(s), y = curand(s);
  return simt::random::normals(x, x2, y, curand(s));
}
inline double2 curand_normal2_double(curandStatePhilox4_32_10* s) {
  const uint4 x = curand4(s);
  return simt::random::normals(x.x, x.y, x.z, x.w);
}
// The second of a pair is kept for the next call.
template <simt::random::Generator State>
float curand_normal(State* s) {
  if (s->boxmuller_flag) {
    s->boxmuller_flag = 0;
    return s->boxmuller_extra;
  }
  const float2 pair = curand_normal2(s);
  s->boxmuller_extra = pair.y;
  s->boxmuller_flag = 1;
  return pair.x;
}
template <simt::random::Generator State>
double curand_normal_double(State* s) {
  if (s->boxmuller_flag_double) {
    s->boxmuller_flag_double = 0;
    return s->boxmuller_extra_double;
  }
  const double2 pair = curand_normal2_double(s);
  s->boxmuller_extra_double = pair.y;
  s->boxmuller_flag_double = 1;
  return pair.x;
}
template <simt::random::Generator State>
float curand_log_normal(State* s, float mean, float deviation) {
  return expf(mean + deviation * curand_normal(s));
}
template <simt::random::Generator State>
double curand_log_normal_double(State* s, double mean, double deviation) {
  return exp(mean + deviation * curand_normal_double(s));
}
template <simt::random::Generator State>
unsigned curand_poisson(State* s, double mean) {
  if (mean > 64) {
    const double value = mean + sqrt(mean) * curand_normal_double(s) + 0.5;
    return value < 0 ? 0 : unsigned(value);
  }
  const double bound = exp(-mean);
  unsigned count = 0;
  for (double product = curand_uniform_double(s); product > bound;
       product *= curand_uniform_double(s))
    ++count;
  return count;
}

#include "simt/device/names_end.h"
