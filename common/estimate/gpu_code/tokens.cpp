#include "estimate/gpu_code/tokens.h"

#include <cctype>

namespace estimate::gpu_code {
namespace {

bool isOfName(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%' ||
         c == '.';
}

bool endsWithItsLine(std::string_view word) {
  return word == ".loc" || word == ".file" || word == ".version" || word == ".target" ||
         word == ".address_size";
}

}  // namespace

std::vector<std::string_view> wordsOf(std::string_view text) {
  std::vector<std::string_view> words;
  bool isLineDirective = false;
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '\n') {
      if (isLineDirective) words.push_back(text.substr(i, 1));
      isLineDirective = false;
      ++i;
    } else if (std::isspace(static_cast<unsigned char>(c))) {
      ++i;
    } else if (text.substr(i, 2) == "//") {
      i = std::min(text.find('\n', i), text.size());
    } else if (text.substr(i, 2) == "/*") {
      const size_t end = text.find("*/", i);
      i = end == std::string_view::npos ? text.size() : end + 2;
    } else if (c == '"') {
      size_t end = i + 1;
      while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, text.size());
      words.push_back(text.substr(i, end - i));
      i = end;
    } else if (isOfName(c)) {
      size_t end = i;
      while (end < text.size() && isOfName(text[end])) ++end;
      words.push_back(text.substr(i, end - i));
      isLineDirective = isLineDirective || endsWithItsLine(words.back());
      i = end;
    } else {
      words.push_back(text.substr(i, 1));
      ++i;
    }
  }
  return words;
}

}  // namespace estimate::gpu_code
