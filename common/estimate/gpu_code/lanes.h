// Loops over the lanes of a warp that instructions of several kinds are made of.
#pragma once

#include <cstdint>

#include "estimate/gpu_code/machine.h"

namespace estimate::gpu_code {

template <typename Function>
inline void forLanes(uint32_t lanes, Function&& function) {
  if (lanes == UINT32_MAX) {
    for (unsigned lane = 0; lane < 32; ++lane) function(lane);
  } else {
    for (; lanes != 0; lanes &= lanes - 1) function(unsigned(__builtin_ctz(lanes)));
  }
}

// Writes a result of a lane into a register, which may be wider than the value.
template <typename T>
void put(WarpContext& c, const Operand& to, unsigned lane, T value) {
  if (to.kind != Operand::Kind::reg) return;
  if (to.bytes == sizeof(T)) {
    std::memcpy(c.frame + to.place + lane * sizeof(T), &value, sizeof(T));
    return;
  }
  const auto wide = uint64_t(int64_t(value));  // with its sign, or zeros
  std::memcpy(c.frame + to.place + lane * to.bytes, &wide, to.bytes);
}

template <typename To, typename From, typename F>
void one(WarpContext& c, const Instruction& i, uint32_t lanes) {
  const From* a = c.from<From>(i.from_[0], 0);
  if (i.to[0].bytes != sizeof(To)) {
    forLanes(lanes, [&](unsigned l) { put(c, i.to[0], l, To(F::of(a[l]))); });
    return;
  }
  To* const d = c.to<To>(i.to[0]);
  forLanes(lanes, [&](unsigned l) { d[l] = To(F::of(a[l])); });
}
template <typename To, typename From, typename F>
void two(WarpContext& c, const Instruction& i, uint32_t lanes) {
  const From* a = c.from<From>(i.from_[0], 0);
  const From* b = c.from<From>(i.from_[1], 1);
  To* const d = c.to<To>(i.to[0]);
  forLanes(lanes, [&](unsigned l) { d[l] = To(F::of(a[l], b[l])); });
}
template <typename To, typename From, typename F>
void three(WarpContext& c, const Instruction& i, uint32_t lanes) {
  const From* a = c.from<From>(i.from_[0], 0);
  const From* b = c.from<From>(i.from_[1], 1);
  const To* e = c.from<To>(i.from_[2], 2);
  To* const d = c.to<To>(i.to[0]);
  forLanes(lanes, [&](unsigned l) { d[l] = To(F::of(a[l], b[l], e[l])); });
}

// Of a division or root, how far one of these lanes has to go (long_ways.cpp).
LongWay longWayOf(WarpContext& c, const Instruction& i, uint32_t lanes);

// Of these lanes of an access by generic addresses, those whose addresses lie in the same space as
// the first one's.
uint32_t inOneSpace(WarpContext& c, const Instruction& i, uint32_t lanes);

// The handlers of each file, or null where the instruction is not its own.
Handler arithmeticHandler(const Instruction& i);
Handler bitsHandler(const Instruction& i);  // of arithmeticHandler()
Handler carryHandler(const Instruction& i);
Handler floatHandler(const Instruction& i);
Handler conversionHandler(const Instruction& i);
Handler comparisonHandler(const Instruction& i);
Handler memoryHandler(const Instruction& i);
Handler warpHandler(const Instruction& i);
Handler mathematicsHandler(const Instruction& i);

// 16-bit floating-point numbers.
float fromHalf(uint16_t bits);
uint16_t toHalf(float value);
inline float fromBrain(uint16_t bits) { return __builtin_bit_cast(float, uint32_t(bits) << 16); }
uint16_t toBrain(float value);
struct Half {
  static float in(uint16_t bits) { return fromHalf(bits); }
  static uint16_t out(float value) { return toHalf(value); }
};
struct Brain {
  static float in(uint16_t bits) { return fromBrain(bits); }
  static uint16_t out(float value) { return toBrain(value); }
};

}  // namespace estimate::gpu_code
