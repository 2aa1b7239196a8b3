#include "weave/repository.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "weave/lines.h"

namespace fs = std::filesystem;

void expectBelowRoot(const Repository& repository, const std::string& path) {
  const fs::path relative(path);
  if (path.empty() || path.find('\0') != std::string::npos || relative.is_absolute() ||
      std::ranges::find(relative, "..") != relative.end())
    refuse("'" + path + "' is no path below the root of the repository");
  std::error_code error;
  const fs::path root = fs::canonical(repository.root, error);
  const fs::path real = fs::weakly_canonical(root / relative, error);
  const fs::path fromRoot = real.lexically_relative(root);
  if (error || fromRoot.empty() || *fromRoot.begin() == "..")
    refuse(path + " leads out of the repository");
}

std::string contentsOf(const Repository& repository, const std::string& path) {
  expectBelowRoot(repository, path);
  const fs::path place = fs::path(repository.root) / path;
  std::ifstream file(place, std::ios::binary);
  std::error_code error;
  if (!file || !fs::is_regular_file(place, error)) refuse(path + " cannot be read");
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

// The top of the repository has room for the lessons only.
static const std::string frontPageRecipes = "common/weave/front_page.weave";

std::vector<std::string> filesOf(const Repository& repository, const std::string& ending) {
  std::vector<std::string> files;
  for (fs::recursive_directory_iterator
           entry(repository.root, fs::directory_options::skip_permission_denied),
       end;
       entry != end; ++entry) {
    const std::string name = entry->path().filename().string();
    if (entry->is_directory() && (name.starts_with(".") || name.starts_with("build")))
      entry.disable_recursion_pending();
    else if (name.ends_with(ending))
      files.push_back(entry->path().lexically_relative(repository.root).string());
  }
  std::ranges::sort(files);
  return files;
}

std::vector<std::string> pagesOf(const Repository& repository) {
  std::vector<std::string> pages;
  for (const char* ending : {"README.md", ".weave"})
    for (const std::string& file : filesOf(repository, ending)) {
      const fs::path path(file);
      if (file == frontPageRecipes)
        pages.push_back("README.md");
      else if (path.filename() == "README.md" || path.filename() == "page.weave")
        pages.push_back((path.parent_path() / "README.md").string());
    }
  std::ranges::sort(pages);
  pages.erase(std::unique(pages.begin(), pages.end()), pages.end());
  return pages;
}

std::vector<std::string> missingPagesOf(const Repository& repository) {
  std::vector<std::string> wanted = {"README.md", "common/README.md", "common/simt/README.md"};
  for (const auto& entry : fs::directory_iterator(repository.root))
    if (const std::string name = entry.path().filename().string();
        entry.is_directory() && name[0] >= '0' && name[0] <= '9')
      wanted.push_back(name + "/README.md");
  std::erase_if(wanted, [&](const std::string& page) {
    return fs::is_regular_file(fs::path(repository.root) / page);
  });
  std::ranges::sort(wanted);
  return wanted;
}

std::string recipesOf(const std::string& page) {
  if (page == "README.md") return frontPageRecipes;
  return (fs::path(page).parent_path() / "page.weave").string();
}

std::string linkBetween(const std::string& from, const std::string& to) {
  const fs::path folder = fs::path(from).parent_path();
  return fs::path(to).lexically_relative(folder.empty() ? "." : folder).string();
}
