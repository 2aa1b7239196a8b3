#include "base/table.h"

#include <algorithm>
#include <iostream>

#include "base/escape.h"
#include "base/terminal.h"
#include "base/unicode.h"

std::vector<size_t> Table::widths() const {
  std::vector<size_t> widths;
  for (const Row& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], columnsOf(terminalText(row[i].text)));
  }
  return widths;
}

bool Table::isLeft(size_t column) const {
  return std::find(left_.begin(), left_.end(), column) != left_.end();
}

std::string Table::text() const {
  const std::vector<size_t> width = widths();
  std::string text;
  for (const Row& row : rows_) {
    std::string line, gap;  // a star takes the first of the two blanks between columns
    for (size_t i = 0; i < row.size(); ++i) {
      if (width[i] == 0) continue;
      const std::string shown = terminalText(row[i].text);
      const std::string space(width[i] - columnsOf(shown), ' ');
      line += gap + (isLeft(i) ? shown + space : space + shown);
      gap = row[i].best ? "* " : "  ";
    }
    if (gap == "* ") line += '*';
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

size_t Table::columns() const {
  size_t widest = 0;
  for (const std::string& line : split(text(), "\n")) widest = std::max(widest, columnsOf(line));
  return widest;
}

void Table::dropLastColumn() {
  for (Row& row : rows_) row.pop_back();
}

std::string Table::markdown() const {
  const std::vector<size_t> width = widths();
  std::string text;
  for (size_t r = 0; r < rows_.size(); ++r) {
    std::string rule = "|";
    text += '|';
    for (size_t i = 0; i < width.size(); ++i) {
      if (width[i] == 0) continue;
      const Cell cell = i < rows_[r].size() ? rows_[r][i] : Cell("");
      const std::string shown = markdownText(cell.text);
      text += ' ' + (cell.best ? "**" + shown + "**" : shown) + " |";
      rule += isLeft(i) ? "---|" : "---:|";
    }
    text += '\n' + (r == 0 ? rule + '\n' : "");
  }
  return text;
}

void Table::print() const { std::cout << fitted(tableColumns()); }
