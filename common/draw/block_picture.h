// Pictures of one block's reduction: rows of elements, and arrows for what went from a row to the
// next. All that they show is what the executor saw the block do.
#pragma once

#include <string>
#include <vector>

#include "draw/stages.h"

// The picture of a block of one or two warps, for an SVG file. The same stages give the same bytes.
std::string blockPicture(const std::string& kernel, const std::vector<Stage>& stages);

// Whether a text is such a picture, and nothing else.
bool isBlockPicture(const std::string& text);
