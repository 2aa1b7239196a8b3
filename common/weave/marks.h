// The marks of a page: where something is filled in, and under which name.
//
// A block stands between two lines that hold nothing else:
//
//     <!-- weave: ladder -->
//     | step | kernel ms | …
//     <!-- end weave -->
//
// A figure stands in a line of text: it is <!--=speedup-->1.87<!--/--> times as fast.
//
// A page in another language (sections.h) has two more: above each heading a line that says which
// section of the English page it is and what that was when it was translated, and in the marks of
// pictures and links the words that stand in the place of the recipe's:
//
//     <!-- section: run-it 1a2b3c4d --><a id="run-it"></a>
//     <!-- weave: ladder "words" -->
#pragma once

#include <string>
#include <vector>

#include "weave/lines.h"

struct Place {
  bool isBlock = false;
  std::string name;
  size_t line = 0;                       // of the mark
  std::string words = {}, content = {};  // of a translation; what stands there now
};

struct SectionMark {
  std::string anchor, hash;  // hash: empty where there is none yet
  size_t line = 0;
};

// A page, cut at its marks: parts[0], what is filled in for places[0], parts[1], and so on. The
// marks themselves are in the parts.
struct MarkedPage {
  std::vector<Place> places;
  Lines parts;
  std::vector<SectionMark> sections;
};

// The line of such a mark.
std::string sectionLine(const SectionMark& mark);

// Cuts a page. Whatever looks like a mark and is none (unclosed, nested, indented, written
// otherwise), and any other comment, is a problem. `Code` in backquotes is left alone.
MarkedPage readMarks(const std::string& text, const std::string& path, Problems& problems);

// Whether a text has what a page could take for a mark: no block may.
bool looksLikeAMark(const std::string& text);
