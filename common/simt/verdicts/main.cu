// Runs one kernel of the set by name, so that other tools can watch it on a GPU; --list shows all.
#include <cstring>
#include <iostream>

#include "base/errors.h"
#include "base/program_main.h"
#include "sample.h"

#ifdef GPU_BACKEND
#include "cuda/check.h"
#endif

static int list() {
  std::cout << "kernel\tverdict\tmay hang\twhy\n";
  for (const Sample& sample : samples())
    std::cout << sample.name << '\t' << verdictName(sample.verdict) << '\t'
              << (sample.hangs ? "yes" : "no") << '\t' << sample.why << '\n';
  return exitRight;
}

static int runNamed(const std::string& name) {
  for (const Sample& sample : samples()) {
    if (sample.name != name) continue;
#ifdef GPU_BACKEND
    sample.run(sample);
    CUDA_CHECK(cudaDeviceSynchronize());
    std::cout << "ended without an error\n";
    return exitRight;
#else
    std::string fault;
    try {
      sample.run(sample);
    } catch (const simt::Fault& thrown) {
      fault = thrown.what();
    }
    for (const simt::Fault& found : simt::takeFaults())
      std::cout << (found.mild ? "mild, " : "") << simt::kindName(found.kind) << ": "
                << found.what() << '\n';
    if (fault.empty()) std::cout << "ended without a fault\n";
    return fault.empty() ? exitRight : exitWrong;
#endif
  }
  throw Error(exitUsage, "no kernel is called " + name + "; --list shows all");
}

int main(int argc, char** argv) {
  return runProgram("verdicts", [&] {
    if (argc != 2) throw Error(exitUsage, "takes --list or the name of a kernel");
    return std::strcmp(argv[1], "--list") == 0 ? list() : runNamed(argv[1]);
  });
}
