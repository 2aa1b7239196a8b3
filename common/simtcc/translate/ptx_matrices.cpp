// PTX of the tensor cores, of barriers that are variables, and of numbers of 16 bits.
#include <algorithm>
#include <map>
#include <set>

#include "simtcc/translate/ptx_operands.h"
#include "simtcc/translate/ptx_words.h"

namespace simt::cc {

// "{ const uint32_t name[] = {...};"
std::optional<std::string> PtxMatrices::registersOf(const std::string& operand,
                                                    const std::string& type,
                                                    const std::string& name) const {
  std::string list;
  for (const std::string& element : elements(operand)) {
    const auto v = value(element);
    if (!v) return std::nullopt;
    list += (list.empty() ? "" : ", ") + ("::simt::ptx::as<" + type + ">(" + *v + ")");
  }
  return "const " + type + " " + name + "[] = {" + list + "}; ";
}

std::optional<std::string> PtxMatrices::setAll(const std::string& operand,
                                               const std::string& name) const {
  std::string code;
  const Strings places = elements(operand);
  for (size_t i = 0; i < places.size(); ++i) {
    const auto set = setTo(places[i], name + "[" + std::to_string(i) + "]");
    if (!set) return std::nullopt;
    code += *set + "; ";
  }
  return code;
}

// mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, ...}, {...}, {...}, {...};
std::optional<std::string> PtxMatrices::multiply() const {
  static const std::set<std::string> numbers = {"f16", "bf16", "tf32", "f64", "e4m3", "e5m2",
                                                "s8",  "u8",   "s4",   "u4",  "b1"};
  if (parts_.size() < 10 || operands_.size() != 4 || parts_[1] != "sync" ||
      parts_[2] != "aligned" || parts_[4] != "row" || parts_[5] != "col")
    return std::nullopt;
  int shape[3] = {};
  const std::string& text = parts_[3];
  if (std::sscanf(text.c_str(), "m%dn%dk%d", &shape[0], &shape[1], &shape[2]) != 3)
    return std::nullopt;
  const size_t first = parts_[6] == "satfinite" ? 7 : 6;
  if (parts_.size() < first + 4) return std::nullopt;
  const std::string &to = parts_[first], &a = parts_[first + 1], &b = parts_[first + 2],
                    &from = parts_[first + 3];
  const std::string bits = parts_.size() > first + 4 ? parts_[first + 4] : "";
  if (!numbers.contains(a) || !numbers.contains(b) || to != from || shape[1] != 8 ||
      (shape[0] != 8 && shape[0] != 16) || (a == "f16" && shape[0] == 8) ||
      parts_.size() > first + (a == "b1" ? 6u : 4u) ||
      (a == "b1" && bits != "xor" && bits != "and"))
    return std::nullopt;
  const std::string word = a == "f64" ? "uint64_t" : "uint32_t";
  const auto left = registersOf(operands_[1], word, "simtA"),
             right = registersOf(operands_[2], word, "simtB"),
             added = registersOf(operands_[3], word, "simtC"),
             result = setAll(operands_[0], "simtD");
  if (!left || !right || !added || !result) return std::nullopt;
  const auto number = [](const std::string& name) { return "::simt::ptx::Number::" + name; };
  return "{ " + *left + *right + *added + word +
         " simtD[sizeof simtC / sizeof *simtC]; ::simt::ptx::multiply({" +
         std::to_string(shape[0]) + ", " + std::to_string(shape[2]) + ", " + number(a) + ", " +
         number(b) + ", " + number(to) + ", " + (first == 7 ? "true" : "false") + ", " +
         (bits == "and" ? "true" : "false") + "}, simtA, simtB, simtC, simtD); " + *result + "}";
}

// ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, ...}, [%4]; and stmatrix the other way.
std::optional<std::string> PtxMatrices::moveMatrices() const {
  static const std::set<std::string> known = {"sync", "aligned", "m8n8",        "x1",  "x2",
                                              "x4",   "trans",   "shared::cta", "b16", "shared"};
  for (size_t i = 1; i < parts_.size(); ++i)
    if (!known.contains(parts_[i])) return std::nullopt;
  const bool isLoad = parts_[0] == "ldmatrix";
  if (operands_.size() != 2) return std::nullopt;
  const std::string &registers = operands_[isLoad ? 0 : 1], &where = operands_[isLoad ? 1 : 0];
  const auto from = address(where, "char");
  const std::string count = std::to_string(elements(registers).size());
  const std::string turned = std::ranges::count(parts_, "trans") > 0 ? "true" : "false";
  if (!from) return std::nullopt;
  const std::string place = "::simt::sharedPointer(uint64_t(" + *from + "))";
  const std::string call = "<" + count + ", " + turned + ">(" + place + ", simtM); ";
  if (isLoad) {
    const auto result = setAll(registers, "simtM");
    if (!result) return std::nullopt;
    return "{ uint32_t simtM[" + count + "]; ::simt::ptx::loadMatrices" + call + *result + "}";
  }
  const auto values = registersOf(registers, "uint32_t", "simtM");
  if (!values) return std::nullopt;
  return "{ " + *values + "::simt::ptx::storeMatrices" + call + "}";
}

// mbarrier.init.shared.b64 [%0], %1; mbarrier.arrive ... %0, [%1]; mbarrier.test_wait.parity ... p,
// [%0], %1;
std::optional<std::string> PtxMatrices::variableBarrier() const {
  static const std::set<std::string> known = {"init",     "inval",   "arrive",  "test_wait",
                                              "try_wait", "parity",  "shared",  "shared::cta",
                                              "b64",      "release", "acquire", "cta"};
  for (size_t i = 1; i < parts_.size(); ++i)
    if (!known.contains(parts_[i])) return std::nullopt;
  const auto has = [&](const char* part) { return std::ranges::count(parts_, part) > 0; };
  const bool gives = has("arrive") || has("test_wait") || has("try_wait");
  if (operands_.size() < (gives ? 2u : 1u)) return std::nullopt;
  const auto place = placeOf(operands_[gives ? 1 : 0], "uint64_t");
  if (!place) return std::nullopt;
  if (has("inval")) return "((void)0)";
  if (has("init")) {
    const std::string count = valueAs(1, "uint32_t");
    if (count.empty()) return std::nullopt;
    return "::simt::ptx::initialise(" + *place + ", " + count + ")";
  }
  if (has("arrive")) {
    const std::string count = operands_.size() > 2 ? valueAs(2, "uint32_t") : "1u";
    if (count.empty()) return std::nullopt;
    const std::string call = "::simt::ptx::arrive(" + *place + ", " + count + ")";
    return operands_[0] == "_" ? std::optional("(void)" + call) : setTo(operands_[0], call);
  }
  const bool byParity = has("parity");
  const std::string phase = valueAs(2, byParity ? "uint32_t" : "uint64_t");
  if (phase.empty()) return std::nullopt;
  return setTo(operands_[0], std::string("::simt::") +
                                 (byParity ? "isParityOver(" : "isPartOver(") + *place +
                                 ", unsigned(" + phase + "))");
}

// cvt.rn.f16.f32 %0, %1; cvt.f32.f16; cvt.rn.bf16x2.f32 %0, %1, %2; fma.rn.f16x2 %0, %1, %2, %3;
std::optional<std::string> PtxMatrices::ofSixteenBits() const {
  const std::string& name = parts_[0];
  const auto isSmall = [](const std::string& type) { return type == "f16" || type == "bf16"; };
  const auto exponent = [](const std::string& type) {
    return type.starts_with("bf16") ? std::string("8") : std::string("5");
  };
  const std::string& last = parts_.back();
  if (name == "cvt") {
    if (parts_.size() < 3) return std::nullopt;
    const std::string& to = parts_[parts_.size() - 2];
    const std::string rounding = parts_.size() == 4 ? parts_[1] : "";
    if (parts_.size() > 4 || (rounding != "" && rounding != "rn" && rounding != "rna"))
      return std::nullopt;
    if (to == "f32" && isSmall(last) && operands_.size() == 2) {
      const std::string from = valueAs(1, "uint16_t");
      if (from.empty()) return std::nullopt;
      return setTo(operands_[0], "::simt::floatFromSmall(" + from + ", " + exponent(last) + ")");
    }
    if (last != "f32") return std::nullopt;
    const std::string high = valueAs(1, "float");
    if (high.empty()) return std::nullopt;
    if (to == "tf32" && operands_.size() == 2)
      return setTo(operands_[0], "::simt::ptx::roundedToTf32(" + high + ")");
    const auto small = [&](const std::string& from) {
      return "::simt::smallFromFloat(" + from + ", " + exponent(to) + ")";
    };
    if (isSmall(to) && operands_.size() == 2 && !rounding.empty())
      return setTo(operands_[0], small(high));
    if ((to == "f16x2" || to == "bf16x2") && operands_.size() == 3) {
      const std::string low = valueAs(2, "float");
      if (low.empty()) return std::nullopt;
      return setTo(operands_[0],
                   "::simt::ptx::joined<uint32_t>(" + small(low) + ", " + small(high) + ")");
    }
    return std::nullopt;
  }
  static const std::map<std::string, size_t> operations = {
      {"add", 3}, {"sub", 3}, {"mul", 3}, {"min", 3}, {"max", 3},
      {"fma", 4}, {"neg", 2}, {"abs", 2}, {"ex2", 2}, {"tanh", 2}};
  const auto operation = operations.find(name);
  static const std::set<std::string> modifiers = {"rn", "ftz", "approx"};
  if (operation == operations.end() || operands_.size() != operation->second) return std::nullopt;
  for (size_t i = 1; i + 1 < parts_.size(); ++i)
    if (!modifiers.contains(parts_[i])) return std::nullopt;
  const std::string word = last.ends_with("x2") ? "uint32_t" : "uint16_t";
  std::string code =
      "::simt::ptx::small<" + word + ">(::simt::ptx::Small::" + name + ", " + exponent(last);
  for (size_t i = 1; i < operands_.size(); ++i) {
    const std::string operand = valueAs(i, word);
    if (operand.empty()) return std::nullopt;
    code += ", " + operand;
  }
  return setTo(operands_[0], code + ")");
}

}  // namespace simt::cc
