#include "base/markup.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/text.h"

namespace {

// Elements of HTML that never have an end tag.
bool isVoid(const std::string& name) {
  const std::array<const char*, 6> names = {"br", "hr", "img", "input", "link", "meta"};
  return std::ranges::find(names, name) != names.end();
}

// Takes a tag, without its brackets, into account; false when it cannot stand here.
bool takeTag(const std::string& tag, std::vector<std::string>& open) {
  if (tag.starts_with("/")) {
    if (open.empty() || open.back() != tag.substr(1)) return false;
    open.pop_back();
    return true;
  }
  const std::string name = tag.substr(0, tag.find_first_of(" \n/"));
  if (name.empty()) return false;
  if (!tag.ends_with("/") && !isVoid(name)) open.push_back(name);
  return true;
}

}  // namespace

bool isOneElement(const std::string& text, const std::string& name) {
  const std::string doctype = "<!doctype html>\n";
  size_t at = text.starts_with(doctype) ? doctype.size() : 0;
  if (text.compare(at, name.size() + 1, "<" + name) != 0) return false;
  std::vector<std::string> open;
  do {
    if (text.compare(at, 4, "<!--") == 0) {
      at = text.find("-->", at);
    } else {
      const size_t end = text.find('>', at);
      if (end == std::string::npos) return false;
      if (!takeTag(text.substr(at + 1, end - at - 1), open)) return false;
      at = end;
    }
    at = text.find('<', at);
  } while (!open.empty() && at != std::string::npos);
  const std::string last = "</" + name + ">";
  return open.empty() && at == std::string::npos && trimmed(text).ends_with(last);
}
