// The frame around every page of the site.
#pragma once

#include <string>
#include <vector>

#include "site/markdown.h"
#include "site/pages.h"

struct Entry {
  std::string title, html;  // html: where it stands in the site
  int depth = 0;            // 1: below the one before it that has 0
  bool isLookup = false;    // what stands behind the lessons
};

// What the frame of one page shows.
struct Frame {
  const Language& language;
  const std::vector<Language>& languages;
  std::string html;  // where the page stands
  std::string title;
  std::vector<Heading> headings;  // what the contents list below the page's entry
  const std::vector<Entry>& entries;
  std::map<std::string, std::string> others;  // the page in other languages, by code
  bool compares = false;                      // files that are dropped on it (drop_place.h)
};

// A language may have words for explored pages: pairs of a regular expression and what stands in
// its place, in a script of this name.
inline const std::string exploredWords = "exploredWords";
inline std::string exploredScript(const Language& language) {
  return "explored." + language.code + ".js";
}

// body: markup.
std::string framed(const Frame& frame, const std::string& body);
