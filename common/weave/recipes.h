// The recipes of a page, as page.weave beside it has them. weave.h shows every kind.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "weave/lines.h"

// A line of a recipe file, joined with those that it goes on in.
struct RecipeLine {
  std::string text;
  size_t line = 0;
};

// What a mark is filled with.
struct Recipe {
  std::string kind;  // code, diff, output, excerpt, drawing, explored, picture, times, counts, …
  std::string text;  // behind the =
  size_t line = 0;
  std::vector<RecipeLine> rows;  // of a table or a roofline
};

// A formula with a name, which may have parameters: $a stands for the parameter a.
struct NamedFormula {
  std::vector<std::string> parameters;
  std::string formula;
};

struct Recipes {
  std::string path;                              // from the root
  std::map<std::string, std::string> results;    // short names of result files: paths from the root
  std::map<std::string, std::string> profiles;   // of the profiler's files
  std::map<std::string, std::string> estimates;  // of records of estimates
  std::map<std::string, std::string> metrics;    // of the profiler's metrics
  std::map<std::string, NamedFormula> formulas;
  std::map<std::string, Recipe> marks;  // by the name that a mark has
};

// Reads a recipe file. What it does not understand is a problem, with path and line.
Recipes readRecipes(const std::string& text, const std::string& path, Problems& problems);
