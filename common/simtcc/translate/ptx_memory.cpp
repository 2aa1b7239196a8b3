// What PTX instructions do to memory.
#include <algorithm>
#include <map>

#include "simtcc/translate/ptx_operands.h"
#include "simtcc/translate/ptx_words.h"

namespace simt::cc {

// atom.global.add.u32 %0, [%1], %2; red.relaxed.gpu.global.add.f32 [%0], %1;
std::optional<std::string> PtxMemory::atomic(const std::string& type) const {
  static const std::map<std::string, std::string> kinds = {
      {"add", "add"}, {"min", "min"}, {"max", "max"},    {"exch", "exch"}, {"cas", "cas"},
      {"inc", "inc"}, {"dec", "dec"}, {"and", "bitAnd"}, {"or", "bitOr"},  {"xor", "bitXor"}};
  static const std::map<std::string, std::string> orders = {{"relaxed", "relaxed"},
                                                            {"acquire", "acquire"},
                                                            {"release", "release"},
                                                            {"acq_rel", "acquireRelease"}};
  static const std::map<std::string, std::string> words = {
      {"uint32_t", "unsigned"}, {"uint64_t", "unsigned long long"},
      {"int32_t", "int"},       {"int64_t", "long long"},
      {"float", "float"},       {"double", "double"}};
  std::string kind, order = "legacy", scope = "device";
  for (size_t i = 1; i + 1 < parts_.size(); ++i) {
    const std::string part = parts_[i].substr(0, parts_[i].find("::"));
    if (kinds.contains(part))
      kind = kinds.at(part);
    else if (orders.contains(part))
      order = orders.at(part);
    else if (part == "cta")
      scope = "block";
    else if (part != "gpu" && part != "sys" && part != "global" && part != "shared")
      return std::nullopt;
  }
  const size_t first = parts_[0] == "atom" ? 1 : 0;
  const size_t values = kind == "cas" ? 2 : 1;
  if (kind.empty() || !words.contains(type) || operands_.size() != first + 1 + values)
    return std::nullopt;
  const std::string& word = words.at(type);
  const auto place = placeOf(operands_[first], word);
  const std::string operand = valueAs(operands_.size() - 1, word);
  const std::string compared = values == 2 ? valueAs(first + 1, word) : word + "()";
  if (!place || operand.empty() || compared.empty()) return std::nullopt;
  const std::string code = "::simt::atomic<" + word + ">(::simt::Atomic::" + kind + ", " + *place +
                           ", " + operand + ", " + compared + ", ::simt::MemoryOrder::" + order +
                           ", ::simt::Scope::" + scope + ")";
  return first == 1 ? setTo(operands_[0], type + "(" + code + ")") : code;
}

std::optional<std::string> PtxMemory::copy() const {
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

std::optional<std::string> PtxMemory::access(const std::string& type) const {
  const bool isStore = parts_[0] == "st";
  static const Strings known = split(
      "global shared nc ca cg cs cv lu wb wt volatile L1 L2 relaxed acquire release gpu cta sys "
      "weak v2 v4",
      ' ');
  std::string order;
  for (size_t i = 1; i + 1 < parts_.size(); ++i) {
    const std::string part = parts_[i].substr(0, parts_[i].find("::"));
    if (std::ranges::count(known, part) == 0) return std::nullopt;
    if (part == "relaxed") order = "relaxed";
    if (part == "acquire") order = "acquire";
    if (part == "release") order = "release";
  }
  if (operands_.size() != 2) return std::nullopt;
  const auto place = placeOf(operands_[isStore ? 0 : 1], type);
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

}  // namespace simt::cc
