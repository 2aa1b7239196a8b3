// Calls the kernels that leave a total on the device, with the grid that suits the input.
#include "whole_sum.h"

#include <algorithm>

#include "measure/step.h"
#include "shuffle.cuh"
#include "single_pass.h"

const long long* singlePassSum(const int* data, size_t n, long long* total) {
  static SinglePass<Sum<long long>, int> sum;
  sum(data, n, total);
  return total;
}

uint64_t singlePassBlocks(uint64_t n, unsigned) {
  return SinglePass<Sum<long long>, int>::shapeFor(n).grid;
}

// 1,024 threads, but for GPUs with 1,536 on a multiprocessor: there a third of them would be left
// out.
static unsigned largestBlock() {
  const auto fit = [](unsigned threads) {
    return threads * blocksThatFit(reinterpret_cast<const void*>(atomicPerBlock<1, 4>), threads);
  };
  static const unsigned largest = fit(1024) < fit(512) ? 512 : 1024;
  return largest;
}

AtomicShape atomicPerBlockShape(uint64_t n) {
  const unsigned threads = n <= 1 << 17   ? 128
                           : n <= 1 << 23 ? 256
                           : n <= 1 << 25 ? 512
                                          : largestBlock();
  if (n <= 1 << 13) return shapeOf(n, threads, 1, 1);
  return n <= 1 << 29 ? shapeOf(n, threads, 1, 4) : shapeOf(n, threads, 2, 2);
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
         shape.loads == 1   ? atomicPerBlock<1, 1>
         : shape.loads == 4 ? atomicPerBlock<1, 4>
                            : atomicPerBlock<2, 2>,
         data, n, total, totals.other());
  return reinterpret_cast<const long long*>(total);
}

// As many blocks of gridStride as fit on the GPU at once; more where a 32-bit block sum could
// overflow (2^22 elements of 255 fit in it).
uint64_t gridStrideBlocks(uint64_t n, unsigned block) {
  const uint64_t fit =
      uint64_t(blocksThatFit(reinterpret_cast<const void*>(gridStride), block)) * multiprocessors();
  return std::min(blocksFor(n, 16 * block), std::max(fit, n >> 22));
}
