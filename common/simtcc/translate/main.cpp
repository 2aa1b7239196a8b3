// simtcc: compiles CUDA programs for the SIMT executor, called like nvcc.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>

#include "simtcc/translate/compiler.h"
#include "simtcc/translate/gpu_code.h"
#include "simtcc/translate/processes.h"
#include "simtcc_config.h"  // made by CMake

using namespace simt::cc;

static const char* const help =
    "simtcc my_kernel.cu -o my_kernel   compiles a CUDA program for a computer without a GPU\n"
    "\n"
    "Takes what nvcc takes: .cu, .cpp and .c files, objects and libraries, -o -c -I -D -U -L -l -O "
    "-g\n"
    "-std -Xcompiler -run, --expt-relaxed-constexpr. What is about a GPU's code (-arch, -gencode,\n"
    "-lineinfo, -rdc, --use_fast_math, ...) is accepted and does nothing. --translate prints the "
    "C++\n"
    "that a .cu file becomes. --ptx runs the program, which then shows the PTX of its kernels, "
    "with\n"
    "how often a warp executed what; -ptx writes it to a file. Estimates are fed with what nvcc "
    "and\n"
    "ptxas make of kernels, where they are, or clang++; --gpu-compiler= chooses: nvcc, ptxas (of\n"
    "clang++'s PTX), clang++ or none.\n"
    "\n"
    "The program runs its kernels on the SIMT executor, ends with one paragraph and exit code 1 "
    "at\n"
    "the first fault that it finds, and prints at its end, on stderr, what it counted.\n"
    "  SIMT_QUIET=1             leaves the counts out\n"
    "  SIMT_SCHEDULE=reverse    other orders of threads and blocks; random, random:7\n"
    "  SIMT_FAST=1              counts and bounds only, no search for races and unwritten memory\n";

// What an input becomes, if it becomes a file of its own.
static std::string outputOf(const CommandLine& line, const Input& input) {
  if (!line.output.empty()) return line.output;
  const std::string name = input.path.substr(input.path.rfind('/') + 1);
  return name.substr(0, name.rfind('.')) + (line.codeOnly ? ".ptx" : ".o");
}

static void expectFile(const std::string& path) {
  if (std::filesystem::is_directory(path)) throw UsageError("simtcc: " + path + " is a folder");
  if (access(path.c_str(), R_OK) != 0) throw UsageError("simtcc: " + path + " cannot be read");
}

// What is made of the inputs, in their order, where each becomes a file of its own; and the rest.
static std::vector<std::string> outputsOf(const CommandLine& line) {
  std::vector<std::string> outputs;
  if (line.compileOnly || line.codeOnly) {
    for (const Input& input : line.inputs)
      if (input.kind != Input::Kind::object) outputs.push_back(outputOf(line, input));
  } else if (!line.translateOnly) {
    outputs.push_back(line.output.empty() ? "a.out" : line.output);
  }
  if (!line.dependencies.empty()) outputs.push_back(line.dependencies);
  return outputs;
}

// No file is read and written.
static void expectOutputs(const CommandLine& line) {
  const std::vector<std::string> outputs = outputsOf(line);
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (std::filesystem::is_directory(outputs[i]))
      throw UsageError("simtcc: " + outputs[i] + " is to be written, and is a folder");
    for (const Input& input : line.inputs)
      if (isSameFile(outputs[i], input.path))
        throw UsageError("simtcc: " + outputs[i] + " is to be written, and is the source " +
                         input.path);
    for (size_t k = 0; k < i; ++k)
      if (outputs[i] == outputs[k] || isSameFile(outputs[i], outputs[k]))
        throw UsageError("simtcc: " + outputs[i] + " would be written twice");
  }
}

// Returns the exit code; none where the program that was made is to be run now.
static std::optional<int> build(const CommandLine& line) {
  for (const Input& input : line.inputs) expectFile(input.path);
  expectOutputs(line);
  const TemporaryFolder folder;
  if (line.deviceLink) {
    const std::string empty = folder.file("empty.c");
    std::ofstream(empty).close();
    return compileHost(line, empty, line.output, folder) ? 0 : 1;
  }
  if (line.codeOnly) {
    for (const Input& input : line.inputs) {
      if (input.kind != Input::Kind::cuda)
        throw UsageError("simtcc: -ptx: " + input.path + " has no kernels, as it is no .cu file");
      GpuCode(line, input.path, folder).writeTo(outputOf(line, input));
    }
    return 0;
  }
  std::vector<std::string> objects;
  for (const Input& input : line.inputs) {
    if (input.kind == Input::Kind::object) {
      objects.push_back(input.path);
      continue;
    }
    const std::string object = line.compileOnly
                                   ? outputOf(line, input)
                                   : folder.file(std::to_string(objects.size()) + ".o");
    const bool good = input.kind == Input::Kind::cuda
                          ? compileCuda(line, input.path, object, folder)
                          : compileHost(line, input.path, object, folder);
    if (!good) return 1;
    objects.push_back(object);
  }
  if (line.compileOnly || line.translateOnly) return 0;
  const std::string output = line.output.empty() ? "a.out" : line.output;
  if (line.library) return runProgram(Words{"ar", "rcs", asPath(output)} + objects) == 0 ? 0 : 1;
  if (!linkProgram(line, objects, output)) return 1;
  return line.run ? std::nullopt : std::optional(0);
}

// Becomes the program: what happens to it, happens to simtcc.
static int become(const std::string& program, bool showsPtx) {
  std::string path = program.find('/') == std::string::npos ? "./" + program : program;
  std::string option = "--ptx";
  char* const arguments[] = {path.data(), showsPtx ? option.data() : nullptr, nullptr};
  execv(path.c_str(), arguments);
  throw UsageError("simtcc: " + path + " cannot be started");
}

int main(int argc, char** argv) {
  try {
    const CommandLine line = readCommandLine({argv + 1, argv + argc});
    if (line.help || argc == 1) {
      print(help);
      return argc == 1 ? 2 : 0;
    }
    if (line.version) {
      print(std::string("simtcc ") + config::version +
            ": CUDA programs for the SIMT executor, with the interface of CUDA 13.0\n");
      return 0;
    }
    if (line.printFlags) {
      std::string text;
      for (const std::string& word : includeFlags())
        if (word != "-isystem") text += word + ";";
      text += "\n";
      for (const std::string& word : linkWords()) text += word + ";";
      print(text + "\n");
      return 0;
    }
    catchInterrupts();
    const std::optional<int> code = build(line);
    return code ? *code : become(line.output.empty() ? "a.out" : line.output, line.ptx);
  } catch (const Interrupted& end) {  // ends as it would have
    std::signal(end.signal, SIG_DFL);
    return std::raise(end.signal);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
