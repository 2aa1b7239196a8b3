#include "simt/grid_barrier.h"

#include "simt/block.h"
#include "simt/faults.h"
#include "simt/primitives.h"

namespace simt {

void gridBarrier(int line) {
  const dim3 grid = runningBlock().kernelCall.grid;
  if (uint64_t(grid.x) * grid.y * grid.z > 1) {
    Quiet quiet;
    raise(makeFault(Fault::Kind::barrier, "grid.sync() of more than one block is not supported",
                    {runningBlock().current}, {__builtin_return_address(0)}));
  }
  blockBarrier(0, 0, line);
}

}  // namespace simt
