// What arrays and the variables of kernels hold before blocks run plain that may give up.
#pragma once

#include <vector>

#include "simt/memory/arrays.h"

namespace simt {

class ArraysBefore {
 public:
  // False, and there is nothing: there is too much of them.
  bool take();
  void putBack() const;
  bool someConstantChanged() const;
  // Nobody knows which words were written. An array of which some word was written before, or that
  // has changed, counts as written.
  void noteWritten() const;

 private:
  struct Kept {
    Array* array;
    char* before;
  };
  static bool hasChanged(const Kept& kept);
  std::vector<Kept> arrays_;
};

}  // namespace simt
