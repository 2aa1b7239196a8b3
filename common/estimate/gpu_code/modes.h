// What Instruction::mode says, by the kind of instruction.
#pragma once

#include <cstdint>

namespace estimate::gpu_code::modes {

enum Comparison : uint8_t { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };
enum Rounding : uint8_t { unrounded, rn, rz, rm, rp, rni, rzi, rmi, rpi, approx };
enum Atomic : uint8_t { none, add, min, max, inc, dec, exch, cas, bitAnd, bitOr, bitXor };
enum Shuffle : uint8_t { up, down, bfly, idx };
enum Vote : uint8_t { anyOf, all, any, uni, ballot };
enum Barrier : uint8_t { block, warp = 16, arrive, popc };
enum Shift : uint8_t { left, right };
enum Carry : uint8_t { sum, difference, product };

}  // namespace estimate::gpu_code::modes
