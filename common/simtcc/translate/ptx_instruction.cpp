#include "simtcc/translate/ptx_instruction.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "simtcc/translate/ptx_operands.h"
#include "simtcc/translate/ptx_words.h"

namespace simt::cc {
namespace {

class Instruction : public PtxMatrices {
 public:
  using PtxMatrices::PtxMatrices;

  std::optional<std::string> translated() const {
    if (condition_.empty()) return unconditional();
    const bool negated = condition_.starts_with("!");
    const auto condition = value(condition_.substr(negated ? 1 : 0));
    const auto code = unconditional();
    if (!condition || !code || code->find("simtCarry") != std::string::npos) return std::nullopt;
    return std::string(negated ? "if (!" : "if (") + *condition + ") { " + *code + "; }";
  }

 private:
  std::optional<std::string> unconditional() const {
    if (parts_.size() > 1 && parts_[0].empty() && parts_[1] == "reg") return registers();
    const std::string& name = parts_[0];
    const auto has = [&](const char* part) { return std::ranges::count(parts_, part) > 0; };
    if (name == "membar" || name == "fence") {
      if (has("proxy")) return std::nullopt;
      return has("cta") ? "__threadfence_block()" : "__threadfence()";
    }
    if (name == "bar" && has("warp") && operands_.size() == 1) {
      const auto mask = value(operands_[0]);
      return mask ? std::optional("__syncwarp(" + *mask + ")") : std::nullopt;
    }
    if ((name == "bar" || name == "barrier") && has("sync") && operands_.size() == 1 &&
        operands_[0] == "0")
      return "__syncthreads()";
    if ((name == "bar" || name == "barrier") && (has("sync") || has("arrive"))) return barrier();
    if (name == "trap") return "__trap()";
    if (name == "shfl" && has("sync")) return shuffle();
    if (name == "vote" && has("sync")) return vote();
    for (const char* hint : {"nanosleep", "prefetch", "prefetchu", "discard", "griddepcontrol"})
      if (name == hint) return "((void)0)";
    if (name == "cp" && has("async") && !has("bulk")) return copy();
    if (name == "bra" && operands_.size() == 1) return "goto " + labelOf(operands_[0]);
    if (name == "mma") return multiply();
    if (name == "ldmatrix" || name == "stmatrix") return moveMatrices();
    if (name == "mbarrier") return variableBarrier();
    if (name == "vabsdiff4" && parts_.back() == "add" && operands_.size() == 4)
      return setTo(operands_[0], "__vsadu4(" + valueAs(1, "uint32_t") + ", " +
                                     valueAs(2, "uint32_t") + ") + " + valueAs(3, "uint32_t"));
    if (const auto small = ofSixteenBits(); small && usesSixteenBits()) return small;
    const auto type = ptxTypes().find(parts_.back());
    if (type == ptxTypes().end()) return std::nullopt;
    if (name == "ld" || name == "ldu" || name == "st") return access(type->second);
    if (name == "atom" || name == "red") return atomic(type->second);
    if (name == "setp") return compare(type->second);
    if (name == "cvt" || name == "cvta") return convert(type->second);
    if (name == "redux" || name == "match") return ofWarp(type->second);
    if (name == "mov" && operands_.size() == 2)
      for (const std::string& operand : operands_)
        if (operand.starts_with("{")) return pieces(type->second);
    if (has("cc") || name == "addc" || name == "subc" || name == "madc") return carry(type->second);
    return calculate(type->second);
  }

  bool usesSixteenBits() const {
    return std::ranges::any_of(parts_, [](const std::string& part) {
      return part.starts_with("f16") || part.starts_with("bf16") || part == "tf32";
    });
  }

  // bar.sync 1, 64; barrier.cta.arrive %0, %1;
  std::optional<std::string> barrier() const {
    if (operands_.empty() || operands_.size() > 2 || std::ranges::count(parts_, "red") > 0)
      return std::nullopt;
    const std::string id = valueAs(0, "uint32_t");
    const std::string threads = operands_.size() > 1 ? valueAs(1, "uint32_t") : "0u";
    if (id.empty() || threads.empty()) return std::nullopt;
    return "::simt::ptx::barrier(" + id + ", " + threads + ", " +
           (std::ranges::count(parts_, "sync") > 0 ? "true)" : "false)");
  }

  // .reg .pred p, q;
  std::optional<std::string> registers() const {
    if (parts_.size() != 2 || operands_.empty()) return std::nullopt;
    std::string code, declared;
    for (size_t i = 0; i < operands_.size(); ++i) {
      std::string name = operands_[i];
      if (i == 0) {  // ".pred p"
        const size_t end = name.find_first_of(" \t");
        if (end == std::string::npos || name[0] != '.') return std::nullopt;
        const std::string kind = name.substr(1, end - 1);
        const auto known = ptxTypes().find(kind);
        if (kind != "pred" && known == ptxTypes().end()) return std::nullopt;
        declared = kind == "pred" ? "bool" : known->second;
        name = trimmed(std::string_view(name).substr(end));
      }
      if (name.starts_with("%%")) name.erase(0, 1);
      if (name.find('<') != std::string::npos) return std::nullopt;
      const bool isNew = scope_.registers.emplace(name, declared).second;
      if (isNew) code += (code.empty() ? "" : "; ") + declared + " " + registerOf(name) + "{}";
    }
    return code.empty() ? "((void)0)" : code;
  }

