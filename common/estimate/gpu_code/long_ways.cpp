// Divisions and roots of floats: a short way in line where their operands allow it, else a branch
// to a long one. What that takes was measured on an H100, one after the other in one thread; which
// operands go it, with 600 sizes of them.
#include <algorithm>
#include <cmath>
#include <limits>

#include "estimate/gpu_code/lanes.h"

namespace estimate::gpu_code {
namespace {

template <typename T>
bool isSubnormal(T x) {
  return std::fpclassify(x) == FP_SUBNORMAL;
}

LongWay ofDivision(float a, float b) {
  if (std::isnan(a) || std::isnan(b)) return {22, 136};
  if (std::isinf(a) || std::isinf(b) || b == 0) return {36, 226};
  if (a == 0) return {32, 200};
  if (isSubnormal(a) || isSubnormal(b)) return {75, 390};
  const int of = std::ilogb(a), by = std::ilogb(b);
  if (by < -125 || by > 124) return {67, 304};
  return of < -102 || std::abs(of - by) > 125 ? LongWay{42, 220} : LongWay();
}

LongWay ofDivision(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return {42, 203};
  if (std::isinf(a) || std::isinf(b) || b == 0) return {54, 260};
  if (a == 0) return {62, 300};
  if (isSubnormal(a) || isSubnormal(b)) return {60, 270};
  const int of = std::ilogb(a), by = std::ilogb(b);
  return of < -970 || by > 1017 || of - by < -1022 || of - by > 1023 ? LongWay{49, 224} : LongWay();
}

LongWay ofRoot(float x) {
  if (x == 0) return {6, 76};
  if (std::isnan(x)) return {13, 116};
  if (x < 0) return {10, 96};
  if (std::isinf(x)) return {16, 136};
  return x < 0x1p-101f ? LongWay{24, 177} : LongWay();
}

LongWay ofRoot(double x) {
  if (x == 0 || std::isnan(x)) return {15, 121};
  if (x < 0) return {18, 130};
  if (std::isinf(x)) return {21, 160};
  if (isSubnormal(x)) return {36, 240};
  return x < 0x1p-970 ? LongWay{20, 130} : LongWay();
}

LongWay ofReciprocal(float x) {
  if (x == 0) return {10, 89};
  if (!std::isfinite(x)) return {12, 110};
  if (isSubnormal(x)) return {17, 128};
  return std::fabs(x) >= 0x1p126f ? LongWay{39, 195} : LongWay();
}

LongWay ofReciprocal(double x) {
  if (x == 0 || !std::isfinite(x)) return {17, 130};
  if (isSubnormal(x)) return {29, 225};
  return std::fabs(x) >= 0x1p1022 ? LongWay{32, 240} : LongWay();
}

// Lanes that go different long ways are not told apart: the longest is what all wait for.
template <typename T>
LongWay longestOf(WarpContext& c, const Instruction& i, uint32_t lanes) {
  LongWay longest;
  const T* const a = c.from<T>(i.from_[0], 0);
  const T* const b = i.op == Op::div ? c.from<T>(i.from_[1], 1) : a;
  forLanes(lanes, [&](unsigned l) {
    const LongWay its = i.op == Op::div    ? ofDivision(a[l], b[l])
                        : i.op == Op::sqrt ? ofRoot(a[l])
                                           : ofReciprocal(a[l]);
    if (its.cycles > longest.cycles) longest = its;
  });
  return longest;
}

}  // namespace

LongWay longWayOf(WarpContext& c, const Instruction& i, uint32_t lanes) {
  return i.type == Type::f32 ? longestOf<float>(c, i, lanes) : longestOf<double>(c, i, lanes);
}

}  // namespace estimate::gpu_code
