#include "simtcc/translate/plain_code.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

#include "simtcc/translate/compiler.h"
#include "simtcc/translate/precompiled.h"
#include "simtcc_config.h"  // made by CMake

namespace simt::cc {
namespace {

constexpr unsigned mostSecondsOfPlainCode = 60;
constexpr std::string_view suffix = ".plain";

template <typename Visit>
void forEachLine(std::string_view text, const Visit& visit) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    visit(text.substr(at, end - at));
    at = end + 1;
  }
}

bool isOfName(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
}
size_t endOfName(std::string_view line, size_t at) {
  while (at < line.size() && isOfName(line[at])) ++at;
  return at;
}

// What stands behind a directive: "name" in "\t.comm\tname,4,4".
std::string_view nameBehind(std::string_view line, std::string_view directive) {
  if (!line.starts_with(directive)) return {};
  return line.substr(directive.size(), endOfName(line, directive.size()) - directive.size());
}
// "name" in "name:", where that is no label of the compiler's own.
std::string_view labelOf(std::string_view line) {
  if (line.empty() || line.starts_with(".L") || !isOfName(line[0])) return {};
  const size_t end = endOfName(line, 0);
  return end + 1 == line.size() && line[end] == ':' ? line.substr(0, end) : std::string_view();
}

// The names that an assembly defines: of functions also those of groups of which the linker keeps
// one, as constructors are one.
struct Defined {
  std::set<std::string_view> all, functions;
  explicit Defined(std::string_view text) {
    std::set<std::string_view> typed;
    forEachLine(text, [&](std::string_view line) {
      for (const auto& name : {labelOf(line), nameBehind(line, "\t.comm\t")})
        if (!name.empty()) all.insert(name);
      if (const auto name = nameBehind(line, "\t.set\t"); !name.empty() && name[0] != '.')
        all.insert(name), typed.insert(name);
      if (const auto name = nameBehind(line, "\t.type\t");
          !name.empty() && line.ends_with("@function"))
        typed.insert(name);
    });
    std::ranges::set_intersection(all, typed, std::inserter(functions, functions.end()));
    constexpr std::string_view ofGroup = "\"axG\",@progbits,";
    forEachLine(text, [&](std::string_view line) {
      const size_t at = line.starts_with("\t.section") ? line.find(ofGroup) : line.npos;
      if (at != line.npos) functions.insert(nameBehind(line.substr(at), ofGroup));
    });
  }
};

// Made by the compiler, and numbered as they come: "CSWTCH.3".
bool isNumbered(std::string_view name) {
  const size_t dot = name.rfind('.');
  return dot != name.npos && dot + 1 < name.size() &&
         std::all_of(name.begin() + std::ptrdiff_t(dot) + 1, name.end(),
                     [](unsigned char c) { return std::isdigit(c); });
}

bool beginsWithOneOf(std::string_view line, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return line.starts_with(word); });
}

// The plain code for behind the instrumented one: functions and numbered names get names of their
// own, variables that are there already are left out, and so is what initialises them.
class Behind {
 public:
  Behind(std::string_view plain, const Defined& instrumented, std::string& to)
      : defined_(plain), instrumented_(instrumented), to_(to) {
    forEachLine(plain, [this](std::string_view line) { add(line); });
  }
  const Defined& defined() const { return defined_; }

