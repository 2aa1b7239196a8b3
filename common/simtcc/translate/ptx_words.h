// The words of PTX that stand for something in C++.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace simt::cc {

const std::map<std::string, std::string>& specialRegisters();
const std::map<std::string, std::string>& ptxTypes();

// An instruction whose result follows from its operands: $1, $2, $3 are these, as the type that it
// names; #1 and so on are unsigned numbers; T is the type.
struct PtxOperation {
  std::vector<std::string> modifiers;  // that change nothing here
  std::string result;
};
const std::map<std::string, PtxOperation>& ptxOperations();

}  // namespace simt::cc
