// The kernels of row_reductions.cuh.
#include "rows.h"

template <typename Reduction>
auto RowsKernels<Reduction>::byLanes(unsigned lanes) -> ByLanes {
  switch (lanes) {
    case 1: return rowsByLanes<Reduction, 1>;
    case 2: return rowsByLanes<Reduction, 2>;
    case 4: return rowsByLanes<Reduction, 4>;
    case 8: return rowsByLanes<Reduction, 8>;
    case 16: return rowsByLanes<Reduction, 16>;
    default: return rowsByLanes<Reduction, 32>;
  }
}
template <typename Reduction>
auto RowsKernels<Reduction>::byBlocks() -> ByBlocks {
  return rowsByBlocks<Reduction>;
}

template struct RowsKernels<Moments>;
template struct RowsKernels<SoftmaxSum>;