 private:
  bool isShared(std::string_view name) const {
    return !name.empty() && !isNumbered(name) && !defined_.functions.contains(name) &&
           instrumented_.all.contains(name);
  }
  void add(std::string_view line) {
    if (beginsWithOneOf(line, {"\t.section", "\t.text", "\t.data", "\t.bss"}))
      isLeftOut_ = beginsWithOneOf(line, {"\t.section\t.init_array", "\t.section\t.fini_array",
                                          "\t.section\t.ctors", "\t.section\t.dtors"});
    if (isLeftOut_ || line.starts_with("\t.file")) return;
    if (const auto name = labelOf(line); !name.empty()) {
      if ((isInShared_ = isShared(name))) return;
    } else if (isInShared_) {  // its bytes, up to what else comes
      if (beginsWithOneOf(line, {"\t.zero", "\t.byte", "\t.value", "\t.long", "\t.quad",
                                 "\t.string", "\t.ascii"}))
        return;
      isInShared_ = false;
    }
    for (const char* directive : {"\t.globl\t", "\t.weak\t", "\t.local\t", "\t.hidden\t",
                                  "\t.type\t", "\t.size\t", "\t.comm\t"})
      if (isShared(nameBehind(line, directive))) return;
    if (beginsWithOneOf(line, {"\t.string", "\t.ascii", "\t.ident"}))
      to_ += line;
    else
      addRenamed(line);
    to_ += '\n';
  }
  void addRenamed(std::string_view line) {
    size_t at = 0;
    if (line.starts_with('\t')) {  // an instruction or a directive
      at = std::min(line.find_first_of("\t ", 1), line.size());
      to_ += line.substr(0, at);
    }
    while (at < line.size()) {
      const size_t end = endOfName(line, at);
      if (end == at) {
        to_ += line[at++];
        continue;
      }
      const std::string_view name = line.substr(at, end - at);
      const bool isRegister = at > 0 && line[at - 1] == '%';
      if (name.starts_with(".L"))
        to_ += ".Lplain", to_ += name.substr(2);
      else
        to_ += name;
      if (!isRegister &&
          (defined_.functions.contains(name) || (isNumbered(name) && defined_.all.contains(name))))
        to_ += suffix;
      at = end;
    }
  }

  const Defined defined_;
  const Defined& instrumented_;
  std::string& to_;
  bool isLeftOut_ = false, isInShared_ = false;
};

// What the plain code is compiled with: what the instrumented code is, but for that.
Words flags(const CommandLine& line) {
  Words all;
  for (const std::string& word : flagsOf(config::kernelFlags))
    if (word.starts_with("-O") || word == "-fsanitize=bounds") all.push_back(word);
  return all + flagsOf(config::programFlags) + line.compile + Words{"-g0", "-w"};
}

}  // namespace

PlainCode::PlainCode(const CommandLine& line, const Translation& translation,
                     const std::string& headers, const TemporaryFolder& folder)
    : folder_(folder), kernels_(translation.kernels) {
#if !defined(__clang__) && defined(__x86_64__) && defined(__linux__)
  // What waits for a volatile variable would be seen by its instrumentation.
  if (translation.usesLibrary || translation.isVolatile || kernels_.empty()) return;
  std::string text = translation.text;
  Words precompiled;
  if (!headers.empty()) {
    const std::string plain = precompiledHeaders(line, flags(line));
    const size_t at = text.find(headers);
    if (plain.empty() || at == text.npos) return;
    text.replace(at, headers.size(), plain);
    precompiled = {"-fpch-preprocess"};
  }
  writeFile(folder.file("plain.ii"), text);
  making_ = std::make_unique<ProgramBeside>(
      Words{config::compiler, "-S", line.standard} + flags(line) + precompiled +
          Words{"-x", "c++-cpp-output", folder.file("plain.ii"), "-o", folder.file("plain.s")},
      folder.file("plain.log"));
#else
  (void)line, (void)headers;
#endif
}

std::string PlainCode::joinedTo(std::string instrumented) {
  if (!making_ || making_->wait(mostSecondsOfPlainCode) != 0) return instrumented;
  const std::string before = instrumented, plain = readFile(folder_.file("plain.s"));
  const Defined known(before);
  const Behind behind(plain, known, instrumented);
  instrumented += "\t.section\tsimt_plain,\"aw\"\n\t.align 8\n";
  for (const std::string_view name : behind.defined().functions) {
    const auto isOf = [&](const std::string& kernel) {
      return name == kernel ||
             name.find(std::to_string(kernel.size()) + kernel) != std::string_view::npos;
    };
    if (known.functions.contains(name) && !isNumbered(name) && std::ranges::any_of(kernels_, isOf))
      (instrumented += "\t.quad\t")
          .append(name)
          .append("\n\t.quad\t")
          .append(name)
          .append(suffix) += '\n';
  }
  return instrumented;
}

}  // namespace simt::cc
