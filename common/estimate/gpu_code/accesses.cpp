// Loads, stores and atomics.
#include <algorithm>
#include <bit>
#include <cmath>

#include "estimate/gpu_code/lanes.h"
#include "estimate/gpu_code/modes.h"

namespace estimate::gpu_code {
namespace {

bool isIn(uint64_t address, uint64_t base) { return address - base < windowBytes; }

// Where the space begins that a generic address lies in; 0 of global memory.
uint64_t baseOf(uint64_t address) {
  return isIn(address, sharedBase) ? sharedBase : isIn(address, localBase) ? localBase : 0;
}

// The lanes' addresses, and the space that they lie in: a generic one tells by its value.
void findAddresses(WarpContext& c, const Instruction& i, const Operand& o, uint32_t lanes) {
  c.space = i.space == Space::constant ? Space::constant : i.space;
  const uint64_t symbol = (o.space == Space::global || o.space == Space::constant) &&
                                  o.reg == UINT32_MAX && i.space != Space::param
                              ? variablesBase
                              : 0;
  if (o.reg == UINT32_MAX) {
    uint64_t address = symbol + uint64_t(o.offset);
    if (o.space == Space::local && i.space != Space::param) address += c.frames.back().local;
    c.addresses.fill(address);
  } else if (o.bytes == 4) {
    const auto* a = reinterpret_cast<const uint32_t*>(c.frame + o.place);
    const uint64_t base = i.space == Space::constant ? variablesBase : 0;  // they are short
    forLanes(lanes,
             [&](unsigned l) { c.addresses[l] = base + uint32_t(a[l] + uint32_t(o.offset)); });
  } else {
    const auto* a = reinterpret_cast<const uint64_t*>(c.frame + o.place);
    forLanes(lanes, [&](unsigned l) { c.addresses[l] = a[l] + uint64_t(o.offset); });
  }
  if (i.space != Space::generic) return;
  const uint64_t base = baseOf(c.addresses[unsigned(std::countr_zero(lanes))]);
  c.space = base == sharedBase ? Space::shared : base == localBase ? Space::local : Space::global;
  if (base != 0) forLanes(lanes, [&](unsigned l) { c.addresses[l] -= base; });
}

// Where a lane's bytes are, in memory of the warp's own; null: in the program's.
uint8_t* ownBytes(WarpContext& c, unsigned lane, size_t bytes) {
  const uint64_t address = c.addresses[lane];
  if (c.space == Space::shared) {
    if (address + bytes > c.shared->size() || address > c.shared->size())
      throw Unsupported("it reaches shared memory that is not there");
    return c.shared->data() + address;
  }
  if (c.space == Space::local) {
    if (address + bytes > c.localPerLane || address > c.localPerLane)
      throw Unsupported("it reaches local memory that is not there");
    return c.local.data() + lane * size_t(c.localRoom) + address;
  }
  return nullptr;
}

uint8_t* parameterBytes(WarpContext& c, unsigned lane) {
  const Frame& frame = c.frames.back();
  return c.parameters.data() + frame.parameters + frame.function->paramBytes * lane +
         c.addresses[lane];
}

template <typename T>
void load(WarpContext& c, const Instruction& i, uint32_t lanes) {
  findAddresses(c, i, i.from_[0], lanes);
  const unsigned n = i.vector;
  if (i.space == Space::param) {
    // Behind those of a kernel lies what functions are called with and return.
    const auto& its = c.frames.front().function->parameters;
    const bool ofLaunch = c.frames.size() == 1 && !its.empty() &&
                          c.addresses[unsigned(std::countr_zero(lanes))] <
                              its.back().place + uint64_t(its.back().bytes);
    forLanes(lanes, [&](unsigned l) {
      for (unsigned k = 0; k < n; ++k) {
        T value;
        const uint8_t* from =
            ofLaunch ? c.launch->parameters.data() + c.addresses[l] : parameterBytes(c, l);
        std::memcpy(&value, from + k * sizeof(T), sizeof(T));
        put(c, i.to[k], l, value);
      }
    });
    return;
  }
  const bool direct = n == 1 && i.to[0].bytes == sizeof(T);
  forLanes(lanes, [&](unsigned l) {
    T values[4];
    if (const uint8_t* own = ownBytes(c, l, n * sizeof(T)))
      std::memcpy(values, own, n * sizeof(T));
    else if (c.addresses[l] % (n * sizeof(T)) == 0)
      std::memcpy(values, c.memory->at(c.addresses[l]), n * sizeof(T));
    else
      c.memory->read(c.addresses[l], values, n * sizeof(T));
    if (direct)
      std::memcpy(c.frame + i.to[0].place + l * sizeof(T), values, sizeof(T));
    else
      for (unsigned k = 0; k < n; ++k) put(c, i.to[k], l, values[k]);
  });
}

template <typename T>
void store(WarpContext& c, const Instruction& i, uint32_t lanes) {
  findAddresses(c, i, i.from_[0], lanes);
  const unsigned n = i.vector;
  const T* values[4] = {};
  for (unsigned k = 0; k < n; ++k) values[k] = c.from<T>(i.from_[1 + k], k);
  forLanes(lanes, [&](unsigned l) {
    T all[4];
    for (unsigned k = 0; k < n; ++k) all[k] = values[k][l];
    uint8_t* own = i.space == Space::param ? parameterBytes(c, l) : ownBytes(c, l, n * sizeof(T));
    if (own)
      std::memcpy(own, all, n * sizeof(T));
    else
      c.memory->write(c.addresses[l], all, n * sizeof(T));
  });
}

template <template <typename> class Access>
Handler bySize(Type type) {
  switch (type) {
    case Type::s8: return Access<int8_t>::run;
    case Type::s16: return Access<int16_t>::run;
    case Type::s32: return Access<int32_t>::run;
    default: break;
  }
  switch (bytesOf(type)) {
    case 1: return Access<uint8_t>::run;
    case 2: return Access<uint16_t>::run;
    case 4: return Access<uint32_t>::run;
    case 8: return Access<uint64_t>::run;
    default: return nullptr;
  }
}
template <typename T>
struct Load {
  static constexpr Handler run = load<T>;
};
template <typename T>
struct Store {
  static constexpr Handler run = store<T>;
};

template <typename T>
T updated(uint8_t mode, T old, T value, T other) {
  switch (mode) {
    case modes::add:
      if constexpr (std::is_integral_v<T>)
        return T(std::make_unsigned_t<T>(old) + std::make_unsigned_t<T>(value));
      else
        return old + value;
    case modes::min: return value < old ? value : old;
    case modes::max: return old < value ? value : old;
    case modes::exch: return value;
    case modes::cas: return std::bit_cast<T>(old) == value ? other : old;
    default: break;
  }
  if constexpr (std::is_integral_v<T>) {
    switch (mode) {
      case modes::inc: return old >= value ? T(0) : T(old + 1);
      case modes::dec: return old == 0 || old > value ? value : T(old - 1);
      case modes::bitAnd: return old & value;
      case modes::bitOr: return old | value;
      case modes::bitXor: return old ^ value;
      default: break;
    }
  }
  throw Unsupported("an atomic that is not known here");
}

// One lane after the other.
template <typename T>
void atomic(WarpContext& c, const Instruction& i, uint32_t lanes) {
  findAddresses(c, i, i.from_[0], lanes);
  const T* value = c.from<T>(i.from_[1], 1);
  const T* other = i.from_.size() > 2 ? c.from<T>(i.from_[2], 2) : value;
  forLanes(lanes, [&](unsigned l) {
    T old;
    uint8_t* const own = ownBytes(c, l, sizeof(T));
    if (own)
      std::memcpy(&old, own, sizeof old);
    else
      c.memory->read(c.addresses[l], &old, sizeof old);
    const T now = updated(i.mode, old, value[l], other[l]);
    if (own)
      std::memcpy(own, &now, sizeof now);
    else
      c.memory->write(c.addresses[l], &now, sizeof now);
    if constexpr (std::is_integral_v<T>) {
      const bool adds = i.mode == modes::add || (i.mode == modes::inc && now != 0);
      if (!own) c.leftOut->note(c.addresses[l], sizeof now, uint64_t(old), uint64_t(now), adds);
    }
    if (i.op == Op::atom && !i.to.empty() && i.to[0].kind == Operand::Kind::reg)
      c.to<T>(i.to[0])[l] = old;
  });
}

// Numbers of 16 bits, one or two, which are added.
template <typename Small, typename Word>
void smallAtomic(WarpContext& c, const Instruction& i, uint32_t lanes) {
  if (i.mode != modes::add) throw Unsupported("an atomic that is not known here");
  findAddresses(c, i, i.from_[0], lanes);
  const Word* const value = c.from<Word>(i.from_[1], 1);
  forLanes(lanes, [&](unsigned l) {
    Word old, now = 0;
    uint8_t* const own = ownBytes(c, l, sizeof old);
    if (own)
      std::memcpy(&old, own, sizeof old);
    else
      c.memory->read(c.addresses[l], &old, sizeof old);
    for (unsigned shift = 0; shift < 8 * sizeof(Word); shift += 16)
      now = Word(now | Word(Small::out(Small::in(uint16_t(old >> shift)) +
                                       Small::in(uint16_t(value[l] >> shift))))
                           << shift);
    if (own)
      std::memcpy(own, &now, sizeof now);
    else
      c.memory->write(c.addresses[l], &now, sizeof now);
    if (i.op == Op::atom && !i.to.empty() && i.to[0].kind == Operand::Kind::reg)
      c.to<Word>(i.to[0])[l] = old;
  });
}

// cp.async: 4, 8 or 16 bytes to shared memory, at once.
void copyToShared(WarpContext& c, const Instruction& i, uint32_t lanes) {
  if (i.name.find("group") != std::string::npos) {  // commit_group, wait_group
    c.space = Space::param;
    return;
  }
  if (i.name.find("bulk") != std::string::npos || i.name.find("mbarrier") != std::string::npos)
    throw Unsupported(i.name + " is not known here");
  Instruction to = i, from = i;
  to.space = Space::shared;
  findAddresses(c, to, i.from_[0], lanes);
  const auto shared = c.addresses;
  from.space = Space::global;
  findAddresses(c, from, i.from_[1], lanes);
  const auto bytes = size_t(i.from_[2].offset);
  const uint32_t* fewer = i.from_.size() > 3 && i.from_[3].kind == Operand::Kind::reg
                              ? c.from<uint32_t>(i.from_[3], 0)
                              : nullptr;
  forLanes(lanes, [&](unsigned l) {
    uint8_t values[16] = {};
    c.memory->read(c.addresses[l], values, fewer ? std::min<size_t>(fewer[l], bytes) : bytes);
    if (shared[l] + bytes > c.shared->size()) throw Unsupported("it copies to no shared memory");
    std::memcpy(c.shared->data() + shared[l], values, bytes);
  });
  c.space = Space::global;
}

void isInSpace(WarpContext& c, const Instruction& i, uint32_t lanes) {
  const uint64_t* a = c.from<uint64_t>(i.from_[0], 0);
  uint32_t result = 0;
  forLanes(lanes, [&](unsigned l) {
    const bool shared = isIn(a[l], sharedBase), local = isIn(a[l], localBase);
    const bool is = i.space == Space::shared  ? shared
                    : i.space == Space::local ? local
                                              : !shared && !local;
    result |= uint32_t(is) << l;
  });
  c.setPredicate(i.to[0], lanes, result);
}

}  // namespace

uint32_t inOneSpace(WarpContext& c, const Instruction& i, uint32_t lanes) {
  const Operand& o = i.from_[0];
  if (lanes == 0 || o.reg == UINT32_MAX || o.bytes != 8) return lanes;
  const auto* a = reinterpret_cast<const uint64_t*>(c.frame + o.place);
  const auto space = [&](unsigned lane) { return baseOf(a[lane] + uint64_t(o.offset)); };
  const uint64_t first = space(unsigned(std::countr_zero(lanes)));
  uint32_t same = 0;
  forLanes(lanes, [&](unsigned l) { same |= uint32_t(space(l) == first) << l; });
  return same;
}

Handler memoryHandler(const Instruction& i) {
  switch (i.op) {
    case Op::ld: return bySize<Load>(i.type);
    case Op::st: return bySize<Store>(i.type);
    case Op::atom:
    case Op::red:
      switch (i.type) {
        case Type::f32: return atomic<float>;
        case Type::f64: return atomic<double>;
        case Type::s32: return atomic<int32_t>;
        case Type::s64: return atomic<int64_t>;
        case Type::b16: return atomic<uint16_t>;
        case Type::f16: return smallAtomic<Half, uint16_t>;
        case Type::f16x2: return smallAtomic<Half, uint32_t>;
        case Type::bf16: return smallAtomic<Brain, uint16_t>;
        case Type::bf16x2: return smallAtomic<Brain, uint32_t>;
        default:
          if (bytesOf(i.type) == 4 && !isFloat(i.type)) return atomic<uint32_t>;
          if (bytesOf(i.type) == 8) return atomic<uint64_t>;
          return nullptr;
      }
    case Op::cp: return copyToShared;
    case Op::isspacep: return isInSpace;
    case Op::prefetch:
      return [](WarpContext& c, const Instruction&, uint32_t) { c.space = Space::param; };
    default: return nullptr;
  }
}

}  // namespace estimate::gpu_code
