// Pages as HTML: CommonMark with GitHub's tables and folded parts, by cmark-gfm.
#pragma once

#include <functional>
#include <string>
#include <vector>

struct Heading {
  int level = 1;
  std::string id, text;  // text without markup
  std::string section;   // what stands between it and the next heading, without markup
};

struct Rendered {
  std::string html;
  std::vector<Heading> headings;
};

// What a page has besides its text. Both return markup: the opening tag of a link (</a> ends it;
// nothing: the link's text stands alone), and a picture.
struct Renderer {
  std::function<std::string(const std::string& url)> openLink;
  std::function<std::string(const std::string& url, const std::string& alt)> picture;
};

// Of markup in the text, the folded parts and a few plain elements stay; all else is shown as text.
// ids are those of the headings, one after the other; headings beyond get the ids that GitHub
// gives.
Rendered rendered(const std::string& markdown, const std::vector<std::string>& ids,
                  const Renderer& renderer);

// Markup without its tags, as one line of text.
std::string plainText(const std::string& html);

// The links and pictures of a text, as they are written.
std::vector<std::string> urlsIn(const std::string& markdown);
