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
  // Where the table is too wide, this column is left out, and before those that are named later.
  void mayLeaveOut(size_t column) { optional_.push_back(column); }
  void add(Row row) { rows_.push_back(std::move(row)); }
  const std::vector<Row>& rows() const { return rows_; }
  std::string text() const;
  // The text in at most so many columns of a terminal. What is too wide has its headings broken at
  // blanks; then columns go that may be left out, and a line below names them; then other texts
  // are broken; then the last columns stand in a further table; and at last cells are cut off.
  std::string fitted(size_t columns) const;
  size_t columns() const;  // of a terminal, that the widest line of text() takes
  void dropLastColumn();
  std::string markdown() const;  // the first row is the head
  void print() const;            // on standard output, fitted to its terminal

 private:
  friend class TableFitter;
  std::vector<size_t> widths() const;
  bool isLeft(size_t column) const;
  std::vector<Row> rows_;
  std::vector<size_t> left_ = {0}, optional_;
};
