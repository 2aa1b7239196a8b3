// Fills the marked places of a page from the sources, the recorded results and the programs.
//
//     <!-- weave: KIND ARGUMENTS -->
//     what belongs here
//     <!-- end weave -->
//
// code PATH FUNCTION [from TEXT] [to TEXT | before TEXT] [less COLUMNS]    of a source
// diff PATH FUNCTION PATH FUNCTION                    how the second's body differs from the
// first's times RESULT; STEP; STEP …                          times of a recorded result counts 512
// [per 1000]; STEP=KERNEL; …               by the executor / by the profiler grid, a line of keys,
// and lines of a table          $ is the key, {FORMULA} a figure (weave.cpp) output COMMAND what a
// program in build/cpu prints excerpt "TEXT" … : COMMAND                          the lines of it
// that begin so picture RESULT "WORDS"                              the ladder of a result, drawn
// beside it drawing FILE "WORDS" COMMAND                        what a program draws with --svg
//
// In a sentence, <!--=FORMULA-->value<!--/--> holds one figure (formula.h).
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
