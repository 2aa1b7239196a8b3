// --explore of lesson 09: one small launch of a version, or of two side by side.
#pragma once

#include "program.h"

#ifndef GPU_BACKEND
#include "program/explore_page.h"

inline int exploreVersions(const Options& options, const std::vector<Version>& versions) {
  const bool own = options.sizesGiven;
  const Sizes sizes{own ? unsigned(options.sizes[0]) : 8, own ? unsigned(options.sizes[1]) : 32,
                    own ? unsigned(options.sizes[2]) : 1};
  checkMemory(sizes, startReport(options, program).machine);
  std::vector<std::string> names = options.named;
  if (names.empty()) names.push_back("v2: a block per entry");
  std::vector<Explored> launches;
  for (const std::string& name : names) {
    const Version version = chosenByName(name, versions);
    launches.push_back({version.name,
                        fmt::format("{} × {}, {} matrices", sizes.rows, sizes.columns, sizes.batch),
                        [=, seed = options.seed] {
                          Problem problem(sizes, seed);
                          problem.poison();
                          runVersion(version, problem.arrays());
                        }});
    launches.back().timed = estimatedLaunchOf(version, usualSizes);
    launches.back().timedAbout = fmt::format("{} matrices of {} × {}", usualSizes.batch,
                                             usualSizes.rows, usualSizes.columns);
    launches.back().longBlocks = true;
  }
  return writeExplorePage(options, launches);
}
#endif
