// The library's answer: the means as a product with a vector of 1 / columns by cublasDgemv, and the
// products by cublasDgemm. GPU only.
#pragma once

#include "cpu_mean_matvec.h"

// Writes means and result; waits for neither. Throws Error.
void cublasMeanMatvec(const Arrays& arrays);
