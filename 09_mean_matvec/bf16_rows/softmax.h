// The softmax of the rows of matrices, by the kernels of softmax.cuh in the shape that suits the
// length of the rows. Compiled with its kernels, in softmax.cu.
#pragma once

#include "rows.h"

struct PlaceOfPart;

// lanes for each row, or blocks for each row; or neither: then it is read twice.
struct SoftmaxShape {
  unsigned lanes, blocksPerRow, threads;

  // The longest row that fits, wherever it begins.
  size_t mostElements() const;
};
SoftmaxShape softmaxShape(size_t length);

// Owns what the blocks share; one call at a time.
class RowSoftmax {
 public:
  RowSoftmax();
  ~RowSoftmax();

  // Leaves every element's at out, on the device, which is as large as the matrix and also begins
  // at a 16-byte boundary. Throws Error.
  void operator()(Rows rows, __nv_bfloat16* out) { (*this)(rows, out, softmaxShape(rows.length)); }

  // A row has to fit into the shape. threads: a multiple of 32, up to 256, or 512 where a row has
  // several blocks.
  void operator()(Rows rows, __nv_bfloat16* out, SoftmaxShape shape);

  // The straightforward way, for rows of any length: two launches.
  void readTwice(Rows rows, __nv_bfloat16* out);

 private:
  void together(Rows rows, __nv_bfloat16* out, SoftmaxShape shape);

  RowReduction<SoftmaxSum> reduce_;
  std::unique_ptr<DeviceArray<float2>> sums_;
  std::unique_ptr<DeviceArray<PlaceOfPart>> parts_[2];
  unsigned turn_ = 0;
};
