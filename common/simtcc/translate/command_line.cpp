#include "simtcc/translate/command_line.h"

#include <algorithm>
#include <array>
#include <sstream>

namespace simt::cc {
namespace {

using Words = std::vector<std::string>;

// Options of nvcc about a GPU's code or its own work, with a value in the next word.
constexpr std::array ignoredWithValue = {"-gencode",
                                         "--generate-code",
                                         "-arch",
                                         "--gpu-architecture",
                                         "-code",
                                         "--gpu-code",
                                         "-Xptxas",
                                         "--ptxas-options",
                                         "-ccbin",
                                         "--compiler-bindir",
                                         "-maxrregcount",
                                         "--maxrregcount",
                                         "-cudart",
                                         "--cudart",
                                         "-Xnvlink",
                                         "-Xfatbin",
                                         "--threads",
                                         "-t",
                                         "-diag-suppress",
                                         "--diag-suppress",
                                         "-cudadevrt",
                                         "-Xcudafe",
                                         "-Xarchive",
                                         "--default-stream",
                                         "-default-stream",
                                         "-m",
                                         "--machine",
                                         "-ftz",
                                         "-prec-div",
                                         "-prec-sqrt",
                                         "-fmad",
                                         "--fmad",
                                         "-dopt",
                                         "--dopt",
                                         "-MT",
                                         "-split-compile",
                                         "--split-compile"};
constexpr std::array ignored = {"-lineinfo",
                                "--generate-line-info",
                                "-G",
                                "--device-debug",
                                "--expt-extended-lambda",
                                "-expt-extended-lambda",
                                "--extended-lambda",
                                "-extended-lambda",
                                "-res-usage",
                                "--resource-usage",
                                "-m64",
                                "--keep",
                                "-keep",
                                "--source-in-ptx",
                                "-extra-device-vectorization",
                                "-restrict",
                                "--restrict",
                                "-pg",
                                "-lcudart",
                                "-lcudart_static",
                                "-lcuda",
                                "-lcudadevrt",
                                "-lnvToolsExt",
                                "-w2",
                                "-dlto",
                                "--dlink-time-opt",
                                "-disable-warnings",
                                "--disable-warnings",
                                "-MD",
                                "-MMD",
                                "-MP",
                                "-allow-unsupported-compiler",
                                "--allow-unsupported-compiler",
                                "-forward-unknown-to-host-compiler",
                                "--forward-unknown-to-host-compiler",
                                "-ewp",
                                "--extra-warnings",
                                "-Wno-deprecated-gpu-targets",
                                "-lm",
                                "-lrt",
                                "-lpthread",
                                "-ldl"};
constexpr std::array prefixesIgnored = {
    "-gencode=",        "--generate-code=",   "-arch=",           "--gpu-architecture=",
    "-code=",           "--gpu-code=",        "-Xptxas=",         "--ptxas-options=",
    "-ccbin=",          "--compiler-bindir=", "-maxrregcount=",   "--maxrregcount=",
    "-cudart=",         "--cudart=",          "--threads=",       "--default-stream=",
    "-default-stream=", "-diag-suppress=",    "--diag-suppress=", "-ftz=",
    "--ftz=",           "-prec-div=",         "-prec-sqrt=",      "-fmad=",
    "--fmad=",          "-Xcudafe=",          "--prec-div=",      "--prec-sqrt=",
    "-Xnvlink=",        "-Xfatbin="};
// Libraries that are not there: who uses one is told where its header is included.
constexpr std::array librariesOfGpus = {
    "cublasLt", "cufft", "cufftw",  "cusparse",   "cusolver", "cudnn", "nvrtc",    "nvjpeg",
    "nccl",     "cupti", "culibos", "nvToolsExt", "curand",   "nvml",  "nvidia-ml"};

constexpr std::string_view gpuCompilerIs = "--gpu-compiler=";
constexpr std::array gpuCompilers = {"clang++", "ptxas", "nvcc", "none"};

template <size_t n>
bool contains(const std::array<const char*, n>& words, const std::string& word) {
  return std::ranges::any_of(words, [&](const char* w) { return word == w; });
}

// Between commas, and between blanks, as a shell takes them.
void appendParts(Words& to, const std::string& list, const std::string& prefix = "") {
  std::istringstream parts(list);
  for (std::string part; std::getline(parts, part, ',');) {
    std::istringstream words(part);
    for (std::string word; words >> word;) to.push_back(prefix + word);
  }
}

Input::Kind kindOf(const std::string& path) {
  const std::string extension = path.substr(std::min(path.rfind('.'), path.size()));
  if (extension == ".cu") return Input::Kind::cuda;
  for (const char* host : {".cpp", ".cc", ".cxx", ".c", ".C", ".c++"})
    if (extension == host) return Input::Kind::host;
  for (const char* object : {".o", ".a", ".so"})
    if (extension == object) return Input::Kind::object;
  throw UsageError("simtcc: " + path + " is no .cu, .cpp, .c, .o, .a or .so file");
}

class Reader {
 public:
  explicit Reader(const Words& words) : words_(words) {}

