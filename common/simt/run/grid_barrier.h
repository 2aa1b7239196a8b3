// The blocks of a cooperative launch, or of a cluster: they take turns, each up to the next barrier
// of the grid or the cluster.
#pragma once

#include "simt/run/running_launch.h"

namespace simt {

void runSideBySide(Launch& launch);
// Whether it is in the shared memory of another block of the running cluster.
bool isSharedOfAnother(uintptr_t address, size_t size);

}  // namespace simt
