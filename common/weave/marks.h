// The marks of a page: where something is filled in, and under which name.
//
// A block stands between two lines that hold nothing else:
//
//     <!-- weave: ladder -->
//     | step | kernel ms | …
//     <!-- end weave -->
//
// A figure stands in a line of text: it is <!--=speedup-->1.87<!--/--> times as fast.
#pragma once

#include <string>
#include <vector>

#include "weave/lines.h"

struct Place {
  bool isBlock = false;
  std::string name;
  size_t line = 0;  // of the mark
};

// A page, cut at its marks: parts[0], what is filled in for places[0], parts[1], and so on. The
// marks themselves are in the parts.
struct MarkedPage {
  std::vector<Place> places;
  Lines parts;
};

// Cuts a page. Whatever looks like a mark and is none (unclosed, nested, indented, written
// otherwise), and any other comment, is a problem. `Code` in backquotes is left alone.
MarkedPage readMarks(const std::string& text, const std::string& path, Problems& problems);

// Whether a text has what a page could take for a mark: no block may.
bool looksLikeAMark(const std::string& text);
