// For tests whose lists are too long for a sanitizer: compute-sanitizer on a GPU, or the
// compiler's.
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

// The tool of compute-sanitizer under which the test runs: the environment's WORKSHOP_SANITIZER,
// or "". Every launch takes many times as long there.
inline std::string sanitizerTool() {
  const char* const text = std::getenv("WORKSHOP_SANITIZER");
  return text ? text : "";
}

// True under any: then a test whose lists are long on a GPU takes those of the executor.
inline bool underSanitizer() { return !sanitizerTool().empty(); }

// Whether host code is compiled with sanitizers (the preset "sanitize").
#ifdef WORKSHOP_SANITIZED
inline constexpr bool hostIsSanitized = true;
#else
inline constexpr bool hostIsSanitized = false;
#endif

// Of a list that shows that results are right: all, or where host code is sanitized every
// fourth, from the first on, and the last. A sanitizer sees the same code each time.
template <typename T>
std::vector<T> thinned(std::vector<T> list) {
  if (!hostIsSanitized) return list;
  std::vector<T> some;
  for (size_t i = 0; i < list.size(); ++i)
    if (i % 4 == 0 || i + 1 == list.size()) some.push_back(list[i]);
  return some;
}

// How often to try, likewise.
constexpr unsigned thinned(unsigned times) { return hostIsSanitized && times > 2 ? 2 : times; }
