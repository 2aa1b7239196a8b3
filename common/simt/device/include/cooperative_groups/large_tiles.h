// Tiles of 64 to 1,024 threads: part of cooperative_groups.h.
#pragma once

namespace cooperative_groups {
inline namespace __v1 {

// Shared memory for tiles of several warps: how many of them have come to each tile's barrier, and
// what its threads hand to each other.
struct simt_large_tiles {
  alignas(256) static inline thread_local unsigned arrived[16] __attribute__((used));
  alignas(256) static inline thread_local unsigned long long values[1024] __attribute__((used));
};

// Tiles of several warps.
template <unsigned Size>
class large_tile : public thread_group {
 public:
  large_tile() : thread_group(group_kind::block, 0) {}
  static constexpr unsigned size() { return Size; }
  static constexpr unsigned num_threads() { return Size; }
  static unsigned thread_rank() { return rankInBlock() % Size; }
  static unsigned meta_group_rank() { return rankInBlock() / Size; }
  static unsigned meta_group_size() { return (threadsOfBlock() + Size - 1) / Size; }

  SIMT_ALWAYS_INLINE void sync(int = 0) const {
    __syncwarp(here());
    if (lane() == 0) {
      unsigned* const arrived = &simt_large_tiles::arrived[meta_group_rank()];
      const unsigned rest = threadsOfBlock() - meta_group_rank() * Size,
                     warps = ((rest < Size ? rest : Size) + 31) / 32;
      const unsigned before = simt::atomic(simt::Atomic::add, arrived, 1u, 0u,
                                           simt::MemoryOrder::acquireRelease, simt::Scope::block);
      const unsigned goal = (before / warps + 1) * warps;
      while (simt::atomic(simt::Atomic::load, arrived, 0u, 0u, simt::MemoryOrder::acquire,
                          simt::Scope::block) < goal) {
      }
    }
    __syncwarp(here());
  }
  template <typename T>
  SIMT_ALWAYS_INLINE T shfl(T value, int rank) const {
    return from(value, unsigned(rank) % Size);
  }
  template <typename T>
  SIMT_ALWAYS_INLINE T shfl_down(T value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return from(value, rank + delta < Size ? rank + delta : rank);
  }
  template <typename T>
  SIMT_ALWAYS_INLINE T shfl_up(T value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return from(value, rank >= delta ? rank - delta : rank);
  }
  template <typename T>
  SIMT_ALWAYS_INLINE T shfl_xor(T value, unsigned mask) const {
    return from(value, thread_rank() ^ mask);
  }
  SIMT_ALWAYS_INLINE int any(int predicate) const { return count(predicate) > 0; }
  SIMT_ALWAYS_INLINE int all(int predicate) const { return count(predicate) == int(Size); }

 private:
  static unsigned here() {
    const unsigned rest = threadsOfBlock() - rankInBlock() / 32 * 32;
    return rest < 32 ? (1u << rest) - 1 : 0xffffffffu;
  }
  template <typename T>
  SIMT_ALWAYS_INLINE T from(T value, unsigned rank) const {
    static_assert(sizeof(T) <= 8, "tiles of several warps hand on 8 bytes");
    unsigned long long* const values = simt_large_tiles::values;
    const unsigned first = meta_group_rank() * Size;
    values[rankInBlock()] = simt::bitsOf(value);
    sync();
    const T result = simt::fromBits<T>(values[first + rank]);
    sync();
    return result;
  }
  SIMT_ALWAYS_INLINE int count(int predicate) const {
    int sum = predicate != 0;
    for (unsigned step = Size / 2; step > 0; step /= 2) sum += shfl_xor(sum, step);
    return sum;
  }
};

template <typename Parent>
class thread_block_tile<64, Parent> : public large_tile<64> {};
template <typename Parent>
class thread_block_tile<128, Parent> : public large_tile<128> {};
template <typename Parent>
class thread_block_tile<256, Parent> : public large_tile<256> {};
template <typename Parent>
class thread_block_tile<512, Parent> : public large_tile<512> {};
template <typename Parent>
class thread_block_tile<1024, Parent> : public large_tile<1024> {};

}  // namespace __v1
}  // namespace cooperative_groups
