// Text in columns.
#pragma once

#include <string>
#include <vector>

#include "base/text.h"

// Rows of UTF-8 text: the first column is aligned left, the others right unless told otherwise. A
// column that is empty in every row is left out. Cells may hold anything: text() and markdown()
// write it so that it is shown and does nothing.
class Table {
 public:
  struct Cell {
    std::string text;
    bool best = false;  // stands out: a star behind it, or bold
    Cell(std::string text_, bool best_ = false) : text(std::move(text_)), best(best_) {}
    Cell(const char* text_) : text(text_) {}
  };
  using Row = std::vector<Cell>;

  void alignLeft(size_t column) { left_.push_back(column); }
  void add(Row row) { rows_.push_back(std::move(row)); }
  const std::vector<Row>& rows() const { return rows_; }
  std::string text() const;
  size_t columns() const;  // of a terminal, that the widest line of text() takes
  void dropLastColumn();
  std::string markdown() const;  // the first row is the head
  void print() const;            // the text, on standard output

 private:
  std::vector<size_t> widths() const;
  bool isLeft(size_t column) const;
  std::vector<Row> rows_;
  std::vector<size_t> left_ = {0};
};
