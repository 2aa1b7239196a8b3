// The blocks of a cooperative launch: they take turns, each up to the next barrier of the grid.
#pragma once

#include "simt/run/running_launch.h"

namespace simt {

void runSideBySide(Launch& launch);

}  // namespace simt