  CommandLine read() {
    for (at_ = 0; at_ < words_.size(); ++at_) option(words_[at_]);
    if (line_.help || line_.version || line_.printFlags) return std::move(line_);
    if (line_.inputs.empty())
      throw UsageError("simtcc: which file? simtcc my_kernel.cu -o my_kernel");
    if ((line_.compileOnly || line_.codeOnly) && !line_.output.empty() && line_.inputs.size() > 1)
      throw UsageError("simtcc: -c or -ptx with -o takes one file");
    if (line_.codeOnly && (line_.compileOnly || line_.translateOnly || line_.run || line_.library ||
                           line_.deviceLink || !line_.dependencies.empty()))
      throw UsageError(
          "simtcc: -ptx goes without -c, -dlink, -lib, -MF, -run, --translate and --ptx");
    if (line_.codeOnly && !line_.output.empty() && !line_.output.ends_with(".ptx"))
      throw UsageError("simtcc: -ptx writes a .ptx file, and " + line_.output + " is none");
    if (line_.deviceLink && line_.output.empty()) line_.output = "a_dlink.o";
    return std::move(line_);
  }

 private:
  const std::string& next() {
    if (++at_ == words_.size()) throw UsageError("simtcc: " + words_.back() + " lacks its value");
    return words_[at_];
  }

  // -Ifolder or -I folder
  bool joined(const std::string& word, const std::string& name, Words& to) {
    if (!word.starts_with(name)) return false;
    to.push_back(name);
    to.push_back(word == name ? next() : word.substr(name.size()));
    return true;
  }

  void option(const std::string& word) {
    if (word.size() < 2 || word[0] != '-') {
      line_.inputs.push_back({word, isCuda_ ? Input::Kind::cuda : kindOf(word)});
    } else if (word == "-o" || word == "--output-file") {
      line_.output = next();
    } else if (word == "-c" || word == "-dc" || word == "--compile" || word == "-dw" ||
               word == "--device-c" || word == "--device-w") {
      line_.compileOnly = true;
      line_.relocatable = line_.relocatable || word.find("-d") != word.npos;
    } else if (word == "-lib" || word == "--lib") {
      line_.library = true;
    } else if (word == "-dlink" || word == "--device-link") {
      line_.deviceLink = true;
    } else if (word.starts_with("-rdc") || word.starts_with("--relocatable-device-code")) {
      const size_t equals = word.find('=');
      line_.relocatable = (equals == word.npos ? next() : word.substr(equals + 1)) == "true";
    } else if (word == "--translate") {
      line_.translateOnly = true;
    } else if (word == "-h" || word == "--help") {
      line_.help = true;
    } else if (word == "-V" || word == "--version") {
      line_.version = true;
    } else if (word == "--print-flags") {
      line_.printFlags = true;
    } else if (word == "-run" || word == "--run") {
      line_.run = true;
    } else if (word == "-ptx") {
      line_.codeOnly = true;
    } else if (word == "--ptx") {
      line_.run = line_.ptx = true;
    } else if (word.starts_with(gpuCompilerIs)) {
      line_.gpuCompiler = word.substr(gpuCompilerIs.size());
      if (!contains(gpuCompilers, line_.gpuCompiler))
        throw UsageError("simtcc: --gpu-compiler is clang++, ptxas, nvcc or none");
    } else if (word == "-use_fast_math" || word == "--use_fast_math") {
      line_.fastMath = true;
    } else if (word == "-v" || word == "--verbose") {
      line_.verbose = true;
    } else if (word == "--expt-relaxed-constexpr" || word == "-expt-relaxed-constexpr") {
      line_.constexprEverywhere = true;
    } else if (word == "-MF") {
      line_.dependencies = next();
    } else if (word == "-x") {
      isCuda_ = next() == "cu";
    } else if (!standard(word) && !forCompiler(word) && !ofNvcc(word)) {
      throw UsageError("simtcc: the option " + word + " is not known");
    }
  }

