#include "simtcc/translate/gpu_code.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <sstream>

#include "simtcc/translate/assembler.h"
#include "simtcc/translate/casts.h"
#include "simtcc/translate/compiler.h"
#include "simtcc/translate/declarations.h"
#include "simtcc/translate/places.h"
#include "simtcc_config.h"  // made by CMake

namespace simt::cc {
namespace {

constexpr unsigned mostSeconds = 20, mostTurns = 4;

struct Place {
  std::string file;
  int line = 0;
};

// An error, and the places that led to it; or the function that has no instructions.
struct Mistake {
  std::string text;
  std::vector<Place> places;
  std::string symbol = "";
};

// "file.cu:12:5: error: text", where that begins at mark.
Place placeBefore(const std::string& line, size_t mark) {
  const size_t column = line.rfind(':', mark - 1);
  if (column == std::string::npos || column == 0) return {};
  const size_t number = line.rfind(':', column - 1);
  if (number == std::string::npos) return {};
  Place place{line.substr(0, number)};
  std::from_chars(line.data() + number + 1, line.data() + column, place.line);
  return place;
}

std::vector<Mistake> mistakesIn(const std::string& log) {
  std::vector<Mistake> all;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    constexpr std::string_view error = ": error: ", note = ": note: ", symbol = "In function: ";
    if (line.starts_with("fatal error: "))
      all.push_back({"clang++ has no instruction for what it does", {}});
    else if (const size_t at = line.find(error); at != std::string::npos && at > 0)
      all.push_back({line.substr(at + error.size()), {placeBefore(line, at)}});
    else if (const size_t from = line.find(note);
             from != std::string::npos && from > 0 && !all.empty())
      all.back().places.push_back(placeBefore(line, from));
    else if (line.starts_with(symbol) && !all.empty())
      all.back().symbol = line.substr(symbol.size());
  }
  return all;
}

// Bytes that threads have in memory for their arrays, of all kernels.
size_t bytesOfArraysIn(std::string_view ptx) {
  constexpr std::string_view array = "\n\t.local ";
  size_t bytes = 0;
  for (size_t at = 0; (at = ptx.find(array, at)) != std::string::npos;) {
    size_t of = 1;
    at = std::min(ptx.find('[', at), ptx.size() - 1) + 1;
    std::from_chars(ptx.data() + at, ptx.data() + ptx.size(), of);
    bytes += of;
  }
  return bytes;
}

// Each kernel from the other where it has smaller arrays of a thread there.
std::string withSmallerArrays(const std::string& ptx, const std::string& other) {
  constexpr std::string_view begins = "\n.visible .entry ", ends = "\n}";
  const auto kernelAt = [&](std::string_view all, size_t at) {
    return all.substr(at,
                      std::min(all.find(ends, at), all.size() - ends.size()) + ends.size() - at);
  };
  std::string merged;
  size_t from = 0;
  for (size_t at = 0; (at = ptx.find(begins, from)) != std::string::npos;) {
    const std::string_view kernel = kernelAt(ptx, at);
    const size_t same = other.find(kernel.substr(0, kernel.find('(') + 1));
    const std::string_view others = same == std::string::npos ? kernel : kernelAt(other, same);
    merged.append(ptx, from, at - from);
    merged += bytesOfArraysIn(others) < bytesOfArraysIn(kernel) ? others : kernel;
    from = at + kernel.size();
  }
  return merged.append(ptx, from);
}

// A function without code, and why.
struct Lost {
  const Function* function = nullptr;
  std::string why;
};

std::string told(const Mistake& mistake, const Place& place) {
  return std::filesystem::path(place.file).filename().string() + ":" + std::to_string(place.line) +
         ": " + mistake.text;
}

// The function in which a mistake is, or which leads to it.
Lost lostBy(const Mistake& mistake, const Source& source, const Declarations& declarations) {
  const auto isIn = [&](const Function& f, const Place& place) {
    const Token& begin = source.tokens[f.head];
    const Token& end = source.tokens[source.partner[f.body]];
    return source.files[size_t(begin.file)] == place.file && begin.line <= place.line &&
           place.line <= end.line;
  };
  const auto isCalled = [&](const Function& f) {
    return !f.name.empty() &&
           (mistake.symbol == f.name ||
            mistake.symbol.find(std::to_string(f.name.size()) + f.name) != std::string::npos);
  };
  const auto found = [&](auto&& isIt) -> const Function* {
    const auto it = std::ranges::find_if(declarations.functions, [&](const Function& f) {
      return f.body != Source::none && source.partner[f.body] != Source::none && isIt(f);
    });
    return it == declarations.functions.end() ? nullptr : &*it;
  };
  for (const Place& place : mistake.places)
    if (const Function* const f = found([&](const Function& each) { return isIn(each, place); }))
      return {f, told(mistake, place)};
  return mistake.symbol.empty() ? Lost() : Lost{found(isCalled), mistake.text};
}

// nvcc puts the file's name into names that only the file knows, the host's compiler does not.
std::string withoutNamesOfFiles(std::string text) {
  for (const auto& [mark, instead] :
       {std::pair<std::string, std::string>{"_INTERNAL_", ""}, {"_GLOBAL__N__", "12_GLOBAL__N_1"}})
    for (size_t at = 0; (at = text.find(mark, at)) != std::string::npos;) {
      size_t digits = at;
      while (digits > 0 && std::isdigit(static_cast<unsigned char>(text[digits - 1]))) --digits;
      size_t length = 0;
      std::from_chars(text.data() + digits, text.data() + at, length);
      if (length <= mark.size()) {
        at += mark.size();
        continue;
      }
      text.replace(digits, at - digits + length, instead);
      at = digits + instead.size();
    }
  return text;
}

}  // namespace

