// CUDA's atomics, and assertions in kernels.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "simt/device/primitives.h"
#include "simt/device/small_floats.h"
#include "simt/find/faults.h"
#include "simt/find/races.h"
#include "simt/find/watchdog.h"
#include "simt/image/symbols.h"
#include "simt/run/access.h"
#include "simt/run/block.h"
#include "simt/run/left_out_blocks.h"

namespace simt {

void assertFailed(const char* condition, const char* file, int line) {
  Quiet quiet;
  if (blockOfThisOsThread && runningBlock().current)
    raise(makeFault(Fault::Kind::assertion, std::string("assertion failed: ") + condition,
                    {runningBlock().current}, {__builtin_return_address(0)}));
  std::fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, condition);
  std::abort();
}

template <typename T>
void noteForLeftOut(Atomic kind, T* address, T old, T result) {
  if constexpr (std::is_integral_v<T>) {
    if (sharedRange().contains(reinterpret_cast<uintptr_t>(address))) return;
    const bool adds = kind == Atomic::add || kind == Atomic::sub ||
                      (kind == Atomic::inc && result == T(old + 1)) ||
                      (kind == Atomic::dec && result == T(old - 1));
    noteForLeftOut(address, sizeof(T), uint64_t(old), uint64_t(result), adds);
  }
}

template <typename T>
T atomic(Atomic kind, T* address, T value, T compare, MemoryOrder order, Scope scope) {
  const void* pc = __builtin_return_address(0);
  if (running) {
    Tracer& trace = runningBlock().trace;
    const bool publishes = order == MemoryOrder::release || order == MemoryOrder::acquireRelease;
    if (publishes && scope == Scope::device && trace.on())
      trace.noteFence(*runningBlock().current, pc);
    access(address, sizeof(T), Access::atomic, pc, scope);
    orderByAtomic(address, kind != Atomic::load, order, scope);
  }
  const T old = *address;
  T result = value;  // exch
  if constexpr (std::is_integral_v<T>) {
    switch (kind) {
      case Atomic::sub: result = T(old - value); break;
      case Atomic::min: result = std::min(old, value); break;
      case Atomic::max: result = std::max(old, value); break;
      case Atomic::cas: result = old == compare ? value : old; break;
      case Atomic::inc: result = old >= value ? T(0) : T(old + 1); break;
      case Atomic::dec: result = old == 0 || old > value ? value : T(old - 1); break;
      case Atomic::bitAnd: result = old & value; break;
      case Atomic::bitOr: result = old | value; break;
      case Atomic::bitXor: result = old ^ value; break;
      default: break;
    }
  }
  if (kind == Atomic::add) {
    if constexpr (std::is_integral_v<T>)
      result =
          T(std::make_unsigned_t<T>(old) + std::make_unsigned_t<T>(value));  // wraps, as on a GPU
    else
      result = old + value;
  }
  if (kind == Atomic::load) result = old;
  *address = result;
  if (running && settings().sample && kind != Atomic::load)
    noteForLeftOut(kind, address, old, result);
  if (running) noteAtomic(pc, address, std::memcmp(&old, &result, sizeof old) != 0);
  return old;
}
template int atomic(Atomic, int*, int, int, MemoryOrder, Scope);
template unsigned atomic(Atomic, unsigned*, unsigned, unsigned, MemoryOrder, Scope);
template long long atomic(Atomic, long long*, long long, long long, MemoryOrder, Scope);
template unsigned long long atomic(Atomic, unsigned long long*, unsigned long long,
                                   unsigned long long, MemoryOrder, Scope);
template unsigned short atomic(Atomic, unsigned short*, unsigned short, unsigned short, MemoryOrder,
                               Scope);
template float atomic(Atomic, float*, float, float, MemoryOrder, Scope);
template double atomic(Atomic, double*, double, double, MemoryOrder, Scope);
template Half atomic(Atomic, Half*, Half, Half, MemoryOrder, Scope);
template Brain atomic(Atomic, Brain*, Brain, Brain, MemoryOrder, Scope);
template Pair<Half> atomic(Atomic, Pair<Half>*, Pair<Half>, Pair<Half>, MemoryOrder, Scope);
template Pair<Brain> atomic(Atomic, Pair<Brain>*, Pair<Brain>, Pair<Brain>, MemoryOrder, Scope);

}  // namespace simt
