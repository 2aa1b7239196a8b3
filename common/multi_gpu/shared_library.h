// A library that is looked for when it is needed.
#pragma once

#include <string>

// Stays loaded until the program ends. Throws Error (exitNoDevice).
class SharedLibrary {
 public:
  // name: that of the file, which the system's loader finds, or its path. install: what to do where
  // there is none, for the line that says so.
  SharedLibrary(const std::string& name, const std::string& install);

  // Sets a pointer to the function of this name.
  template <typename Function>
  void find(const char* function, Function*& pointer) const {
    pointer = reinterpret_cast<Function*>(addressOf(function));
  }

 private:
  void* addressOf(const char* function) const;

  std::string name_;
  void* handle_;
};