GpuCode::GpuCode(const CommandLine& line, const std::string& source, const TemporaryFolder& folder)
    : line_(line), folder_(folder), source_(asPath(source)) {
  if (*config::gpuCompiler == '\0' || line.translateOnly || line.gpuCompiler == "none") return;
  compiler_ = Words{config::gpuCompiler} + flagsOf(config::gpuFlags) +
              Words{line.standard, "-fno-crash-diagnostics"};
  preprocess_ =
      flagsOf(config::gpuIncludes) + definitionsOf(line) + includeFlags() + line.preprocess;
  begin(*config::nvcc != '\0' && (line.gpuCompiler.empty() || line.gpuCompiler == "nvcc"));
}

void GpuCode::begin(bool byNvcc) {
  byNvcc_ = byNvcc;
  input_ = preprocess_ + Words{source_};
  if (!byNvcc) takePreprocessed();
  Words words = compiler_ + input_ + Words{"-S"};
  if (byNvcc) {
    words = Words{"env",
                  "TMPDIR=" + folder_.file(""),  // what it leaves behind goes with the folder
                  config::nvcc, "-x", "cu", "-ptx", "-lineinfo", "-arch=sm_90", "-w",
                  "-extended-lambda",
                  // Behind the toolkit's own, for what it does not have: the samples' helpers.
                  "-Xcompiler", "-idirafter," + placed(config::includeFolder),
                  "-std=c++" + std::string(line_.before20 ? "17" : "20")} +
            line_.preprocess;
    if (line_.fastMath) words.push_back("-use_fast_math");
    if (line_.constexprEverywhere) words.push_back("--expt-relaxed-constexpr");
    if (line_.relocatable) words.push_back("-rdc=true");
    words.push_back(source_);
  }
  making_.reset();
  making_ = std::make_unique<ProgramBeside>(words + Words{"-o", folder_.file("code.ptx")},
                                            folder_.file("code.log"));
}

// Where casts may be of something in shared memory.
void GpuCode::takePreprocessed() {
  const std::string text = readFile(source_), file = folder_.file("casts.ii");
  const auto has = [&](std::string_view what) { return text.find(what) != std::string::npos; };
  const bool mayCast = (has("*)") || has("reinterpret_cast")) && has("__shared__");
  std::string errors;
  if ((!mayCast && !has("#include \"")) ||
      runProgram(compiler_ + preprocess_ + Words{"-E", "-o", file, source_}, &errors) != 0)
    return;
  writeFile(file, withTypesOfCasts(readFile(file)));
  input_ = {file};
}

