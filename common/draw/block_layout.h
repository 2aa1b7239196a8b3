// Where the rows of a block's picture lie. Lengths are in units of the picture.
#pragma once

#include <string>
#include <vector>

#include "draw/stages.h"

namespace block_layout {

inline constexpr unsigned sectorElements = 8;
inline constexpr int pitch = 11, cell = 10, sectorGap = 3;  // of the elements in a row
inline constexpr int left = 166, right = 196, margin = 14, top = 106;
inline constexpr int lineHeight = 16;  // of a row with more than one line of elements

// An array, or the threads' registers: as many elements in a line as the block has threads.
struct ElementRow {
  std::string name;  // of the array; registers: empty
  unsigned elements = 0, perLine = 0;
  int y = 0;

  unsigned lines() const { return (elements + perLine - 1) / perLine; }
  int bottom() const { return y + int(lines() - 1) * lineHeight + cell; }
  int x(unsigned i) const;
  int lineOf(unsigned i) const { return y + int(i / perLine) * lineHeight; }
};

// One row more than there are stages: each stage goes from a row to the next.
std::vector<ElementRow> placeRows(const std::vector<Stage>& stages, unsigned threads);

}  // namespace block_layout
