// cuRAND's interface for the host, on the executor: XORWOW and Philox. XORWOW's numbers come in
// cuRAND's order; those of other distributions than the uniform, and of other generators, have the
// right distribution in an order of their own. Results are copied to where they are asked for.
#pragma once

#include "simt/device/names_begin.h"

#include <cmath>
#include <type_traits>
#include <vector>

#include "curand_kernel.h"

enum curandStatus_t {
  CURAND_STATUS_SUCCESS = 0,
  CURAND_STATUS_VERSION_MISMATCH = 100,
  CURAND_STATUS_NOT_INITIALIZED = 101,
  CURAND_STATUS_ALLOCATION_FAILED = 102,
  CURAND_STATUS_TYPE_ERROR = 103,
  CURAND_STATUS_OUT_OF_RANGE = 104,
  CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
  CURAND_STATUS_LAUNCH_FAILURE = 201,
  CURAND_STATUS_PREEXISTING_FAILURE = 202,
  CURAND_STATUS_INITIALIZATION_FAILED = 203,
  CURAND_STATUS_ARCH_MISMATCH = 204,
  CURAND_STATUS_INTERNAL_ERROR = 999
};
enum curandRngType_t {
  CURAND_RNG_PSEUDO_DEFAULT = 100,
  CURAND_RNG_PSEUDO_XORWOW = 101,
  CURAND_RNG_PSEUDO_MRG32K3A = 121,
  CURAND_RNG_PSEUDO_MTGP32 = 141,
  CURAND_RNG_PSEUDO_MT19937 = 142,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161
};
enum curandOrdering_t {
  CURAND_ORDERING_PSEUDO_BEST = 100,
  CURAND_ORDERING_PSEUDO_DEFAULT = 101,
  CURAND_ORDERING_PSEUDO_SEEDED = 102,
  CURAND_ORDERING_PSEUDO_LEGACY = 103,
  CURAND_ORDERING_PSEUDO_DYNAMIC = 104
};

struct curandGenerator_st {
  bool isXorwow = true;
  unsigned long long seed = 0, offset = 0, taken = 0;
  std::vector<curandStateXORWOW> xorwow;  // 4,096 subsequences, which take turns
  curandStatePhilox4_32_10 philox{};
  bool begun = false;

  void begin() {
    begun = true;
    taken = 0;
    if (!isXorwow) return curand_init(seed, 0, offset, &philox);
    xorwow.resize(4096);
    curandStateXORWOW next;
    curand_init(seed, 0, 0, &next);
    for (curandStateXORWOW& each : xorwow) {
      each = next;
      if (offset) skipahead(offset, &each);
      skipahead_sequence(1, &next);
    }
  }
  unsigned number() { return isXorwow ? curand(&xorwow[taken++ % 4096]) : curand(&philox); }
};
using curandGenerator_t = curandGenerator_st*;

inline curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
  if (!generator) return CURAND_STATUS_OUT_OF_RANGE;
  if (type < CURAND_RNG_PSEUDO_DEFAULT || type > CURAND_RNG_PSEUDO_PHILOX4_32_10)
    return CURAND_STATUS_TYPE_ERROR;
  *generator = new curandGenerator_st;
  (*generator)->isXorwow = type <= CURAND_RNG_PSEUDO_XORWOW;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator,
                                                curandRngType_t type) {
  return curandCreateGenerator(generator, type);
}
inline curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  delete generator;
  return generator ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}
inline curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                         unsigned long long seed) {
  if (!generator) return CURAND_STATUS_NOT_INITIALIZED;
  generator->seed = seed;
  generator->begun = false;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator,
                                               unsigned long long offset) {
  if (!generator) return CURAND_STATUS_NOT_INITIALIZED;
  generator->offset = offset;
  generator->begun = false;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t) {
  return generator ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}
inline curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t) {
  return generator ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}
inline curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  if (!generator) return CURAND_STATUS_NOT_INITIALIZED;
  generator->begin();
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandGetVersion(int* version) {
  if (!version) return CURAND_STATUS_OUT_OF_RANGE;
  *version = 10400;
  return CURAND_STATUS_SUCCESS;
}

namespace simt::random {

// make(generator) gives the next number.
template <typename T, typename Make>
__attribute__((no_sanitize("thread"))) curandStatus_t generate(curandGenerator_t generator, T* to,
                                                               size_t count, Make make) {
  if (!generator) return CURAND_STATUS_NOT_INITIALIZED;
  if (!generator->begun) generator->begin();
  std::vector<T> numbers(count);
  for (T& each : numbers) each = make(*generator);
  return count == 0 ||
                 cudaMemcpy(to, numbers.data(), count * sizeof(T), cudaMemcpyDefault) == cudaSuccess
             ? CURAND_STATUS_SUCCESS
             : CURAND_STATUS_LAUNCH_FAILURE;
}
// Pairs, as cuRAND has them: an odd number of them is an error.
template <typename T, typename Finish>
curandStatus_t generateNormal(curandGenerator_t generator, T* to, size_t count, Finish finish) {
  if (count % 2 != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  bool second = false;
  T kept = 0;
  return generate(generator, to, count, [&](curandGenerator_st& from) {
    if (second) return second = false, finish(kept);
    second = true;
    if constexpr (std::is_same_v<T, float>) {
      const unsigned x = from.number();
      const float2 pair = normals(x, from.number());
      kept = pair.y;
      return finish(pair.x);
    } else {
      const unsigned x = from.number(), x2 = from.number(), y = from.number();
      const double2 pair = normals(x, x2, y, from.number());
      kept = pair.y;
      return finish(pair.x);
    }
  });
}

}  // namespace simt::random

inline curandStatus_t curandGenerate(curandGenerator_t generator, unsigned* to, size_t count) {
  return simt::random::generate(generator, to, count,
                                [](curandGenerator_st& from) { return from.number(); });
}
inline curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* to, size_t count) {
  return simt::random::generate(generator, to, count, [](curandGenerator_st& from) {
    return simt::random::uniform(from.number());
  });
}
inline curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* to,
                                                  size_t count) {
  return simt::random::generate(generator, to, count, [](curandGenerator_st& from) {
    const unsigned x = from.number();
    return simt::random::uniform(x, from.number());
  });
}
inline curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* to, size_t count,
                                           float mean, float deviation) {
  return simt::random::generateNormal(generator, to, count,
                                      [=](float x) { return mean + deviation * x; });
}
inline curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* to,
                                                 size_t count, double mean, double deviation) {
  return simt::random::generateNormal(generator, to, count,
                                      [=](double x) { return mean + deviation * x; });
}
inline curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* to, size_t count,
                                              float mean, float deviation) {
  return simt::random::generateNormal(generator, to, count,
                                      [=](float x) { return std::exp(mean + deviation * x); });
}
inline curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* to,
                                                    size_t count, double mean, double deviation) {
  return simt::random::generateNormal(generator, to, count,
                                      [=](double x) { return std::exp(mean + deviation * x); });
}
inline curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned* to, size_t count,
                                            double mean) {
  return simt::random::generate(generator, to, count, [mean](curandGenerator_st& from) {
    curandStatePhilox4_32_10 own;
    curand_init((unsigned long long)from.number() << 32 | from.number(), 0, 0, &own);
    return curand_poisson(&own, mean);
  });
}

#include "simt/device/names_end.h"