  // Headers of the executor need C++20; what is older means the same in it, nearly always.
  bool standard(const std::string& word) {
    std::string value;
    if (word == "-std" || word == "--std")
      value = next();
    else if (word.starts_with("-std=") || word.starts_with("--std="))
      value = word.substr(word.find('=') + 1);
    else
      return false;
    line_.before20 = value.ends_with("03") || value.ends_with("11") || value.ends_with("14") ||
                     value.ends_with("17");
    if (value.ends_with("23") || value.ends_with("2b") || value.ends_with("26"))
      line_.standard = "-std=" + value;
    return true;
  }

  bool forCompiler(const std::string& word) {
    if (word == "-Xcompiler" || word == "--compiler-options") {
      appendParts(line_.compile, next());
    } else if (word.starts_with("-Xcompiler=") || word.starts_with("--compiler-options=")) {
      appendParts(line_.compile, word.substr(word.find('=') + 1));
    } else if (word == "-Xlinker" || word == "--linker-options") {
      appendParts(line_.link, next(), "-Wl,");
    } else if (word.starts_with("-Xlinker=")) {
      appendParts(line_.link, word.substr(9), "-Wl,");
    } else if (word == "-Werror" || word == "--Werror") {
      next();  // all-warnings and the like: nvcc's own
    } else if (word == "--debug") {
      // Always there.
    } else if (word == "--optimize") {
      line_.compile.push_back("-O" + next());
    } else if (contains(ignored, word)) {
      // Also what begins like an option below.
    } else if (word.starts_with("-isystem") || word.starts_with("-include")) {
      joined(word, word.substr(0, 8), line_.preprocess);
    } else if (word == "--include-path" || word == "--define-macro") {
      line_.preprocess.push_back(word == "--include-path" ? "-I" : "-D");
      line_.preprocess.push_back(next());
    } else if (joined(word, "-I", line_.preprocess) || joined(word, "-D", line_.preprocess) ||
               joined(word, "-U", line_.preprocess) || joined(word, "-L", line_.link)) {
      // Taken.
    } else if (word.starts_with("-l")) {
      library(word == "-l" ? next() : word.substr(2));
    } else if (word == "--library" || word == "--library-path") {
      if (word == "--library")
        library(next());
      else
        line_.link.insert(line_.link.end(), {"-L", next()});
    } else if (word.starts_with("-O") || word.starts_with("-W") || word == "-w" || word == "-g" ||
               word == "-pthread" || word == "-pedantic") {
      line_.compile.push_back(word);
    } else {
      return false;
    }
    return true;
  }

  void library(const std::string& name) {
    std::string plain = name;
    if (plain.ends_with("_static")) plain.resize(plain.size() - 7);
    if (contains(librariesOfGpus, plain) || plain.starts_with("npp")) return;
    if (plain == "cublas") {
      line_.blas = true;
      return;
    }
    line_.link.push_back("-l" + name);
  }

  bool ofNvcc(const std::string& word) {
    for (const char* what : {"-cubin", "--cubin", "-fatbin", "--fatbin"})
      if (word == what)
        throw UsageError("simtcc: " + word +
                         " asks for a GPU's machine code: -ptx writes PTX, --ptx shows it");
    if (contains(ignoredWithValue, word)) {
      next();
      return true;
    }
    return std::ranges::any_of(prefixesIgnored, [&](const char* p) { return word.starts_with(p); });
  }

  const Words& words_;
  size_t at_ = 0;
  bool isCuda_ = false;
  CommandLine line_;
};

}  // namespace

CommandLine readCommandLine(const std::vector<std::string>& arguments) {
  return Reader(arguments).read();
}

}  // namespace simt::cc
