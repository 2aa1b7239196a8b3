#include "simt/find/race_search.h"

#include "simt/find/block_races.h"
#include "simt/find/deferred_loads.h"
#include "simt/find/races.h"
#include "simt/find/searched_block.h"
#include "simt/paths/warp_log.h"

namespace simt {

void RaceSearch::begins() {
  const SearchedBlock& block = runningSearch();
  beginBlockAccesses(uint32_t(1 + numberOf(block.index, block.kernelCall().grid)));
}

void RaceSearch::ends() { checkAgainstOtherBlocks(true); }

void RaceSearch::turnEnds(bool atGridBarrier) {
  lookUpAllLoads();
  checkAgainstOtherBlocks(atGridBarrier);
  if (atGridBarrier) forgetBlockAccesses();
}

void RaceSearch::loads(unsigned warp, const Request& request) { checkLoads(warp, request); }
void RaceSearch::loadsOf(Thread& thread) { checkLoadsOf(thread); }

}  // namespace simt
