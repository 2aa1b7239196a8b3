// PTX in kernels: asm("instruction;" : outputs : inputs : clobbers). The instructions that programs
// write by hand become C++; others are refused by name.
#include <algorithm>
#include <cctype>
#include <optional>

#include "simtcc/translate/edits.h"

namespace simt::cc {
namespace {

using Strings = std::vector<std::string>;

std::string trimmed(std::string_view text) {
  const size_t from = text.find_first_not_of(" \t\n\r");
  if (from == std::string_view::npos) return "";
  return std::string(text.substr(from, text.find_last_not_of(" \t\n\r") - from + 1));
}

Strings split(std::string_view text, char at) {
  Strings parts;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && (text[i] == '{' || text[i] == '[')) ++depth;
    if (i < text.size() && (text[i] == '}' || text[i] == ']')) --depth;
    if (i < text.size() && (text[i] != at || depth > 0)) continue;
    parts.push_back(trimmed(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  return parts;
}

// What a string literal stands for, as far as PTX has it.
std::string contentOf(std::string_view literal) {
  std::string result;
  const size_t open = literal.find('"');
  if (literal.find('R') < open) {
    const size_t from = literal.find('(') + 1;
    return std::string(literal.substr(from, literal.rfind(')') - from));
  }
  for (size_t i = open + 1; i + 1 < literal.size(); ++i) {
    if (literal[i] != '\\') {
      result += literal[i];
      continue;
    }
    ++i;
    result += literal[i] == 'n' ? '\n' : literal[i] == 't' || literal[i] == 'r' ? ' ' : literal[i];
  }
  return result;
}

std::string withoutComments(const std::string& text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "/*") == 0) {
      const size_t end = text.find("*/", i);
      if (end == std::string::npos) break;
      i = end + 1;
    } else if (text.compare(i, 2, "//") == 0) {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else {
      result += text[i];
    }
  }
  return result;
}

const std::map<std::string, std::string>& specialRegisters() {
  static const std::map<std::string, std::string> all = {
      {"laneid", "::simt::ptx::laneId()"},
      {"warpid", "::simt::ptx::warpId()"},
      {"nwarpid", "::simt::ptx::warpCount()"},
      {"smid", "::simt::ptx::multiprocessorId()"},
      {"nsmid", "::simt::ptx::multiprocessors()"},
      {"gridid", "0ull"},
      {"lanemask_eq", "(1u << ::simt::ptx::laneId())"},
      {"lanemask_lt", "::simt::ptx::lanesBelow()"},
      {"lanemask_le", "(::simt::ptx::lanesBelow() * 2u + 1u)"},
      {"lanemask_gt", "~(::simt::ptx::lanesBelow() * 2u + 1u)"},
      {"lanemask_ge", "~::simt::ptx::lanesBelow()"},
      {"clock", "unsigned(clock64())"},
      {"clock_hi", "unsigned((unsigned long long)(clock64()) >> 32)"},
      {"clock64", "clock64()"},
      {"globaltimer", "__globaltimer()"},
      {"globaltimer_lo", "unsigned(__globaltimer())"},
      {"globaltimer_hi", "unsigned(__globaltimer() >> 32)"},
      {"tid.x", "threadIdx.x"},
      {"tid.y", "threadIdx.y"},
      {"tid.z", "threadIdx.z"},
      {"ntid.x", "blockDim.x"},
      {"ntid.y", "blockDim.y"},
      {"ntid.z", "blockDim.z"},
      {"ctaid.x", "blockIdx.x"},
      {"ctaid.y", "blockIdx.y"},
      {"ctaid.z", "blockIdx.z"},
      {"nctaid.x", "gridDim.x"},
      {"nctaid.y", "gridDim.y"},
      {"nctaid.z", "gridDim.z"}};
  return all;
}

const std::map<std::string, std::string>& types() {
  static const std::map<std::string, std::string> all = {
      {"u8", "uint8_t"},   {"s8", "int8_t"},    {"b8", "uint8_t"},   {"u16", "uint16_t"},
      {"s16", "int16_t"},  {"b16", "uint16_t"}, {"u32", "uint32_t"}, {"s32", "int32_t"},
      {"b32", "uint32_t"}, {"u64", "uint64_t"}, {"s64", "int64_t"},  {"b64", "uint64_t"},
      {"f32", "float"},    {"f64", "double"}};
  return all;
}

// An instruction whose result follows from its operands: $1, $2, $3 are these, as the type that it
// names; #1 and so on are unsigned numbers; T is the type.
struct Operation {
  Strings modifiers;  // that change nothing here
  std::string result;
};
const std::map<std::string, Operation>& operations() {
  static const Strings rounding = {"rn", "ftz", "approx", "lo", "full"};
  static const std::map<std::string, Operation> all = {
      {"mov", {{}, "$1"}},
      {"add", {rounding, "::simt::ptx::sum<T>($1, $2)"}},
      {"sub", {rounding, "::simt::ptx::difference<T>($1, $2)"}},
      {"mul", {rounding, "::simt::ptx::product<T>($1, $2)"}},
      {"mul.hi", {{}, "::simt::ptx::multiplyHigh<T>($1, $2)"}},
      {"mul.wide", {{}, "(::simt::ptx::Wide<T>($1) * ::simt::ptx::Wide<T>($2))"}},
      {"mad", {rounding, "::simt::ptx::sum<T>(::simt::ptx::product<T>($1, $2), $3)"}},
      {"mad.hi", {{}, "::simt::ptx::sum<T>(::simt::ptx::multiplyHigh<T>($1, $2), $3)"}},
      {"fma", {rounding, "T(::fma($1, $2, $3))"}},
      {"div", {rounding, "T($1 / $2)"}},
      {"rem", {{}, "T($1 % $2)"}},
      {"abs", {{"ftz"}, "T($1 < 0 ? -$1 : $1)"}},
      {"neg", {{"ftz"}, "T(-$1)"}},
      {"min", {{"ftz"}, "T(::min($1, $2))"}},
      {"max", {{"ftz"}, "T(::max($1, $2))"}},
      {"and", {{}, "T($1 & $2)"}},
      {"or", {{}, "T($1 | $2)"}},
      {"xor", {{}, "T($1 ^ $2)"}},
      {"not", {{}, "T(~$1)"}},
      {"shl", {{}, "::simt::ptx::shiftLeft<T>($1, #2)"}},
      {"shr", {{}, "::simt::ptx::shiftRight<T>($1, #2)"}},
      {"shf.l.wrap", {{}, "__funnelshift_l($1, $2, $3)"}},
      {"shf.r.wrap", {{}, "__funnelshift_r($1, $2, $3)"}},
      {"shf.l.clamp", {{}, "__funnelshift_lc($1, $2, $3)"}},
      {"shf.r.clamp", {{}, "__funnelshift_rc($1, $2, $3)"}},
      {"bfe", {{}, "::simt::ptx::extract<T>($1, #2, #3)"}},
      {"bfi", {{}, "::simt::ptx::insert<T>($1, $2, #3, #4)"}},
      {"lop3", {{}, "::simt::ptx::logic3<T>($1, $2, $3, #4)"}},
      {"prmt", {{}, "__byte_perm($1, $2, $3)"}},
      {"popc", {{}, "unsigned(__builtin_popcountll($1))"}},
      {"clz", {{}, "::simt::ptx::leadingZeros<T>($1)"}},
      {"brev", {{}, "T(sizeof(T) == 8 ? __brevll($1) : (unsigned long long)(__brev($1)))"}},
      {"bfind", {{}, "::simt::ptx::highestBit<T>($1)"}},
      {"rcp", {rounding, "T(T(1) / $1)"}},
      {"sqrt", {rounding, "T(::sqrt($1))"}},
      {"rsqrt", {rounding, "T(T(1) / ::sqrt($1))"}},
      {"ex2", {rounding, "T(::exp2($1))"}},
      {"lg2", {rounding, "T(::log2($1))"}},
      {"sin", {rounding, "T(::sin($1))"}},
      {"cos", {rounding, "T(::cos($1))"}},
      {"tanh", {rounding, "T(::tanh($1))"}},
      {"copysign", {{}, "T(::copysign($2, $1))"}},
      {"dp4a", {{}, "__dp4a($1, $2, $3)"}},
      {"activemask", {{}, "__activemask()"}}};
  return all;
}

class Statement {
 public:
  Statement(const Job& job, size_t keyword) : job_(job), source_(job.source), keyword_(keyword) {}

