#include "site/markdown.h"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <memory>
#include <set>
#include <string_view>

#include "base/escape.h"
#include "weave/sections.h"

namespace {

struct FreeNode {
  void operator()(cmark_node* node) const { cmark_node_free(node); }
};
using Document = std::unique_ptr<cmark_node, FreeNode>;

Document parsed(const std::string& markdown) {
  cmark_gfm_core_extensions_ensure_registered();
  cmark_parser* const parser = cmark_parser_new(CMARK_OPT_DEFAULT);
  for (const char* name : {"table", "autolink", "strikethrough"})
    cmark_parser_attach_syntax_extension(parser, cmark_find_syntax_extension(name));
  cmark_parser_feed(parser, markdown.data(), markdown.size());
  Document document(cmark_parser_finish(parser));
  cmark_parser_free(parser);
  return document;
}

// Every node once, when it is entered, in the order of the text.
std::vector<cmark_node*> nodesOf(cmark_node* document) {
  std::vector<cmark_node*> nodes;
  cmark_iter* const iterator = cmark_iter_new(document);
  for (cmark_event_type event; (event = cmark_iter_next(iterator)) != CMARK_EVENT_DONE;)
    if (event == CMARK_EVENT_ENTER) nodes.push_back(cmark_iter_get_node(iterator));
  cmark_iter_free(iterator);
  return nodes;
}

std::string literalOf(cmark_node* node) {
  const char* const literal = cmark_node_get_literal(node);
  return literal ? literal : "";
}

std::string textBelow(cmark_node* node) {
  std::string text;
  for (cmark_node* below : nodesOf(node)) text += literalOf(below);
  return text;
}

// Whether markup consists of text and of elements that can do nothing.
bool isHarmless(const std::string& markup) {
  static constexpr std::array<std::string_view, 8> names = {"details", "summary", "sup", "sub",
                                                            "b",       "code",    "br",  "em"};
  for (size_t at = 0; (at = markup.find('<', at)) != std::string::npos;) {
    const size_t end = markup.find('>', at);
    if (end == std::string::npos) return false;
    std::string_view name(markup.data() + at + 1, end - at - 1);
    if (name.starts_with('/')) name.remove_prefix(1);
    if (std::ranges::find(names, name) == names.end()) return false;
    at = end;
  }
  return true;
}

// Puts markup in the place of a node; its children, if they stay, stand between begin and end.
// (Cells of tables take no custom nodes.)
void replace(cmark_node* node, const std::string& begin, const std::string& end,
             bool keepsChildren) {
  const auto insert = [&](const std::string& markup) {
    cmark_node* const html = cmark_node_new(CMARK_NODE_HTML_INLINE);
    cmark_node_set_literal(html, markup.c_str());
    cmark_node_insert_before(node, html);
  };
  insert(begin);
  while (keepsChildren && cmark_node_first_child(node))
    cmark_node_insert_before(node, cmark_node_first_child(node));
  insert(end);
  cmark_node_unlink(node);
  cmark_node_free(node);
}

void adapt(cmark_node* document, const Renderer& renderer) {
  const auto isIn = [](cmark_node* node, cmark_node_type type) {
    for (cmark_node* above = cmark_node_parent(node); above; above = cmark_node_parent(above))
      if (cmark_node_get_type(above) == type) return true;
    return false;
  };
  // From the last to the first, as what is below a node comes behind it.
  std::vector<cmark_node*> nodes = nodesOf(document);
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    const cmark_node_type type = cmark_node_get_type(*node);
    if (type == CMARK_NODE_IMAGE) {
      replace(*node, renderer.picture(cmark_node_get_url(*node), textBelow(*node)), "", false);
    } else if (type == CMARK_NODE_LINK && !isIn(*node, CMARK_NODE_LINK)) {
      const std::string open = renderer.openLink(cmark_node_get_url(*node));
      replace(*node, open, open.empty() ? "" : "</a>", true);
    } else if (type == CMARK_NODE_HTML_BLOCK && !isHarmless(literalOf(*node))) {
      cmark_node_set_literal(*node, ("<p>" + markupText(literalOf(*node)) + "</p>\n").c_str());
    } else if (type == CMARK_NODE_HTML_INLINE && !isHarmless(literalOf(*node))) {
      cmark_node_set_literal(*node, markupText(literalOf(*node)).c_str());
    }
  }
}

// The next heading's tag from there on, or npos.
size_t headingFrom(const std::string& html, size_t at) {
  for (; (at = html.find("<h", at)) != std::string::npos; ++at)
    if (html[at + 2] >= '1' && html[at + 2] <= '6' && html[at + 3] == '>') return at;
  return at;
}

}  // namespace

std::string plainText(const std::string& html) {
  static constexpr std::array<std::pair<std::string_view, char>, 4> entities = {
      {{"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&amp;", '&'}}};
  std::string text;
  const auto blank = [&] {
    if (!text.empty() && text.back() != ' ') text += ' ';
  };
  for (size_t at = 0; at < html.size(); ++at) {
    if (html[at] == '<') {
      const size_t end = html.find('>', at);
      if (end == std::string::npos) break;
      const std::string_view tag(html.data() + at, end - at);
      for (const std::string_view apart : {"p", "li", "td", "th", "tr", "h", "pre", "summary", "d"})
        if (tag.substr(1).starts_with(apart) || tag.substr(2).starts_with(apart)) blank();
      at = end;
    } else if (std::isspace(static_cast<unsigned char>(html[at]))) {
      blank();
    } else if (html[at] == '&') {
      const auto known = std::ranges::find_if(entities, [&](const auto& entity) {
        return std::string_view(html).substr(at).starts_with(entity.first);
      });
      text += known == entities.end() ? '&' : known->second;
      if (known != entities.end()) at += known->first.size() - 1;
    } else {
      text += html[at];
    }
  }
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

std::vector<std::string> urlsIn(const std::string& markdown) {
  const Document document = parsed(markdown);
  std::vector<std::string> urls;
  for (cmark_node* node : nodesOf(document.get()))
    if (const auto type = cmark_node_get_type(node);
        type == CMARK_NODE_LINK || type == CMARK_NODE_IMAGE)
      urls.push_back(cmark_node_get_url(node));
  return urls;
}

Rendered rendered(const std::string& markdown, const std::vector<std::string>& ids,
                  const Renderer& renderer) {
  const Document document = parsed(markdown);
  adapt(document.get(), renderer);
  char* const text = cmark_render_html(document.get(), CMARK_OPT_UNSAFE, nullptr);
  const std::string html = text;
  std::free(text);

  Rendered page;
  std::set<std::string> taken;
  size_t at = headingFrom(html, 0), count = 0;
  for (size_t next = at; next != std::string::npos; next = headingFrom(html, next + 4)) ++count;
  page.html = html.substr(0, at);
  while (at != std::string::npos) {
    const size_t end = html.find("</h", at), next = headingFrom(html, at + 4);
    Heading heading{html[at + 2] - '0', "", plainText(html.substr(at, end - at)),
                    plainText(html.substr(end, next == std::string::npos ? next : next - end))};
    if (ids.size() == count) heading.id = ids[page.headings.size()];
    if (heading.id.empty()) heading.id = anchorOf(heading.text);
    for (int again = 1; !taken.insert(heading.id).second; ++again)
      heading.id = fmt::format("{}-{}", anchorOf(heading.text), again);
    page.html += fmt::format("<h{} id=\"{}\">", heading.level, markupText(heading.id)) +
                 html.substr(at + 4, next == std::string::npos ? next : next - at - 4);
    page.headings.push_back(heading);
    at = next;
  }
  return page;
}
