#include "rows.h"

#include "cuda/launch.h"
#include "row_reductions.cuh"

template <typename Reduction>
RowReduction<Reduction>::RowReduction() = default;
template <typename Reduction>
RowReduction<Reduction>::~RowReduction() = default;

template <typename Reduction>
static void (*byLanes(unsigned lanes))(Rows, float2*) {
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
void RowReduction<Reduction>::operator()(Rows rows, float2* results, RowsShape shape) {
  if (rows.count == 0) return;
  if (shape.lanes > 0) {
    const size_t threads = rows.count * shape.lanes;
    launch(dim3(unsigned((threads + shape.threads - 1) / shape.threads)), dim3(shape.threads),
           byLanes<Reduction>(shape.lanes), rows, results);
    return;
  }
  makeRoom(rows.count, shape.blocksPerRow);
  launch(dim3(unsigned(rows.count * shape.blocksPerRow)), dim3(shape.threads),
         rowsByBlocks<Reduction>, rows, results, shape.blocksPerRow, parts_->data(),
         blocksDone_->data());
}

template <typename Reduction>
void RowReduction<Reduction>::makeRoom(size_t rows, unsigned blocksPerRow) {
  if (!blocksDone_ || blocksDone_->size() < rows) {
    blocksDone_ = std::make_unique<DeviceArray<unsigned>>(rows, "blocksDone");
    const std::vector<unsigned> none(rows, 0);
    blocksDone_->copyFromHost(none.data());
  }
  if (!parts_ || parts_->size() < rows * blocksPerRow)
    parts_ = std::make_unique<DeviceArray<Reduction>>(rows * blocksPerRow, "parts");
}

template class RowReduction<Moments>;
template class RowReduction<SoftmaxSum>;