  // The index behind the statement.
  size_t translate() {
    size_t open = keyword_ + 1;
    while (source_.isIdentifier(open)) ++open;  // volatile
    if (!source_.is(open, "(") || source_.partner[open] == Source::none) return keyword_;
    const size_t close = source_.partner[open];
    readSections(open + 1, close);
    std::string code = "{ ";
    for (size_t i = 0; i < expressions_.size(); ++i)
      code += (i < outputs_ ? "auto&& simtOperand" : "const auto simtOperand") + std::to_string(i) +
              " = " + expressions_[i] + "; ";
    for (const std::string& instruction : instructions()) {
      const std::optional<std::string> translated = translateInstruction(instruction);
      if (!translated) {
        job_.refuse(keyword_, "PTX (asm): \"" + instruction + "\" is not supported");
        return close;
      }
      code += *translated + "; ";
    }
    for (size_t i = 0; i < expressions_.size(); ++i)
      code += "(void)simtOperand" + std::to_string(i) + "; ";
    for (size_t i = keyword_; i <= close; ++i) job_.edits.remove(source_.tokens[i]);
    job_.edits.insert(source_.tokens[keyword_].offset, code + "}");
    return close;
  }

 private:
  void readSections(size_t from, size_t to) {
    size_t i = from;
    for (; i < to && source_.tokens[i].kind == Token::Kind::text; ++i)
      template_ += contentOf(source_.tokens[i].text);
    for (int section = 0; i < to && section < 3;) {
      section += source_.is(i, "::") ? 2 : 1;
      ++i;
      while (i < to && !source_.is(i, ":") && !source_.is(i, "::")) {
        if (section <= 2 && source_.is(i, "(") && source_.partner[i] != Source::none) {
          const size_t close = source_.partner[i];
          const size_t begin = source_.tokens[i].offset;
          std::string text(source_.text.substr(begin, source_.tokens[close].offset + 1 - begin));
          std::ranges::replace(text, '\n', ' ');
          expressions_.push_back(text);
          if (section == 1) ++outputs_;
          i = close;
        }
        ++i;
      }
    }
  }

