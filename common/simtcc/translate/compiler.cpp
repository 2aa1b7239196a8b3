#include "simtcc/translate/compiler.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>

#include "simtcc/translate/compiler_errors.h"
#include "simtcc/translate/gpu_code.h"
#include "simtcc/translate/places.h"
#include "simtcc/translate/plain_code.h"
#include "simtcc/translate/precompiled.h"
#include "simtcc/translate/processes.h"
#include "simtcc/translate/translate.h"
#include "simtcc_config.h"  // made by CMake: the compiler, folders, libraries, flags of kernels

namespace simt::cc {
namespace {

// What a program returns that says nothing in another language.
template <typename Run>
int inEnglish(const Run& run) {
  const char* const set = std::getenv("LC_ALL");
  const std::string before = set ? set : "";
  setenv("LC_ALL", "C", 1);
  const int code = run();
  set ? setenv("LC_ALL", before.c_str(), 1) : unsetenv("LC_ALL");
  return code;
}

}  // namespace

Words flagsOf(const char* list) {
  Words flags;
  std::istringstream lines(list);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("SHELL:")) {
      if (!line.empty()) flags.push_back(placed(line));
      continue;
    }
    std::istringstream words(line.substr(6));
    for (std::string word; words >> word;) flags.push_back(word);
  }
  return flags;
}

Words includeFlags() {
  return {"-isystem", placed(config::includeFolder),
          "-isystem", placed(config::kernelIncludeFolder),
          "-isystem", placed(config::commonFolder)};
}

Words definitionsOf(const CommandLine& line, bool forDevice) {
  Words all = {"-DSIMT_TRANSLATED",
               "-D__CUDACC__",
               "-D__NVCC__",
               "-D__CUDACC_VER_MAJOR__=13",
               "-D__CUDACC_VER_MINOR__=0",
               "-D__CUDACC_EXTENDED_LAMBDA__",
               "-include",
               "cuda_runtime.h"};
  if (forDevice) all.push_back("-D__CUDA_ARCH__=900");
  if (line.before20) all.push_back("-DSIMT_BEFORE_CPP20");
  if (line.constexprEverywhere) all.push_back("-D__CUDACC_RELAXED_CONSTEXPR__");
  return all;
}

// What make is to know is written where no header can be in the way, and put into its place.
static void giveDependencies(const CommandLine& line, const std::string& written) {
  if (!line.dependencies.empty()) writeFile(line.dependencies, readFile(written));
}

