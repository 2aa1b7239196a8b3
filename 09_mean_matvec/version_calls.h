// Calls the kernels of mean_matvec.cuh.
#pragma once

#include <algorithm>
#include <bit>

#include "cpu_mean_matvec.h"  // Sizes, Arrays
#include "cuda/device.h"
#include "cuda/launch.h"
#include "cuda/streams.h"

// The kernels, in mean_matvec_kernels.cu.
__global__ void oneBlock(const double* matrices, const double* matrix, double* means,
                         double* result, Sizes s);
__global__ void blockPerEntry(const double* matrices, const double* matrix, double* means,
                              double* result, Sizes s);
__global__ void warpPerRow(const double* matrices, const double* matrix, double* means,
                           double* result, Sizes s);
__global__ void warpPerProduct(const double* matrices, const double* matrix, double* means,
                               double* result, Sizes s);
using RowMeansKernel = void (*)(const double* matrices, double* means, unsigned first,
                                unsigned last, Sizes s);
RowMeansKernel rowMeansKernel(unsigned lanes, bool evictFirst);  // lanes: 4, 8, 16 or 32
using ProductKernel = void (*)(const double* matrix, const double* means, double* result,
                               unsigned first, unsigned last, Sizes s);
extern const ProductKernel productBySmallTiles, productByTiles;      // of 16 and 64 a side
extern const ProductKernel productBySmallTensors, productByTensors;  // of 16 and 32 a side

// A power of two that covers the rows, up to 1,024 threads.
inline dim3 blockFor(Sizes s) { return dim3(std::clamp(std::bit_ceil(s.rows), 32u, 1024u)); }

inline unsigned blocksOf(uint64_t count, unsigned size) {
  return unsigned((count + size - 1) / size);
}

inline void runOneBlock(const Arrays& a) {
  launch(dim3(1), blockFor(a.sizes), oneBlock, a.matrices, a.matrix, a.means, a.result, a.sizes);
}

inline void runBlockPerEntry(const Arrays& a) {
  launch(dim3(a.sizes.batch), blockFor(a.sizes), blockPerEntry, a.matrices, a.matrix, a.means,
         a.result, a.sizes);
}

inline void runWarpPerRow(const Arrays& a) {
  launch(dim3(a.sizes.batch), blockFor(a.sizes), warpPerRow, a.matrices, a.matrix, a.means,
         a.result, a.sizes);
}

inline void runWarpPerProduct(const Arrays& a) {
  launch(dim3(a.sizes.batch), blockFor(a.sizes), warpPerProduct, a.matrices, a.matrix, a.means,
         a.result, a.sizes);
}

// The means of the entries from first to last, with eight loads in flight for as many lanes as have
// work to do.
template <bool evictFirst = true>
void runRowMeans(const Arrays& a, unsigned first, unsigned last, Stream stream = {}) {
  const unsigned columns = a.sizes.columns;
  const unsigned lanes = columns > 128 ? 32 : columns > 64 ? 16 : columns > 32 ? 8 : 4;
  const uint64_t rows = uint64_t(last - first) * a.sizes.rows;
  launch(stream, dim3(blocksOf(rows, 512 / lanes)), dim3(512), rowMeansKernel(lanes, evictFirst),
         a.matrices, a.means, first, last, a.sizes);
}

// The products of the entries from first to last by tiles of so many rows and entries.
inline void runProducts(const Arrays& a, ProductKernel kernel, unsigned side, unsigned threads,
                        unsigned first, unsigned last, Stream stream = {}) {
  launch(stream, dim3(blocksOf(last - first, side), blocksOf(a.sizes.rows, side)), dim3(threads),
         kernel, a.matrix, static_cast<const double*>(a.means), a.result, first, last, a.sizes);
}

inline bool tensorCoresWork() {
  return compiledFor(reinterpret_cast<const void*>(productByTensors), 80);
}

// Large tiles move fewer bytes; small ones, where there are few entries, keep more multiprocessors
// busy.
inline void runProductsTensor(const Arrays& a, unsigned first, unsigned last, Stream stream = {}) {
  if (uint64_t(last - first) * a.sizes.rows > 1 << 15)
    runProducts(a, productByTensors, 32, 128, first, last, stream);
  else
    runProducts(a, productBySmallTensors, 16, 128, first, last, stream);
}

inline void runTiles(const Arrays& a) {
  runRowMeans<false>(a, 0, a.sizes.batch);
  runProducts(a, productByTiles, 64, 256, 0, a.sizes.batch);
}

inline void runTilesEvictFirst(const Arrays& a) {
  runRowMeans(a, 0, a.sizes.batch);
  runProducts(a, productByTiles, 64, 256, 0, a.sizes.batch);
}

inline void runTensor(const Arrays& a) {
  runRowMeans(a, 0, a.sizes.batch);
  runProductsTensor(a, 0, a.sizes.batch);
}

// Half of the batch, half of the rest, and so on, each part in a stream of its own: while a part is
// multiplied, the next is read. Only the last product, a small one, has nothing to hide behind.
template <typename Means, typename Products>
void overlapped(const Arrays& a, Means means, Products products) {
  thread_local Streams streams(5);  // of the GPU that this thread uses
  streams.fork();
  unsigned first = 0;
  for (unsigned part = 0; part < 5 && first < a.sizes.batch; ++part) {
    const unsigned rest = a.sizes.batch - first;
    const unsigned last = part == 4 ? a.sizes.batch : first + (rest + 1) / 2;
    means(a, first, last, streams[part]);
    products(a, first, last, streams[part]);
    first = last;
  }
  streams.join();
}

inline void runOverlapped(const Arrays& a) { overlapped(a, runRowMeans<true>, runProductsTensor); }
