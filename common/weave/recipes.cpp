#include "weave/recipes.h"

#include <fmt/core.h>

#include <set>

#include "base/errors.h"
#include "base/text.h"

namespace {

const std::set<std::string> kindsOfMarks = {
    "code",  "diff",   "output", "excerpt", "drawing",  "picture",  "explored", "sheet",
    "times", "counts", "table",  "figure",  "roofline", "markdown", "link"};

// The lines of a file without comments and empty ones; a \ at the end joins a line with the next,
// without the blanks in front of that.
std::vector<RecipeLine> joinedLines(const std::string& text) {
  std::vector<RecipeLine> lines;
  bool goesOn = false;
  size_t number = 0;
  for (std::string line : linesOf(text)) {
    ++number;
    const std::string inside = trimmed(line);
    if (!goesOn && (inside.empty() || inside[0] == '#')) continue;
    if (goesOn)
      lines.back().text += inside;
    else
      lines.push_back({(line[0] == ' ' ? " " : "") + inside, number});
    goesOn = inside.ends_with('\\');
    if (goesOn) lines.back().text.pop_back();
  }
  return lines;
}

class RecipeReader {
 public:
  RecipeReader(const std::string& path, Problems& problems) : problems_(problems) {
    recipes_.path = path;
  }

  Recipes read(const std::string& text) {
    for (const RecipeLine& line : joinedLines(text)) try {
        read(line);
      } catch (const Error& error) {
        problems_.push_back(problemAt(recipes_.path, line.line, error.what()));
      }
    return recipes_;
  }

 private:
  void read(const RecipeLine& line) {
    if (line.text.starts_with(' ')) {
      if (!table_) refuse("only the rows of a table, or of a roofline, are indented");
      table_->rows.push_back({line.text.substr(1), line.line});
      return;
    }
    table_ = nullptr;
    const size_t blank = line.text.find(' ');
    const std::string kind = line.text.substr(0, blank);
    const std::string rest = blank == std::string::npos ? "" : trimmed(line.text.substr(blank));
    if (kind == "table") {
      expectNewName(marks_, rest, line.line);
      table_ = &(recipes_.marks[rest] = {kind, "", line.line, {}});
      return;
    }
    const size_t equals = rest.find('=');
    if (equals == std::string::npos) refuse("expected KIND NAME = …, or table NAME");
    const std::string name = trimmed(rest.substr(0, equals));
    const std::string value = trimmed(rest.substr(equals + 1));
    if (value.empty()) refuse("nothing stands behind the = of " + name);
    if (kindsOfMarks.contains(kind)) {
      expectNewName(marks_, name, line.line);
      recipes_.marks[name] = {kind, value, line.line, {}};
      if (kind == "roofline") table_ = &recipes_.marks[name];
    } else {
      define(kind, name, value, line.line);
    }
  }

  void define(const std::string& kind, const std::string& name, const std::string& value,
              size_t line) {
    if (kind == "formula") {
      const size_t open = name.find('(');
      if (open == std::string::npos || !name.ends_with(')'))
        refuse("expected formula NAME(PARAMETER; …) = …");
      const std::string own = trimmed(name.substr(0, open));
      expectNewName(names_, own, line, false);
      const std::string inside = trimmed(name.substr(open + 1, name.size() - open - 2));
      std::vector<std::string> parameters;
      if (!inside.empty()) parameters = split(inside, ";");
      for (const std::string& parameter : parameters)
        if (!isName(parameter, false)) refuse("'" + parameter + "' is no name of a parameter");
      recipes_.formulas[own] = {parameters, value};
      return;
    }
    std::map<std::string, std::string>* const names = kind == "result"      ? &recipes_.results
                                                      : kind == "profile"   ? &recipes_.profiles
                                                      : kind == "metric"    ? &recipes_.metrics
                                                      : kind == "estimates" ? &recipes_.estimates
                                                                            : nullptr;
    if (!names) refuse("'" + kind + "' is no kind of recipe");
    expectNewName(names_, name, line, false);
    (*names)[name] = value;
  }

  using NamedLines = std::map<std::string, size_t>;

  static void expectNewName(NamedLines& names, const std::string& name, size_t line,
                            bool hyphens = true) {
    if (!isName(name, hyphens)) refuse("'" + name + "' is no name");
    const auto [known, isNew] = names.emplace(name, line);
    if (!isNew) refuse(fmt::format("'{}' has a recipe already, in line {}", name, known->second));
  }

  Problems& problems_;
  Recipes recipes_;
  NamedLines marks_, names_;  // of marks, and of all else
  Recipe* table_ = nullptr;   // or roofline, whose rows come next
};

}  // namespace

Recipes readRecipes(const std::string& text, const std::string& path, Problems& problems) {
  return RecipeReader(path, problems).read(text);
}
