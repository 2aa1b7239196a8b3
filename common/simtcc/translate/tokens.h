// The tokens of a preprocessed source file, as far as translating CUDA's extensions needs them.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace simt::cc {

struct Token {
  enum class Kind { identifier, number, text, punctuation };
  Kind kind;
  std::string_view text;  // part of the source, which must outlive the tokens
  size_t offset;          // in the source
  int file;               // in Source::files
  int line;
};

// The tokens of the user's own files, in order: what system headers contain is left out, or, where
// they are asked for, those of the headers of CUDA's own C++ libraries (thrust, CUB). Brackets know
// their partners.
struct Source {
  std::string_view text;
  std::vector<std::string> files;
  std::vector<Token> tokens;
  std::set<std::string_view> systemNames;  // cudaMalloc and the like, as system headers spell them
  bool usesLibrary = false;                // a header of CUDA's own C++ libraries is in it
  std::vector<size_t> unmarked;  // ends of line markers that do not say it is a system header
  std::vector<size_t> partner;   // of each ( [ { and ) ] }: the index of the other one, else none

  static constexpr size_t none = size_t(-1);
  bool is(size_t i, std::string_view what) const {
    return i < tokens.size() && tokens[i].text == what;
  }
  bool isIdentifier(size_t i) const {
    return i < tokens.size() && tokens[i].kind == Token::Kind::identifier;
  }
  std::string place(size_t i) const {
    return files[size_t(tokens[i].file)] + ":" + std::to_string(tokens[i].line);
  }
  // The text from one token to the one before another, blanks as single spaces, names as the user
  // wrote them.
  std::string spelling(size_t from, size_t to) const;
  // The index after a template argument list that begins at open, a "<"; open when it is none.
  size_t afterAngles(size_t open) const;
};

// An identifier with its letters beyond ASCII in UTF-8, however a preprocessor spells them.
std::string asWritten(std::string_view name);

// Reads the output of a preprocessor, line markers and all. Never fails: what it cannot read is one
// character of punctuation.
Source readTokens(std::string_view preprocessed);
Source readLibraryTokens(std::string_view preprocessed);

}  // namespace simt::cc
