// The copies that the threads of a block have begun and not yet waited for (device/primitives.h).
#pragma once

#include <cstddef>

#include "simt/device/primitives.h"

namespace simt {

}  // namespace simt