  // Braces around all of them are left out.
  Strings instructions() const {
    std::string text = trimmed(withoutComments(template_));
    if (text.starts_with("{") && text.ends_with("}")) text = text.substr(1, text.size() - 2);
    Strings result = split(text, ';');
    std::erase(result, "");
    return result;
  }

  // Of an operand: the C++ that has its value.
  std::optional<std::string> value(std::string text) const {
    text = trimmed(text);
    if (text.empty()) return std::nullopt;
    if (text.starts_with("%%")) text.erase(0, 1);
    if (text[0] == '%') {
      const std::string name = text.substr(1);
      for (size_t i = 0; i < expressions_.size(); ++i)
        if (name == std::to_string(i)) return "simtOperand" + name;
      const auto it = specialRegisters().find(name);
      return it == specialRegisters().end() ? std::nullopt : std::optional(it->second);
    }
    if (text.starts_with("0f") || text.starts_with("0F"))
      return "__builtin_bit_cast(float, 0x" + text.substr(2) + "u)";
    if (text.starts_with("0d") || text.starts_with("0D"))
      return "__builtin_bit_cast(double, 0x" + text.substr(2) + "ull)";
    const size_t digit = text.find_first_not_of("+-");
    if (digit <= 1 && std::isdigit(static_cast<unsigned char>(text[digit])) &&
        text.find_first_not_of("0123456789abcdefxABCDEFXU.", digit) == std::string::npos)
      return text;
    return std::nullopt;
  }

  // "[%1]", "[%1 + 16]"
  std::optional<std::string> address(std::string text, const std::string& type) const {
    if (text.size() < 3 || text.front() != '[' || text.back() != ']') return std::nullopt;
    text = text.substr(1, text.size() - 2);
    std::string offset = "0";
    if (const size_t plus = text.find('+'); plus != std::string::npos) {
      offset = trimmed(text.substr(plus + 1));
      text.erase(plus);
    }
    const auto base = value(text);
    if (!base || !value(offset)) return std::nullopt;
    return "::simt::ptx::at<" + type + ">(" + *base + ", " + offset + ")";
  }

