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

// Any declaration of a namespace or class.
struct Declaration {
  size_t begin, end = 0;
  size_t scope = Source::none;     // the "{" of the namespace or class that it is
  size_t function = Source::none;  // its number, where it is one
};

struct Declarations {
  std::vector<Function> functions;
  std::map<size_t, std::vector<Declaration>> statements;  // by the "{" around them, or none
  std::vector<bool> onDevice;  // of each token: part of a __global__ or __device__ function's body
  std::vector<bool> inFunction;
  std::map<std::string, std::vector<const Function*>> kernels;  // by name
};

Declarations findDeclarations(const Source& source);

}  // namespace simt::cc
