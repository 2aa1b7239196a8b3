// Calls the kernels that leave a total on the device, with the grid that suits the input.
#include "whole_sum.h"

#include <algorithm>

#include "measure/step.h"
#include "shuffle.cuh"
#include "single_pass.cuh"
#include "single_pass.h"

template <>
auto SinglePassKernel<Sum<long long>, int>::pointer() -> Pointer {
  return singlePass<Sum<long long>, int>;
}

const long long* singlePassSum(const int* data, size_t n, long long* total) {
  static SinglePass<Sum<long long>, int> sum;
  sum(data, n, total);
  return total;
}

uint64_t singlePassBlocks(uint64_t n, unsigned) {
  return SinglePass<Sum<long long>, int>::shapeFor(n).grid;
}

// Of the shapes for large inputs none is best on every GPU. 1,024 threads stand at the roof on an
// H100, whose memory bus is 5,120 bits wide, 512 on an H200 (roof/README.md).
AtomicShape atomicPerBlockShape(uint64_t n) {
  static const bool likeAnH100 = memoryBusBits() == 5120;
  if (n <= 1 << 13) return shapeOf(n, 128, 1, 1);
  if (n <= 1 << 17) return shapeOf(n, 128, 1, 4);
  if (n <= 1 << 23) return shapeOf(n, 256, 1, 4);
  if (n <= 1 << 25) return shapeOf(n, 512, 1, 4);
  return likeAnH100 ? shapeOf(n, 1024, 1, 4) : shapeOf(n, 512, 2, 4);
}

AtomicShape shapeOf(uint64_t n, unsigned threads, unsigned rounds, unsigned loads) {
  const uint64_t perBlock = uint64_t(4) * rounds * loads * threads;
  return {threads, rounds, loads, std::max<uint64_t>(1, blocksFor(n, perBlock))};
}

uint64_t atomicPerBlockBlocks(uint64_t n, unsigned) { return atomicPerBlockShape(n).blocks; }

const long long* atomicPerBlockSum(const int* data, size_t n, long long*) {
  return sumInShape(data, n, atomicPerBlockShape(n));
}

const long long* sumInShape(const int* data, size_t n, const AtomicShape& shape) {
  static AlternatingTotals totals;
  unsigned long long* const total = totals.next();
  launch(dim3(unsigned(shape.blocks)), dim3(shape.threads),
         shape.among(atomicPerBlock<1, 1>, atomicPerBlock<1, 4>, atomicPerBlock<2, 4>), data, n,
         total, totals.other());
  return reinterpret_cast<const long long*>(total);
}

// Two rounds of four loads for each of 512 threads: 64 KiB for a block.
uint64_t atomicTotalBlocks(uint64_t n, unsigned) { return shapeOf(n, 512, 2, 4).blocks; }

const long long* atomicTotalSum(const int* data, size_t n, long long* total) {
  clearOnDevice(total, 1);
  launch(dim3(unsigned(atomicTotalBlocks(n, 0))), dim3(512), atomicTotal, data, n,
         reinterpret_cast<unsigned long long*>(total));
  return total;
}

// As many blocks of gridStride as fit on the GPU at once; more where a 32-bit block sum could
// overflow (2^22 elements of 255 fit in it).
uint64_t gridStrideBlocks(uint64_t n, unsigned block) {
  const uint64_t fit =
      uint64_t(blocksThatFit(reinterpret_cast<const void*>(gridStride), block)) * multiprocessors();
  return std::min(blocksFor(n, 16 * block), std::max(fit, n >> 22));
}
