#include "simtcc/translate/declarations.h"

#include <algorithm>

namespace simt::cc {
namespace {

class Finder {
 public:
  Finder(const Source& source, Declarations& out) : source_(source), out_(out) {}

  // The declarations of a namespace or class between two tokens.
  void scope(size_t begin, size_t end, bool isClass) {
    std::vector<Declaration> all;
    for (size_t i = begin; i < end; i = all.back().end) {
      all.push_back({i});
      all.back().end = declaration(i, end, isClass, all.back().scope);
      if (!out_.functions.empty() && out_.functions.back().head == i)
        all.back().function = out_.functions.size() - 1;
    }
    out_.statements[begin == 0 ? Source::none : begin - 1] = std::move(all);
  }

 private:
  using Index = size_t;

  bool isWord(Index i, std::initializer_list<std::string_view> words) const {
    return std::ranges::any_of(words, [&](std::string_view word) { return source_.is(i, word); });
  }

  // Reads one declaration and returns the index after it.
  Index declaration(Index first, Index end, bool isClass, Index& scopeOfIt) {
    Function function;
    function.head = first;
    function.isMember = isClass;
    function.inNamespace = namespaces_ > 0;
    bool isType = false, isSpace = false, hasValue = false;
    Index parameters = Source::none;
    for (Index i = first; i < end;) {
      const std::string_view text = source_.tokens[i].text;
      if (text == ";" || text == "}") return finish(function, parameters, hasValue, i + 1);
      if (text == ":" && isClass && isWord(i - 1, {"public", "private", "protected"})) return i + 1;
      if (text == "template" && source_.is(i + 1, "<")) {
        function.isTemplate = true;
        i = std::max(source_.afterAngles(i + 1), i + 2);
        continue;
      }
      if (isWord(i, {"namespace", "extern"}))
        isSpace = text == "namespace" || source_.is(i + 2, "{");
      if (isWord(i, {"class", "struct", "union", "enum"})) isType = true;
      if (text == "=" && !source_.is(i - 1, "operator")) hasValue = true;
      qualifier(function, text);
      if (text == "{") {
        const Index close = source_.partner[i];
        if (close == Source::none) return end;
        if (isSpace) {
          scopeOfIt = i;
          const bool isNamespace = !source_.is(i - 2, "extern");
          namespaces_ += isNamespace;
          scope(i + 1, close, false);
          namespaces_ -= isNamespace;
          return close + 1;
        }
        if (parameters != Source::none && !hasValue) {
          if (memberInitialiser(i, parameters)) {
            i = close + 1;
            continue;
          }
          function.body = i;
          return finish(function, parameters, false, close + 1);
        }
        if (isType && !hasValue && !source_.is(first, "enum")) {
          scopeOfIt = i;
          scope(i + 1, close, true);
        }
        i = close + 1;
        continue;
      }
      if (text == "(" && source_.partner[i] != Source::none) {
        if (parameters == Source::none && !hasValue && namesFunction(i)) parameters = i;
        i = source_.partner[i] + 1;
        continue;
      }
      if (text == "<" && i > first && source_.isIdentifier(i - 1) && !source_.is(i - 1, "operator"))
        i = std::max(source_.afterAngles(i), i + 1);
      else
        ++i;
    }
    return end;
  }

  static void qualifier(Function& function, std::string_view text) {
    function.isGlobal |= text == "__global__";
    function.isDevice |= text == "__device__";
    function.isHost |= text == "__host__";
    function.isConstexpr |= text == "constexpr" || text == "consteval";
    function.isConsteval |= text == "consteval";
  }

  // Whether the parenthesis opens a parameter list: not an attribute's or a qualifier's.
  bool namesFunction(Index open) const {
    if (open == 0) return false;
    if (isWord(open - 1, {"__launch_bounds__", "__align__", "alignas", "decltype", "__attribute__",
                          "noexcept", "requires", "explicit", "__cluster_dims__", "__maxnreg__"}))
      return false;
    if (source_.is(open + 1, "*")) return false;  // a pointer to a function, type (*name)(…)
    return source_.isIdentifier(open - 1) || open < 2 || !source_.is(open - 1, ")");
  }

  // The brace of member{value} between a constructor's parameters and its body.
  bool memberInitialiser(Index brace, Index parameters) const {
    if (!source_.isIdentifier(brace - 1) && !source_.is(brace - 1, ">")) return false;
    if (isWord(brace - 1, {"const", "noexcept", "override", "final"})) return false;
    return source_.is(source_.partner[parameters] + 1, ":");
  }

  Index finish(Function& function, Index parameters, bool hasValue, Index next) {
    if (parameters == Source::none ||
        (hasValue && function.body == Source::none && !source_.is(next - 2, "default") &&
         !source_.is(next - 2, "delete")))
      return next;
    function.parameters = parameters;
    if (source_.isIdentifier(parameters - 1))  // no operator
      function.name = source_.tokens[parameters - 1].text;
    for (Index i = parameters + 1; i < source_.partner[parameters]; ++i) {
      if (source_.is(i, "=")) function.hasDefaults = true;
      if (source_.is(i, "auto")) function.isTemplate = true;
    }
    out_.functions.push_back(function);
    return next;
  }

  const Source& source_;
  Declarations& out_;
  unsigned namespaces_ = 0;  // that are open
};

}  // namespace

Declarations findDeclarations(const Source& source) {
  Declarations found;
  Finder(source, found).scope(0, source.tokens.size(), false);
  found.onDevice.assign(source.tokens.size(), false);
  found.inFunction.assign(source.tokens.size(), false);
  for (const Function& function : found.functions) {
    if (function.isGlobal) found.kernels[function.name].push_back(&function);
    if (function.body == Source::none) continue;
    for (size_t i = function.body; i <= source.partner[function.body]; ++i) {
      found.inFunction[i] = true;
      if (function.runsOnDevice()) found.onDevice[i] = true;
    }
  }
  return found;
}

}  // namespace simt::cc
