#include "site/origins.h"

#include <filesystem>
#include <set>

#include "base/errors.h"
#include "report/result_file.h"
#include "weave/child_process.h"
#include "weave/lines.h"
#include "weave/tables.h"
#include "weave/weave.h"

namespace fs = std::filesystem;

namespace {

Lines gitSays(const Repository& repository, Lines words) {
  words.insert(words.begin(), {"/usr/bin/env", "git"});
  const Ended ended = runToItsEnd(words, repository.root, std::chrono::minutes(1));
  return ended.exitCode == 0 ? linesOf(ended.output) : Lines();
}

std::string recipesTextOf(const Repository& repository, const std::string& page) {
  const std::string path = recipesOf(page);
  return fs::exists(fs::path(repository.root) / path) ? contentsOf(repository, path) : "";
}

}  // namespace

Commits commitsOf(const Repository& repository) {
  Commits commits;
  if (gitSays(repository, {"rev-parse", "--is-shallow-repository"}) != Lines{"false"})
    return commits;
  std::string commit;
  for (const std::string& line :
       gitSays(repository, {"log", "--format=commit %H %as", "--name-only", "--", "common", "0*"}))
    if (line.starts_with("commit "))
      commit = line.substr(7, 12) + line.substr(line.rfind(' '));
    else if (!line.empty())
      commits.emplace(line, commit);
  return commits;
}

Origins::Origins(const Repository& repository, const std::string& page)
    : recipes_(readRecipes(recipesTextOf(repository, page), recipesOf(page), problems_)),
      figures_(repository, recipes_) {}

Origin Origins::of(const std::string& name) {
  const auto recipe = recipes_.marks.find(name);
  if (recipe == recipes_.marks.end()) return {};
  Origin origin{recipe->second.kind, recipe->second.text, {}};
  try {
    origin.files = filesOf(recipe->second);
  } catch (const Error&) {  // a page that is behind its records: build/weave says so
  }
  return origin;
}

std::vector<std::string> Origins::filesOf(const Recipe& recipe) {
  const std::string& kind = recipe.kind;
  figures_.records().takeAsked();
  Problems ignored;
  if (kind == "code" || kind == "diff") {
    const Lines words = wordsOf(recipe.text);
    return kind == "code" ? Lines{words.at(0)} : Lines{words.at(0), words.at(2)};
  }
  if (kind == "figure") figures_.shown(recipe.text);
  if (kind == "times") timesTable(recipe.text, figures_);
  if (kind == "counts") countsTable(recipe.text, figures_);
  if (kind == "table" || kind == "roofline") filledTable(recipe, figures_, "", ignored);
  if (kind == "picture") figures_.records().report(wordsOf(recipe.text).at(0));
  const std::set<std::string> asked = figures_.records().takeAsked();
  return {asked.begin(), asked.end()};
}

RecordFacts factsOf(const Repository& repository, const std::string& path) {
  if (path.ends_with(".json") && !path.starts_with("common/cards/")) {
    const Report report = readResult(repository.root + "/" + path);
    return {report.machineName(), report.date, report.command};
  }
  if (path.ends_with(".json")) return {};
  // A table says in its first lines what it is, and perhaps of which GPU.
  RecordFacts facts;
  for (const std::string& line : linesOf(contentsOf(repository, path))) {
    if (!line.starts_with("# ")) break;
    if (facts.machine.empty() || line.starts_with("# GPU: "))
      facts.machine += (facts.machine.empty() ? "" : "; ") + line.substr(2);
  }
  while (facts.machine.ends_with('.')) facts.machine.pop_back();
  return facts;
}
