// build/weave: fills the marked places of all pages, or says what is stale.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <sstream>

#include "base/errors.h"
#include "base/escape.h"
#include "base/options.h"
#include "base/output_file.h"
#include "base/program_main.h"
#include "weave/code_excerpts.h"
#include "weave/programs.h"
#include "weave/sections.h"
#include "weave/weave.h"

namespace {

namespace fs = std::filesystem;

struct Arguments {
  bool write = false, translations = false;
  std::string seen;
  Repository repository{WEAVE_ROOT, WEAVE_PROGRAMS};
};

// Nothing after --help.
std::optional<Arguments> argumentsOf(int argc, char** argv) {
  OptionReader app("Fills the marked places of the pages from sources, results and programs",
                   "weave");
  Arguments arguments;
  bool check = false;
  app.flag("--write", arguments.write, "bring the pages up to date");
  app.flag("--check", check, "show what is stale; exit code 1 if anything is");
  app.flag("--translations", arguments.translations,
           "translations alone, with what the English pages hold now: no program is run");
  app.value("--seen", arguments.seen, "FILE[#SECTION]",
            "a translation, or one section of it: it says what the English page says now");
  app.value("--root", arguments.repository.root, "DIR", "the repository");
  app.value("--programs", arguments.repository.programs, "DIR", "the cpu programs");
  if (!app.read(argc, argv)) return {};
  Repository& repository = arguments.repository;
  const bool marks = app.has("--seen");
  if (marks ? arguments.write || check || arguments.translations
            : arguments.write == check && (arguments.write || !arguments.translations))
    refuse(marks ? "--seen: goes with no other option" : "choose --write or --check");
  if (!fs::is_directory(repository.root + "/common"))
    refuse("--root " + repository.root + ": is not the repository");
  repository.root = fs::canonical(repository.root).string();
  return arguments;
}

using Files = std::map<std::string, std::string>;  // paths from the root, and what they should hold

// All pages and the drawings on them, as they should be; the problems say what cannot be filled.
Files wovenPages(const Repository& repository, Problems& problems) {
  Files files;
  for (const std::string& page : missingPagesOf(repository))
    problems.push_back(page + ": is missing");
  for (const std::string& page : pagesOf(repository)) try {
      const std::string recipes = recipesOf(page);
      const bool has = fs::exists(fs::path(repository.root) / recipes);
      Woven woven = weave(contentsOf(repository, page), has ? contentsOf(repository, recipes) : "",
                          page, repository, problems);
      files[page] = woven.text;
      files.merge(woven.files);
    } catch (const Error& error) {
      problems.push_back(page + ": " + error.what());
    }
  return files;
}

// Adds the translations of pages; the notes say which sections are behind.
void addTranslations(Files& files, const Repository& repository, Lines& notes, Problems& problems) {
  for (const Translation& translation : translationsOf(repository)) {
    const auto woven = files.find(translation.english);
    Standing standing;
    files[translation.path] = wovenTranslation(
        translation, contentsOf(repository, translation.path),
        woven == files.end() ? contentsOf(repository, translation.english) : woven->second,
        repository, standing, problems);
    const auto note = [&](const Lines& anchors, const std::string& what) {
      for (const std::string& anchor : anchors)
        notes.push_back(translation.path + ": '" + anchor + "' " + what);
    };
    note(standing.behind, "is behind: the English section is another one now");
    note(standing.missing, "is not translated");
    note(standing.others, "is no section of the English page");
  }
}

// What a file holds now, nothing for none.
std::string nowIn(const Repository& repository, const std::string& path) {
  expectBelowRoot(repository, path);
  const bool there = fs::exists(fs::path(repository.root) / path);
  const std::string text = there ? contentsOf(repository, path) : "";
  if (path.ends_with(".html") && !text.empty() && !text.starts_with("<!doctype html>"))
    refuse(path + " is no page of --explore: it is not replaced");
  if (path.ends_with(".svg") && !text.empty() && !text.starts_with("<svg"))
    refuse(path + " is no drawing: it is not replaced");
  if (path.ends_with(".csv") && !text.empty() && !text.starts_with(madeBy + "build/cpu/"))
    refuse(path + " is no table of a program's: it is not replaced");
  return text;
}

Files staleOf(const Files& wanted, const Repository& repository) {
  Files stale;
  for (const auto& [path, text] : wanted) {
    const std::string now = nowIn(repository, path);
    if (path.ends_with(".html") ? !isSamePage(now, text) : now != text) stale[path] = text;
  }
  return stale;
}

// All of them, or none where one of them cannot be written.
void write(const Files& files, const Repository& repository) {
  std::vector<std::pair<OutputFile, const std::string*>> outputs;
  for (const auto& [path, text] : files)
    outputs.emplace_back(
        OutputFile(
            "--write", repository.root + "/" + path, [](const std::string&) { return true; }, ""),
        &text);
  for (auto& [output, text] : outputs) output.write(*text);
}

// Lines of somebody's page, on a terminal.
std::string shownLines(const std::string& text) {
  std::istringstream lines(text);
  std::string shown;
  for (std::string line; std::getline(lines, line);) shown += terminalText(line) + '\n';
  return shown;
}

void show(const Files& stale, const Repository& repository) {
  for (const auto& [path, text] : stale)
    if (path.ends_with(".svg"))
      std::cout << path << " is not what would be drawn now\n";
    else if (path.ends_with(".html"))
      std::cout << path << " is not what --explore would write now\n";
    else
      std::cout << path << " is stale:\n"
                << shownLines(changedLines(nowIn(repository, path), text, false));
}

// FILE or FILE#SECTION.
void markSeen(const std::string& what, const Repository& repository) {
  const size_t hash = what.find('#');
  const std::string path = what.substr(0, hash);
  for (const Translation& translation : translationsOf(repository))
    if (translation.path == path)
      return write(
          {{path, seenTranslation(translation, contentsOf(repository, path),
                                  contentsOf(repository, translation.english),
                                  hash == std::string::npos ? "" : what.substr(hash + 1))}},
          repository);
  refuse("--seen " + path + ": is no translation of a page (NAME.zh.md beside NAME.md)");
}

int weavePages(int argc, char** argv) {
  const std::optional<Arguments> arguments = argumentsOf(argc, argv);
  if (!arguments) return exitRight;
  const Repository& repository = arguments->repository;
  if (!arguments->seen.empty()) {
    markSeen(arguments->seen, repository);
    return exitRight;
  }
  Problems problems;
  Lines notes;
  Files wanted;
  if (!arguments->translations) wanted = wovenPages(repository, problems);
  addTranslations(wanted, repository, notes, problems);
  if (!problems.empty()) {
    for (size_t i = 0; i + 1 < problems.size(); ++i)
      std::cerr << "weave: " << terminalText(problems[i]) << '\n';
    refuse(problems.back());
  }
  for (const std::string& note : notes) std::cout << terminalText(note) << '\n';
  const Files stale = staleOf(wanted, repository);
  if (stale.empty())
    std::cout << "all " << wanted.size() << " pages and pictures are up to date\n";
  else if (arguments->write)
    write(stale, repository);
  else
    show(stale, repository);
  return stale.empty() || arguments->write ? exitRight : exitWrong;
}

}  // namespace

int main(int argc, char** argv) {
  return runProgram("weave", [&] { return weavePages(argc, argv); });
}