  // setp.lt.s32 p, %0, %1;
  std::optional<std::string> compare(const std::string& type) const {
    static const std::map<std::string, std::string> signs = {
        {"eq", "$ == #"}, {"lt", "$ < #"},  {"le", "$ <= #"}, {"gt", "$ > #"},  {"ge", "$ >= #"},
        {"lo", "$ < #"},  {"ls", "$ <= #"}, {"hi", "$ > #"},  {"hs", "$ >= #"}, {"neu", "$ != #"}};
    if (parts_.size() < 3 || operands_.size() != 3 || operands_[0].find('|') != std::string::npos)
      return std::nullopt;
    const bool isFloat = type == "float" || type == "double";
    const auto sign = signs.find(parts_[1]);
    if (parts_.size() > 3 && parts_[2] != "ftz") return std::nullopt;
    std::string code = sign != signs.end()            ? sign->second
                       : parts_[1] == "ne" && isFloat ? "($ < # || $ > #)"
                       : parts_[1] == "ne"            ? "$ != #"
                                                      : "";
    const std::string a = valueAs(1, type), b = valueAs(2, type);
    if (code.empty() || a.empty() || b.empty()) return std::nullopt;
    std::string text;
    for (const char c : code) text += c == '$' ? a : c == '#' ? b : std::string(1, c);
    return setTo(operands_[0], text);
  }

  // cvt.rzi.s32.f32 %0, %1; cvta.to.shared.u64 %0, %1;
  std::optional<std::string> convert(const std::string& type) const {
    if (operands_.size() != 2) return std::nullopt;
    if (parts_[0] == "cvta") {
      const bool to = parts_.size() == 4 && parts_[1] == "to";
      const std::string space = parts_[to ? 2 : 1];
      const std::string from = valueAs(1, "uint64_t");
      if (parts_.size() != (to ? 4u : 3u) || from.empty()) return std::nullopt;
      if (space == "global") return setTo(operands_[0], from);
      if (!space.starts_with("shared")) return std::nullopt;
      return setTo(operands_[0], to ? "uint64_t(::simt::sharedAddress((const void*)(" + from + ")))"
                                    : "uint64_t(::simt::sharedPointer(" + from + "))");
    }
    if (parts_.size() < 3 || parts_.size() > 4) return std::nullopt;
    const auto target = ptxTypes().find(parts_[parts_.size() - 2]);
    const std::string from = valueAs(1, type);
    if (target == ptxTypes().end() || from.empty()) return std::nullopt;
    const auto isFloat = [](const std::string& t) { return t == "float" || t == "double"; };
    const std::string rounding = parts_.size() == 4 ? parts_[1] : "";
    const bool toWhole = isFloat(type) && !isFloat(target->second);
    const char* const by = rounding == "rzi"   ? "::trunc"
                           : rounding == "rni" ? "::rint"
                           : rounding == "rmi" ? "::floor"
                           : rounding == "rpi" ? "::ceil"
                                               : "";
    if (toWhole ? *by == 0 : !(rounding.empty() || rounding == "rn")) return std::nullopt;
    return setTo(operands_[0],
                 "::simt::ptx::converted<" + target->second + ">(" + by + "(" + from + "))");
  }

  // redux.sync.add.s32 %0, %1, %2; match.any.sync.b32 %0, %1, %2;
  std::optional<std::string> ofWarp(const std::string& type) const {
    if (parts_.size() != 4 || operands_.size() != 3) return std::nullopt;
    const std::string a = valueAs(1, type), mask = valueAs(2, "uint32_t");
    const bool isMatch = parts_[0] == "match";
    static const Strings kinds = split("add min max and or xor", ' ');
    if (a.empty() || mask.empty() || parts_[isMatch ? 2 : 1] != "sync" ||
        (isMatch ? parts_[1] != "any" : std::ranges::count(kinds, parts_[2]) == 0))
      return std::nullopt;
    return setTo(operands_[0],
                 (isMatch ? "__match_any_sync(" : "__reduce_" + parts_[2] + "_sync(") + mask +
                     ", " + a + ")");
  }

  // vote.sync.ballot.b32 %0, p, %1; vote.sync.any.pred p, !q, %1;
  std::optional<std::string> vote() const {
    static const std::map<std::string, std::string> kinds = {
        {"ballot", "__ballot_sync("}, {"any", "__any_sync("}, {"all", "__all_sync("}};
    if (parts_.size() != 4 || operands_.size() != 3) return std::nullopt;
    const auto kind = kinds.find(parts_[2]);
    const bool negated = operands_[1].starts_with("!");
    const auto predicate = value(operands_[1].substr(negated ? 1 : 0));
    const std::string mask = valueAs(2, "uint32_t");
    if (kind == kinds.end() || !predicate || mask.empty()) return std::nullopt;
    return setTo(operands_[0],
                 kind->second + mask + ", " + (negated ? "!(" : "(") + *predicate + "))");
  }

