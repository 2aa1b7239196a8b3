// __shared__, __device__, __constant__ and __managed__ variables, and the qualifiers of functions:
// long, as they are one pass over the same statements.
#include <algorithm>
#include <array>
#include <set>

#include "simtcc/translate/edits.h"

namespace simt::cc {
namespace {

// Of a shared variable. As in cuda.h: it need not be zero that nobody writes; g++ would guard a
// vector's initialisation otherwise, and clang++ refuses it so. (The compiler that builds this
// builds the programs, too.)
#ifdef __clang__
constexpr const char* storage = "__attribute__((used)) thread_local ";
#else
constexpr const char* storage = "__attribute__((used)) constinit thread_local ";
#endif

// A declaration of variables, from its first token to its ";".
struct Statement {
  size_t begin, end;
  std::vector<size_t> names;   // of its variables
  std::vector<size_t> commas;  // between them
  size_t specifiersEnd;        // after the type that they share
  bool hasValue = false, isFunction = false;
};

bool isAttribute(const Source& source, size_t i) {
  static constexpr std::array words = {"alignas", "__align__", "__attribute__", "decltype",
                                       "__launch_bounds__"};
  return std::ranges::any_of(words, [&](const char* word) { return source.is(i, word); }) &&
         source.is(i + 1, "(") && source.partner[i + 1] != Source::none;
}

// The only parentheses before a variable's name are those of attributes.
size_t beginOfStatement(const Source& source, size_t i) {
  while (i > 0) {
    const std::string_view before = source.tokens[i - 1].text;
    if (before == ";" || before == "{" || before == "}" || before == ":") break;
    const size_t open = before == ")" ? source.partner[i - 1] : i;
    if (before == ")" && (open == Source::none || open == 0 || !isAttribute(source, open - 1)))
      break;
    i = open - 1;
  }
  return i;
}

Statement readStatement(const Source& source, size_t keyword) {
  Statement result{};
  result.begin = beginOfStatement(source, keyword);
  size_t name = Source::none;
  const auto endName = [&](size_t at) {
    if (name == Source::none) return;
    if (result.names.empty()) {
      result.specifiersEnd = name;
      while (source.is(result.specifiersEnd - 1, "*") || source.is(result.specifiersEnd - 1, "&"))
        --result.specifiersEnd;
    }
    result.names.push_back(name);
    if (source.is(at, ",")) result.commas.push_back(at);
    name = Source::none;
  };
  bool named = false;  // the name of the current variable is behind
  for (size_t i = result.begin; i < source.tokens.size();) {
    const std::string_view text = source.tokens[i].text;
    if (isAttribute(source, i)) {
      i = source.partner[i + 1] + 1;
      continue;
    }
    if (text == "operator") {
      result.isFunction = true;
      return result;
    }
    if (text == "template" && source.is(i + 1, "<")) {
      i = std::max(source.afterAngles(i + 1), i + 2);
      continue;
    }
    if (!named && (text == "struct" || text == "union")) {  // perhaps one that is defined here
      const size_t open = i + (source.isIdentifier(i + 1) ? 2 : 1);
      if (source.is(open, "{") && source.partner[open] != Source::none) {
        i = source.partner[open] + 1;
        continue;
      }
    }
    if (text == "(" && !named) {
      if (!source.is(i + 1, "*")) {
        result.isFunction = true;
        return result;
      }
      name = i + 2;  // a pointer to a function or an array
      named = true;
    }
    if (text == ";" || text == "," || text == "=" || text == "[" || text == "{") {
      if (!named || text == "," || text == ";") endName(i);
      named = text != ",";
      result.hasValue |= text == "=" || text == "{";
    }
    if (text == ";") {
      result.end = i;
      return result;
    }
    const size_t partner = source.partner[i];
    if ((text == "(" || text == "[" || text == "{") && partner != Source::none) {
      i = partner + 1;
    } else if (text == "<" && !named && i > 0 && source.isIdentifier(i - 1)) {
      i = std::max(source.afterAngles(i), i + 1);
    } else {
      if (!named && source.tokens[i].kind == Token::Kind::identifier) name = i;
      ++i;
    }
  }
  result.isFunction = true;  // not a statement that this could change
  return result;
}

class Variables {
 public:
  Variables(const Job& job, bool relocatable)
      : job_(job), source_(job.source), relocatable_(relocatable) {}

