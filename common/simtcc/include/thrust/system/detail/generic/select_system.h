// What every algorithm of thrust includes, and no iterator.
#pragma once

#include_next <thrust/system/detail/generic/select_system.h>

#include "shared_memory_of_libraries.h"

namespace simt {
inline const bool thrustSharesMemory = shareDeviceMemory("thrust");
}
