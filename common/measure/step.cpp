#include "measure/step.h"

#include <algorithm>
#include <stdexcept>

uint64_t gridOf(const Step& step, uint64_t n, unsigned block) {
  if (step.blocksFor) return step.blocksFor(n, block);
  return blocksFor(n, uint64_t(step.elementsPerThread) * block);
}

std::vector<Step> joinSteps(const std::vector<std::vector<Step>>& lists) {
  std::vector<Step> all;
  for (const std::vector<Step>& steps : lists) all.insert(all.end(), steps.begin(), steps.end());
  return all;
}

Step findStep(const std::vector<Step>& ladder, const std::string& name) {
  const auto step = std::ranges::find(ladder, name, &Step::name);
  if (step == ladder.end()) throw std::invalid_argument("there is no step '" + name + "'");
  return *step;
}

std::vector<Step> selectSteps(const std::vector<Step>& ladder,
                              const std::vector<std::string>& names) {
  const auto chosen = [&](const std::string& name) {
    return name.empty() || std::ranges::find(names, name) != names.end();
  };
  std::vector<Step> steps;
  for (const std::string& name : names) {
    steps.push_back(findStep(ladder, name));
    std::string& base = steps.back().basedOn;
    while (!chosen(base)) base = findStep(ladder, base).basedOn;
  }
  return steps;
}
