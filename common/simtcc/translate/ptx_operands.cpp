#include "simtcc/translate/ptx_operands.h"

#include <algorithm>
#include <cctype>

#include "simtcc/translate/ptx_words.h"

namespace simt::cc {

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

PtxOperands::PtxOperands(std::string text, PtxScope& scope) : scope_(scope) {
  if (text.starts_with("@")) {  // @p or @!p: what it depends on
    const size_t end = std::min(text.find_first_of(" \t\n"), text.size());
    condition_ = text.substr(1, end - 1);
    text = trimmed(std::string_view(text).substr(end));
  }
  size_t end = text.find_first_of(" \t\n");
  if (end == std::string::npos) end = text.size();
  parts_ = split(text.substr(0, end), '.');
  if (end < text.size()) operands_ = split(text.substr(end), ',');
}

std::optional<std::string> PtxOperands::value(std::string text) const {
  text = trimmed(text);
  if (text.empty()) return std::nullopt;
  if (text.starts_with("%%")) text.erase(0, 1);
  if (scope_.registers.contains(text)) return registerOf(text);
  if (text[0] == '%') {
    const std::string name = text.substr(1);
    for (size_t i = 0; i < scope_.operands; ++i)
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

std::optional<std::string> PtxOperands::address(std::string text, const std::string& type) const {
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

PtxOperands::Strings PtxOperands::elements(const std::string& operand) {
  if (operand.empty() || operand.front() != '{') return {operand};
  return split(std::string_view(operand).substr(1, operand.size() - 2), ',');
}

std::optional<std::string> PtxOperands::placeOf(const std::string& text,
                                                const std::string& type) const {
  const bool isShared = std::ranges::any_of(
      parts_, [](const std::string& part) { return part.starts_with("shared"); });
  const auto plain = address(text, type);
  if (!plain || !isShared) return plain;
  return "static_cast<" + type + "*>(::simt::sharedPointer(uint64_t(" + *plain + ")))";
}

namespace {
std::string named(std::string prefix, const std::string& name) {
  for (const char c : name) prefix += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return prefix;
}
}  // namespace
std::string PtxOperands::registerOf(const std::string& name) {
  return named("simtRegister_", name);
}
std::string labelOf(const std::string& name) { return named("simtLabel_", name); }

bool PtxOperands::isPlace(const std::string& text) const {
  const auto place = value(text);
  return place && (place->starts_with("simtOperand") || place->starts_with("simtRegister_"));
}

std::optional<std::string> PtxOperands::setTo(const std::string& operand,
                                              const std::string& code) const {
  if (!isPlace(operand)) return std::nullopt;
  return "::simt::ptx::set(" + *value(operand) + ", " + code + ")";
}

std::string PtxOperands::valueAs(size_t i, const std::string& type) const {
  const auto text = i < operands_.size() ? value(operands_[i]) : std::nullopt;
  return text ? "::simt::ptx::as<" + type + ">(" + *text + ")" : "";
}

}  // namespace simt::cc
