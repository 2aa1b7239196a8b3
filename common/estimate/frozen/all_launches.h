#pragma once

#include "arithmetic_launches.h"
#include "block_launches.h"
#include "memory_launches.h"
#include "place_launches.h"

inline std::vector<Task> frozenSet(frozen::Arrays& arrays) {
  using namespace frozen;
  List list(arrays);
  for (const auto add :
       {addStreams, addPlacesOfMemory, addStencils, addTranspositions, addBothProducts, addRows,
        addScansAndSorts, addReductions, addCounting, addText, addPolynomials, addDoublesAndHalves,
        addIntegersAndFunctions, addBodies, addPartingLanes, addLocalAndConstant, addFewThreads,
        addOccupancy})
    add(arrays, list);
  return list.tasks;
}