  void translate() {
    findShared();
    findConstructed();
    for (size_t i = 0; i < source_.tokens.size(); ++i) {
      const std::string_view text = source_.tokens[i].text;
      if (text == "{") openBraces_.push_back(i);
      if (text == "}" && !openBraces_.empty()) openBraces_.pop_back();
      if (text == "__shared__") {
        i = shared(i);
      } else if (text == "__device__" || text == "__constant__" || text == "__managed__") {
        i = device(i);
      } else if (text == "__global__" || text == "__host__" || text == "__grid_constant__") {
        job_.edits.remove(source_.tokens[i]);
      } else if (text == "__noinline__" && !source_.is(i - 1, "(")) {
        job_.edits.replace(source_.tokens[i], "__attribute__((noinline))");
      }
    }
    for (const auto& [brace, shared] : sharedOfScope_)
      job_.edits.insert(shared.end, " static_assert(" + shared.sizes +
                                        " <= 49152, \"the __shared__ variables take more than 48 "
                                        "KB: use dynamic shared memory\");");
  }

 private:
  void removeWords(const Statement& s, std::initializer_list<std::string_view> words) {
    for (size_t i = s.begin; i < s.end; ++i)
      if (std::ranges::find(words, source_.tokens[i].text) != words.end())
        job_.edits.remove(source_.tokens[i]);
  }
  // The device variables that a header declares for several files.
  void findShared() {
    for (size_t i = 0; i < source_.tokens.size(); ++i) {
      if (!source_.is(i, "extern")) continue;
      for (size_t k = i + 1; k < i + 4; ++k)
        if (source_.is(k, "__device__") || source_.is(k, "__constant__") ||
            source_.is(k, "__managed__"))
          for (const size_t name : readStatement(source_, k).names)
            ofAllFiles_.insert(nameOf(name));
    }
  }
  // As with nvcc: each file has its own, where nothing says otherwise.
  bool isOfThisFile(const Statement& s) const {
    if (relocatable_) return false;
    for (size_t i = s.begin; i < s.end; ++i)
      if (source_.is(i, "static")) return false;  // it says so itself
    return std::ranges::none_of(s.names, [&](size_t name) {
      return ofAllFiles_.contains(nameOf(name)) || source_.is(name - 1, "::");
    });
  }
  std::string serial() { return std::to_string(++count_); }
  std::string_view nameOf(size_t i) const { return source_.tokens[i].text; }
  // As it is written where it is defined outside of its class or namespace.
  std::string qualified(size_t name) const {
    size_t begin = name;
    while (begin > 1 && source_.is(begin - 1, "::") && source_.isIdentifier(begin - 2)) begin -= 2;
    return source_.spelling(begin, name + 1);
  }
  size_t offsetOf(size_t i) const { return source_.tokens[i].offset; }

  size_t shared(size_t keyword) {
    const Statement s = readStatement(source_, keyword);
    if (s.isFunction || s.names.empty()) {
      job_.edits.remove(source_.tokens[keyword]);
      return keyword;
    }
    if (s.hasValue) job_.refuse(keyword, "a __shared__ variable has no initial value: assign it");
    bool isExtern = false;
    for (size_t i = s.begin; i < s.end; ++i) isExtern |= source_.is(i, "extern");
    if (isExtern)
      job_.declarations.inFunction[keyword] ? dynamicInFunction(s) : dynamicInNamespace(s);
    else
      fixed(s);
    return s.end;
  }

