// thrust's header of this name, which has thrust::cuda::par with nvcc, too.
#pragma once

#include_next <thrust/execution_policy.h>

#include "thrust/system/cuda/execution_policy.h"
