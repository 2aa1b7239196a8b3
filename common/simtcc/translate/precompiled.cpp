#include "simtcc/translate/precompiled.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>
#include <sstream>

#include "simtcc/translate/places.h"
#include "simtcc/translate/processes.h"
#include "simtcc/translate/tokens.h"
#include "simtcc_config.h"  // made by CMake

namespace simt::cc {
namespace {

namespace fs = std::filesystem;

#ifdef __clang__
constexpr bool canPrecompile = false;
#else
constexpr bool canPrecompile = true;
#endif

// Options of a program that the headers' code may have been compiled with, too. Others make none.
bool isHarmless(const std::string& word) {
  return word == "-w" || word == "-g" || word == "-pthread" ||
         (word.starts_with("-W") && word.find(',') == std::string::npos);
}

// The headers that were read, from make's list of them.
std::vector<std::string> filesIn(const std::string& dependencies) {
  std::vector<std::string> files;
  std::istringstream words(
      dependencies.substr(std::min(dependencies.find(':'), dependencies.size() - 1) + 1));
  for (std::string word; words >> word;)
    if (word != "\\" && !word.ends_with("/all.h")) files.push_back(word);
  return files;
}

// Whether a folder that is searched first has something by the name of a header or of a folder of
// headers.
bool mayHide(const std::string& folder, const std::vector<std::string>& headers) {
  std::set<std::string> names;
  for (const std::string& header : headers) {
    const size_t begin = header.rfind("/include/");
    for (const fs::path& part : fs::path(begin == header.npos ? header : header.substr(begin + 9)))
      names.insert(part.string());
    names.insert({"simt", "simtcc"});
  }
  std::error_code problem;
  for (fs::directory_iterator it(folder, problem), end; !problem && it != end;
       it.increment(problem))
    if (names.contains(it->path().filename().string())) return true;
  return bool(problem);
}

struct Place {
  fs::path folder;
  fs::path file(const char* name) const { return folder / name; }
  fs::path compiled() const { return file("cuda_runtime.h.gch"); }
};

std::vector<std::string> headersOf(const Place& place) {
  return filesIn(readFile(place.file("all.d")));
}

// Whether nothing has changed since they were made.
bool isFresh(const Place& place, const std::vector<std::string>& headers) {
  std::error_code problem;
  if (!fs::exists(place.compiled(), problem)) return false;
  const auto begun = fs::last_write_time(place.file("all.h"), problem);
  if (problem) return false;
  return !headers.empty() && std::ranges::all_of(headers, [&](const std::string& header) {
    std::error_code none;
    const auto changed = fs::last_write_time(header, none);
    return !none && (changed <= begun);
  });
}

// In a folder of its own, which then takes the place.
bool make(const Place& place, const Words& flags, const Words& preprocess) {
  std::error_code problem;
  const Place apart{place.folder.string() + "." + std::to_string(getpid())};
  struct Remover {
    fs::path folder;
    ~Remover() {
      std::error_code ignored;
      fs::remove_all(folder, ignored);
    }
  } remover{apart.folder};
  fs::create_directories(apart.folder, problem);
  if (problem) return false;
  std::string ignored;
  const std::string all = apart.file("all.h"), text = apart.file("all.ii");
  try {
    writeFile(all, "// cuda_runtime.h comes before this.\n");
    // Who includes it once more finds this one first.
    writeFile(apart.file("cuda_runtime.h"), "#include_next <cuda_runtime.h>\n");
    if (runProgram(Words{config::compiler, "-E"} + preprocess + Words{"-x", "c++", all, "-o", text},
                   &ignored) != 0 ||
        runProgram(Words{config::compiler} + flags + preprocess +
                       Words{"-MD", "-MF", apart.file("all.d"), "-MT", "all", "-x", "c++-header",
                             all, "-o", apart.compiled()},
                   &ignored) != 0)
      return false;
    const std::string preprocessed = readFile(text);
    std::string names;
    for (const std::string_view name : readTokens(preprocessed).systemNames)
      names += std::string(name) + "\n";
    writeFile(apart.file("names"), names);
  } catch (const UsageError&) {  // no room
    return false;
  }
  fs::remove(text, problem);
  fs::remove_all(place.folder, problem);
  fs::rename(apart.folder, place.folder, problem);
  return !problem;
}

// Where they are, compiled with these flags: made now, where they are not there or not fresh. No
// folder: they cannot be.
Place placeOf(const CommandLine& line, const Words& flags) {
  CommandLine plain;
  plain.before20 = line.before20;
  // What the preprocessor defines where it knows nothing of code.
  const Words preprocess =
      Words{line.standard, "-U__SANITIZE_THREAD__", "-U__OPTIMIZE__", "-D__NO_INLINE__=1"} +
      definitionsOf(plain) + includeFlags();
  std::string key;
  for (const std::string& word : flags + preprocess) key += word + "\n";
  const Place place{fs::path(besideLibraries()) / "simtcc_headers" /
                    std::to_string(std::hash<std::string>()(key))};
  const bool isThere = isFresh(place, headersOf(place)) || make(place, flags, preprocess);
  return isThere ? place : Place();
}

}  // namespace

std::string precompiledHeaders(const CommandLine& line, const Words& flags) {
  return placeOf(line, flags).folder;
}

PrecompiledHeaders precompiledHeaders(const CommandLine& line) {
  if (!canPrecompile || line.translateOnly) return {};
  Words flags, debug;
  for (const std::string& word : flagsOf(config::kernelFlags) + flagsOf(config::programFlags)) {
    if (word.starts_with("--include")) continue;  // cuda_runtime.h includes it where it is needed
    flags.push_back(word);
    if (word.starts_with("-g")) debug.push_back(word);
  }
  for (const std::string& word : line.compile) {
    if (word.starts_with("-O"))
      flags.push_back(word);
    else if (!isHarmless(word))
      return {};
  }
  const Place place = placeOf(line, flags);
  if (place.folder.empty()) return {};
  for (size_t i = 0; i + 1 < line.preprocess.size(); i += 2)
    if (line.preprocess[i] != "-D" && line.preprocess[i] != "-U" &&
        (line.preprocess[i] == "-include" || mayHide(line.preprocess[i + 1], headersOf(place))))
      return {};
  return {place.folder, Words{"-fpch-preprocess", "-isystem", place.folder} + debug,
          readFile(place.file("names"))};
}

}  // namespace simt::cc
