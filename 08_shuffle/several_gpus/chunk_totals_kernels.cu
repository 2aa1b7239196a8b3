// The kernels of chunk_totals.cuh for every operator and type that several GPUs share.
#include "chunk_totals.cuh"
#include "sum_on_cards.h"

template <typename Operator, typename T, typename Value>
auto ChunkKernels<Operator, T, Value>::tileTotals() -> TileTotals {
  return ::tileTotals<Operator, T>;
}
template <typename Operator, typename T, typename Value>
auto ChunkKernels<Operator, T, Value>::chunkTotals() -> ChunkTotals {
  return ::chunkTotals<Operator>;
}

template struct ChunkKernels<Sum<long long>, int>;
template struct ChunkKernels<Sum<long long>, long long>;
template struct ChunkKernels<Sum<float>, float>;
template struct ChunkKernels<Sum<double>, double>;
template struct ChunkKernels<Minimum<int>, int>;
template struct ChunkKernels<Maximum<int>, int>;
template struct ChunkKernels<Minimum<long long>, long long>;
template struct ChunkKernels<Maximum<long long>, long long>;
template struct ChunkKernels<Minimum<float>, float>;
template struct ChunkKernels<Maximum<float>, float>;
template struct ChunkKernels<Minimum<double>, double>;
template struct ChunkKernels<Maximum<double>, double>;
