// Text in columns, on standard output.
#pragma once

#include <string>
#include <vector>

// Rows of UTF-8 text: the first column is aligned left, the others right. A column that is empty in
// every row is left out.
class Table {
 public:
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  void print() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

// A number with so many digits behind the point.
std::string fixed(double value, int digits);
