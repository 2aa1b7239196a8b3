// build/site_builder: the pages of the repository as a site of static files.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "base/escape.h"
#include "base/options.h"
#include "base/program_main.h"
#include "site/site.h"
#include "weave/lines.h"

namespace {

namespace fs = std::filesystem;

// The list of the site's files: by it a folder is known as a site that may be replaced.
const std::string list = "files.txt";
const std::string listBegins = "Files of the site, made by build/site_builder\n";

bool isSite(const fs::path& folder) {
  std::ifstream file(folder / list);
  std::string line;
  return std::getline(file, line) && line + "\n" == listBegins;
}

void writeTo(const fs::path& folder, SiteFiles files) {
  std::error_code error;
  if (fs::exists(folder) && !fs::is_empty(folder, error) && !isSite(folder))
    refuse("--out " + folder.string() + ": is not a site: it is not replaced");
  std::string names = listBegins;
  for (const auto& [path, text] : files) names += path + "\n";
  files[list] = names;
  fs::remove_all(folder);
  for (const auto& [path, text] : files) {
    const fs::path place = folder / path;
    fs::create_directories(place.parent_path());
    std::ofstream file(place, std::ios::binary);
    if (!(file << text) || !file.flush()) refuse("--out " + place.string() + ": cannot be written");
  }
}

int build(int argc, char** argv) {
  OptionReader app("The pages of the repository as a site of static files", "site_builder");
  Repository repository{SITE_ROOT, ""};
  std::string out, compareFile;
  app.value("--root", repository.root, "DIR", "the repository");
  app.value("--out", out, "DIR", "where the site goes; an earlier one there is replaced");
  app.value("--compare", compareFile, "FILE",
            "build/compare.js, by which result files are compared in the browser");
  if (!app.read(argc, argv)) return exitRight;
  if (out.empty()) refuse("--out DIR: say where the site goes");
  if (!fs::is_directory(repository.root + "/common"))
    refuse("--root " + repository.root + ": is not the repository");
  repository.root = fs::canonical(repository.root).string();
  std::ifstream script(compareFile, std::ios::binary);
  const std::string compareScript(std::istreambuf_iterator<char>(script), {});
  if (!compareFile.empty() && compareScript.empty())
    refuse("--compare " + compareFile + ": is empty or cannot be read");
  const SiteFiles files = siteOf(repository, compareScript);
  size_t bytes = 0;
  for (const auto& [path, text] : files) bytes += text.size();
  writeTo(out, files);
  std::cout << "wrote " << files.size() << " files, " << bytes / 1000 << " kB: open "
            << terminalText(out) << "/index.html\n";
  return exitRight;
}

}  // namespace

int main(int argc, char** argv) {
  return runProgram("site_builder", [&] { return build(argc, argv); });
}
