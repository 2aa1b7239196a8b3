// The calls that a kernel's barriers, warp operations and atomics make into the executor. Each
// reports a Fault when the calling threads cannot complete it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>

struct dim3;

namespace simt {

enum class Vote { any, all, ballot, active };
enum class Shuffle { index, up, down, exclusiveOr };
enum class Atomic { add, sub, min, max, exch, cas, inc, dec, bitAnd, bitOr, bitXor, load, store };
// How an atomic orders other accesses: legacy is that of CUDA's atomicAdd and its kin, which
// publish what a fence before them has fenced, and see what others published.
enum class MemoryOrder { legacy, relaxed, acquire, release, acquireRelease };
enum class Scope { block, device };
enum class Reduce { add, min, max, bitAnd, bitOr, bitXor };

// Where a barrier is called: its line and column, as an argument's default value.
#ifdef __clang__
#define SIMT_HERE (__builtin_LINE() ^ __builtin_COLUMN() << 19)
#else
#define SIMT_HERE (__builtin_LINE() ^ int(std::source_location::current().column() << 19))
#endif
// mode: 0 plain, 1 count, 2 and, 3 or, 4 of a barrier of the grid. The place tells barriers apart,
// also those whose calls the compiler merged or doubled.
constexpr int gridBarrierMode = 4;
int blockBarrier(int predicate, int mode, int place);
[[gnu::pure]] bool isOnDevice() noexcept;  // as if __CUDA_ARCH__ were asked for
void warpBarrier(unsigned mask);
unsigned vote(Vote kind, unsigned mask, bool predicate);
uint64_t shuffle(Shuffle kind, unsigned mask, uint64_t bits, int lane, int width);
uint32_t reduce(Reduce kind, bool isSigned, unsigned mask, uint32_t value);
template <typename T>
T atomic(Atomic kind, T* address, T value, T compare = T(), MemoryOrder order = MemoryOrder::legacy,
         Scope scope = Scope::device);  // defined for the types used below
// What an exchange is about to take away. Where nobody uses it, the compiler leaves this call out,
// and the exchange that follows is a store.
template <typename T>
[[gnu::pure]] T valueToExchange(const T* address) noexcept;
template <typename T>
[[gnu::always_inline]] inline T exchange(T* address, T value,
                                         MemoryOrder order = MemoryOrder::legacy,
                                         Scope scope = Scope::device) {
  const T old = valueToExchange(address);
  atomic(Atomic::exch, address, value, T(), order, scope);
  return old;
}
void fence(Scope scope);
// A barrier of all blocks of a cooperative launch.
void gridBarrier(int place);
// Of all blocks of a cluster, and how many these are in each direction; and where another one of
// them, by its rank, has what the running one has at this place of its shared memory.
void clusterBarrier(int place);
dim3 clusterSize();
void* sharedOfBlock(void* mine, unsigned rank);

// A barrier of some threads of a block, known by its address: cuda::barrier, cuda::latch. Who
// arrives for so many of those expected gets the number of the phase that this ends a part of.
unsigned arriveAtPart(const void* barrier, unsigned expected, unsigned arriving,
                      bool drops = false);
void waitAtPart(const void* barrier, unsigned phase);  // until the phase is over
bool isPartOver(const void* barrier, unsigned phase);
bool isParityOver(const void* barrier, unsigned parity);  // of the phase's number
void beginPart(const void* barrier);                      // anew, with phase 0
// bar.sync id, threads and bar.arrive; 0 threads: all of the block.
void namedBarrier(unsigned id, unsigned threads, bool waits);

// Copies from global to shared memory that a thread begins and later waits for (cp.async): they
// happen when it waits, so that what reads their place before finds what was there. As many bytes
// as these, and zeros behind them; both ends are aligned to pieces of 16, 8 or 4 bytes, or are
// copied byte by byte.
void beginCopy(void* to, const void* from, size_t bytes, size_t zeros = 0);
void commitCopies();                 // what was begun since is one group
void waitForCopies(unsigned prior);  // for all groups but the last ones, so many
void waitForAllCopies();             // also for what is in no group yet

[[noreturn]] void assertFailed(const char* condition, const char* file, int line);

}  // namespace simt
