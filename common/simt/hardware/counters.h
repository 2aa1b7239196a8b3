// What the executor counts during a launch: totals over all blocks. The one list of counters: what
// prints, writes, reads or compares them goes through simt::counterList.
#pragma once

#include <cstdint>

namespace simt {

// A request is one warp-level instruction with at least one active lane; a sector is a 32-byte
// piece of global memory. Conflicts are the extra passes through the 32 shared-memory banks.
struct Counters {
  uint64_t load_requests = 0, load_sectors = 0;
  uint64_t store_requests = 0, store_sectors = 0;
  uint64_t shared_load_requests = 0, shared_load_conflicts = 0;
  uint64_t shared_store_requests = 0, shared_store_conflicts = 0;
  uint64_t divergent_branches = 0;
  uint64_t barriers = 0;  // one for each time a whole block passes __syncthreads
  uint64_t shuffles = 0;  // warp-level instructions
  uint64_t atomics = 0;   // warp-level instructions
  // How often lanes had to wait as another lane of the request updated the same address.
  uint64_t atomic_conflicts = 0;
  uint64_t memory_lanes = 0;  // active lanes of all requests together

  // Requests of all kinds, to global and to shared memory.
  uint64_t memoryRequests() const {
    return load_requests + store_requests + shared_load_requests + shared_store_requests + atomics;
  }
  // Average number of active lanes per memory request, from 0 (no requests) to 32.
  double activeLanes() const {
    return memoryRequests() == 0 ? 0.0 : double(memory_lanes) / double(memoryRequests());
  }

  bool operator==(const Counters&) const = default;
  Counters& operator+=(const Counters& other);
  Counters& operator-=(const Counters& other);
};

// A counter, its name in result files, its title in tables, and the metric of Nsight Compute that
// counts the same ("" where there is none).
using Counter = uint64_t Counters::*;
struct CounterInfo {
  Counter member;
  const char *name, *title, *metric;
};
inline constexpr CounterInfo counterList[] = {
    {&Counters::load_requests, "load_requests", "load requests",
     "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"},
    {&Counters::load_sectors, "load_sectors", "load sectors",
     "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"},
    {&Counters::store_requests, "store_requests", "store requests",
     "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"},
    {&Counters::store_sectors, "store_sectors", "store sectors",
     "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"},
    {&Counters::shared_load_requests, "shared_load_requests", "shared load requests", ""},
    {&Counters::shared_load_conflicts, "shared_load_conflicts", "shared load conflicts",
     "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"},
    {&Counters::shared_store_requests, "shared_store_requests", "shared store requests", ""},
    {&Counters::shared_store_conflicts, "shared_store_conflicts", "shared store conflicts",
     "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"},
    {&Counters::divergent_branches, "divergent_branches", "divergent branches",
     "smsp__sass_branch_targets_threads_divergent.sum"},
    {&Counters::barriers, "barriers", "barriers", ""},
    {&Counters::shuffles, "shuffles", "shuffles", ""},
    {&Counters::atomics, "atomics", "atomics", ""},
    {&Counters::atomic_conflicts, "atomic_conflicts", "atomic conflicts", ""}};

inline Counters& Counters::operator+=(const Counters& other) {
  for (const CounterInfo& counter : counterList) this->*counter.member += other.*counter.member;
  memory_lanes += other.memory_lanes;
  return *this;
}
inline Counters& Counters::operator-=(const Counters& other) {
  for (const CounterInfo& counter : counterList) this->*counter.member -= other.*counter.member;
  memory_lanes -= other.memory_lanes;
  return *this;
}

}  // namespace simt
