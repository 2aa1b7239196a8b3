// The search for races as one that is told what a block does.
#pragma once

#include "simt/paths/path_block.h"

namespace simt {

struct RaceSearch final : Observer {
  void begins() override;
  void ends() override;
  void turnEnds(bool atGridBarrier) override;
  void loads(unsigned warp, const Request& request) override;
  void loadsOf(Thread& thread) override;
};

}  // namespace simt
