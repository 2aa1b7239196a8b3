// Calls the kernels of softmax.cuh in the shape that suits the length of the rows.
#pragma once

#include "cuda/device.h"
#include "measure/step.h"
#include "rows.h"
#include "softmax.cuh"

// lanes for each row, or blocks for each row; or neither: then it is read twice.
struct SoftmaxShape {
  unsigned lanes, blocksPerRow, threads;
};

// Blocks of so many threads that may wait for each other on the GPU in use.
inline unsigned softmaxBlocksAtOnce(unsigned threads) {
  return blocksThatFit(reinterpret_cast<const void*>(softmaxByBlocks), threads) * multiprocessors();
}

inline SoftmaxShape softmaxShape(size_t length) {
  const size_t vectors = length / 8 + 1;
  if (vectors <= 32 * keptByLanes)
    return {unsigned(std::bit_ceil((vectors + keptByLanes - 1) / keptByLanes)), 0, 256};
  for (const unsigned threads : {128, 256, 512})
    if (vectors <= threads * keptByBlocks) return {0, 1, threads};
  const size_t blocks = (vectors + 512 * keptByBlocks - 1) / (512 * keptByBlocks);
  return {0, blocks <= softmaxBlocksAtOnce(512) ? unsigned(blocks) : 0, 512};
}

// The softmax of the rows of matrices on the device. Owns what the blocks share; one call at a
// time.
class RowSoftmax {
 public:
  // Leaves every element's at out, on the device, which is as large as the matrix and also begins
  // at a 16-byte boundary. Throws Error.
  void operator()(Rows rows, __nv_bfloat16* out) { (*this)(rows, out, softmaxShape(rows.length)); }

  // A row has to fit into the shape: keptByLanes vectors of eight for each lane, keptByBlocks for
  // each thread of its blocks. threads: a multiple of 32, up to 256 with lanes and 512 with blocks.
  void operator()(Rows rows, __nv_bfloat16* out, SoftmaxShape shape) {
    if (rows.count == 0) return;
    if (shape.lanes > 0) {
      launch(dim3(unsigned(blocksFor(rows.count * shape.lanes, shape.threads))),
             dim3(shape.threads), kernelFor(shape.lanes), rows, out);
    } else if (shape.blocksPerRow == 1) {
      launch(dim3(unsigned(rows.count)), dim3(shape.threads), softmaxByBlocks, rows, out, 1u,
             static_cast<SoftmaxSum*>(nullptr), static_cast<unsigned*>(nullptr));
    } else if (shape.blocksPerRow > 1) {
      together(rows, out, shape);
    } else {
      readTwice(rows, out);
    }
  }

  // The straightforward way, for rows of any length: two launches.
  void readTwice(Rows rows, __nv_bfloat16* out) {
    if (rows.count == 0) return;
    if (!sums_ || sums_->size() < rows.count)
      sums_ = std::make_unique<DeviceArray<float2>>(rows.count, "sums");
    reduce_(rows, sums_->data());
    launch(dim3(unsigned(rows.count * rows.length / 8 / (4 * 256) + 1)), dim3(256), softmaxFromSums,
           rows, static_cast<const float2*>(sums_->data()), out);
  }

 private:
  void together(Rows rows, __nv_bfloat16* out, SoftmaxShape shape) {
    if (!parts_ || parts_->size() < rows.count * shape.blocksPerRow)
      parts_ = std::make_unique<DeviceArray<SoftmaxSum>>(rows.count * shape.blocksPerRow, "parts");
    if (!blocksDone_ || blocksDone_->size() < rows.count) {
      blocksDone_ = std::make_unique<DeviceArray<unsigned>>(rows.count, "blocksDone");
      blocksDone_->copyFromHost(std::vector<unsigned>(rows.count, 0).data());
    }
    const size_t atATime =
        std::min<size_t>(rows.count, softmaxBlocksAtOnce(shape.threads) / shape.blocksPerRow);
    launchCooperatively(dim3(unsigned(atATime) * shape.blocksPerRow), dim3(shape.threads),
                        softmaxByBlocks, rows, out, shape.blocksPerRow, parts_->data(),
                        blocksDone_->data());
  }
  static void (*kernelFor(unsigned lanes))(Rows, __nv_bfloat16*) {
    switch (lanes) {
      case 1: return softmaxByLanes<1>;
      case 2: return softmaxByLanes<2>;
      case 4: return softmaxByLanes<4>;
      case 8: return softmaxByLanes<8>;
      case 16: return softmaxByLanes<16>;
      default: return softmaxByLanes<32>;
    }
  }

  RowReduction<SoftmaxSum> reduce_;
  std::unique_ptr<DeviceArray<float2>> sums_;
  std::unique_ptr<DeviceArray<SoftmaxSum>> parts_;
  std::unique_ptr<DeviceArray<unsigned>> blocksDone_;
};
