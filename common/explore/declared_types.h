// What the elements of arrays are, as the source of the kernel declares it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "explore/values.h"

// A type of numbers, or of vectors of them.
struct DeclaredType {
  std::string name;  // "unsigned", "float4"
  ValueType type = ValueType::integer;
  unsigned bytes = 4;
};

class DeclaredTypes {
 public:
  DeclaredTypes() = default;
  // Of the functions in these lines.
  explicit DeclaredTypes(const std::vector<std::string>& lines);

  std::optional<DeclaredType> ofShared(const std::string& variable) const;
  // Of an array of elements of this size: what every parameter that could be it points to, or,
  // where they differ, the parameter of the array's name.
  std::optional<DeclaredType> ofGlobal(const std::string& array, size_t elementSize) const;

 private:
  void readParameters(const std::string& text);
  void readVariables(const std::string& text);

  std::map<std::string, DeclaredType> shared_, parameters_;
  bool unknown_ = false;  // some parameter points to a type that is not known
};
