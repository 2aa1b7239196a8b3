// build/weave: fills the marked places of all pages, or says what is stale.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "base/errors.h"
#include "base/output_file.h"
#include "base/program_main.h"
#include "weave/weave.h"

namespace {

namespace fs = std::filesystem;

// Pages of the repository: README.md of the root, of each folder and of the folders in common.
std::vector<std::string> pagesOf(const std::string& root) {
  std::vector<std::string> pages;
  const auto add = [&](const fs::path& folder) {
    if (fs::exists(folder / "README.md"))
      pages.push_back((folder / "README.md").lexically_relative(root).string());
  };
  add(root);
  for (const std::string& parent : {root, root + "/common"})
    for (const auto& entry : fs::directory_iterator(parent))
      if (entry.is_directory() && !entry.path().filename().string().starts_with("build"))
        add(entry.path());
  std::sort(pages.begin(), pages.end());
  return pages;
}

std::string contentsOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

int weavePages(int argc, char** argv) {
  CLI::App app("Fills the marked places of the pages from sources, results and programs", "weave");
  bool write = false, check = false;
  Repository repository{WEAVE_ROOT, WEAVE_PROGRAMS};
  app.add_flag("--write", write, "bring the pages up to date");
  app.add_flag("--check", check, "show what is stale; exit code 1 if anything is");
  app.add_option("--root", repository.root, "the repository")->type_name("DIR");
  app.add_option("--programs", repository.programs, "the cpu programs")->type_name("DIR");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help();
    return exitRight;
  } catch (const CLI::ParseError& error) {
    throw Error(exitUsage, std::string(error.what()) + " (--help lists the options)");
  }
  if (write == check) throw Error(exitUsage, "choose --write or --check");
  if (!fs::is_directory(repository.root + "/common"))
    throw Error(exitUsage, "--root " + repository.root + ": is not the repository");
  const std::string root = fs::canonical(repository.root).string();
  repository.root = root;

  // All pages first: a mark that cannot be filled changes nothing.
  std::map<std::string, std::string> wanted;
  for (const std::string& page : pagesOf(root)) {
    Woven woven = weave(contentsOf(root + "/" + page), page, repository);
    wanted[page] = woven.text;
    wanted.merge(woven.files);
  }
  bool stale = false;
  for (const auto& [path, text] : wanted) {
    const std::string now = contentsOf(root + "/" + path);
    if (now == text) continue;
    stale = true;
    if (write) {
      OutputFile file(
          "--write", root + "/" + path, [](const std::string&) { return true; }, "");
      file.write(text);
    } else if (path.ends_with(".svg")) {
      std::cout << path << " is not what would be drawn now\n";
    } else {
      std::cout << path << " is stale:\n" << changedLines(now, text, false);
    }
  }
  if (!stale) std::cout << "all " << wanted.size() << " pages and pictures are up to date\n";
  return stale && check ? exitWrong : exitRight;
}

}  // namespace

int main(int argc, char** argv) {
  return runProgram("weave", [&] { return weavePages(argc, argv); });
}
