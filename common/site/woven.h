// What build/weave fills into pages, on its way through Markdown: each place is found again in the
// markup, and gets what the site adds to it.
#pragma once

#include <functional>
#include <string>
#include <vector>

struct WovenBlock {
  std::string name, content;  // Markdown
};

// A page whose marks are characters that Markdown leaves alone.
struct Prepared {
  std::string markdown;
  std::vector<WovenBlock> blocks;
  std::vector<std::string> figures;  // names, in the order of the page
  std::vector<std::string> ids;      // of the headings, see weave/sections.h
};
// Throws Error (exitUsage) for marks that build/weave cannot read.
Prepared prepared(const std::string& text, const std::string& path);

// The markup of a page with its places: what block makes of the markup of each, and figures in
// links to #from-NAME.
std::string finished(
    std::string html, const Prepared& page,
    const std::function<std::string(const WovenBlock&, const std::string&)>& block);

// Markup or text without the places.
std::string withoutPlaces(const std::string& text);
