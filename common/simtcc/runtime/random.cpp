// How far apart subsequences of XORWOW are: its state after n steps, for any n. A step is linear in
// the bits of v, so that 2^k steps are a matrix, the square of that of 2^(k-1).
#include <array>
#include <cstdint>
#include <memory>

namespace simt {
namespace {

constexpr unsigned words = 5, bits = words * 32, firstOfSubsequences = 67;
using State = std::array<uint32_t, words>;
using Matrix = std::array<State, bits>;  // what each bit becomes

State times(const Matrix& matrix, const State& v) {
  State result = {};
  for (unsigned i = 0; i < bits; ++i)
    if (v[i / 32] >> i % 32 & 1)
      for (unsigned k = 0; k < words; ++k) result[k] ^= matrix[i][k];
  return result;
}

// Of 2^k steps, for each k below 67 + 64.
const Matrix& power(unsigned k) {
  static const auto& all = *[] {
    auto* const matrices = new std::array<Matrix, firstOfSubsequences + 64>;
    for (unsigned i = 0; i < bits; ++i) {
      State v = {};
      v[i / 32] = uint32_t(1) << i % 32;
      const uint32_t t = v[0] ^ v[0] >> 2;
      (*matrices)[0][i] = {v[1], v[2], v[3], v[4], (v[4] ^ v[4] << 4) ^ (t ^ t << 1)};
    }
    for (unsigned n = 1; n < matrices->size(); ++n)
      for (unsigned i = 0; i < bits; ++i)
        (*matrices)[n][i] = times((*matrices)[n - 1], (*matrices)[n - 1][i]);
    return matrices;
  }();
  return all[k];
}

}  // namespace

void skipXorwow(unsigned (&v)[words], unsigned long long n, bool subsequences) {
  State state;
  for (unsigned i = 0; i < words; ++i) state[i] = v[i];
  for (unsigned k = subsequences ? firstOfSubsequences : 0; n != 0; ++k, n >>= 1)
    if (n & 1) state = times(power(k), state);
  for (unsigned i = 0; i < words; ++i) v[i] = state[i];
}

}  // namespace simt
