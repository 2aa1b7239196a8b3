#include "base/table.h"

#include <algorithm>
#include <iostream>

// Characters, not bytes: the text is UTF-8.
static size_t columnsOf(const std::string& text) {
  const auto starts = [](char c) { return (c & 0xc0) != 0x80; };
  return size_t(std::count_if(text.begin(), text.end(), starts));
}

std::vector<size_t> Table::widths() const {
  std::vector<size_t> widths;
  for (const Row& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columnsOf(row[i].text));
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
      const std::string space(width[i] - columnsOf(row[i].text), ' ');
      line += gap + (isLeft(i) ? row[i].text + space : space + row[i].text);
      gap = row[i].best ? "* " : "  ";
    }
    if (gap == "* ") line += '*';
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

// Markdown's own characters in a cell are text.
static std::string markdownText(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '<')
      escaped += "&lt;";
    else if (c == '&')
      escaped += "&amp;";
    else {
      if (std::string("\\|*`[]~").find(c) != std::string::npos) escaped += '\\';
      escaped += c;
    }
  }
  return escaped;
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

void Table::print() const { std::cout << text(); }
