// Generators' states after n steps. How far apart subsequences of XORWOW are: its state after n
// steps, for any n. A step is linear in the bits of v, so that 2^k steps are a matrix, the square
// of that of 2^(k-1).
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

namespace {
using Matrix3 = std::array<std::array<uint64_t, 3>, 3>;

Matrix3 product(const Matrix3& a, const Matrix3& b, uint64_t modulus) {
  Matrix3 result = {};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        result[i][j] = (result[i][j] + a[i][k] * b[k][j] % modulus) % modulus;
  return result;
}
void skip(unsigned (&s)[3], Matrix3 step, uint64_t modulus, unsigned long long n, unsigned power) {
  for (unsigned i = 0; i < power && n != 0; ++i) step = product(step, step, modulus);
  Matrix3 state = {{{s[0]}, {s[1]}, {s[2]}}};
  for (; n != 0; n >>= 1, step = product(step, step, modulus))
    if (n & 1) state = product(step, state, modulus);
  for (int i = 0; i < 3; ++i) s[i] = unsigned(state[i][0]);
}
}  // namespace

void skipMrg32k3a(unsigned (&s1)[3], unsigned (&s2)[3], unsigned long long n, unsigned power) {
  constexpr uint64_t first = 4294967087, second = 4294944443;
  skip(s1, {{{0, 1, 0}, {0, 0, 1}, {first - 810728, 1403580, 0}}}, first, n, power);
  skip(s2, {{{0, 1, 0}, {0, 0, 1}, {second - 1370589, 0, 527612}}}, second, n, power);
}

}  // namespace simt
