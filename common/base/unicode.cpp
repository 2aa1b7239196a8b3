#include "base/unicode.h"

#include <locale.h>
#include <wchar.h>

#include <algorithm>
#include <bit>
#ifdef __APPLE__
#include <xlocale.h>
#endif

namespace {

constexpr char32_t replacement = 0xfffd, zeroWidthJoiner = 0x200d;

// While one lives, the C library's functions take characters for Unicode, wherever the system knows
// how; programs themselves run in the locale "C".
class UnicodeLocale {
 public:
  UnicodeLocale() : before_(known() ? uselocale(known()) : locale_t{}) {}
  ~UnicodeLocale() {
    if (before_) uselocale(before_);
  }
  UnicodeLocale(const UnicodeLocale&) = delete;
  UnicodeLocale& operator=(const UnicodeLocale&) = delete;

 private:
  static locale_t known() {
    static const locale_t locale = [] {
      for (const char* name : {"C.UTF-8", "en_US.UTF-8", "UTF-8"})
        if (const locale_t found = newlocale(LC_CTYPE_MASK, name, locale_t{})) return found;
      return locale_t{};
    }();
    return locale;
  }
  locale_t before_;
};

// In a UnicodeLocale. Characters that the C library does not know take a column.
int widthOf(char32_t point) {
  if (point < 0x7f) return 1;
  const int width = wcwidth(wchar_t(point));
  return width < 0 ? 1 : width;
}

bool isRegionalIndicator(char32_t point) { return point >= 0x1f1e6 && point <= 0x1f1ff; }

// What belongs to the character before it, whatever that is.
bool extends(char32_t point) {
  const bool skinTone = point >= 0x1f3fb && point <= 0x1f3ff;
  return point == zeroWidthJoiner || skinTone || (point >= 0x80 && widthOf(point) == 0);
}

// The end of the character that begins at a byte: a code point and what belongs to it, two regional
// indicators (a flag), or emoji that are joined.
size_t endOfCharacter(const std::string& text, size_t at) {
  char32_t last = codePointAt(text, at);
  bool pair = !isRegionalIndicator(last);
  while (at < text.size()) {
    size_t next = at;
    const char32_t point = codePointAt(text, next);
    const bool flag = !pair && isRegionalIndicator(point);
    if (!extends(point) && last != zeroWidthJoiner && !flag) break;
    pair = pair || flag;
    last = point;
    at = next;
  }
  return at;
}

}  // namespace

char32_t codePointAt(const std::string& text, size_t& at) {
  const size_t begin = at++;
  const auto first = (unsigned char)(text[begin]);
  if (first < 0x80) return first;
  const int length = std::countl_one(first);
  if (length < 2 || length > 4 || begin + size_t(length) > text.size()) return replacement;
  char32_t point = first & (0x7fu >> length);
  for (size_t i = 1; i < size_t(length); ++i) {
    const auto next = (unsigned char)(text[begin + i]);
    if ((next & 0xc0) != 0x80) return replacement;
    point = (point << 6) | (next & 0x3f);
  }
  const char32_t least[] = {0x80, 0x800, 0x10000};  // that needs so many bytes
  const bool surrogate = point >= 0xd800 && point < 0xe000;
  if (point < least[length - 2] || point > 0x10ffff || surrogate) return replacement;
  at = begin + size_t(length);
  return point;
}

size_t columnsOf(const std::string& text) {
  if (std::ranges::all_of(text, [](char c) { return c >= 0; })) return text.size();
  const UnicodeLocale unicode;
  size_t columns = 0;
  for (size_t at = 0; at < text.size();) columns += size_t(widthOf(codePointAt(text, at)));
  return columns;
}

std::string cutToBytes(const std::string& text, size_t most) {
  if (text.size() <= most) return text;
  const UnicodeLocale unicode;
  size_t end = 0;
  for (size_t next; (next = endOfCharacter(text, end)) <= most;) end = next;
  if (end > 0) return text.substr(0, end) + "…";
  // The first character is longer: what fits of its code points.
  for (size_t next = 0; next <= most; codePointAt(text, next)) end = next;
  return text.substr(0, end) + "…";
}

std::string cutToColumns(const std::string& text, size_t most) {
  const UnicodeLocale unicode;
  size_t columns = 0, end = 0;
  while (end < text.size()) {
    const size_t next = endOfCharacter(text, end);
    for (size_t at = end; at < next;) columns += size_t(widthOf(codePointAt(text, at)));
    if (columns > most) break;
    end = next;
  }
  return text.substr(0, end);
}

std::vector<std::string> brokenToLines(const std::string& text, size_t most,
                                       const std::string& after) {
  std::vector<std::string> lines;
  for (size_t begin = 0, end; begin <= text.size(); begin = end + 1) {
    const size_t found = text.find(after + ' ', begin);
    end = found == std::string::npos ? text.size() : found + after.size();
    const std::string part = text.substr(begin, end - begin);
    if (!lines.empty() && columnsOf(lines.back() + ' ' + part) <= most)
      lines.back() += ' ' + part;
    else
      lines.push_back(part);
  }
  return lines;
}
