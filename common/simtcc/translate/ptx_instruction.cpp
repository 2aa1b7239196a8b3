#include "simtcc/translate/ptx_instruction.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "simtcc/translate/ptx_words.h"

namespace simt::cc {
namespace {

using Strings = std::vector<std::string>;

class Instruction {
 public:
  Instruction(const std::string& text, size_t operands) : asmOperands_(operands) {
    size_t end = text.find_first_of(" \t");
    if (end == std::string::npos) end = text.size();
    parts_ = split(text.substr(0, end), '.');
    if (end < text.size()) operands_ = split(text.substr(end), ',');
  }

  std::optional<std::string> translated() const {
    const std::string& name = parts_[0];
    const auto has = [&](const char* part) { return std::ranges::count(parts_, part) > 0; };
    if (name == "membar" || name == "fence") {
      if (has("proxy")) return std::nullopt;
      return has("cta") ? "__threadfence_block()" : "__threadfence()";
    }
    if ((name == "bar" || name == "barrier") && has("sync") && operands_.size() == 1 &&
        operands_[0] == "0")
      return "__syncthreads()";
    if (name == "bar" && has("warp") && operands_.size() == 1) {
      const auto mask = value(operands_[0]);
      return mask ? std::optional("__syncwarp(" + *mask + ")") : std::nullopt;
    }
    if (name == "trap") return "__trap()";
    if (name == "shfl" && has("sync")) return shuffle();
    if (name == "nanosleep" || name == "prefetch" || name == "prefetchu") return "((void)0)";
    if (name == "cp" && has("async") && !has("bulk")) return copy();
    const auto type = ptxTypes().find(parts_.back());
    if (type == ptxTypes().end()) return std::nullopt;
    if (name == "ld" || name == "ldu" || name == "st") return access(type->second);
    return calculate(type->second);
  }

 private:
  // Of an operand: the C++ that has its value.
  std::optional<std::string> value(std::string text) const {
    text = trimmed(text);
    if (text.empty()) return std::nullopt;
    if (text.starts_with("%%")) text.erase(0, 1);
    if (text[0] == '%') {
      const std::string name = text.substr(1);
      for (size_t i = 0; i < asmOperands_; ++i)
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

  std::optional<std::string> copy() const {
    const std::string& what = parts_[parts_.size() - 1];
    if (what == "commit_group") return "::simt::commitCopies()";
    if (what == "wait_all") return "::simt::waitForAllCopies()";
    if (what == "wait_group") {
      const auto prior = operands_.size() == 1 ? value(operands_[0]) : std::nullopt;
      return prior ? std::optional("::simt::waitForCopies(" + *prior + ")") : std::nullopt;
    }
    static const Strings known = {"cp",          "async",  "ca",       "cg",       "shared",
                                  "shared::cta", "global", "L2::128B", "L2::256B", "L2::64B"};
    for (const std::string& part : parts_)
      if (std::ranges::count(known, part) == 0) return std::nullopt;
    if (operands_.size() < 3 || operands_.size() > 4) return std::nullopt;
    const auto to = address(operands_[0], "char"), from = address(operands_[1], "char");
    const auto bytes = value(operands_[2]), given = value(operands_.back());
    if (!to || !from || !bytes || !given) return std::nullopt;
    return "::simt::beginCopy(::simt::sharedPointer(uint64_t(" + *to + ")), " + *from + ", " +
           *given + ", " + *bytes + " - " + *given + ")";
  }

  // shfl.sync.down.b32 %0, %1, %2, %3, %4: as registers of 32 bits.
  std::optional<std::string> shuffle() const {
    if (parts_.size() != 4 || parts_[3] != "b32" || operands_.size() != 5) return std::nullopt;
    static const std::map<std::string, std::string> kinds = {
        {"idx", "index"}, {"up", "up"}, {"down", "down"}, {"bfly", "exclusiveOr"}};
    const auto kind = kinds.find(parts_[2]);
    if (kind == kinds.end()) return std::nullopt;
    std::string code = "::simt::ptx::shuffle(::simt::Shuffle::" + kind->second;
    for (size_t i = 1; i < operands_.size(); ++i) {
      const auto operand = value(operands_[i]);
      if (!operand) return std::nullopt;
      code += ", ::simt::ptx::as<uint32_t>(" + *operand + ")";
    }
    const auto result = value(operands_[0]);
    return result ? std::optional("::simt::ptx::set(" + *result + ", " + code + "))")
                  : std::nullopt;
  }

  std::optional<std::string> access(const std::string& type) const {
    const bool isStore = parts_[0] == "st";
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
    for (size_t i = 1; i + 1 < parts_.size(); ++i) {
      const std::string part = parts_[i].substr(0, parts_[i].find("::"));
      if (std::ranges::count(known, part) == 0) return std::nullopt;
      if (part == "relaxed") order = "relaxed";
      if (part == "acquire") order = "acquire";
      if (part == "release") order = "release";
    }
    if (operands_.size() != 2) return std::nullopt;
    const auto place = address(operands_[isStore ? 0 : 1], type);
    const Strings values = elements(operands_[isStore ? 1 : 0]);
    if (!place) return std::nullopt;
    const std::string scope = std::ranges::count(parts_, "cta") ? "block" : "device";
    const std::string qualifier = std::ranges::count(parts_, "volatile") ? "volatile " : "";
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

  std::optional<std::string> calculate(const std::string& type) const {
    std::string name = parts_[0];
    size_t modifiers = 1;
    // The longest name that is known: mul.hi before mul.
    for (size_t i = std::min<size_t>(parts_.size() - 1, 3); i >= 1; --i) {
      std::string longer = parts_[0];
      for (size_t k = 1; k < i; ++k) longer += "." + parts_[k];
      if (ptxOperations().contains(longer)) {
        name = longer;
        modifiers = i;
        break;
      }
    }
    const auto it = ptxOperations().find(name);
    if (it == ptxOperations().end() || operands_.empty()) return std::nullopt;
    for (size_t i = modifiers; i + 1 < parts_.size(); ++i)
      if (std::ranges::count(it->second.modifiers, parts_[i]) == 0 && parts_[i] != parts_.back())
        return std::nullopt;
    const auto result = value(operands_[0]);
    if (!result || !operands_[0].starts_with("%") || !result->starts_with("simtOperand"))
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
        const auto operand = which < operands_.size() ? value(operands_[which]) : std::nullopt;
        if (!operand) return std::nullopt;
        code += "::simt::ptx::as<" + (pattern[i - 1] == '#' ? "uint32_t" : type) + ">(" + *operand +
                ")";
      } else {
        code += pattern[i];
      }
    }
    return "::simt::ptx::set(" + *result + ", " + code + ")";
  }

  Strings parts_, operands_;  // of the name, between points; and what it works on
  const size_t asmOperands_;
};

}  // namespace

std::string trimmed(std::string_view text) {
  const size_t from = text.find_first_not_of(" \t\n\r");
  if (from == std::string_view::npos) return "";
  return std::string(text.substr(from, text.find_last_not_of(" \t\n\r") - from + 1));
}

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
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
std::optional<std::string> translateInstruction(const std::string& text, size_t operands) {
  return Instruction(text, operands).translated();
}

}  // namespace simt::cc
