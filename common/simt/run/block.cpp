#include "simt/run/block.h"

#include "simt/find/deferred_loads.h"
#include "simt/find/settings.h"
#include "simt/threads/fibers.h"

namespace simt {

void prepare(Block& block, const KernelCall& call) {
  block.kernelCall = call;
  block.findFaults = settings().findFaults;
  block.fault.reset();
  block.loads = block.findFaults ? &loadCalls : nullptr;
  startFibers(block);
  for (Thread& t : block.allThreads()) t.index = indexOf(t.rank, call.block);
  block.ready.start(settings().schedule);
}

}  // namespace simt
