// The arithmetic of ptx_matrices.h, carries, and which memory an address is of.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "simt/memory/arrays.h"
#include "simt/threads/thread_block.h"
#include "simtcc/runtime/ptx.h"

namespace simt {

Space spaceOf(const void* pointer) {
  const Quiet quiet;
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  if (const Array* const array = findArray(address))
    return array->isConstant ? Space::constant : Space::global;
  if (findShared(address)) return Space::shared;
  const KernelCall& call = runningThreads().kernelCall();
  const auto arguments = reinterpret_cast<uintptr_t>(call.arguments);
  return address - arguments < call.argumentBytes ? Space::argument : Space::own;
}

}  // namespace simt

namespace simt::ptx {
namespace {

int bitsOf(Number number) {
  switch (number) {
    case Number::f64: return 64;
    case Number::f16:
    case Number::bf16: return 16;
    case Number::e4m3:
    case Number::e5m2:
    case Number::s8:
    case Number::u8: return 8;
    case Number::s4:
    case Number::u4: return 4;
    case Number::b1: return 1;
    default: return 32;
  }
}

double ofEightBits(uint32_t bits, int mantissaBits) {
  const int exponent = int(bits & 127) >> mantissaBits, bias = mantissaBits == 3 ? 7 : 15;
  const int mantissa = int(bits) & ((1 << mantissaBits) - 1), most = mantissaBits == 3 ? 15 : 31;
  double size = exponent == 0
                    ? std::ldexp(mantissa, 1 - bias - mantissaBits)
                    : std::ldexp(mantissa + (1 << mantissaBits), exponent - bias - mantissaBits);
  if (exponent == most && mantissaBits == 2) size = mantissa ? NAN : INFINITY;
  if (exponent == most && mantissaBits == 3 && mantissa == 7) size = NAN;
  return bits & 128 ? -size : size;
}

// Number i of a register.
double numberOf(const uint32_t* words, int i, Number kind) {
  if (kind == Number::f64) {
    double value;
    std::memcpy(&value, words, sizeof value);
    return value;
  }
  const int bits = bitsOf(kind);
  const uint32_t field = words[0] >> i * bits % 32 & lowest<uint32_t>(unsigned(bits));
  switch (kind) {
    case Number::f16: return floatFromSmall(uint16_t(field), 5);
    case Number::bf16: return floatFromSmall(uint16_t(field), 8);
    case Number::e4m3: return ofEightBits(field, 3);
    case Number::e5m2: return ofEightBits(field, 2);
    case Number::s8: return int8_t(field);
    case Number::s4: return int(field << 28) >> 28;
    case Number::tf32: return as<float>(field & ~0x1fffu);
    default: return field;
  }
}

}  // namespace

void multiply(const Product& product, const Factors& factors, const void* c, void* d) {
  const int bits = bitsOf(product.a), inRegister = std::max(32 / bits, 1);
  const int words = bits == 64 ? 2 : 1, halves = product.m / 8;
  const auto* const given = static_cast<const uint32_t*>(c);
  auto* const results = static_cast<uint32_t*>(d);
  for (int i = 0; i < product.m / 4; ++i) {
    const int half = i / 2, column = i % 2;
    double sum = 0;
    for (int k = 0; k < product.k; ++k) {
      const int lane = k % (4 * inRegister) / inRegister, piece = k / (4 * inRegister);
      const double left =
          numberOf(&factors.rows[lane][(piece * halves + half) * words], k % inRegister, product.a);
      const double right =
          numberOf(&factors.columns[column][lane][piece * words], k % inRegister, product.b);
      if (product.a == Number::b1)
        sum += product.ofAnd ? left * right : left != right;
      else
        sum += left * right;
    }
    switch (product.c) {
      case Number::f64: {
        double value;
        std::memcpy(&value, given + i * 2, sizeof value);
        value += sum;
        std::memcpy(results + i * 2, &value, sizeof value);
        break;
      }
      case Number::f32: results[i] = as<uint32_t>(float(as<float>(given[i]) + sum)); break;
      case Number::f16: {
        const float before = floatFromSmall(uint16_t(given[half] >> column * 16), 5);
        const uint32_t value = smallFromFloat(float(before + sum), 5);
        results[half] = column == 0 ? value : results[half] | value << 16;
        break;
      }
      default: {
        const int64_t whole = int64_t(as<int32_t>(given[i])) + int64_t(sum);
        results[i] =
            uint32_t(product.saturates ? std::clamp<int64_t>(whole, INT32_MIN, INT32_MAX) : whole);
      }
    }
  }
}

uint16_t small(Small operation, int exponentBits, uint16_t a, uint16_t b, uint16_t c) {
  const float x = floatFromSmall(a, exponentBits), y = floatFromSmall(b, exponentBits);
  const auto rounded = [&](float value) { return smallFromFloat(value, exponentBits); };
  switch (operation) {
    case Small::add: return rounded(x + y);
    case Small::sub: return rounded(x - y);
    case Small::mul: return rounded(x * y);
    case Small::min: return rounded(std::fmin(x, y));
    case Small::max: return rounded(std::fmax(x, y));
    case Small::fma: return rounded(std::fma(x, y, floatFromSmall(c, exponentBits)));
    case Small::neg: return a ^ 0x8000;
    case Small::abs: return a & 0x7fff;
    case Small::ex2: return rounded(std::exp2(x));
    default: return rounded(std::tanh(x));
  }
}

bool carryLeft() { return isInKernel() && runningThreads().current->history->carry; }
void leaveCarry(bool carry) {
  if (isInKernel()) runningThreads().current->history->carry = carry;
}

}  // namespace simt::ptx
