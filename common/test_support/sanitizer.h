// For gpu tests whose lists are too long for compute-sanitizer.
#pragma once

#include <cstdlib>
#include <string>

// True where the environment has WORKSHOP_SANITIZER=1: then a test whose lists are long on a GPU
// takes those of the executor, as every launch takes many times as long under compute-sanitizer.
inline bool underSanitizer() {
  const char* const text = std::getenv("WORKSHOP_SANITIZER");
  return text && std::string(text) == "1";
}
