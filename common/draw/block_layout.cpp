#include "draw/block_layout.h"

#include <algorithm>
#include <cstdlib>

namespace block_layout {

int ElementRow::x(unsigned i) const {
  const int column = int(i % perLine);
  return left + column * pitch + column / int(sectorElements) * sectorGap;
}

// How many elements of its row a stage touches, counted from the first.
static unsigned reach(const Stage& stage, bool to) {
  unsigned end = 1;
  for (const Arrow& arrow : stage.arrows) end = std::max(end, (to ? arrow.to : arrow.from) + 1);
  for (const Arrow& keep : stage.keeps) end = std::max(end, keep.to + 1);
  return end;
}

// Between two rows: more where many arrows go far.
static int gap(const Stage& stage, unsigned threads) {
  int work = 0;
  for (const Arrow& arrow : stage.arrows)
    work += std::abs(int(arrow.from % threads) - int(arrow.to % threads));
  return 58 + std::min(60, work / 16);
}

// A row has the elements that the block touches in the step before it or after it.
std::vector<ElementRow> placeRows(const std::vector<Stage>& stages, unsigned threads) {
  std::vector<ElementRow> rows;
  for (size_t i = 0; i <= stages.size(); ++i) {
    const std::string name = i == 0 ? stages[0].from : stages[i - 1].to;
    unsigned elements = i > 0 ? reach(stages[i - 1], true) : 1;
    if (i < stages.size()) elements = std::max(elements, reach(stages[i], false));
    const bool whole = name.empty() || name == stages[0].from;
    if (whole) elements = (elements + threads - 1) / threads * threads;
    const int y = i == 0 ? top : rows.back().bottom() + gap(stages[i - 1], threads);
    rows.push_back({name, elements, threads, y});
  }
  return rows;
}

}  // namespace block_layout
