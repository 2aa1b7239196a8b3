// Tables that a recipe spells out row by row.
#include <algorithm>
#include <optional>
#include <set>

#include "base/errors.h"
#include "base/text.h"
#include "weave/tables.h"

namespace {

using Values = std::map<std::string, std::string>;

// each NAME=NAME: VALUE=VALUE; …: what a row, or a part of it, is repeated for.
struct Repetition {
  std::vector<std::string> names;
  std::vector<Values> rounds;
};

std::vector<std::string> trimmedParts(const std::string& text, size_t most) {
  std::vector<std::string> parts = split(text, "=");
  if (parts.size() > most) refuse("too many = in '" + text + "'");
  return parts;
}

Repetition repetitionOf(const std::string& line) {
  const size_t colon = line.find(':');
  if (colon == std::string::npos) refuse("each: expected NAME: VALUE; VALUE; …");
  Repetition repetition{trimmedParts(line.substr(5, colon - 5), 9), {}};
  for (const std::string& name : repetition.names)
    if (!isName(name, false)) refuse("'" + name + "' is no name");
  for (const std::string& round : split(line.substr(colon + 1), ";")) {
    const std::vector<std::string> values = trimmedParts(round, repetition.names.size());
    Values named;
    for (size_t i = 0; i < repetition.names.size(); ++i)  // one value stands for all of them
      named[repetition.names[i]] = values[values.size() == 1 ? 0 : std::min(i, values.size() - 1)];
    repetition.rounds.push_back(named);
  }
  return repetition;
}

// The names behind $ in a text.
std::set<std::string> namesIn(const std::string& text) {
  std::set<std::string> names;
  for (size_t at = 0; (at = text.find('$', at)) != std::string::npos;) {
    const size_t begin = ++at;
    while (at < text.size() && isName("a" + text.substr(at, 1), false)) ++at;
    names.insert(text.substr(begin, at - begin));
  }
  return names;
}

class Rows {
 public:
  explicit Rows(Figures& figures) : figures_(figures) {}

  // A row as it is shown, once or several times; nothing for the lines that say what is repeated.
  std::string filled(const std::string& row) {
    if (row.starts_with("each ")) {
      repetitions_.push_back(repetitionOf(row));
      return "";
    }
    if (!row.starts_with('|')) refuse("the rows of a table begin with |, or with each");
    const Repetition* const all = repetitionFor(withoutInner(row), nullptr, false);
    std::string text;
    for (const Values& values : all ? all->rounds : std::vector<Values>{{}}) {
      text += withFigures(withInnerRepeated(row, all, values)) + '\n';
      if (text.size() > 10 * longest) refuse("a row is repeated beyond a million bytes");
    }
    return text;
  }

 private:
  static std::string withoutInner(const std::string& row) {
    std::string outer;
    size_t at = 0;
    for (size_t open; (open = row.find("[[", at)) != std::string::npos;) {
      const size_t close = row.find("]]", open);
      if (close == std::string::npos) refuse("a ]] is missing");
      outer += row.substr(at, open - at);
      at = close + 2;
    }
    return outer + row.substr(at);
  }

  // What a text is repeated for, by the names in it; by none, the first that there is.
  const Repetition* repetitionFor(const std::string& text, const Repetition* but, bool always) {
    const std::set<std::string> names = namesIn(text);
    const Repetition* found = nullptr;
    for (const Repetition& repetition : repetitions_) {
      if (&repetition == but) continue;
      const bool named = std::ranges::any_of(
          repetition.names, [&](const std::string& name) { return names.contains(name); });
      if (named && found) refuse("'" + trimmed(text) + "' is repeated for two lists at once");
      if (named) found = &repetition;
    }
    if (found || !always) return found;
    for (const Repetition& repetition : repetitions_)
      if (&repetition != but) return &repetition;
    refuse("nothing says what '" + text + "' is repeated for");
  }

  std::string withInnerRepeated(const std::string& row, const Repetition* all, Values values) {
    std::string text;
    size_t at = 0;
    for (size_t open; (open = row.find("[[", at)) != std::string::npos;) {
      const size_t close = row.find("]]", open);
      const std::string inner = row.substr(open + 2, close - open - 2);
      text += substituted(row.substr(at, open - at), values);
      for (Values round : repetitionFor(inner, all, true)->rounds) {
        round.insert(values.begin(), values.end());
        text += substituted(inner, round);
        if (text.size() > longest) refuse("a row grows beyond 100,000 bytes");
      }
      at = close + 2;
    }
    return text + substituted(row.substr(at), values);
  }

  // {FORMULA} is a figure.
  std::string withFigures(const std::string& row) {
    std::string text;
    size_t at = 0;
    for (size_t open; (open = row.find('{', at)) != std::string::npos;) {
      const size_t close = row.find('}', open);
      if (close == std::string::npos) refuse("a } is missing");
      text += row.substr(at, open - at) + figures_.shown(row.substr(open + 1, close - open - 1));
      at = close + 1;
    }
    return text + row.substr(at);
  }

  Figures& figures_;
  std::vector<Repetition> repetitions_;
};

}  // namespace

std::string filledTable(const Recipe& recipe, Figures& figures, const std::string& path,
                        Problems& problems) {
  Rows rows(figures);
  std::string text;
  for (const RecipeLine& row : recipe.rows) try {
      text += rows.filled(row.text);
    } catch (const Error& error) {
      problems.push_back(problemAt(path, row.line, error.what()));
    }
  if (recipe.rows.empty())
    problems.push_back(problemAt(path, recipe.line, "the table has no rows"));
  return text;
}