static bool compileCuda(const CommandLine& line, const std::string& source,
                        const std::string& object, const TemporaryFolder& folder, GpuCode& gpuCode,
                        const PrecompiledHeaders& headers, bool hasTwoSides = true) {
  const std::string preprocessed = folder.file("preprocessed.ii"),
                    translated = folder.file("cuda.ii"), dependencies = folder.file("dependencies");
  Words first = Words{config::compiler, "-E", line.standard} + headers.preprocess +
                definitionsOf(line) + includeFlags() + line.preprocess;
  if (!line.dependencies.empty()) first = first + Words{"-MMD", "-MF", dependencies, "-MT", object};
  std::string errors;
  if (inEnglish([&] {
        return runProgram(first + Words{"-x", "c++", asPath(source), "-o", preprocessed}, &errors);
      }) != 0) {
    tellPreprocessorErrors(errors);
    return false;
  }
  std::fputs(errors.c_str(), stderr);

  std::string read = readFile(preprocessed);
  const bool precompiled = read.find("\n#pragma GCC pch_preprocess") != read.npos;
  TranslationOptions options = {line.constexprEverywhere,
                                line.relocatable,
                                {},
                                precompiled ? std::string_view(headers.names) : std::string_view()};
  Translation translation = translate(read, options);
  std::string readForHost;
  if (hasTwoSides && asksForSide(translation.files)) {
    const std::string path = folder.file("host.ii");
    if (runProgram(Words{config::compiler, "-E", line.standard} + definitionsOf(line, false) +
                       includeFlags() + line.preprocess +
                       Words{"-x", "c++", asPath(source), "-o", path},
                   &errors) == 0) {
      readForHost = readFile(path);
      // What only the host includes is there for both.
      std::set<std::string> more = systemHeadersOf(readForHost);
      for (const std::string& header : systemHeadersOf(read)) more.erase(header);
      for (const std::string& header : more) first = first + Words{"-include", header};
      if (!more.empty() &&
          runProgram(first + Words{"-x", "c++", asPath(source), "-o", preprocessed}, &errors) == 0)
        read = readFile(preprocessed);
      options.preprocessedForHost = readForHost;
      translation = translate(read, options);
    }
  }
  for (const Complaint& complaint : translation.complaints)
    std::fprintf(stderr, "%s: error: %s\n", complaint.place.c_str(), complaint.text.c_str());
  if (!translation.complaints.empty()) return false;
  for (const Complaint& warning : translation.warnings)
    std::fprintf(stderr, "%s: warning: %s\n", warning.place.c_str(), warning.text.c_str());
  for (const std::string& included : translation.files)
    for (const std::string& output : {line.output, line.dependencies})
      if (isSameFile(output, included))
        throw UsageError("simtcc: " + output + " is to be written, and " + source + " includes it");
  giveDependencies(line, dependencies);
  if (line.translateOnly) {
    print(translation.text);
    return true;
  }
  // Where cards are, of which times are estimated.
  const std::string cards = installedCards();
  std::string text = translation.text;
  if (!cards.empty())
    text +=
        "\nextern \"C\" { extern const char simt_cards_folder[] __attribute__((weak)); "
        "const char simt_cards_folder[] = R\"simt(" +
        cards + ")simt\"; }\n";
  writeFile(translated, text);
  Words libraryFlags;
#ifndef __clang__  // CUB's classes give their own names to others' types, which nvcc allows
  if (translation.usesLibrary) libraryFlags.push_back("-fpermissive");
#endif
  errors.clear();
  PlainCode plain(line, translation, precompiled ? headers.folder : "", folder);
  const std::string assembly = folder.file("cuda.s");
  const Words made = plain.isThere() ? Words{"-S", "-o", assembly} : Words{"-c", "-o", object};
  int code = inEnglish([&] {
    return runProgram(Words{config::compiler, line.standard} + flagsOf(config::kernelFlags) +
                          flagsOf(config::programFlags) + libraryFlags + line.compile +
                          (precompiled ? Words{"-fpch-preprocess"} : Words()) +
                          Words{"-x", "c++-cpp-output", translated} + made,
                      &errors);
  });
  if (code == 0 && plain.isThere()) {
    writeFile(assembly, plain.joinedTo(readFile(assembly)));
    code = runProgram({config::compiler, "-c", "-x", "assembler", assembly, "-o", object}, &errors);
  }
  if (code != 0 && precompiled && errors.find("PCH file was invalid") != errors.npos)
    return compileCuda(line, source, object, folder, gpuCode, {});
  // The host's way may need declarations that are not there for the device.
  if (code != 0 && !readForHost.empty()) {
    if (!compileCuda(line, source, object, folder, gpuCode, headers, false)) return false;
    std::fprintf(stderr,
                 "simtcc: warning: %s: where __CUDA_ARCH__ decides, host code takes the device's "
                 "way, too, as its own does not compile beside it\n",
                 source.c_str());
    return true;
  }
  tellCompilerErrors(errors);
  if (code != 0) return false;
  gpuCode.embedIn(object);
  return true;
}

bool compileCuda(const CommandLine& line, const std::string& source, const std::string& object,
                 const TemporaryFolder& folder) {
  GpuCode gpuCode(line, source, folder);
  return compileCuda(line, source, object, folder, gpuCode, precompiledHeaders(line));
}

bool compileHost(const CommandLine& line, const std::string& source, const std::string& object,
                 const TemporaryFolder& folder) {
  const bool isC = source.ends_with(".c");
  const std::string dependencies = folder.file("dependencies");
  Words more = isC ? Words{"-x", "c"} : Words{line.standard};
  if (line.before20) more.push_back("-DSIMT_BEFORE_CPP20");
  if (!line.dependencies.empty()) more = more + Words{"-MMD", "-MF", dependencies, "-MT", object};
  if (runProgram(Words{config::compiler, "-c", "-O2"} + includeFlags() + line.preprocess +
                 line.compile + more + Words{asPath(source), "-o", object}) != 0)
    return false;
  giveDependencies(line, dependencies);
  return true;
}

// For cublas_v2.h, whose products take longer without.
static Words blas() {
  if (!std::filesystem::exists(config::blas)) return {};
  return {"-Wl,--no-as-needed", config::blas, "-Wl,--as-needed"};
}

Words linkWords() {
  return flagsOf(config::linkFlags) + flagsOf(config::libraries) + Words{"-pthread", "-ldl"};
}

bool linkProgram(const CommandLine& line, const std::vector<std::string>& objects,
                 const std::string& output) {
  Words paths;
  for (const std::string& object : objects) paths.push_back(asPath(object));
  Words compile;  // -fopenmp and -pthread are also for the linker
  for (const std::string& word : line.compile)
    if (word == "-fopenmp" || word == "-pthread") compile.push_back(word);
  return runProgram(Words{config::compiler} + compile + paths + Words{"-o", output} + line.link +
                    (line.blas ? blas() : Words()) + linkWords()) == 0;
}

}  // namespace simt::cc
