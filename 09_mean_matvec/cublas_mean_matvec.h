// The library's answer: the means as a product with a vector of 1 / columns by cublasDgemv, and the
// products by cublasDgemm. GPU only.
#pragma once

#include "cpu_mean_matvec.h"
#include "cuda/streams.h"

// The means, or the products of means, of the entries from first to last, in a stream. They wait
// for nothing. Throw Error.
void cublasMeans(const Arrays& arrays, unsigned first, unsigned last, Stream stream = {});
void cublasProducts(const Arrays& arrays, unsigned first, unsigned last, Stream stream = {});
