// Calls the kernels of mean_matvec.cuh.
#pragma once

#include <algorithm>
#include <bit>

#include "launch.h"
#include "mean_matvec.cuh"
#include "streams.h"

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

// The means of the entries from first to last, by blocks of 16 warps.
inline void runRowMeans(const Arrays& a, unsigned first, unsigned last, Stream stream = {}) {
  const uint64_t rows = uint64_t(last - first) * a.sizes.rows;
  launch(stream, dim3(blocksOf(rows, 16)), dim3(512), rowMeans, a.matrices, a.means, first, last,
         a.sizes);
}

inline void runRowMeansPlain(const Arrays& a) {
  const uint64_t rows = uint64_t(a.sizes.batch) * a.sizes.rows;
  launch(dim3(blocksOf(rows, 16)), dim3(512), rowMeansPlain, a.matrices, a.means, 0u, a.sizes.batch,
         a.sizes);
}

// Their products: large tiles move fewer bytes, small ones keep more multiprocessors busy.
inline void runProducts(const Arrays& a, unsigned first, unsigned last, Stream stream = {}) {
  const unsigned count = last - first;
  if (uint64_t(count) * a.sizes.rows >= 1 << 17)
    launch(stream, dim3(blocksOf(count, 64), blocksOf(a.sizes.rows, 64)), dim3(256),
           productTiles<4, 16>, a.matrix, static_cast<const double*>(a.means), a.result, first,
           last, a.sizes);
  else
    launch(stream, dim3(blocksOf(count, 16), blocksOf(a.sizes.rows, 16)), dim3(256),
           productTiles<1, 64>, a.matrix, static_cast<const double*>(a.means), a.result, first,
           last, a.sizes);
}

inline void runTiles(const Arrays& a) {
  runRowMeans(a, 0, a.sizes.batch);
  runProducts(a, 0, a.sizes.batch);
}

// Half of the batch, half of the rest, and so on, each part in a stream of its own: while a part is
// multiplied, the next is read. Only the last product, a small one, has nothing to hide behind.
inline void runOverlapped(const Arrays& a) {
  static Streams streams(5);
  streams.fork();
  unsigned first = 0;
  for (unsigned part = 0; part < 5 && first < a.sizes.batch; ++part) {
    const unsigned rest = a.sizes.batch - first;
    const unsigned last = part == 4 ? a.sizes.batch : first + (rest + 1) / 2;
    runRowMeans(a, first, last, streams[part]);
    runProducts(a, first, last, streams[part]);
    first = last;
  }
  streams.join();
}
