// The barrier of all blocks of a cooperative launch.
#pragma once

namespace simt {

void gridBarrier(int line);

}  // namespace simt
