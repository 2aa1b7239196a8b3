// Where what is woven into a page comes from: sources, commands and records.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "weave/figures.h"
#include "weave/recipes.h"

// The commit that each file of the repository was last changed in, its first twelve digits and its
// date, by the file's path. Empty where there is no git, or not the whole history.
using Commits = std::map<std::string, std::string>;
Commits commitsOf(const Repository& repository);

struct Origin {
  std::string kind;                // of the recipe: figure, code, times, …; empty for none
  std::string how;                 // its formula, command or function
  std::vector<std::string> files;  // sources and records, by their paths from the root
};

class Origins {
 public:
  // Recipes that cannot be read are none: to say so is the work of build/weave.
  Origins(const Repository& repository, const std::string& page);

  // Of the mark of this name.
  Origin of(const std::string& name);

 private:
  std::vector<std::string> filesOf(const Recipe& recipe);

  Problems problems_;
  Recipes recipes_;
  Figures figures_;
};

// What a record says of itself: machine, date, command; only what it knows.
struct RecordFacts {
  std::string machine, date, command;
};
RecordFacts factsOf(const Repository& repository, const std::string& path);
