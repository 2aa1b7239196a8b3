// The pages of the site: which files of the repository they come from, and where they go.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "weave/repository.h"

// What the site itself says in a language: languages/CODE.json. The first, en, is the language of
// the pages without a code in their names.
struct Language {
  std::string code;
  nlohmann::json words;
  std::string word(const std::string& key) const;  // throws Error (exitUsage) for one it lacks
};

inline const std::string english = "en";

// All that stands in common/site/languages, English first.
std::vector<Language> languagesOf(const Repository& repository);

// A page, by its English file.
struct Page {
  std::string path;                          // from the root, 03_neighbored_less/README.md
  std::map<std::string, std::string> texts;  // by language
};

// The pages that can be reached from README.md by links, in the order in which they are read: the
// front page, the lessons with what is below them, and the rest.
std::vector<Page> pagesToShow(const Repository& repository, const std::vector<Language>& languages);

// Where a page stands in the site: 03_neighbored_less/index.html, index.zh.html.
std::string htmlPathOf(const std::string& path, const std::string& language);

// A path of the repository that a link on a page leads to, without what stands behind #; empty for
// a link to elsewhere, or to the page itself.
std::string targetOf(const std::string& page, const std::string& url);