  // Classes of the program whose default constructor is no constant one: nvcc takes those that do
  // nothing, and so does this, for a variable that is made of bytes.
  void findConstructed() {
    std::string_view name;
    size_t end = 0;
    for (size_t i = 0; i + 3 < source_.tokens.size(); ++i) {
      for (const char* word : {"struct", "class", "union"})
        if (source_.is(i, word) && source_.isIdentifier(i + 1)) {
          size_t open = i + 2;
          while (open < i + 40 && !source_.is(open, "{") && !source_.is(open, ";")) ++open;
          if (!source_.is(open, "{") || source_.partner[open] == Source::none) continue;
          name = nameOf(i + 1), end = source_.partner[open];
        }
      if (i > 1 && i < end && nameOf(i) == name && source_.is(i + 1, "(") &&
          source_.is(i + 2, ")") && (source_.is(i + 3, "{") || source_.is(i + 3, ":")) &&
          !source_.is(i - 1, "~") && !source_.is(i - 1, "constexpr") &&
          !source_.is(i - 2, "constexpr"))
        constructed_.insert(name);
    }
  }
  bool isConstructed(const Statement& s) const {
    for (size_t i = s.begin; i < s.specifiersEnd; ++i)
      if (source_.isIdentifier(i) && constructed_.contains(nameOf(i))) return true;
    return false;
  }
  void fixedOfBytes(const Statement& s) {
    job_.edits.insert(offsetOf(s.begin), " typedef ");
    removeWords(s, {"static", "__shared__", "__device__"});
    std::string code;
    for (const size_t name : s.names) {
      const std::string type = "simt_type_" + serial(),
                        bytes = "simt_bytes_" + std::string(nameOf(name));
      job_.edits.replace(source_.tokens[name], type);
      code += " [[maybe_unused]] thread_local char simt_gap_" + serial() +
              "[256] __attribute__((used, aligned(256))); alignas(16) alignas(" + type + ") " +
              storage + "unsigned char " + bytes + "[sizeof(" + type + ")]; [[maybe_unused]] " +
              type + "& " + std::string(nameOf(name)) + " = reinterpret_cast<" + type + "&>(" +
              bytes + ");";
    }
    job_.edits.insert(offsetOf(s.end) + 1, code);
  }

  // One for each block that runs, as simt/cuda.h's __shared__ makes it, fenced off from the next.
  void fixed(const Statement& s) {
    if (job_.declarations.inFunction[s.begin] && isConstructed(s)) return fixedOfBytes(s);
    std::string type, alignment;
    for (size_t i = s.begin; i < s.specifiersEnd; ++i) {
      if (source_.is(i, "alignas") && isAttribute(source_, i)) {
        alignment += source_.spelling(i, source_.partner[i + 1] + 1) + " ";
        for (const size_t close = source_.partner[i + 1]; i <= close; ++i)
          job_.edits.remove(source_.tokens[i]);
        --i;
      } else if (!source_.is(i, "static") && !source_.is(i, "__shared__")) {
        type += std::string(nameOf(i)) + " ";
      }
    }
    const auto fence = [&] {
      return " [[maybe_unused]] thread_local char simt_gap_" + serial() +
             "[256] __attribute__((used, aligned(256))); alignas(16) " + alignment + storage;
    };
    job_.edits.insert(offsetOf(s.begin), fence());
    removeWords(s, {"static", "__shared__", "__device__"});
    for (const size_t comma : s.commas)
      job_.edits.replace(source_.tokens[comma], ";" + fence() + type);
    if (!job_.declarations.inFunction[s.begin]) return;
    SharedOfScope& scope = sharedOfScope_[openBraces_.back()];
    for (const size_t name : s.names)
      scope.sizes +=
          (scope.sizes.empty() ? "sizeof(" : " + sizeof(") + std::string(nameOf(name)) + ")";
    scope.end = offsetOf(s.end) + 1;
  }

  // extern __shared__ T name[]: every such name is the same memory, which the launch has the size
  // of.
  void dynamicInFunction(const Statement& s) {
    const size_t name = s.names[0];
    const std::string type = "simt_type_" + serial();
    job_.edits.insert(offsetOf(s.begin), " typedef ");
    for (size_t i = s.begin; i < s.end; ++i)
      if (isAttribute(source_, i) && !source_.is(i, "decltype"))
        for (size_t k = i; k <= source_.partner[i + 1]; ++k) job_.edits.remove(source_.tokens[k]);
    removeWords(s, {"extern", "__shared__"});
    job_.edits.replace(source_.tokens[name], type);
    job_.edits.insert(offsetOf(s.end) + 1,
                      " [[maybe_unused]] " + type + "& " + std::string(nameOf(name)) +
                          " = *reinterpret_cast<" + type + "*>(::simt::dynamicShared(\"" +
                          std::string(nameOf(name)) + "\", sizeof(" + std::string(nameOf(name)) +
                          "[0]), alignof(" + "decltype(" + std::string(nameOf(name)) + "[0]))));");
  }

