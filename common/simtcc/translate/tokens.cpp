#include "simtcc/translate/tokens.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

namespace simt::cc {
namespace {

bool isNameStart(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool isNamePart(char c) { return isNameStart(c) || std::isdigit(static_cast<unsigned char>(c)); }

// A letter beyond ASCII, as preprocessors write it: \u00e4 or \U000000e4. Its length, or 0.
size_t lengthOfLetter(std::string_view text) {
  if (text.size() < 2 || text[0] != '\\' || (text[1] != 'u' && text[1] != 'U')) return 0;
  const size_t length = text[1] == 'u' ? 6 : 10;
  const std::string_view digits = text.substr(2, length - 2);
  const bool good = digits.size() == length - 2 &&
                    digits.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
  return good ? length : 0;
}

void appendLetter(std::string& to, unsigned long code) {
  const auto part = [&](int shift, unsigned mark, unsigned mask) {
    to += char(mark | (code >> shift & mask));
  };
  if (code < 0x80) return part(0, 0, 0x7f);
  if (code < 0x800) {
    part(6, 0xc0, 0x1f);
  } else if (code < 0x10000) {
    part(12, 0xe0, 0x0f), part(6, 0x80, 0x3f);
  } else {
    part(18, 0xf0, 0x07), part(12, 0x80, 0x3f), part(6, 0x80, 0x3f);
  }
  part(0, 0x80, 0x3f);
}

class Lexer {
 public:
  Lexer(std::string_view text, bool ofLibraries) : ofLibraries_(ofLibraries) {
    source_.text = text;
    isOwn_ = !ofLibraries;
  }

  Source read() {
    while (at_ < source_.text.size()) step();
    pairBrackets();
    return std::move(source_);
  }

 private:
  char peek(size_t ahead = 0) const {
    return at_ + ahead < source_.text.size() ? source_.text[at_ + ahead] : '\0';
  }

  void step() {
    const char c = peek();
    if (c == '\n') {
      ++line_;
      ++at_;
      lineStart_ = true;
    } else if (std::isspace(static_cast<unsigned char>(c))) {
      ++at_;
    } else if (c == '#' && lineStart_) {
      directive();
    } else {
      lineStart_ = false;
      token();
    }
  }

  // A line marker, # 12 "file.cu" 3, or a #pragma.
  void directive() {
    const size_t end = std::min(source_.text.find('\n', at_), source_.text.size());
    const std::string_view line = source_.text.substr(at_, end - at_);
    at_ = end;
    size_t i = line.find_first_not_of("# ");
    if (line.starts_with("#line")) i = line.find_first_not_of(' ', 5);
    if (i == std::string_view::npos || !std::isdigit(static_cast<unsigned char>(line[i]))) return;
    line_ = std::atoi(line.data() + i) - 1;  // of the line break that follows
    const size_t open = line.find('"'), close = line.rfind('"');
    if (open == std::string_view::npos || close == open) return;
    const std::string name = unescaped(line.substr(open + 1, close - open - 1));
    const auto [entry, isNew] = numbers_.try_emplace(name, int(source_.files.size()));
    if (isNew) source_.files.push_back(name);
    file_ = entry->second;
    // Flag 3 is a system header's, and that of a system macro expanded in a file of the user's.
    const bool marked = line.substr(close + 1).find('3') != std::string_view::npos;
    // In a system header the mark lacks behind a macro of the command line.
    const bool isLibrary = isOfLibrary(name) && (!isNew || marked) && !usersOwn_.contains(file_);
    if (!isLibrary && !marked) usersOwn_.insert(file_);
    source_.usesLibrary |= isLibrary;
    if (isLibrary && !marked) source_.unmarked.push_back(at_);
    if (ofLibraries_ ? isLibrary : usersOwn_.contains(file_)) own_.insert(file_);
    isOwn_ = own_.contains(file_);
  }

  static bool isOfLibrary(const std::string& name) {
    return name.find("/thrust/") != std::string::npos || name.find("/cub/") != std::string::npos;
  }

  static std::string unescaped(std::string_view text) {
    std::string result;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\\' && i + 1 < text.size()) ++i;
      result += text[i];
    }
    return result;
  }

  void token() {
    const size_t begin = at_;
    const int line = line_;
    const Token::Kind kind = scan();
    const std::string_view text = source_.text.substr(begin, at_ - begin);
    if (isOwn_)
      source_.tokens.push_back({kind, text, begin, file_, line});
    else if (text.starts_with("cuda"))
      source_.systemNames.insert(text);
  }

  Token::Kind scan() {
    const char c = peek();
    if (isNameStart(c) || lengthOfLetter(source_.text.substr(at_)) > 0) {
      const size_t begin = at_;
      for (size_t letter = 0;
           isNamePart(peek()) || (letter = lengthOfLetter(source_.text.substr(at_))) > 0;)
        at_ += std::max<size_t>(std::exchange(letter, 0), 1);
      if (peek() != '"' && peek() != '\'') return Token::Kind::identifier;
      const std::string_view prefix = source_.text.substr(begin, at_ - begin);
      if (prefix.size() > 3) return Token::Kind::identifier;
      prefix.ends_with('R') && peek() == '"' ? rawText() : quotedText();
      return Token::Kind::text;
    }
    if (std::isdigit(static_cast<unsigned char>(c)) ||
        (c == '.' && std::isdigit(static_cast<unsigned char>(peek(1))))) {
      number();
      return Token::Kind::number;
    }
    if (c == '"' || c == '\'') {
      quotedText();
      return Token::Kind::text;
    }
    static const std::string_view pairs[] = {"::", "->", "<<", ">>", "==", "<=", ">=", "!=",
                                             "&&", "||", "++", "--", "+=", "-=", "*=", "/="};
    for (const std::string_view pair : pairs)
      if (source_.text.substr(at_, 2) == pair) {
        at_ += 2;
        return Token::Kind::punctuation;
      }
    ++at_;
    return Token::Kind::punctuation;
  }

  void number() {
    while (isNamePart(peek()) || peek() == '.' || (peek() == '\'' && isNamePart(peek(1))) ||
           ((peek() == '+' || peek() == '-') &&
            std::string_view("eEpP").find(source_.text[at_ - 1]) != std::string_view::npos))
      ++at_;
  }

  void quotedText() {
    const char quote = peek();
    for (++at_; at_ < source_.text.size() && peek() != quote && peek() != '\n'; ++at_)
      if (peek() == '\\') ++at_;
    at_ = std::min(at_ + 1, source_.text.size());
  }

  void rawText() {
    const size_t open = source_.text.find('(', at_);
    if (open == std::string_view::npos) return quotedText();
    const std::string close =
        ")" + std::string(source_.text.substr(at_ + 1, open - at_ - 1)) + "\"";
    const size_t end = source_.text.find(close, open);
    const size_t next = end == std::string_view::npos ? source_.text.size() : end + close.size();
    for (; at_ < next; ++at_) line_ += peek() == '\n';
  }

  void pairBrackets() {
    source_.partner.assign(source_.tokens.size(), Source::none);
    std::vector<size_t> open;
    for (size_t i = 0; i < source_.tokens.size(); ++i) {
      const Token& token = source_.tokens[i];
      if (token.kind != Token::Kind::punctuation) continue;
      if (token.text == "(" || token.text == "[" || token.text == "{") open.push_back(i);
      if (token.text != ")" && token.text != "]" && token.text != "}") continue;
      if (open.empty()) continue;
      source_.partner[i] = open.back();
      source_.partner[open.back()] = i;
      open.pop_back();
    }
  }

  Source source_;
  std::map<std::string, int> numbers_;
  std::set<int> own_, usersOwn_;
  const bool ofLibraries_;
  size_t at_ = 0;
  int line_ = 1, file_ = 0;
  bool isOwn_ = true, lineStart_ = true;
};

}  // namespace

Source readTokens(std::string_view preprocessed) { return Lexer(preprocessed, false).read(); }
Source readLibraryTokens(std::string_view preprocessed) { return Lexer(preprocessed, true).read(); }

std::string Source::spelling(size_t from, size_t to) const {
  std::string result;
  for (size_t i = from; i < to && i < tokens.size(); ++i) {
    const bool isWord =
        tokens[i].kind == Token::Kind::identifier || tokens[i].kind == Token::Kind::number;
    const bool gap = isWord && !result.empty() && isNamePart(result.back());
    const bool comma = !result.empty() && result.back() == ',';
    if (gap || comma) result += ' ';
    result += tokens[i].kind == Token::Kind::identifier ? asWritten(tokens[i].text)
                                                        : std::string(tokens[i].text);
  }
  return result;
}

std::string asWritten(std::string_view name) {
  std::string result;
  for (size_t i = 0; i < name.size();) {
    const size_t letter = lengthOfLetter(name.substr(i));
    if (letter > 0)
      appendLetter(result,
                   std::strtoul(std::string(name.substr(i + 2, letter - 2)).c_str(), nullptr, 16));
    else
      result += name[i];
    i += std::max<size_t>(letter, 1);
  }
  return result;
}

size_t Source::afterAngles(size_t open) const {
  int depth = 0;
  for (size_t i = open; i < tokens.size(); ++i) {
    const std::string_view text = tokens[i].text;
    if (text == "<") ++depth;
    if (text == ">") --depth;
    if (text == ">>") depth -= 2;
    if (depth <= 0) return i + 1;
    if ((text == "(" || text == "[" || text == "{") && partner[i] != none) i = partner[i];
    if (text == ";" || text == ")" || text == "]" || text == "}") {
      // Also reached through a partner: only an unpaired one ends the list.
      if (text == ";" || partner[i] == none || partner[i] < open) return open;
    }
  }
  return open;
}

}  // namespace simt::cc
