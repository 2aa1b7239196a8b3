// Fills the marked places of a page from the sources, the recorded results and the programs.
//
//     <!-- weave: KIND ARGUMENTS -->
//     what belongs here
//     <!-- end weave -->
//
// Kinds: code, diff, times, counts, grid, output, picture, drawing; README.md has them all. In a
// sentence, <!--=FORMULA-->value<!--/--> holds one figure.
#pragma once

#include <map>
#include <string>

struct Repository {
  std::string root;      // where pages, sources and results are
  std::string programs;  // where the cpu programs are
};

struct Woven {
  std::string text;                          // the page as it should be
  std::map<std::string, std::string> files;  // pictures it shows: paths from the root, contents
};

// Weaves the text of a page, which is at path below the root. Throws Error (exitUsage) with one
// line, "PATH:LINE: reason", for a mark that cannot be filled.
Woven weave(const std::string& text, const std::string& path, const Repository& repository);

// What changed from one text to another, by lines: those that went with -, those that came with +.
// Empty for equal texts. With context, the lines that stayed between them as well.
std::string changedLines(const std::string& from, const std::string& to, bool context);
