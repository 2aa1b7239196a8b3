// CUDA's atomics, and assertions in kernels.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "simt/device/primitives.h"
#include "simt/device/small_floats.h"
#include "simt/find/faults.h"
#include "simt/find/races.h"
#include "simt/find/watchdog.h"
#include "simt/image/symbols.h"
#include "simt/memory/arrays.h"
#include "simt/run/access.h"
#include "simt/run/block.h"

namespace simt {

bool isOnDevice() noexcept { return isInKernel(); }
void assertFailed(const char* condition, const char* file, int line) {
  if (running) {
    const Quiet quiet;
    raise(makeFault(Fault::Kind::assertion, std::string("assertion failed: ") + condition,
                    {runningBlock().current}, {__builtin_return_address(0)}));
  }
  std::fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, condition);
  std::abort();
}

template <typename T>
T valueToExchange(const T* address) noexcept {
  if (!running) return *address;
  const Quiet quiet;
  runningBlock().exchangeWanted = address;
  const auto at = reinterpret_cast<uintptr_t>(address);
  return findArray(at) || findShared(at) ? *address : T();  // else the exchange tells
}
template int valueToExchange(const int*) noexcept;
template unsigned valueToExchange(const unsigned*) noexcept;
template unsigned long long valueToExchange(const unsigned long long*) noexcept;
template float valueToExchange(const float*) noexcept;

// Whether a thread that goes on after this has taken a lock.
template <typename T>
bool takesLock(Atomic kind, T old, T value, T compare, bool isWanted) {
  const auto same = [](T a, T b) { return std::memcmp(&a, &b, sizeof a) == 0; };
  if (kind == Atomic::cas) return same(old, compare) && !same(old, value);
  return kind == Atomic::exch && isWanted && !same(old, value);
}

template <typename T>
T atomic(Atomic kind, T* address, T value, T compare, MemoryOrder order, Scope scope) {
  const void* pc = __builtin_return_address(0);
  if (isInKernel() && !sharedRange().contains(reinterpret_cast<uintptr_t>(address))) noteTalk();
  const bool isWanted = running && std::exchange(runningBlock().exchangeWanted, nullptr) == address;
  const bool isStore = kind == Atomic::store || (kind == Atomic::exch && !isWanted);
  if (running) {
    Tracer& trace = runningBlock().trace;
    const bool publishes = order == MemoryOrder::release || order == MemoryOrder::acquireRelease;
    if (publishes && scope == Scope::device && trace.on())
      trace.noteFence(*runningBlock().current, pc);
    access(address, sizeof(T), Access::atomic, pc, scope, isStore);
  }
  T old;  // copied so, as assignments of pairs announce themselves
  std::memcpy(&old, address, sizeof old);
  if (running)
    orderByAtomic(
        address,
        {kind != Atomic::load, takesLock(kind, old, value, compare, isWanted) ? pc : nullptr},
        order, scope);
  T result = value;  // exch, store
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
  std::memcpy(address, &result, sizeof result);
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
