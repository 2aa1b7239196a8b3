// Tiles of 64 to 1,024 threads: part of cooperative_groups.h.
#pragma once

namespace cooperative_groups {
inline namespace __v1 {

// Shared memory for tiles of several warps: a barrier for each tile of each size, and what threads
// hand to each other.
struct simt_large_tiles {
  alignas(256) static inline thread_local char barriers[32] __attribute__((used));
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
    const void* const barrier = &simt_large_tiles::barriers[1024 / Size + meta_group_rank()];
    const unsigned rest = threadsOfBlock() - meta_group_rank() * Size;
    simt::waitAtPart(barrier, simt::arriveAtPart(barrier, rest < Size ? rest : Size, 1));
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