  void dynamicInNamespace(const Statement& s) {
    const std::string name(nameOf(s.names[0]));
    for (size_t i = s.begin; i < s.end; ++i)
      if (source_.is(i, "__shared__")) job_.edits.replace(source_.tokens[i], "__thread");
    job_.edits.insert(offsetOf(s.end), " __asm__(\"simt_dynamic_shared\")");
    job_.edits.insert(offsetOf(s.end) + 1, " [[maybe_unused]] static const bool simt_named_" +
                                               serial() + " = ::simt::nameDynamicShared(\"" + name +
                                               "\", sizeof(" + name + "[0]), alignof(decltype(" +
                                               name + "[0])));");
  }

  size_t device(size_t keyword) {
    size_t before = keyword - 1;
    while (source_.is(before, "__host__")) --before;
    const bool isLambda = source_.is(before, "]");
    const Statement s = isLambda ? Statement{} : readStatement(source_, keyword);
    if (isLambda || s.isFunction || s.names.empty()) {
      job_.edits.remove(source_.tokens[keyword]);
      return keyword;
    }
    bool isExtern = false, isConstant = false, isOrdinary = true;
    for (size_t i = s.begin; i < s.end; ++i) {
      for (const char* word : {"const", "constexpr", "inline", "template"})
        if (source_.is(i, word)) isOrdinary = false;
      isExtern |= source_.is(i, "extern");
      isConstant |= source_.is(i, "__constant__");
      if (source_.is(i, "__shared__")) return keyword;
    }
    removeWords(s, {"__device__", "__constant__", "__managed__"});
    if (isExtern || job_.isLibrary) return s.end;
    // Apart from the variables of the host, and from each other.
    if (source_.is(s.begin, "template")) {
      variableTemplate(s, isConstant);
      return s.end;
    }
    for (const size_t name : s.names) refuseLetters(job_, name);
    job_.edits.insert(
        offsetOf(s.begin),
        isOrdinary ? " alignas(256) __attribute__((section(\"simt_device\"))) " : " alignas(256) ");
    if (isOrdinary && isOfThisFile(s)) job_.edits.insert(offsetOf(s.begin), "static ");
    for (const size_t name : s.names)
      job_.edits.insert(offsetOf(s.end) + 1, " [[maybe_unused]] static const bool simt_variable_" +
                                                 serial() + " = ::simt::deviceVariable(" +
                                                 qualified(name) + ", \"" +
                                                 std::string(nameOf(name)) + "\", " +
                                                 (isConstant ? "true" : "false") + ");");
    return s.end;
  }

  // Which variables it becomes is known when the program is linked: its symbols have them.
  void variableTemplate(const Statement& s, bool isConstant) {
    size_t first = s.begin;
    while (source_.is(first, "template") && source_.is(first + 1, "<"))
      first = std::max(source_.afterAngles(first + 1), first + 2);
    for (size_t i = first; i < s.end; ++i)
      if (source_.is(i, "const") || source_.is(i, "constexpr")) return;  // kernels may read them
    job_.edits.insert(offsetOf(first), " alignas(256) ");
    for (const size_t name : s.names)
      job_.edits.insert(offsetOf(s.end) + 1,
                        " [[maybe_unused]] static const bool simt_variable_" + serial() +
                            " = ::simt::addDeviceVariableTemplate(\"" + std::string(nameOf(name)) +
                            "\", " + (isConstant ? "true, " : "false, ") +
                            (source_.is(name + 1, "[") ? "true);" : "false);"));
  }

  const Job& job_;
  const Source& source_;
  const bool relocatable_;
  std::set<std::string_view> ofAllFiles_;
  unsigned count_ = 0;

  std::set<std::string_view> constructed_;
  // The static shared variables of a scope, by its brace.
  struct SharedOfScope {
    std::string sizes;
    size_t end = 0;  // after the last declaration
  };
  std::map<size_t, SharedOfScope> sharedOfScope_;
  std::vector<size_t> openBraces_;
};

}  // namespace

void translateVariables(const Job& job, bool relocatable) {
  Variables(job, relocatable).translate();
}

}  // namespace simt::cc
