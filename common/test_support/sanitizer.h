// For gpu tests whose lists are too long for compute-sanitizer.
#pragma once

#include <cstdlib>
#include <string>

// The tool of compute-sanitizer under which the test runs: the environment's WORKSHOP_SANITIZER,
// or "". Every launch takes many times as long there.
inline std::string sanitizerTool() {
  const char* const text = std::getenv("WORKSHOP_SANITIZER");
  return text ? text : "";
}

// True under any: then a test whose lists are long on a GPU takes those of the executor.
inline bool underSanitizer() { return !sanitizerTool().empty(); }
