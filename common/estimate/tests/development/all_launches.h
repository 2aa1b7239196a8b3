#pragma once

#include "arithmetic_launches.h"
#include "block_launches.h"
#include "memory_launches.h"

inline std::vector<Task> developmentSet(frozen::Arrays& arrays) {
  using namespace development;
#if !defined(GPU_BACKEND) && !defined(__CUDA__)
  simt::adoptVariable(&table, sizeof table, sizeof(float), "table", true);
#endif
  Lists lists{arrays};
  for (const auto add : {addAllChains, addRegistersAndFunctions, addConstantsAndLocals,
                         addPartingLanes, addFewThreads, addConflicts, addTreesAndScans, addSorts,
                         addProducts, addTranspositions, addStencils, addStrides, addStreams,
                         addLoops, addAgain, addPlaces, addAtomics, addRowsAndColumns})
    add(lists);
  return std::move(lists.list.tasks);
}
