#include "explore/page_text.h"

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
