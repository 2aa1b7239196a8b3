#include "weave/weave.h"

#include <filesystem>
#include <set>

#include "base/errors.h"
#include "base/text.h"
#include "compare/result_pages.h"
#include "weave/code_excerpts.h"
#include "weave/marks.h"
#include "weave/programs.h"
#include "weave/tables.h"

namespace {

namespace fs = std::filesystem;

// A path from the root as a link on a page.
std::string linkFrom(const std::string& page, const std::string& path) {
  const fs::path folder = fs::path(page).parent_path();
  return fs::path(path).lexically_relative(folder.empty() ? "." : folder).string();
}

// A plain name with this ending, for a file beside the page.
void expectName(const std::string& name, const std::string& ending, const std::string& what) {
  if (!name.ends_with(ending) || name.size() == ending.size() || name[0] == '.' ||
      name.find_first_of("/\\") != std::string::npos)
    refuse("'" + name + "' is no name of a " + what);
}

class Weaver {
 public:
  Weaver(const Recipes& recipes, const std::string& path, const Repository& repository,
         Problems& problems)
      : recipes_(recipes),
        path_(path),
        repository_(repository),
        problems_(problems),
        figures_(repository, recipes) {}

  Woven page(const MarkedPage& page) {
    std::set<std::string> used;
    for (size_t i = 0; i < page.places.size(); ++i) {
      woven_.text += page.parts[i] + contentOf(page.places[i]);
      used.insert(page.places[i].name);
    }
    woven_.text += page.parts.back();
    for (const auto& [name, recipe] : recipes_.marks)
      if (!used.contains(name))
        complain(recipes_.path, recipe.line, "no mark of the page is called '" + name + "'");
    return woven_;
  }

 private:
  void complain(const std::string& path, size_t line, const std::string& why) {
    problems_.push_back(problemAt(path, line, why));
  }

  std::string contentOf(const Place& place) {
    const auto recipe = recipes_.marks.find(place.name);
    if (recipe == recipes_.marks.end()) {
      complain(path_, place.line, "there is no recipe '" + place.name + "' in " + recipes_.path);
      return "";
    }
    if ((recipe->second.kind != "figure") != place.isBlock) {
      complain(path_, place.line,
               "'" + place.name + "' is a " + (place.isBlock ? "figure" : "block"));
      return "";
    }
    if (!place.words.empty()) {
      complain(path_, place.line, "the words of '" + place.name + "' stand in its recipe");
      return "";
    }
    try {
      const std::string content = filled(recipe->second);
      if (looksLikeAMark(content) || (!place.isBlock && content.find('\n') != std::string::npos))
        refuse("what '" + place.name + "' is filled with looks like a mark");
      return content;
    } catch (const Error& error) {
      complain(recipes_.path, recipe->second.line, error.what());
      return "";
    }
  }

  std::string filled(const Recipe& recipe) {
    const std::string& kind = recipe.kind;
    if (kind == "figure") return figures_.shown(recipe.text);
    if (kind == "code") return codeBlock(recipe.text, repository_);
    if (kind == "diff") return diffBlock(recipe.text, repository_);
    if (kind == "times") return timesTable(recipe.text, figures_);
    if (kind == "counts") return countsTable(recipe.text, figures_);
    if (kind == "table") return filledTable(recipe, figures_, recipes_.path, problems_);
    if (kind == "output") return outputBlock(recipe.text, repository_);
    if (kind == "markdown") return outputOf(recipe.text, repository_);
    if (kind == "excerpt") return excerptBlock(recipe.text, repository_);
    if (kind == "roofline") return roofline(recipe);
    if (kind == "picture") return picture(wordsOf(recipe.text));
    if (kind == "explored") return explored(wordsOf(recipe.text));
    if (kind == "link") return link(wordsOf(recipe.text));
    if (kind == "sheet") return sheet(wordsOf(recipe.text));
    return drawing(wordsOf(recipe.text));
  }

  // RESULT "WORDS"
  std::string picture(const Lines& words) {
    if (words.size() != 2) refuse("picture: expected a result and what it shows");
    const Report& report = figures_.records().report(words[0]);
    const std::string svg = fs::path(recipes_.results.at(words[0])).replace_extension(".svg");
    return shown(svg, ladderSvg(report), words[1]);
  }

