// The files of the repository that pages are filled from.
#pragma once

#include <string>
#include <vector>

struct Repository {
  std::string root;      // where pages, sources and results are
  std::string programs;  // where the cpu programs are
};

// Refuses (Error, exitUsage) a path that does not stay below the root: absolute, with "..", or
// behind a symbolic link that leads elsewhere. The file itself may be missing.
void expectBelowRoot(const Repository& repository, const std::string& path);

// The contents of a file, by its path from the root. Throws Error (exitUsage).
std::string contentsOf(const Repository& repository, const std::string& path);

// The paths of all files with such an ending, in order; the folders of builds and hidden ones have
// none.
std::vector<std::string> filesOf(const Repository& repository, const std::string& ending);

// All pages, README.md files, in order, and those that only have recipes.
std::vector<std::string> pagesOf(const Repository& repository);

// Pages that have to be there: the root's, that of every lesson, of common and of the executor.
std::vector<std::string> missingPagesOf(const Repository& repository);

// The recipes of a page: page.weave in its folder, and for the front page
// common/weave/front_page.weave.
std::string recipesOf(const std::string& page);

// One path as seen from another file's folder, both from the root.
std::string linkBetween(const std::string& from, const std::string& to);
