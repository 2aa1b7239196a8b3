#include "site/pages.h"

#include <algorithm>
#include <filesystem>

#include "site/markdown.h"
#include "weave/lines.h"
#include "weave/sections.h"

namespace fs = std::filesystem;

namespace {

bool isThere(const Repository& repository, const std::string& path) {
  return fs::is_regular_file(fs::path(repository.root) / path);
}

// Front page, lessons by number with what is below them, what is looked up, and all else.
std::pair<int, std::string> placeInOrder(const std::string& path) {
  static const std::vector<std::string> looked = {"common/glossary.md", "common/workshop.md",
                                                  "common/results/README.md",
                                                  "common/program/README.md"};
  if (path == "README.md") return {0, ""};
  if (path[0] >= '0' && path[0] <= '9') return {1, fs::path(path).parent_path().string()};
  const auto known = std::ranges::find(looked, path);
  return {2 + int(known - looked.begin()), path};
}

}  // namespace

std::string Language::word(const std::string& key) const {
  if (!words.contains(key) || !words[key].is_string())
    refuse("common/site/languages/" + code + ".json has no text '" + key + "'");
  return words[key];
}

std::vector<Language> languagesOf(const Repository& repository) {
  std::vector<Language> languages;
  for (const auto& entry :
       fs::directory_iterator(fs::path(repository.root) / "common/site/languages"))
    if (entry.path().extension() == ".json") {
      const std::string code = entry.path().stem().string();
      languages.push_back({code, nlohmann::json::parse(contentsOf(
                                     repository, "common/site/languages/" + code + ".json"))});
    }
  std::ranges::sort(languages, {}, [](const Language& language) {
    return std::pair(language.code != english, language.code);
  });
  if (languages.empty() || languages[0].code != english)
    refuse("common/site/languages/en.json is missing");
  return languages;
}

std::vector<Page> pagesToShow(const Repository& repository,
                              const std::vector<Language>& languages) {
  std::vector<Page> pages;
  std::set<std::string> known = {"README.md"};
  std::vector<std::string> toRead = {"README.md"};
  while (!toRead.empty()) {
    const std::string path = toRead.back();
    toRead.pop_back();
    Page page{path, {{english, contentsOf(repository, path)}}};
    for (const Language& language : languages)
      if (const std::string file = translatedPath(path, language.code);
          language.code != english && isThere(repository, file))
        page.texts[language.code] = rebased(contentsOf(repository, file), file, path);
    for (const std::string& url : urlsIn(page.texts[english])) {
      std::string target = targetOf(path, url);
      if (fs::is_directory(fs::path(repository.root) / target)) target += "/README.md";
      const bool isTranslation = std::ranges::any_of(languages, [&](const Language& language) {
        return target.ends_with("." + language.code + ".md");
      });
      if (!target.ends_with(".md") || isTranslation || !isThere(repository, target)) continue;
      if (known.insert(target).second) toRead.push_back(target);
    }
    pages.push_back(std::move(page));
  }
  std::ranges::sort(pages, {}, [](const Page& page) { return placeInOrder(page.path); });
  return pages;
}

std::string htmlPathOf(const std::string& path, const std::string& language) {
  fs::path page = fs::path(path).replace_extension();
  if (page.filename() == "README") page.replace_filename("index");
  std::string html = page.string() + (language == english ? "" : "." + language) + ".html";
  if (html.starts_with('.')) html.erase(0, 1);  // servers keep hidden folders to themselves
  return html;
}

std::string targetOf(const std::string& page, const std::string& url) {
  const std::string path = url.substr(0, url.find('#'));
  if (path.empty() || path.find(':') != std::string::npos || path.starts_with('/')) return "";
  std::string target = (fs::path(page).parent_path() / path).lexically_normal().string();
  if (target.ends_with('/')) target.pop_back();
  return target.starts_with("..") ? "" : target;
}