  // NAME.svg "WORDS", and rows
  std::string roofline(const Recipe& recipe) {
    const Lines words = wordsOf(recipe.text);
    if (words.size() != 2) refuse("roofline: expected a file and what it shows");
    expectName(words[0], ".svg", "drawing");
    const size_t before = problems_.size();
    const std::string rows = filledTable(recipe, figures_, recipes_.path, problems_);
    if (problems_.size() > before) return "";
    return shown((fs::path(path_).parent_path() / words[0]).string(),
                 rooflineSvg(rooflineOf(rows, words[1])), words[1]);
  }

  // NAME.svg "WORDS" COMMAND
  std::string drawing(const Lines& words) {
    if (words.size() < 3) refuse("drawing: expected a file, what it shows and a command");
    expectName(words[0], ".svg", "drawing");
    return shown((fs::path(path_).parent_path() / words[0]).string(),
                 drawingOf(commandIn(words), repository_), words[1]);
  }

  // NAME.html "WORDS" COMMAND
  std::string explored(const Lines& words) {
    if (words.size() < 3) refuse("explored: expected a file, what it shows and a command");
    expectName(words[0], ".html", "page");
    expectWords(words[1]);
    const std::string page = (fs::path(path_).parent_path() / words[0]).string();
    expectBelowRoot(repository_, page);
    woven_.files[page] = exploredBy(commandIn(words), repository_);
    return "[" + words[1] + "](" + linkFrom(path_, page) + ")\n";
  }

  // FILE "WORDS": the address in the file, nothing while it is empty
  std::string link(const Lines& words) {
    if (words.size() != 2) refuse("link: expected a file with an address, and words");
    expectWords(words[1]);
    const std::string address = trimmed(contentsOf(repository_, words[0]));
    if (address.empty()) return "";
    if (!address.starts_with("https://") || address.find_first_of(" \n()<>\"") != std::string::npos)
      refuse(words[0] + ": '" + address + "' is no address https://…");
    return "[" + words[1] + "](" + address + ")\n";
  }

  // NAME.csv "WORDS" COMMAND
  std::string sheet(const Lines& words) {
    if (words.size() < 3) refuse("sheet: expected a file, what it has and a command");
    expectName(words[0], ".csv", "table");
    expectWords(words[1]);
    const std::string file = (fs::path(path_).parent_path() / words[0]).string();
    expectBelowRoot(repository_, file);
    const std::string command = commandIn(words);
    woven_.files[file] = madeBy + command + "\n" + outputOf(command, repository_);
    return "[" + words[1] + "](" + linkFrom(path_, file) + ")\n";
  }

  static std::string commandIn(const Lines& words) {
    std::string command = words[2];
    for (size_t i = 3; i < words.size(); ++i)
      command += words[i].find(' ') == std::string::npos ? " " + words[i] : " \"" + words[i] + "\"";
    return command;
  }

  static void expectWords(const std::string& words) {
    if (words.find_first_of("[]\n") != std::string::npos) refuse("no [ ] in what a picture shows");
  }

  std::string shown(const std::string& svg, const std::string& contents, const std::string& words) {
    expectWords(words);
    expectBelowRoot(repository_, svg);
    woven_.files[svg] = contents;
    return "![" + words + "](" + linkFrom(path_, svg) + ")\n";
  }

  const Recipes& recipes_;
  const std::string path_;
  const Repository& repository_;
  Problems& problems_;
  Figures figures_;
  Woven woven_;
};

}  // namespace

Woven weave(const std::string& text, const std::string& recipeText, const std::string& path,
            const Repository& repository, Problems& problems) {
  const size_t before = problems.size();
  const MarkedPage page = readMarks(text, path, problems);
  const Recipes recipes = readRecipes(recipeText, recipesOf(path), problems);
  if (!page.sections.empty())
    problems.push_back(problemAt(path, page.sections[0].line, "only a translation marks sections"));
  if (problems.size() > before) return {};
  return Weaver(recipes, path, repository, problems).page(page);
}
