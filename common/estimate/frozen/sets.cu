// Compiled once, for the programs that launch them.
#include "sets.h"

#include "../tests/development/arithmetic_launches.h"
#include "../tests/development/block_launches.h"
#include "../tests/development/memory_launches.h"
#include "arithmetic_launches.h"
#include "block_launches.h"
#include "memory_launches.h"
#include "place_launches.h"

LaunchSet frozenSet(size_t n, bool withFloats) {
  using namespace frozen;
  const auto arrays = std::make_shared<Arrays>(n, withFloats);
  List list(*arrays);
  for (const auto add :
       {addStreams, addPlacesOfMemory, addStencils, addTranspositions, addBothProducts, addRows,
        addScansAndSorts, addReductions, addCounting, addText, addPolynomials, addDoublesAndHalves,
        addIntegersAndFunctions, addBodies, addPartingLanes, addLocalAndConstant, addFewThreads,
        addOccupancy})
    add(*arrays, list);
  return {arrays, list.tasks};
}

LaunchSet developmentSet(size_t n, bool withFloats) {
  using namespace development;
  const auto arrays = std::make_shared<Arrays>(n, withFloats);
#if !defined(GPU_BACKEND) && !defined(__CUDA__)
  simt::adoptVariable(&table, sizeof table, sizeof(float), "table", true);
#endif
  Lists lists{*arrays};
  for (const auto add : {addAllChains, addRegistersAndFunctions, addConstantsAndLocals,
                         addPartingLanes, addFewThreads, addConflicts, addTreesAndScans, addSorts,
                         addProducts, addTranspositions, addStencils, addStrides, addStreams,
                         addLoops, addAgain, addPlaces, addAtomics, addRowsAndColumns})
    add(lists);
  return {arrays, std::move(lists.list.tasks)};
}
