// What a warp's lanes do together: shuffles, votes, reductions, barriers.
#include <bit>
#include <cmath>

#include "estimate/gpu_code/lanes.h"
#include "estimate/gpu_code/matrices.h"
#include "estimate/gpu_code/modes.h"

namespace estimate::gpu_code {
namespace {

void shuffle(WarpContext& c, const Instruction& i, uint32_t lanes) {
  const uint32_t* a = c.from<uint32_t>(i.from_[0], 0);
  const uint32_t* b = c.from<uint32_t>(i.from_[1], 1);
  const uint32_t* clamps = c.from<uint32_t>(i.from_[2], 2);
  uint32_t values[32], inside = 0;
  std::memcpy(values, a, sizeof values);
  forLanes(lanes, [&](unsigned l) {
    const uint32_t segment = clamps[l] >> 8 & 31, clamp = clamps[l] & 31;
    const uint32_t most = (l & segment) | (clamp & ~segment), least = l & segment;
    uint32_t from = l;
    bool is = true;
    switch (i.mode) {
      case modes::up: from = l - (b[l] & 31), is = int(from) >= int(most); break;
      case modes::down: from = l + (b[l] & 31), is = from <= most; break;
      case modes::bfly: from = l ^ (b[l] & 31), is = from <= most; break;
      default: from = least | (b[l] & 31 & ~segment), is = from <= most;
    }
    if (!is) from = l;
    inside |= uint32_t(is) << l;
    if (i.to[0].kind == Operand::Kind::reg) c.to<uint32_t>(i.to[0])[l] = values[from & 31];
  });
  if (i.to.size() > 1) c.setPredicate(i.to[1], lanes, inside);
}

void vote(WarpContext& c, const Instruction& i, uint32_t lanes) {
  const uint32_t p = c.predicate(i.from_[0]);
  const uint32_t yes = p & lanes;
  if (i.mode == modes::ballot) {
    forLanes(lanes, [&](unsigned l) { c.to<uint32_t>(i.to[0])[l] = yes; });
    return;
  }
  const bool result = i.mode == modes::any   ? yes != 0
                      : i.mode == modes::all ? yes == lanes
                                             : yes == lanes || yes == 0;
  c.setPredicate(i.to[0], lanes, result ? UINT32_MAX : 0);
}

void active(WarpContext& c, const Instruction& i, uint32_t lanes) {
  forLanes(lanes, [&](unsigned l) { c.to<uint32_t>(i.to[0])[l] = lanes; });
}

template <typename T>
void reduce(WarpContext& c, const Instruction& i, uint32_t lanes) {
  const T* a = c.from<T>(i.from_[0], 0);
  T result = a[std::countr_zero(lanes)];
  forLanes(lanes & (lanes - 1), [&](unsigned l) {
    switch (i.mode) {
      case modes::add: result = T(uint32_t(result) + uint32_t(a[l])); break;
      case modes::min: result = std::min(result, a[l]); break;
      case modes::max: result = std::max(result, a[l]); break;
      case modes::bitAnd: result &= a[l]; break;
      case modes::bitOr: result |= a[l]; break;
      default: result ^= a[l];
    }
  });
  forLanes(lanes, [&](unsigned l) { c.to<T>(i.to[0])[l] = result; });
}

template <typename T>
void match(WarpContext& c, const Instruction& i, uint32_t lanes) {
  const T* a = c.from<T>(i.from_[0], 0);
  T values[32];
  std::memcpy(values, a, sizeof values);
  forLanes(lanes, [&](unsigned l) {
    uint32_t same = 0;
    forLanes(lanes, [&](unsigned k) { same |= uint32_t(values[k] == values[l]) << k; });
    if (i.mode == modes::all && same != lanes) same = 0;
    c.to<uint32_t>(i.to[0])[l] = same;
  });
}

void barrier(WarpContext& c, const Instruction& i, uint32_t lanes) {
  if (i.mode == modes::warp) return;
  c.state = WarpState::atBarrier;
  c.waitsAt = &i;
  c.brought = i.to.empty() ? 0 : c.predicate(i.from_.back()) & lanes;
}

void nothing(WarpContext&, const Instruction&, uint32_t) {}

void trap(WarpContext&, const Instruction&, uint32_t) { throw Unsupported("it ends in a trap"); }

}  // namespace

Handler warpHandler(const Instruction& i) {
  switch (i.op) {
    case Op::shfl: return shuffle;
    case Op::vote: return vote;
    case Op::activemask: return active;
    case Op::redux: return i.type == Type::s32 ? reduce<int32_t> : reduce<uint32_t>;
    case Op::match: return bytesOf(i.type) == 8 ? match<uint64_t> : match<uint32_t>;
    case Op::bar: return barrier;
    case Op::fence:
    case Op::nanosleep: return nothing;
    case Op::trap: return trap;
    case Op::wmma:
    case Op::mma: return matrixHandler(i);
    default: return nullptr;
  }
}

}  // namespace estimate::gpu_code
