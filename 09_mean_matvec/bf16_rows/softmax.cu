#include "softmax.h"

#include <bit>

#include "cuda/device.h"
#include "cuda/launch.h"
#include "measure/step.h"
#include "softmax.cuh"

// Several blocks share the vectors that a row touches, also those at its ends.
size_t SoftmaxShape::mostElements() const {
  if (lanes > 0) return 8 * size_t(keptByLanes * lanes);
  if (blocksPerRow == 1) return 8 * size_t(keptByBlock * threads);
  return blocksPerRow > 1 ? 8 * size_t(keptByBlocks * threads) * blocksPerRow - 14 : SIZE_MAX;
}

// Blocks of so many threads that may wait for each other on the GPU in use.
static unsigned softmaxBlocksAtOnce(unsigned threads) {
  return blocksThatFit(reinterpret_cast<const void*>(softmaxByBlocks), threads) * multiprocessors();
}

// These were the best of many on an H200.
SoftmaxShape softmaxShape(size_t length) {
  const auto times = [=](size_t vectors) { return unsigned((length + 14) / (8 * vectors) + 1); };
  if (length <= 8 * 32 * keptByLanes)
    return {std::clamp(std::bit_ceil(times(keptByLanes)), 2u, 32u), 0, 128};
  if (length <= 8 * 256 * keptByBlock) return {0, 1, std::min(256u, 32 * times(32 * keptByBlock))};
  const unsigned blocks = std::max(2u, times(512 * keptByBlocks));
  return {0, blocks <= softmaxBlocksAtOnce(512) ? blocks : 0, 512};
}

RowSoftmax::RowSoftmax() = default;
RowSoftmax::~RowSoftmax() = default;

static void (*byLanes(unsigned lanes))(Rows, __nv_bfloat16*) {
  switch (lanes) {
    case 1: return softmaxByLanes<1>;
    case 2: return softmaxByLanes<2>;
    case 4: return softmaxByLanes<4>;
    case 8: return softmaxByLanes<8>;
    case 16: return softmaxByLanes<16>;
    default: return softmaxByLanes<32>;
  }
}

void RowSoftmax::operator()(Rows rows, __nv_bfloat16* out, SoftmaxShape shape) {
  if (rows.count == 0) return;
  if (shape.lanes > 0)
    launch(dim3(unsigned(blocksFor(rows.count * shape.lanes, shape.threads))), dim3(shape.threads),
           byLanes(shape.lanes), rows, out);
  else if (shape.blocksPerRow == 1)
    launch(dim3(unsigned(rows.count)), dim3(shape.threads), softmaxByBlock, rows, out);
  else if (shape.blocksPerRow > 1)
    together(rows, out, shape);
  else
    readTwice(rows, out);
}

void RowSoftmax::readTwice(Rows rows, __nv_bfloat16* out) {
  if (rows.count == 0) return;
  if (!sums_ || sums_->size() < rows.count)
    sums_ = std::make_unique<DeviceArray<float2>>(rows.count, "sums");
  reduce_(rows, sums_->data());
  launch(dim3(unsigned(rows.count * rows.length / 8 / (4 * 256) + 1)), dim3(256), softmaxFromSums,
         rows, static_cast<const float2*>(sums_->data()), out);
}

// Two sets of places, in turn: every launch clears the other one.
void RowSoftmax::together(Rows rows, __nv_bfloat16* out, SoftmaxShape shape) {
  const size_t needed = rows.count * shape.blocksPerRow;
  if (!parts_[0] || parts_[0]->size() < needed)
    for (auto& parts : parts_) {
      parts = std::make_unique<DeviceArray<PlaceOfPart>>(needed, "parts");
      parts->copyFromHost(std::vector<PlaceOfPart>(needed, PlaceOfPart{0}).data());
    }
  turn_ ^= 1;
  const size_t atATime =
      std::min<size_t>(rows.count, softmaxBlocksAtOnce(shape.threads) / shape.blocksPerRow);
  launchCooperatively(dim3(unsigned(atATime) * shape.blocksPerRow), dim3(shape.threads),
                      softmaxByBlocks, rows, out, shape.blocksPerRow, parts_[turn_]->data(),
                      parts_[turn_ ^ 1]->data(), parts_[0]->size());
}