  static Strings elements(const std::string& operand) {
    if (operand.empty() || operand.front() != '{') return {operand};
    return split(std::string_view(operand).substr(1, operand.size() - 2), ',');
  }

  std::optional<std::string> translateInstruction(const std::string& text) const {
    size_t end = text.find_first_of(" \t");
    if (end == std::string::npos) end = text.size();
    const Strings parts = split(text.substr(0, end), '.');
    const Strings operands = end < text.size() ? split(text.substr(end), ',') : Strings{};
    const std::string& name = parts[0];
    const auto has = [&](const char* part) { return std::ranges::count(parts, part) > 0; };
    if (name == "membar" || name == "fence") {
      if (has("proxy")) return std::nullopt;
      return has("cta") ? "__threadfence_block()" : "__threadfence()";
    }
    if ((name == "bar" || name == "barrier") && has("sync") && operands.size() == 1 &&
        operands[0] == "0")
      return "__syncthreads()";
    if (name == "bar" && has("warp") && operands.size() == 1) {
      const auto mask = value(operands[0]);
      return mask ? std::optional("__syncwarp(" + *mask + ")") : std::nullopt;
    }
    if (name == "trap") return "__trap()";
    if (name == "nanosleep" || name == "prefetch" || name == "prefetchu") return "((void)0)";
    if (name == "cp" && has("async") && !has("bulk")) return copy(parts, operands);
    const auto type = types().find(parts.back());
    if (type == types().end()) return std::nullopt;
    if (name == "ld" || name == "ldu" || name == "st") return access(parts, operands, type->second);
    return calculate(parts, operands, type->second);
  }

  std::optional<std::string> copy(const Strings& parts, const Strings& operands) const {
    const std::string& what = parts[parts.size() - 1];
    if (what == "commit_group") return "::simt::commitCopies()";
    if (what == "wait_all") return "::simt::waitForAllCopies()";
    if (what == "wait_group") {
      const auto prior = operands.size() == 1 ? value(operands[0]) : std::nullopt;
      return prior ? std::optional("::simt::waitForCopies(" + *prior + ")") : std::nullopt;
    }
    static const Strings known = {"cp",          "async",  "ca",       "cg",       "shared",
                                  "shared::cta", "global", "L2::128B", "L2::256B", "L2::64B"};
    for (const std::string& part : parts)
      if (std::ranges::count(known, part) == 0) return std::nullopt;
    if (operands.size() < 3 || operands.size() > 4) return std::nullopt;
    const auto to = address(operands[0], "char"), from = address(operands[1], "char");
    const auto bytes = value(operands[2]), given = value(operands.back());
    if (!to || !from || !bytes || !given) return std::nullopt;
    return "::simt::beginCopy(::simt::sharedPointer(uint64_t(" + *to + ")), " + *from + ", " +
           *given + ", " + *bytes + " - " + *given + ")";
  }