// Behind the PTX, whose lines are numbered, a line says who made it.
std::string GpuCode::made() {
  int code = making_->wait(mostSeconds);
  if (byNvcc_ && code != 0) begin(false), code = making_->wait(mostSeconds);
  if (code == 127) return "";
  std::string text = code == 0 && byNvcc_ ? readFile(folder_.file("code.ptx"))
                     : code == 0          ? unrolledFurther(input_)
                     : code == 124        ? "// no code: clang++ takes too long for it\n"
                                          : withoutWhatFails();
  if (text.find(".entry") == std::string::npos) return text;
  if (byNvcc_) text = withoutNamesOfFiles(std::move(text));
  // Of clang++'s code only if asked: its rules come closer to what nvcc makes than ptxas does.
  const bool assembles = *config::ptxas != '\0' && (byNvcc_ || line_.gpuCompiler == "ptxas");
  const std::string machine = assembles ? assembled(text, config::ptxas, folder_) : "";
  return text + "\n//by " + (byNvcc_ ? "nvcc" : "clang++") + (machine.empty() ? "" : " and ptxas") +
         '\n' + machine;
}

void GpuCode::embedIn(const std::string& object) {
  const bool isLeftOut = line_.gpuCompiler == "none" && !line_.translateOnly;
  if (!making_ && !isLeftOut) return;
  const std::string text =
      isLeftOut ? "// no code: it was compiled with --gpu-compiler=none\n" : made();
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

void GpuCode::writeTo(const std::string& file) {
  const std::string text = making_ ? made() : "";
  if (text.find(".entry") == std::string::npos)
    throw UsageError("simtcc: " + source_ + ": " +
                     (text.empty()              ? "no compiler of a GPU makes code of it"
                      : text.starts_with("// ") ? text.substr(3, text.find('\n') - 3)
                                                : "it has no kernel"));
  writeFile(file, text);
}

// What clang++ has made of the source, but of kernels what it makes with loops unrolled further, if
// that puts arrays of threads into registers.
std::string GpuCode::unrolledFurther(const Words& source) {
  std::string text = readFile(folder_.file("code.ptx"));
  const std::string further = config::gpuFurther, ptx = folder_.file("further.ptx");
  const std::string flag = further.substr(0, further.find(' '));
  Words words = compiler_ + source + Words{"-S", "-o", ptx};
  for (std::string& word : words)
    if (word.starts_with(flag.substr(0, flag.find('=') + 1))) word = flag;
  for (const Words& also : {Words{}, Words{"-mllvm", further.substr(further.find(' ') + 1)}}) {
    if (bytesOfArraysIn(text) == 0) break;
    ProgramBeside making(words + also, folder_.file("further.log"));
    if (making.wait(mostSeconds) != 0) break;
    text = withSmallerArrays(text, readFile(ptx));
  }
  return text;
}

// Functions with mistakes lose their bodies, until the others compile.
std::string GpuCode::withoutWhatFails() {
  const std::string preprocessed = folder_.file("code.ii"), log = folder_.file("code.log"),
                    ptx = folder_.file("code.ptx");
  std::string why;
  for (unsigned turn = 0; turn < mostTurns; ++turn) {
    const std::vector<Mistake> mistakes = mistakesIn(readFile(log));
    if (mistakes.empty()) break;
    const std::string all =
        "// no code: " +
        (mistakes[0].places.empty() ? mistakes[0].text : told(mistakes[0], mistakes[0].places[0])) +
        "\n";
    std::string errors;
    if (turn == 0 && runProgram(compiler_ + input_ + Words{"-E", "-o", preprocessed}, &errors) != 0)
      return all;
    std::string text = readFile(preprocessed);
    const Source source = readTokens(text);
    const Declarations declarations = findDeclarations(source);
    std::vector<std::pair<size_t, size_t>> bodies;
    for (const Mistake& mistake : mistakes) {
      const auto [function, reason] = lostBy(mistake, source, declarations);
      if (!function) continue;  // which those that have a place may have led to
      const size_t from = source.tokens[function->body].offset,
                   to = source.tokens[source.partner[function->body]].offset;
      const std::string line = "// no code of " + function->name + ": " + reason + "\n";
      if (std::ranges::find(bodies, std::pair(from, to)) != bodies.end()) continue;
      bodies.emplace_back(from, to);
      why += line;
    }
    if (bodies.empty()) return all;
    for (const auto& [from, to] : bodies) {
      for (size_t i = from; i <= to; ++i)
        if (text[i] != '\n') text[i] = ' ';
      text[from] = ';';
    }
    writeFile(preprocessed, text);
    ProgramBeside again(compiler_ + Words{"-S", "-o", ptx, preprocessed}, log);
    if (again.wait(mostSeconds) == 0) return why + unrolledFurther({preprocessed});
  }
  return why.empty() ? "// no code: clang++ cannot compile it\n" : why;
}

}  // namespace simt::cc
