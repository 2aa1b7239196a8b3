#include "explore/page_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/errors.h"
#include "page/language_js.h"

#ifdef __clang__
const char* const hostCompiler = "Clang " __clang_version__;
#else
const char* const hostCompiler = "GNU " __VERSION__;
#endif

const char* const languageScript = languageJs;

void fillIn(std::string& page, std::string_view mark, const std::string& by) {
  const size_t place = page.find(mark);
  if (place == std::string::npos) throw Error(exitWrong, "the page has no " + std::string(mark));
  page.replace(place, mark.size(), by);
}

std::string oneLine(std::string_view part) {
  std::string text;
  for (size_t end; !part.empty(); part.remove_prefix(std::min(end + 1, part.size()))) {
    end = std::min(part.find('\n'), part.size());
    std::string_view line = part.substr(0, end);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (line.starts_with("//")) continue;
    line = line.substr(0, line.find(" //"));
    line = line.substr(0, line.find_last_not_of(' ') + 1);
    if (!line.empty()) (text += text.empty() ? "" : " ") += line;
  }
  return text + '\n';
}

std::string scriptText(const nlohmann::json& data) {
  const std::string plain = data.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  std::string text;
  for (const char c : plain)
    if (c == '<')
      text += "\\u003c";
    else if (c == '>')
      text += "\\u003e";
    else if (c == '&')
      text += "\\u0026";
    else
      text += c;
  return text;
}
