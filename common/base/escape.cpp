#include "base/escape.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <iterator>

#include "base/unicode.h"

namespace {

struct Range {
  char32_t first, last;
};

// Control characters, C0 and C1; what changes the direction of text, breaks lines, or hides.
constexpr Range unseen[] = {{0x00, 0x1f},     {0x7f, 0x9f},     {0x061c, 0x061c},  {0x180e, 0x180e},
                            {0x200b, 0x200b}, {0x200e, 0x200f}, {0x2028, 0x202e},  {0x2060, 0x206f},
                            {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe0fff}};

bool isUnseen(char32_t point) {
  return std::ranges::any_of(
      unseen, [point](const Range& r) { return point >= r.first && point <= r.last; });
}

// Code points that no text has, and no XML file may.
bool isNoCharacter(char32_t point) {
  return (point & 0xfffe) == 0xfffe || (point >= 0xfdd0 && point <= 0xfdef) || point == 0xfffd;
}

bool isWord(const std::string& text, size_t at) {
  return at < text.size() && (std::isalnum((unsigned char)text[at]) || (text[at] & 0x80));
}

bool isBlankOrEnd(const std::string& text, size_t at) {
  return at >= text.size() || text[at] == ' ';
}

// Where a bullet, a heading, a quotation or a numbered item would begin: the character to escape,
// or npos.
size_t markOfABlock(const std::string& text) {
  const size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return first;
  const std::string head = text.substr(first);
  if (head[0] == '>' || head[0] == '#' || head[0] == '=') return first;
  if ((head[0] == '-' || head[0] == '+') && isBlankOrEnd(head, 1)) return first;
  if (head.find_first_not_of("- ") == std::string::npos) return first;  // a line across the page
  const size_t digits = std::min(head.find_first_not_of("0123456789"), head.size());
  const bool numbered = digits > 0 && digits < head.size() &&
                        (head[digits] == '.' || head[digits] == ')') &&
                        isBlankOrEnd(head, digits + 1);
  return numbered ? first + digits : std::string::npos;
}

}  // namespace

std::string terminalText(const std::string& text) {
  if (std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; })) return text;
  std::string line;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    const char32_t point = codePointAt(text, at);
    if (isNoCharacter(point))
      line += "\ufffd";
    else if (isUnseen(point))
      line += ' ';
    else
      line.append(text, begin, at - begin);
  }
  return line;
}

std::string markupText(const std::string& text) {
  std::string escaped;
  for (const char c : terminalText(text)) switch (c) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      case '\'': escaped += "&#39;"; break;
      default: escaped += c;
    }
  return escaped;
}

std::string markdownText(const std::string& text) {
  const std::string line = terminalText(text);
  const size_t mark = markOfABlock(line);
  std::string escaped;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    // Within a word an underscore is one.
    const bool emphasis = c == '_' && !(i > 0 && isWord(line, i - 1) && isWord(line, i + 1));
    if (c == '<') {
      escaped += "&lt;";
    } else if (c == '&') {
      escaped += "&amp;";
    } else {
      if (std::string("\\|*`[]~$").find(c) != std::string::npos || emphasis || i == mark)
        escaped += '\\';
      escaped += c;
    }
  }
  return escaped;
}

std::string csvField(const std::string& text) {
  std::string field;
  bool begins = true;  // a field, here or where semicolons separate them
  for (const char c : terminalText(text)) {
    if (begins && std::string("=+-@").find(c) != std::string::npos) field += '\'';
    begins = c == ';' || (begins && (c == ' ' || c == '"'));
    field += c;
  }
  if (field.find_first_of(",;\"") == std::string::npos) return field;
  std::string quoted = "\"";
  for (const char c : field) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string shellWord(const std::string& word) {
  const char* const plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789^_-+=./:,@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  const bool control =
      std::ranges::any_of(word, [](unsigned char c) { return c < 32 || c == 127; });
  std::string quoted = control ? "$'" : "'";
  for (const char c : word) {
    if (control && ((unsigned char)c < 32 || c == 127))
      quoted += fmt::format("\\{:03o}", unsigned(c));
    else if (control && (c == '\'' || c == '\\'))
      quoted += {'\\', c};
    else
      quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return quoted + '\'';
}
