// PTX in kernels: asm("instruction;" : outputs : inputs : clobbers). The instructions that programs
// write by hand become C++; others are refused by name.
#include <algorithm>
#include <cctype>

#include "simtcc/translate/edits.h"
#include "simtcc/translate/ptx_instruction.h"

namespace simt::cc {
namespace {

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
    std::string code = "do { ";  // one statement, also before an else
    const std::vector<std::string> all = instructions();
    for (const std::string& instruction : all)
      for (const std::string& label : labelsOf(instruction))
        code += "__label__ " + labelOf(label) + "; ";
    for (size_t i = 0; i < expressions_.size(); ++i)
      code += (i < outputs_ ? "auto&& simtOperand" : "const auto simtOperand") + std::to_string(i) +
              " = " + expressions_[i] + "; ";
    PtxScope scope{expressions_.size()};
    for (std::string instruction : all) {
      for (const std::string& label : labelsOf(instruction)) {
        code += labelOf(label) + ": ";
        instruction = trimmed(std::string_view(instruction).substr(instruction.find(':') + 1));
      }
      if (instruction.empty()) {
        code += "; ";
        continue;
      }
      const std::optional<std::string> translated = translateInstruction(instruction, scope);
      if (!translated && job_.isLibrary) {  // what calls it is not linked
        for (size_t i = keyword_; i <= close; ++i) job_.edits.remove(source_.tokens[i]);
        job_.edits.insert(source_.tokens[keyword_].offset, "::simt::ptx::notSupported()");
        return close;
      }
      if (!translated) {
        job_.refuse(keyword_, "PTX (asm): \"" + instruction + "\" is not supported");
        return close;
      }
      code += *translated + "; ";
    }
    if (scope.leavesCarry) code += "::simt::ptx::leaveCarry(simtCarry); ";
    for (size_t i = 0; i < expressions_.size(); ++i)
      code += "(void)simtOperand" + std::to_string(i) + "; ";
    for (size_t i = keyword_; i <= close; ++i) job_.edits.remove(source_.tokens[i]);
    job_.edits.insert(source_.tokens[keyword_].offset, code + "} while (false)");
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

  // "WAIT: mbarrier..."
  static std::vector<std::string> labelsOf(std::string_view text) {
    std::vector<std::string> labels;
    while (true) {
      size_t end = 0;
      while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) ||
                                   std::string_view("_$%").find(text[end]) != std::string::npos))
        ++end;
      const size_t colon = text.find_first_not_of(" \t\n", end);
      if (end == 0 || colon == std::string::npos || text[colon] != ':' ||
          text.substr(colon, 2) == "::")
        return labels;
      labels.emplace_back(text.substr(0, end));
      text.remove_prefix(std::min(text.find_first_not_of(" \t\n", colon + 1), text.size()));
    }
  }

  // Braces around all of them are left out.
  std::vector<std::string> instructions() const {
    std::string text = trimmed(withoutComments(template_));
    if (text.starts_with("{") && text.ends_with("}")) text = text.substr(1, text.size() - 2);
    std::vector<std::string> result = split(text, ';');
    std::erase(result, "");
    for (std::string& instruction : result)  // a number of this statement
      for (size_t at; (at = instruction.find("%=")) != std::string::npos;) instruction.erase(at, 2);
    return result;
  }

  const Job& job_;
  const Source& source_;
  const size_t keyword_;
  std::string template_;
  std::vector<std::string> expressions_;
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
