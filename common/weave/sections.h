// Pages in other languages: README.zh.md beside README.md (of the front page in common/site), held
// to the English page section by section. A section goes from a heading to the next.
#pragma once

#include <string>
#include <vector>

#include "weave/marks.h"
#include "weave/repository.h"

struct Section {
  std::string anchor;            // of the English heading, as links name it
  std::string hash;              // of the text, without what is woven into it
  std::string seen;              // in a translation: the hash that its mark has
  int level = 1;                 // of the heading
  size_t line = 0;               // of the heading
  Lines figures, blocks, links;  // in order of their names; links as the English page has them
};

// Of a page in its own language, whose links are as at this path; the sections of a translation
// have the anchors of their marks, or none.
std::vector<Section> sectionsOf(const MarkedPage& page, const std::string& path);

// The anchor that GitHub gives to a heading, and all of a page: of headings and <a id="…">.
std::string anchorOf(const std::string& heading);
Lines anchorsOf(const std::string& page);

// How a translation stands to its page, by anchors.
struct Standing {
  Lines behind;    // changed in English since they were translated
  Lines missing;   // not translated yet
  Lines others;    // translated, and no longer there in English
  Problems wrong;  // up to date, and yet with other figures, blocks or links than the English one
};
Standing standingOf(const std::vector<Section>& english, const std::vector<Section>& translated,
                    const std::string& path);

// The file of a page in a language, beside it: README.zh.md. The front page's is in common/site, as
// the top level has no place for it. Paths are from the root.
std::string translatedPath(const std::string& page, const std::string& language);

// Text of a page with its links as they would be on another, in another folder. Links to elsewhere
// and within the page stay.
std::string rebased(const std::string& text, const std::string& from, const std::string& to);

struct Translation {
  std::string path, english, language;  // from the root; zh
};
std::vector<Translation> translationsOf(const Repository& repository);

// The text of a translation, with everything woven in as it stands on the English page, and links
// to pages of its own language where there are some. Its page as standing says.
std::string wovenTranslation(const Translation& translation, const std::string& text,
                             const std::string& english, const Repository& repository,
                             Standing& standing, Problems& problems);

// The text with marks that say: translated from the English page as it is now. One section, or all
// where anchor is empty. Throws Error (exitUsage) where sections cannot be told apart.
std::string seenTranslation(const Translation& translation, const std::string& text,
                            const std::string& english, const std::string& anchor);
