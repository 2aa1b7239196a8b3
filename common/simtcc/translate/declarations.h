// Which functions a source file has, and where their bodies are.
#pragma once

#include <map>
#include <set>

#include "simtcc/translate/tokens.h"

namespace simt::cc {

struct Function {
  std::string name;
  size_t head = 0;             // its first token, template<...> included
  size_t parameters = 0;       // its "("
  size_t body = Source::none;  // its "{", when it is a definition
  bool isGlobal = false, isDevice = false, isHost = false;  // its qualifiers
  bool isTemplate = false, isConstexpr = false, isConsteval = false, isMember = false;
  bool inNamespace = false;
  bool hasDefaults = false;  // of parameters

  bool runsOnDevice() const { return isGlobal || isDevice; }
};

struct Declarations {
  std::vector<Function> functions;
  std::vector<bool> onDevice;  // of each token: part of a __global__ or __device__ function's body
  std::vector<bool> inFunction;
  std::map<std::string, std::vector<const Function*>> kernels;  // by name
};

Declarations findDeclarations(const Source& source);

}  // namespace simt::cc
