// The executor's header, for the GPU compiler: its functions are the device's, too.
#pragma once
#include "simt/device/cuda.h"
#pragma clang force_cuda_host_device begin
#include_next <cooperative_groups/memcpy_async.h>
#pragma clang force_cuda_host_device end
