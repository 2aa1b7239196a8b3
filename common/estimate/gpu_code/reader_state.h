// The reader of PTX: declarations in reader.cpp, what is in functions in reader_code.cpp.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "estimate/gpu_code/reader.h"
#include "estimate/gpu_code/tokens.h"

namespace estimate::gpu_code {

using Word = std::string_view;

constexpr uint64_t sharedStart = 1024;  // of what a kernel declares first

inline uint64_t align(uint64_t value, uint64_t to) { return (value + to - 1) / to * to; }

class Reader {
 public:
  explicit Reader(Word text) : words_(wordsOf(text)) {
    for (size_t i = 0; i + 2 < words_.size(); ++i) {
      // .file 1 "name": behind the code that it is for
      if (words_[i] == ".file" && words_[i + 2].size() >= 2)
        files_[words_[i + 1]] = words_[i + 2].substr(1, words_[i + 2].size() - 2);
      if (words_[i].starts_with("bra")) targets_.insert(words_[i + 1]);
      if (words_[i] == ".branchtargets")
        for (; i + 1 < words_.size() && words_[i] != ";"; ++i) targets_.insert(words_[i + 1]);
    }
  }
  Module read();

 private:
  struct Name {  // of a register or variable in a function
    bool isRegister = false;
    uint32_t number = 0;
    Space space = Space::local;
    uint64_t place = 0, bytes = 0;
  };

  bool atEnd() const { return at_ >= words_.size(); }
  Word peek(size_t ahead = 0) const {
    return at_ + ahead < words_.size() ? words_[at_ + ahead] : Word();
  }
  Word next() { return at_ < words_.size() ? words_[at_++] : Word(); }
  bool accept(Word word) { return peek() == word && (++at_, true); }
  void expect(Word word) {
    if (!accept(word))
      throw Unsupported("PTX has " + std::string(peek()) + " where " + std::string(word) +
                        " was expected");
  }
  void skipBraces();
  void skipLine();
  void skipStatement();

  void readLocation();
  void readFunction(bool isKernel);
  std::vector<Parameter> readParameters(const std::string& function);
  Parameter readParameter(std::string* name);
  void readRegisters();
  Variable readVariable(Space space);
  void readInitial(Variable& variable, unsigned elementBytes);
  void declare(const std::string& name, Name value) { scopes_.back()[name] = value; }
  const Name* find(Word name) const;
  void readBody();
  void readInstruction();
  void readCall(Instruction& instruction);
  std::vector<Operand> readOperand(Instruction& instruction);
  Operand readAddress(Instruction& instruction);
  void addCarry(Instruction& instruction);
  Operand symbol(Word name);
  Operand constant(uint64_t bits);
  uint64_t readNumber();
  uint32_t addRegister(const std::string& name, unsigned bytes);
  uint32_t blockOf(const std::string& label);
  bool isLabelled(uint32_t block) const {
    return std::ranges::any_of(labels_, [&](const auto& each) { return each.second == block; });
  }
  void beginBlock();
  void finish(Function& function);
  void placeShared(Variable& variable, uint64_t alignment);

  std::vector<Word> words_;
  size_t at_ = 0;
  std::set<Word> targets_;  // names of places that are jumped to
  Module module_;
  std::map<Word, Word> files_;  // by their numbers
  std::map<std::string, uint32_t> lineNumbers_;
  std::map<uint64_t, uint32_t> constants_;
  uint32_t line_ = 0;

  Function* function_ = nullptr;
  std::vector<std::map<std::string, Name, std::less<>>> scopes_;
  std::map<std::string, uint32_t> labels_;  // by name: block
  std::vector<uint32_t> order_;             // blocks as they are written
  std::map<std::string, std::vector<uint32_t>> branchTargets_;
  std::map<uint64_t, uint64_t> usedShared_;  // bytes, by place
  bool hasShared_ = false;
};

}  // namespace estimate::gpu_code