  std::optional<std::string> access(const Strings& parts, const Strings& operands,
                                    const std::string& type) const {
    const bool isStore = parts[0] == "st";
    static const Strings known = {"global",
                                  "nc",
                                  "ca",
                                  "cg",
                                  "cs",
                                  "cv",
                                  "lu",
                                  "wb",
                                  "wt",
                                  "volatile",
                                  "L1::no_allocate",
                                  "L1",
                                  "L2",
                                  "relaxed",
                                  "acquire",
                                  "release",
                                  "gpu",
                                  "cta",
                                  "sys",
                                  "weak",
                                  "v2",
                                  "v4"};
    std::string order;
    for (size_t i = 1; i + 1 < parts.size(); ++i) {
      const std::string part = parts[i].substr(0, parts[i].find("::"));
      if (std::ranges::count(known, part) == 0) return std::nullopt;
      if (part == "relaxed") order = "relaxed";
      if (part == "acquire") order = "acquire";
      if (part == "release") order = "release";
    }
    if (operands.size() != 2) return std::nullopt;
    const auto place = address(operands[isStore ? 0 : 1], type);
    const Strings values = elements(operands[isStore ? 1 : 0]);
    if (!place) return std::nullopt;
    const std::string scope = std::ranges::count(parts, "cta") ? "block" : "device";
    const std::string qualifier = std::ranges::count(parts, "volatile") ? "volatile " : "";
    std::string code;
    for (size_t i = 0; i < values.size(); ++i) {
      const auto v = value(values[i]);
      if (!v) return std::nullopt;
      const std::string object =
          "static_cast<" + qualifier + type + "*>(" + *place + ")[" + std::to_string(i) + "]";
      if (!order.empty()) {
        if (type != "uint32_t" && type != "int32_t" && type != "uint64_t") return std::nullopt;
        const std::string word = type == "uint64_t" ? "unsigned long long" : type;
        const std::string atomic =
            "::simt::atomic<" + word + ">(::simt::Atomic::" + (isStore ? "exch" : "load") + ", (" +
            word + "*)" + *place + ", " +
            (isStore ? "::simt::ptx::as<" + type + ">(" + *v + ")" : "0") +
            ", 0, ::simt::MemoryOrder::" + order + ", ::simt::Scope::" + scope + ")";
        code += isStore ? atomic : "::simt::ptx::set(" + *v + ", " + type + "(" + atomic + "))";
      } else if (isStore) {
        code += object + " = ::simt::ptx::as<" + type + ">(" + *v + ")";
      } else {
        code += "::simt::ptx::set(" + *v + ", " + type + "(" + object + "))";
      }
      if (i + 1 < values.size()) code += "; ";
    }
    return code;
  }

  std::optional<std::string> calculate(const Strings& parts, const Strings& operands,
                                       const std::string& type) const {
    std::string name = parts[0];
    size_t modifiers = 1;
    // The longest name that is known: mul.hi before mul.
    for (size_t i = std::min<size_t>(parts.size() - 1, 3); i >= 1; --i) {
      std::string longer = parts[0];
      for (size_t k = 1; k < i; ++k) longer += "." + parts[k];
      if (operations().contains(longer)) {
        name = longer;
        modifiers = i;
        break;
      }
    }
    const auto it = operations().find(name);
    if (it == operations().end() || operands.empty()) return std::nullopt;
    for (size_t i = modifiers; i + 1 < parts.size(); ++i)
      if (std::ranges::count(it->second.modifiers, parts[i]) == 0 && parts[i] != parts.back())
        return std::nullopt;
    const auto result = value(operands[0]);
    if (!result || !operands[0].starts_with("%") || !result->starts_with("simtOperand"))
      return std::nullopt;
    std::string code;
    const std::string& pattern = it->second.result;
    for (size_t i = 0; i < pattern.size(); ++i) {
      const bool isOperand = pattern[i] == '$' || pattern[i] == '#';
      const bool isType = pattern[i] == 'T' &&
                          (i + 1 == pattern.size() ||
                           std::string_view("(,>").find(pattern[i + 1]) != std::string_view::npos);
      if (isType) {
        code += type;
      } else if (isOperand) {
        const size_t which = size_t(pattern[++i] - '0');
        const auto operand = which < operands.size() ? value(operands[which]) : std::nullopt;
        if (!operand) return std::nullopt;
        code += "::simt::ptx::as<" + (pattern[i - 1] == '#' ? "uint32_t" : type) + ">(" + *operand +
                ")";
      } else {
        code += pattern[i];
      }
    }
    return "::simt::ptx::set(" + *result + ", " + code + ")";
  }

  const Job& job_;
  const Source& source_;
  const size_t keyword_;
  std::string template_;
  Strings expressions_;
  size_t outputs_ = 0;
};

}  // namespace

void translatePtx(const Job& job) {
  const Source& source = job.source;
  for (size_t i = 0; i < source.tokens.size(); ++i)
    if ((source.is(i, "asm") || source.is(i, "__asm__") || source.is(i, "__asm")) &&
        job.declarations.onDevice[i])
      i = Statement(job, i).translate();
}

}  // namespace simt::cc
