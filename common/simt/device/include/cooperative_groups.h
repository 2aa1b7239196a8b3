// CUDA's cooperative groups, for the executor: a block, tiles of a warp, the lanes that came
// together, and the grid of a cooperative launch. A group of lanes is a mask of its warp.
#pragma once

#include "simt/device/names_begin.h"

#include <type_traits>

#include "simt/device/cuda.h"

namespace cooperative_groups {

inline namespace __v1 {

enum class group_kind : unsigned char { block, lanes, grid };

// Any group; what the others are made of.
class thread_group {
 public:
  SIMT_ALWAYS_INLINE void sync(int place = SIMT_HERE) const {
    if (kind_ == group_kind::block)
      __syncthreads(place);
    else
      __syncwarp(mask_);
  }
  unsigned long long size() const {
    return kind_ == group_kind::block ? threadsOfBlock() : lanes();
  }
  unsigned long long num_threads() const { return size(); }
  unsigned long long thread_rank() const {
    return kind_ == group_kind::block ? rankInBlock() : rankOf(mask_);
  }
  bool is_valid() const { return true; }

 protected:
  thread_group(group_kind kind, unsigned mask) : mask_(mask), kind_(kind) {}
  unsigned lanes() const { return unsigned(__builtin_popcount(mask_)); }
  static unsigned threadsOfBlock() { return blockDim.x * blockDim.y * blockDim.z; }
  static unsigned rankInBlock() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  static unsigned lane() { return rankInBlock() % 32; }
  static unsigned rankOf(unsigned mask) {
    return unsigned(__builtin_popcount(mask & ((1u << lane()) - 1)));
  }
  unsigned mask_;
  group_kind kind_;
  friend thread_group tiled_partition(const thread_group& group, unsigned size);
};

class thread_block : public thread_group {
 public:
  thread_block() : thread_group(group_kind::block, 0) {}
  static void sync(int place = SIMT_HERE) { __syncthreads(place); }
  // Who has arrived may go on: here all wait for each other where they wait.
  struct arrival_token {};
  static arrival_token barrier_arrive() { return {}; }
  static void barrier_wait(arrival_token&&, int place = SIMT_HERE) { __syncthreads(place); }
  static unsigned size() { return threadsOfBlock(); }
  static unsigned num_threads() { return threadsOfBlock(); }
  static unsigned thread_rank() { return rankInBlock(); }
  static dim3 group_index() { return blockIdx; }
  static dim3 thread_index() { return threadIdx; }
  static dim3 group_dim() { return blockDim; }
  static dim3 dim_threads() { return blockDim; }
};
inline thread_block this_thread_block() { return {}; }
// What tiles of more than 32 threads need is the executor's own here.
template <unsigned MaxBlockSize = 1024>
struct block_tile_memory {};
template <unsigned MaxBlockSize>
thread_block this_thread_block(block_tile_memory<MaxBlockSize>&) {
  return {};
}

// The lanes of a warp that the mask names: what tiles and coalesced groups share.
class lane_group : public thread_group {
 public:
  explicit lane_group(unsigned mask) : thread_group(group_kind::lanes, mask) {}
  SIMT_ALWAYS_INLINE void sync() const { __syncwarp(mask_); }
  unsigned size() const { return lanes(); }
  unsigned num_threads() const { return lanes(); }
  unsigned thread_rank() const { return rankOf(mask_); }
  unsigned simt_mask() const { return mask_; }

  template <typename T>
  SIMT_ALWAYS_INLINE T shfl(T value, int rank) const {
    return __shfl_sync(mask_, value, laneOf(unsigned(rank) % lanes()));
  }
  template <typename T>
  SIMT_ALWAYS_INLINE T shfl_down(T value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return __shfl_sync(mask_, value, laneOf(rank + delta < lanes() ? rank + delta : rank));
  }
  template <typename T>
  SIMT_ALWAYS_INLINE T shfl_up(T value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return __shfl_sync(mask_, value, laneOf(rank >= delta ? rank - delta : rank));
  }
  SIMT_ALWAYS_INLINE int any(int p) const { return __any_sync(mask_, p); }
  SIMT_ALWAYS_INLINE int all(int p) const { return __all_sync(mask_, p); }
  SIMT_ALWAYS_INLINE unsigned ballot(int p) const { return packed(__ballot_sync(mask_, p)); }
  template <typename T>
  SIMT_ALWAYS_INLINE unsigned match_any(T value) const {
    return packed(__match_any_sync(mask_, value));
  }
  template <typename T>
  SIMT_ALWAYS_INLINE unsigned match_all(T value, int& all) const {
    return packed(__match_all_sync(mask_, value, &all));
  }

 protected:
  // The lane of a rank, and lanes' bits as ranks' bits.
  int laneOf(unsigned rank) const {
    unsigned left = mask_;
    for (; rank > 0; --rank) left &= left - 1;
    return __builtin_ctz(left);
  }
  unsigned packed(unsigned lanesOfWarp) const {
    unsigned result = 0, rank = 0;
    for (unsigned left = mask_; left != 0; left &= left - 1, ++rank)
      result |= (lanesOfWarp >> __builtin_ctz(left) & 1) << rank;
    return result;
  }
};

class coalesced_group : public lane_group {
 public:
  using lane_group::lane_group;
  unsigned meta_group_size() const { return 1; }
  unsigned meta_group_rank() const { return 0; }
};
SIMT_ALWAYS_INLINE coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

// How many threads of a block lie in the group that was cut into tiles; 0: all.
template <typename Parent>
constexpr unsigned simt_threads_of = 0;

// Aligned pieces of 1, 2, 4, 8, 16 or 32 lanes.
template <unsigned Size, typename Parent = thread_block>
class thread_block_tile : public lane_group {
  static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                "tiles of a power of two threads, 1024 at most");

 public:
  thread_block_tile() : lane_group(maskHere()) {}
  template <typename Other>
  thread_block_tile(const thread_block_tile<Size, Other>& other)
      : lane_group(maskHere()), parent_(other.parent_) {}
  static constexpr unsigned size() { return Size; }
  static constexpr unsigned num_threads() { return Size; }
  static unsigned thread_rank() { return rankInBlock() % Size; }
  unsigned meta_group_rank() const {
    return (parent_ ? rankInBlock() % parent_ : rankInBlock()) / Size;
  }
  unsigned meta_group_size() const {
    return ((parent_ ? parent_ : threadsOfBlock()) + Size - 1) / Size;
  }

  template <typename T>
  SIMT_ALWAYS_INLINE T shfl(T value, int rank) const {
    return __shfl_sync(mask_, value, rank, Size);
  }
  template <typename T>
  SIMT_ALWAYS_INLINE T shfl_down(T value, unsigned delta) const {
    return __shfl_down_sync(mask_, value, delta, Size);
  }
  template <typename T>
  SIMT_ALWAYS_INLINE T shfl_up(T value, unsigned delta) const {
    return __shfl_up_sync(mask_, value, delta, Size);
  }
  template <typename T>
  SIMT_ALWAYS_INLINE T shfl_xor(T value, unsigned laneMask) const {
    return __shfl_xor_sync(mask_, value, int(laneMask), Size);
  }

 private:
  static unsigned maskHere() {
    const unsigned all = Size == 32 ? 0xffffffffu : (1u << Size % 32) - 1;
    return all << (lane() & ~(Size - 1));
  }
  template <unsigned, typename>
  friend class thread_block_tile;
  unsigned parent_ = simt_threads_of<Parent>;
};
template <unsigned Size, typename Parent>
constexpr unsigned simt_threads_of<thread_block_tile<Size, Parent>> = Size;

}  // namespace __v1
}  // namespace cooperative_groups

