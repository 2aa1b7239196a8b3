// The kernels, and who knows what their parts are.
#include "reductions.cuh"

#include "reductions.h"

MomentsOf::MomentsOf() = default;
MomentsOf::~MomentsOf() = default;

void MomentsOf::operator()(const float* data, size_t n, float2* result) {
  const unsigned blocks = blocksForAll(reinterpret_cast<const void*>(moments), n);
  if (!parts_ || parts_->size() < blocks)
    parts_ = std::make_unique<DeviceArray<Moments>>(blocks, "parts");
  launch(dim3(blocks), dim3(512), moments, data, n, parts_->data());
  launch(dim3(1), dim3(1024), joinMoments, static_cast<const Moments*>(parts_->data()), blocks,
         result);
}
