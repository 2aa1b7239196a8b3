// The executor's names for orders and scopes, as far as kernels' headers use them.
#pragma once

#include <cstdint>

namespace simt {

enum class Vote { any, all, ballot, active };
enum class Shuffle { index, up, down, exclusiveOr };
enum class Atomic { add, sub, min, max, exch, cas, inc, dec, bitAnd, bitOr, bitXor, load, store };
enum class MemoryOrder { legacy, relaxed, acquire, release, acquireRelease };
enum class Scope { block, device };
enum class Reduce { add, min, max, bitAnd, bitOr, bitXor };
constexpr int gridBarrierMode = 4;
#define SIMT_HERE 0

}  // namespace simt
