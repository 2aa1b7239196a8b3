// The kernels of mean_matvec.cuh, and what version_calls.h chooses from among those of several
// shapes.
#include "mean_matvec.cuh"
#include "version_calls.h"

template <bool evictFirst>
static RowMeansKernel rowMeansBy(unsigned lanes) {
  switch (lanes) {
    case 4: return rowMeans<4, evictFirst>;
    case 8: return rowMeans<8, evictFirst>;
    case 16: return rowMeans<16, evictFirst>;
    default: return rowMeans<32, evictFirst>;
  }
}
RowMeansKernel rowMeansKernel(unsigned lanes, bool evictFirst) {
  return evictFirst ? rowMeansBy<true>(lanes) : rowMeansBy<false>(lanes);
}

const ProductKernel productBySmallTiles = productTiles<1, 64>, productByTiles = productTiles<4, 16>;
const ProductKernel productBySmallTensors = productTensor<1, 64>,
                    productByTensors = productTensor<2, 32>;
