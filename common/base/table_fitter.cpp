// A table in as many columns of a terminal as there are.
#include <algorithm>

#include "base/escape.h"
#include "base/table.h"
#include "base/unicode.h"

namespace {

constexpr size_t narrowest = 23;  // to which a column of text is broken

std::string cutOff(const std::string& text, size_t width) {
  if (columnsOf(text) <= width) return text;
  return cutToColumns(text, width - 1) + "…";
}

// At the commas of a list, where its parts are short enough.
std::vector<std::string> brokenText(const std::string& text, size_t width) {
  const std::vector<std::string> lines = brokenToLines(text, width, ",");
  const bool fits =
      std::ranges::all_of(lines, [&](const std::string& line) { return columnsOf(line) <= width; });
  return fits ? lines : brokenToLines(text, width);
}

}  // namespace

class TableFitter {
 public:
  TableFitter(const Table& table, size_t limit) : table_(table), limit_(limit) {
    const std::vector<size_t> widths = table.widths();
    for (size_t i = 0; i < widths.size(); ++i)
      if (widths[i] > 0) all_.push_back(columnOf(i));
  }

  std::string text() {
    const std::string leftOut = leaveOut();
    std::string text;
    for (Columns left = all_; !left.empty();) {
      const Columns part = takePart(left);
      text += (text.empty() ? "" : "\n") + textOf(part);
    }
    if (leftOut.empty()) return text;
    const std::string note =
        "Left out, as there are " + std::to_string(limit_) + " columns: " + leftOut + ".";
    for (const std::string& line : brokenToLines(note, limit_)) text += line + '\n';
    return text;
  }

 private:
  struct Column {
    size_t index, width, least;  // least: what it can be broken to
  };
  using Columns = std::vector<Column>;

  std::string shown(const Table::Row& row, size_t column) const {
    return column < row.size() ? terminalText(row[column].text) : "";
  }

  static size_t longestWord(const std::string& text) {
    size_t longest = 0;
    for (const std::string& word : brokenToLines(text, 0))
      longest = std::max(longest, columnsOf(word));
    return longest;
  }

  // As wide as its texts and the words of its heading are.
  Column columnOf(size_t index) const {
    Column column{index, 0, 0};
    for (size_t r = 0; r < table_.rows_.size(); ++r) {
      const std::string text = shown(table_.rows_[r], index);
      const size_t words = longestWord(text);
      column.width = std::max(column.width, r == 0 ? words : columnsOf(text));
      column.least = std::max(column.least, words);
    }
    column.least = table_.isLeft(index) ? std::min(column.width, std::max(column.least, narrowest))
                                        : column.width;
    return column;
  }

  size_t total(const Columns& columns) const {
    size_t total = 0;
    for (const Column& column : columns) total += column.width + 2;
    const size_t last = columns.back().index;
    const bool starred = std::ranges::any_of(
        table_.rows_, [&](const Table::Row& row) { return last < row.size() && row[last].best; });
    return total - (starred ? 1 : 2);
  }

  // Takes columns away until the others fit. Returns their names.
  std::string leaveOut() {
    std::string names;
    for (const size_t index : table_.optional_) {
      if (total(all_) <= limit_) break;
      if (std::erase_if(all_, [&](const Column& column) { return column.index == index; }) > 0)
        names += (names.empty() ? "" : ", ") + shown(table_.rows_[0], index);
    }
    return names;
  }

  // Makes columns of text narrower where all fit then.
  bool breakTexts(Columns& columns) const {
    Columns narrow = columns;
    for (auto column = narrow.rbegin(); column != narrow.rend(); ++column) {
      const size_t now = total(narrow), excess = now > limit_ ? now - limit_ : 0;
      column->width -= std::min(excess, column->width - column->least);
    }
    if (total(narrow) > limit_) return false;
    columns = narrow;
    return true;
  }

  // The first column and those of the others that fit beside it, which are taken from left.
  Columns takePart(Columns& left) const {
    Columns part = left;
    if (breakTexts(part)) {
      left.clear();
      return part;
    }
    while (part.size() > 2 && total(part) > limit_) part.pop_back();
    if (!breakTexts(part)) cut(part);
    left.erase(left.begin() + 1, left.begin() + long(part.size()));
    if (left.size() == 1) left.clear();
    return part;
  }

  void cut(Columns& part) const {
    while (total(part) > limit_) --std::ranges::max_element(part, {}, &Column::width)->width;
  }

  std::string textOf(const Columns& columns) const {
    std::string text;
    for (size_t r = 0; r < table_.rows_.size(); ++r) text += linesOf(r, columns);
    return text;
  }

  // Headings stand on their column, texts hang from the line of their row.
  std::string linesOf(size_t r, const Columns& columns) const {
    const Table::Row& row = table_.rows_[r];
    std::vector<std::vector<std::string>> cells;
    size_t height = 1;
    for (const Column& column : columns) {
      const std::string text = shown(row, column.index);
      cells.push_back(r == 0 ? brokenToLines(text, column.width) : brokenText(text, column.width));
      height = std::max(height, cells.back().size());
    }
    std::string lines;
    for (size_t l = 0; l < height; ++l) {
      std::string line, gap;
      for (size_t i = 0; i < columns.size(); ++i) {
        const size_t above = r == 0 ? height - cells[i].size() : 0;
        const bool has = l >= above && l - above < cells[i].size();
        const std::string part = has ? cutOff(cells[i][l - above], columns[i].width) : "";
        const std::string space(columns[i].width - columnsOf(part), ' ');
        line += gap + (table_.isLeft(columns[i].index) ? part + space : space + part);
        const size_t index = columns[i].index;
        gap = l == 0 && index < row.size() && row[index].best ? "* " : "  ";
      }
      if (gap == "* ") line += '*';
      line.erase(line.find_last_not_of(' ') + 1);
      lines += line + '\n';
    }
    return lines;
  }

  const Table& table_;
  const size_t limit_;
  Columns all_;
};

std::string Table::fitted(size_t columns) const {
  if (this->columns() <= columns) return text();
  return TableFitter(*this, columns).text();
}