#ifndef __CUDA__  // by clang++, for estimates: these tiles have none
#include "cooperative_groups/large_tiles.h"
#endif

namespace cooperative_groups {
inline namespace __v1 {

template <unsigned Size, typename Parent>
inline thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
  return {};
}
inline thread_group tiled_partition(const thread_group& group, unsigned size) {
  const unsigned all = size >= 32 ? 0xffffffffu : (1u << size) - 1;
  (void)group;
  return {group_kind::lanes, all << (thread_group::lane() & ~(size - 1))};
}
// The lanes of a group that bring the same label, or the same truth.
template <typename Group, typename T>
SIMT_ALWAYS_INLINE coalesced_group labeled_partition(const Group& group, T label) {
  return coalesced_group(__match_any_sync(group.simt_mask(), label));
}
template <typename Group>
SIMT_ALWAYS_INLINE coalesced_group binary_partition(const Group& group, bool predicate) {
  const unsigned yes = __ballot_sync(group.simt_mask(), predicate);
  return coalesced_group(predicate ? yes : group.simt_mask() & ~yes);
}

// All blocks of a cooperative launch.
class grid_group {
 public:
  void sync(int place = SIMT_HERE) const { simt::gridBarrier(place); }
  struct arrival_token {};
  static arrival_token barrier_arrive() { return {}; }
  void barrier_wait(arrival_token&&, int place = SIMT_HERE) const { sync(place); }
  bool is_valid() const { return true; }
  static unsigned long long size() { return num_blocks() * thread_block::size(); }
  static unsigned long long num_threads() { return size(); }
  static unsigned long long num_blocks() {
    return (unsigned long long)(gridDim.x) * gridDim.y * gridDim.z;
  }
  static unsigned long long block_rank() {
    return ((unsigned long long)(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  static unsigned long long thread_rank() {
    return block_rank() * thread_block::size() + thread_block::thread_rank();
  }
  static dim3 group_dim() { return gridDim; }
  static dim3 dim_blocks() { return gridDim; }
  static dim3 block_index() { return blockIdx; }
};
inline grid_group this_grid() { return {}; }

// The blocks of a cluster; of a launch without clusters the block alone.
class cluster_group {
 public:
  static void sync(int place = SIMT_HERE) { simt::clusterBarrier(place); }
  struct arrival_token {};
  static arrival_token barrier_arrive() { return {}; }
  static void barrier_wait(arrival_token = {}, int place = SIMT_HERE) { sync(place); }
  static dim3 dim_blocks() { return simt::clusterSize(); }
  static dim3 block_index() {
    const dim3 size = dim_blocks();
    return {blockIdx.x % size.x, blockIdx.y % size.y, blockIdx.z % size.z};
  }
  static unsigned num_blocks() {
    const dim3 size = dim_blocks();
    return size.x * size.y * size.z;
  }
  static unsigned block_rank() { return rankOf(block_index(), dim_blocks()); }
  static unsigned num_threads() { return num_blocks() * thread_block::size(); }
  static unsigned size() { return num_threads(); }
  static unsigned thread_rank() {
    return block_rank() * thread_block::size() + thread_block::thread_rank();
  }
  static dim3 dim_threads() {
    const dim3 size = dim_blocks();
    return {size.x * blockDim.x, size.y * blockDim.y, size.z * blockDim.z};
  }
  static dim3 thread_index() {
    const dim3 at = block_index();
    return {at.x * blockDim.x + threadIdx.x, at.y * blockDim.y + threadIdx.y,
            at.z * blockDim.z + threadIdx.z};
  }
  template <typename T>
  static T* map_shared_rank(T* mine, int rank) {
    return static_cast<T*>(
        simt::sharedOfBlock(const_cast<std::remove_cv_t<T>*>(mine), unsigned(rank)));
  }
  bool is_valid() const { return true; }

 private:
  static unsigned rankOf(dim3 at, dim3 size) { return (at.z * size.y + at.y) * size.x + at.x; }
};
inline cluster_group this_cluster() { return {}; }

template <typename Group>
SIMT_ALWAYS_INLINE void sync(const Group& group, int place = SIMT_HERE) {
  if constexpr (std::is_base_of_v<lane_group, Group>)
    group.sync();
  else
    group.sync(place);
}
template <typename Group>
auto thread_rank(const Group& group) {
  return group.thread_rank();
}
template <typename Group>
auto group_size(const Group& group) {
  return group.size();
}
// One thread of the group does it.
template <typename Group, typename Function, typename... Arguments>
void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
  if (group.thread_rank() == 0) function(arguments...);
}
template <typename Group, typename Function, typename... Arguments>
auto invoke_one_broadcast(const Group& group, Function&& function, Arguments&&... arguments) {
  decltype(function(arguments...)) result{};
  if (group.thread_rank() == 0) result = function(arguments...);
  return group.shfl(result, 0);
}

}  // namespace __v1
}  // namespace cooperative_groups

#include "simt/device/names_end.h"
