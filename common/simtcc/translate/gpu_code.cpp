#include "simtcc/translate/gpu_code.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <sstream>

#include "simtcc/translate/compiler.h"
#include "simtcc/translate/declarations.h"
#include "simtcc_config.h"  // made by CMake

namespace simt::cc {
namespace {

using Words = std::vector<std::string>;

constexpr unsigned mostSeconds = 20, mostTurns = 3;

Words operator+(Words left, const Words& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

// "file.cu:12:5: error: text"
struct Mistake {
  std::string file, text;
  int line = 0;
};

std::vector<Mistake> mistakesIn(const std::string& log) {
  std::vector<Mistake> all;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    constexpr std::string_view mark = ": error: ";
    const size_t end = line.find(mark);
    if (end == std::string::npos) continue;
    const size_t column = line.rfind(':', end - 1),
                 number = column == std::string::npos ? column : line.rfind(':', column - 1);
    if (number == std::string::npos) continue;
    Mistake mistake{line.substr(0, number), line.substr(end + mark.size())};
    std::from_chars(line.data() + number + 1, line.data() + column, mistake.line);
    all.push_back(std::move(mistake));
  }
  return all;
}

// The function in which a mistake is, or null.
const Function* functionWith(const Mistake& mistake, const Source& source,
                             const Declarations& declarations) {
  const auto isThere = [&](const Function& f) {
    if (f.body == Source::none || source.partner[f.body] == Source::none) return false;
    const Token& begin = source.tokens[f.head];
    const Token& end = source.tokens[source.partner[f.body]];
    return source.files[size_t(begin.file)] == mistake.file && begin.line <= mistake.line &&
           mistake.line <= end.line;
  };
  const auto found = std::ranges::find_if(declarations.functions, isThere);
  return found == declarations.functions.end() ? nullptr : &*found;
}

std::string placeOf(const Mistake& mistake) {
  return std::filesystem::path(mistake.file).filename().string() + ":" +
         std::to_string(mistake.line) + ": " + mistake.text;
}

}  // namespace

GpuCode::GpuCode(const CommandLine& line, const std::string& source, const TemporaryFolder& folder)
    : folder_(folder), source_(asPath(source)) {
  if (*config::gpuCompiler == '\0' || line.translateOnly) return;
  compiler_ = Words{config::gpuCompiler} + flagsOf(config::gpuFlags) + Words{line.standard};
  preprocess_ = definitionsOf(line) + includeFlags() + line.preprocess;
  making_ = std::make_unique<ProgramBeside>(
      compiler_ + preprocess_ + Words{"-S", "-o", folder.file("code.ptx"), source_},
      folder.file("code.log"));
}

void GpuCode::embedIn(const std::string& object) {
  if (!making_) return;
  const int code = making_->wait(mostSeconds);
  if (code == 127) return;
  std::string text = code == 0     ? readFile(folder_.file("code.ptx"))
                     : code == 124 ? "// no code: clang++ takes too long for it\n"
                                   : withoutWhatFails();
  if (text.find(".entry") == std::string::npos && text.find("// no code") == std::string::npos)
    return;
  const std::string file = folder_.file("code");
  writeFile(file, text + '\0');
  std::string ignored;
  runProgram({"objcopy", "--add-section", "workshop_ptx=" + file, "--set-section-flags",
              "workshop_ptx=alloc,readonly,data", "--add-symbol",
              "simt_gpu_code=workshop_ptx:0,local", asPath(object)},
             &ignored);
}

// Functions with mistakes lose their bodies, until the others compile.
std::string GpuCode::withoutWhatFails() {
  const std::string preprocessed = folder_.file("code.ii"), log = folder_.file("code.log"),
                    ptx = folder_.file("code.ptx");
  std::string why;
  for (unsigned turn = 0; turn < mostTurns; ++turn) {
    const std::vector<Mistake> mistakes = mistakesIn(readFile(log));
    if (mistakes.empty()) break;
    const std::string all = "// no code: " + placeOf(mistakes[0]) + "\n";
    std::string errors;
    if (turn == 0 &&
        runProgram(compiler_ + preprocess_ + Words{"-E", "-o", preprocessed, source_}, &errors) !=
            0)
      return all;
    std::string text = readFile(preprocessed);
    const Source source = readTokens(text);
    const Declarations declarations = findDeclarations(source);
    std::vector<std::pair<size_t, size_t>> bodies;
    for (const Mistake& mistake : mistakes) {
      const Function* const function = functionWith(mistake, source, declarations);
      if (!function) return all;
      const size_t from = source.tokens[function->body].offset,
                   to = source.tokens[source.partner[function->body]].offset;
      const std::string line = "// no code of " + function->name + ": " + placeOf(mistake) + "\n";
      if (std::ranges::find(bodies, std::pair(from, to)) != bodies.end()) continue;
      bodies.emplace_back(from, to);
      why += line;
    }
    for (const auto& [from, to] : bodies) {
      for (size_t i = from; i <= to; ++i)
        if (text[i] != '\n') text[i] = ' ';
      text[from] = ';';
    }
    writeFile(preprocessed, text);
    ProgramBeside again(compiler_ + Words{"-x", "cuda-cpp-output", "-S", "-o", ptx, preprocessed},
                        log);
    if (again.wait(mostSeconds) == 0) return why + readFile(ptx);
  }
  return why.empty() ? "// no code: clang++ cannot compile it\n" : why;
}

}  // namespace simt::cc
