// simtcc: compiles CUDA programs for the SIMT executor, called like nvcc.
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "simtcc/translate/compiler.h"

using namespace simt::cc;

static const char* const help =
    "simtcc my_kernel.cu -o my_kernel   compiles a CUDA program for a computer without a GPU\n"
    "\n"
    "Takes what nvcc takes: .cu, .cpp and .c files, objects and libraries, -o -c -I -D -U -L -l -O "
    "-g\n"
    "-std -Xcompiler -run, --expt-relaxed-constexpr. What is about a GPU's code (-arch, -gencode,\n"
    "-lineinfo, -rdc, --use_fast_math, ...) is accepted and does nothing. --translate prints the "
    "C++\n"
    "that a .cu file becomes.\n"
    "\n"
    "The program runs its kernels on the SIMT executor, ends with one paragraph and exit code 1 "
    "at\n"
    "the first fault that it finds, and prints at its end, on stderr, what it counted.\n"
    "  SIMT_QUIET=1             leaves the counts out\n"
    "  SIMT_SCHEDULE=reverse    other orders of threads and blocks; random, random:7\n"
    "  SIMT_FAST=1              counts and bounds only, no search for races and unwritten memory\n";

static std::string objectBeside(const std::string& source) {
  const std::string name = source.substr(source.rfind('/') + 1);
  return name.substr(0, name.rfind('.')) + ".o";
}

static void expectFile(const std::string& path) {
  if (std::filesystem::is_directory(path)) throw UsageError("simtcc: " + path + " is a folder");
  if (access(path.c_str(), R_OK) != 0) throw UsageError("simtcc: " + path + " cannot be read");
}

static int build(const CommandLine& line) {
  for (const Input& input : line.inputs) expectFile(input.path);
  const TemporaryFolder folder;
  std::vector<std::string> objects;
  for (const Input& input : line.inputs) {
    if (input.kind == Input::Kind::object) {
      objects.push_back(input.path);
      continue;
    }
    const std::string object = !line.compileOnly
                                   ? folder.file(std::to_string(objects.size()) + ".o")
                               : line.output.empty() ? objectBeside(input.path)
                                                     : line.output;
    const bool good = input.kind == Input::Kind::cuda
                          ? compileCuda(line, input.path, object, folder)
                          : compileHost(line, input.path, object);
    if (!good) return 1;
    objects.push_back(object);
  }
  if (line.compileOnly || line.translateOnly) return 0;
  const std::string output = line.output.empty() ? "a.out" : line.output;
  if (!linkProgram(line, objects, output)) return 1;
  if (!line.run) return 0;
  return runProgram({output.find('/') == std::string::npos ? "./" + output : output});
}

int main(int argc, char** argv) {
  try {
    const CommandLine line = readCommandLine({argv + 1, argv + argc});
    if (line.help || argc == 1) {
      std::fputs(help, stdout);
      return argc == 1 ? 2 : 0;
    }
    return build(line);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
