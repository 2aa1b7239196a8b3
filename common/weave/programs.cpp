#include "weave/programs.h"

#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

#include "base/text.h"
#include "weave/child_process.h"
#include "weave/lines.h"

namespace {

namespace fs = std::filesystem;

const std::string folder = "build/cpu/";

bool isPlain(const std::string& word) {
  return !word.empty() && std::ranges::all_of(word, [](unsigned char c) {
    return c < 128 &&
           (std::isalnum(c) || std::string("_-+=.,:^").find(char(c)) != std::string::npos);
  });
}

// The words of a command, with the place of the program for its name.
Lines checkedCommand(const std::string& command, const Repository& repository) {
  Lines words = wordsOf(command);
  if (words.empty() || !words[0].starts_with(folder))
    refuse("expected a command that begins with " + folder + ", not '" + command + "'");
  const std::string name = words[0].substr(folder.size());
  if (!isPlain(name) || name.starts_with('.')) refuse("'" + words[0] + "' is no program");
  for (size_t i = 1; i < words.size(); ++i) {
    std::string word = words[i];
    std::erase(word, ' ');  // of the name of a step, which no shell sees
    if (!isPlain(word)) refuse("'" + words[i] + "' is no plain word for a program");
    for (const std::string option : {"--json", "--svg", "--html", "--explore", "--label"})
      if (words[i].starts_with(option)) refuse(words[i] + " is not for pages");
  }
  const fs::path place = fs::path(repository.programs) / name;
  std::error_code error;
  if (!fs::is_regular_file(place, error))
    refuse(words[0] + " is no program of this build (cmake --build build --target " + name + ")");
  words[0] = fs::absolute(place).string();
  return words;
}

std::string runIn(const Lines& words, const std::string& command, const Repository& repository) {
  const Ended ended = runToItsEnd(words, repository.root, std::chrono::minutes(5));
  if (ended.tookTooLong) refuse(command + " had not ended after five minutes");
  if (ended.exitCode != 0) refuse(command + " failed: " + trimmed(ended.output.substr(0, 500)));
  return ended.output;
}

std::string withoutMachine(std::string output) {
  output = std::regex_replace(output, std::regex(" +\n"), "\n");
  output = std::regex_replace(
      output, std::regex("(No GPU here: the|The) kernels run on the CPU \\(.*\\) under"),
      "No GPU here: the kernels run on the CPU under");
  // Estimates differ a little between host compilers.
  output = std::regex_replace(
      output, std::regex("(\n[0-9]+ matrices of [^\n]*:\n)?Estimated on an? [^\n]*\n([^\n]+\n)+\n"),
      "");
  return std::regex_replace(
      output, std::regex("(CPU: one core) [0-9.]+ (ms, all cores) [0-9.]+ ms"), "$1 … $2 … ms");
}

// A folder that is gone at the end of the scope.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string pattern = (fs::temp_directory_path() / "weave-XXXXXX").string();
    if (!mkdtemp(pattern.data())) refuse(pattern + ": no folder for a drawing can be made");
    path_ = pattern;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  std::string path(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

// What a program writes to the file behind an option.
std::string writtenBy(const std::string& command, const std::string& option,
                      const Repository& repository) {
  Lines words = checkedCommand(command, repository);
  const ScratchFolder scratch;
  const std::string place = scratch.path("written");
  words.push_back(option);
  words.push_back(place);
  runIn(words, command, repository);
  std::ifstream file(place, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

std::string outputOf(const std::string& command, const Repository& repository) {
  return withoutMachine(runIn(checkedCommand(command, repository), command, repository));
}

std::string drawingOf(const std::string& command, const Repository& repository) {
  const std::string drawing = writtenBy(command, "--svg", repository);
  if (!drawing.starts_with("<svg")) refuse(command + " drew nothing");
  return drawing;
}

std::string exploredBy(const std::string& command, const Repository& repository) {
  const std::string page = writtenBy(command, "--explore", repository);
  if (!page.starts_with("<!doctype html>")) refuse(command + " wrote no page");
  return page;
}

bool isSamePage(const std::string& page, const std::string& other) {
  const std::string begin = "id=\"estimated\">{\"compiler\":\"";
  const auto compilerOf = [&](const std::string& text) {
    const size_t at = text.find(begin);
    if (at == std::string::npos) return std::string();
    const size_t from = at + begin.size();
    return text.substr(from, text.find('"', from) - from);
  };
  const auto withoutEstimates = [&](const std::string& text) {
    const size_t at = text.find(begin);
    if (at == std::string::npos) return text;
    return text.substr(0, at) + text.substr(std::min(text.size(), text.find("</script>", at)));
  };
  if (page == other || compilerOf(page) == compilerOf(other)) return page == other;
  return withoutEstimates(page) == withoutEstimates(other);
}

std::string outputBlock(const std::string& command, const Repository& repository) {
  return "```\n$ " + command + "\n" + outputOf(command, repository) + "```\n";
}

std::string excerptBlock(const std::string& recipe, const Repository& repository) {
  const size_t colon = recipe.rfind(" : ");
  if (colon == std::string::npos) refuse("excerpt: expected texts, a colon and a command");
  const std::string command = trimmed(recipe.substr(colon + 3));
  const Lines output = linesOf(outputOf(command, repository));
  std::string part;
  for (const std::string& text : wordsOf(recipe.substr(0, colon))) {
    const auto line = std::ranges::find_if(
        output, [&](const std::string& line) { return line.starts_with(text); });
    if (line == output.end()) refuse("no line of " + command + " begins with '" + text + "'");
    part += *line + '\n';
  }
  return "```\n" + part + "```\n";
}
