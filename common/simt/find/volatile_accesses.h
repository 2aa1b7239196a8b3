// Accesses to what is volatile. PTX takes them for relaxed ones of the whole system: two of them,
// or one and an atomic, are no race by themselves, and they order what lies behind them only
// together with fences. That lanes run in lock-step, or that a warp is done, volatile does not
// promise.
#pragma once

#include "simt/hardware/requests.h"
#include "simt/threads/thread.h"

namespace simt {

// The running thread is about to announce this one.
void noteVolatileAccess(Thread& self, const void* address, Access kind, const void* pc);
// It has had its turn back since, and makes it now.
void orderByVolatile(const Thread& self, const void* address, Access kind);
// Blocks that load so from global memory are not independent.
void noteVolatileTalk(const void* address);

}  // namespace simt
