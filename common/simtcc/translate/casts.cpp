#include "simtcc/translate/casts.h"

#include <algorithm>
#include <array>

#include "simtcc/translate/edits.h"
#include "simtcc/translate/tokens.h"

namespace simt::cc {
namespace {

constexpr std::string_view fromAny = "(void*)";

bool isAmong(std::string_view name, auto&& names) {
  return std::ranges::find(names, name) != std::end(names);
}

// float4, uchar2, half2, …, or a type of the language's own: no class, a cast to which may move.
bool isNumber(std::string_view name) {
  constexpr std::array<std::string_view, 15> numbers = {
      "char",  "short",   "int",          "long",           "unsigned", "signed", "float", "double",
      "half2", "__half2", "nv_bfloat162", "__nv_bfloat162", "half",     "__half", "bool"};
  constexpr std::array<std::string_view, 12> parts = {"char",  "uchar",  "short",    "ushort",
                                                      "int",   "uint",   "long",     "ulong",
                                                      "float", "double", "longlong", "ulonglong"};
  if (isAmong(name, numbers)) return true;
  return !name.empty() && name.back() >= '1' && name.back() <= '4' &&
         isAmong(name.substr(0, name.size() - 1), parts);
}

// What stands behind ( const float4 * ), if it is a cast's; else none.
size_t behindCast(const Source& s, size_t open) {
  if (!s.is(open, "(") || s.partner[open] == Source::none) return Source::none;
  const auto isQualifier = [&](size_t i) { return s.is(i, "const") || s.is(i, "volatile"); };
  size_t i = open + 1, names = 0;
  for (; s.isIdentifier(i); ++i) {
    if (!isQualifier(i) && !isNumber(s.tokens[i].text)) return Source::none;
    names += !isQualifier(i);
  }
  if (names == 0 || !s.is(i, "*")) return Source::none;
  for (++i; isQualifier(i); ++i) {
  }
  if (i != s.partner[open] || i + 1 >= s.tokens.size()) return Source::none;
  if (open > 0) {
    const Token& before = s.tokens[open - 1];
    const bool ends = before.kind != Token::Kind::punctuation || before.text == ")" ||
                      before.text == "]" || before.text == ">";
    if (ends && before.text != "return") return Source::none;
  }
  const bool begins = s.isIdentifier(i + 1) || s.is(i + 1, "&") || s.is(i + 1, "(");
  return begins ? i + 1 : Source::none;
}

}  // namespace

std::string withTypesOfCasts(std::string_view preprocessed) {
  const Source s = readTokens(preprocessed);
  Edits edits;
  for (size_t i = 0; i < s.tokens.size(); ++i) {
    if (const size_t behind = behindCast(s, i); behind != Source::none)
      edits.insert(s.tokens[behind].offset, std::string(fromAny));
    if (!s.is(i, "reinterpret_cast") || !s.is(i + 1, "<")) continue;
    const size_t open = s.afterAngles(i + 1);
    if (open < i + 5 || !s.is(open, "(") || s.partner[open] == Source::none) continue;
    const Token &of = s.tokens[open - 2], &end = s.tokens[s.partner[open]];
    if (of.text != "*" && of.text != "&") continue;
    const bool refers = of.text == "&";
    if (refers) {
      edits.insert(s.tokens[i].offset, "(*");
      edits.replace(of, "*");
      edits.insert(end.offset + 1, ")");
    }
    edits.insert(s.tokens[open].offset + 1, std::string(fromAny) + (refers ? "&(" : "("));
    edits.insert(end.offset, ")");
  }
  return edits.apply(preprocessed);
}

}  // namespace simt::cc