  // mov.b64 %0, {%1, %2}; mov.b64 {%0, %1}, %2;
  std::optional<std::string> pieces(const std::string& type) const {
    const bool isSplit = operands_[0].starts_with("{");
    const Strings two = elements(operands_[isSplit ? 0 : 1]);
    const std::string half = type == "uint64_t" ? "uint32_t" : type == "uint32_t" ? "uint16_t" : "";
    if (two.size() != 2 || half.empty()) return std::nullopt;
    if (!isSplit) {
      const auto low = value(two[0]), high = value(two[1]);
      if (!low || !high) return std::nullopt;
      return setTo(operands_[0], "::simt::ptx::joined<" + type + ">(::simt::ptx::as<" + half +
                                     ">(" + *low + "), ::simt::ptx::as<" + half + ">(" + *high +
                                     "))");
    }
    const std::string whole = valueAs(1, type);
    const std::string bits = half == "uint32_t" ? "32" : "16";
    const auto low = setTo(two[0], half + "(" + whole + ")");
    const auto high = setTo(two[1], half + "(" + whole + " >> " + bits + ")");
    if (whole.empty() || !low || !high) return std::nullopt;
    return *low + "; " + *high;
  }

  // add.cc.u32, addc, sub.cc, subc, mad.lo.cc, madc.hi.
  std::optional<std::string> carry(const std::string& type) const {
    const bool reads = parts_[0].ends_with("c");
    const std::string name = reads ? parts_[0].substr(0, 3) : parts_[0];
    const bool isMad = name == "mad";
    const bool writes = std::ranges::count(parts_, "cc") > 0;
    if (type != "uint32_t" && type != "uint64_t" && type != "int32_t") return std::nullopt;
    if (operands_.size() != (isMad ? 4u : 3u) || (name != "add" && name != "sub" && !isMad) ||
        parts_.size() != 2u + isMad + writes)
      return std::nullopt;
    const std::string bits = type == "uint64_t" ? type : "uint32_t";
    std::string a = valueAs(1, bits);
    const std::string b = valueAs(2, bits), c = isMad ? valueAs(3, bits) : b;
    if (a.empty() || b.empty() || c.empty()) return std::nullopt;
    if (isMad) {
      const std::string of = type == "int32_t" ? "int32_t" : bits;
      const bool high = parts_[1] == "hi";
      if (!high && parts_[1] != "lo") return std::nullopt;
      a = bits + "(::simt::ptx::" + (high ? "multiplyHigh<" : "product<") + of + ">(" +
          valueAs(1, of) + ", " + valueAs(2, of) + "))";
    }
    const std::string before = reads ? "::simt::ptx::carryLeft()" : "false";
    std::string code = scope_.hasCarry ? "" : "bool simtCarry = " + before + "; ";
    scope_.hasCarry = true;
    scope_.leavesCarry = writes;
    const auto result = setTo(
        operands_[0], std::string("::simt::ptx::") + (name == "sub" ? "borrowed<" : "carried<") +
                          bits + ">(" + a + ", " + c + ", " + (reads ? "simtCarry" : "false") +
                          ", simtCarry" + (writes ? "" : "Lost") + ")");
    if (!result) return std::nullopt;
    if (!writes) code += "{ bool simtCarryLost; ";
    return code + *result + (writes ? "" : "; (void)simtCarryLost; }");
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
    return setTo(operands_[0], code + ")");
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
    std::string code;
    const std::string& pattern = it->second.result;
    for (size_t i = 0; i < pattern.size(); ++i) {
      const bool isPlain =
          pattern[i] == '!' && i + 1 < pattern.size() && std::isdigit(pattern[i + 1]);
      const bool isOperand = pattern[i] == '$' || pattern[i] == '#' || isPlain;
      const bool isType = pattern[i] == 'T' &&
                          (i + 1 == pattern.size() ||
                           std::string_view("(,>)").find(pattern[i + 1]) != std::string_view::npos);
      if (isType) {
        code += type;
      } else if (isOperand) {
        const size_t which = size_t(pattern[++i] - '0');
        const auto operand = which < operands_.size() ? value(operands_[which]) : std::nullopt;
        if (!operand) return std::nullopt;
        if (isPlain)  // a predicate
          code += *operand;
        else
          code += "::simt::ptx::as<" + (pattern[i - 1] == '#' ? "uint32_t" : type) + ">(" +
                  *operand + ")";
      } else {
        code += pattern[i];
      }
    }
    return setTo(operands_[0], code);
  }
};

}  // namespace

std::optional<std::string> translateInstruction(const std::string& text, PtxScope& scope) {
  return Instruction(text, scope).translated();
}

}  // namespace simt::cc
