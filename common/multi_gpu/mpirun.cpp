// Programs that mpirun has started several times.
#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <thread>

#include "base/program_main.h"
#include "multi_gpu/ranks.h"
#include "multi_gpu/shared_library.h"

namespace {

// What the ways to start such programs leave in the environment: Open MPI, MPICH and Intel MPI,
// Slurm's srun.
unsigned numberIn(const std::initializer_list<const char*>& variables, unsigned otherwise) {
  for (const char* variable : variables)
    if (const char* const text = std::getenv(variable)) {
      unsigned number = otherwise;
      std::from_chars(text, text + std::string_view(text).size(), number);
      return number;
    }
  return otherwise;
}
unsigned processesStarted() {
  return numberIn({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}, 1);
}
unsigned rankStarted() { return numberIn({"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"}, 0); }

// What other processes than rank 0 print is not wanted. Returns where stderr went.
int silence() {
  const int errors = dup(2), nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
  dup2(nothing, 1);
  dup2(nothing, 2);
  close(nothing);
  return errors;
}

// It lies beside the folder of the program, build/cpu or build/gpu.
std::unique_ptr<Transport> openTransport(unsigned started) {
  const auto program = std::filesystem::read_symlink("/proc/self/exe");
  const SharedLibrary library(
      program.parent_path().parent_path() / "ranks_mpi.so",
      fmt::format("mpirun has started {} processes, and this was built without MPI, or runs "
                  "without it. Install it (Debian and Ubuntu: libopenmpi-dev), then build anew",
                  started));
  Transport* (*make)() = nullptr;
  library.find("makeMpiTransport", make);
  std::unique_ptr<Transport> transport(make());
  if (transport->count() != started)
    throw Error(exitNoDevice, fmt::format("mpirun has started {} processes, and MPI knows of {}: "
                                          "build with the MPI that this mpirun is from",
                                          started, transport->count()));
  return transport;
}

}  // namespace

// The exit code is that of rank 0: mpirun would kill it, maybe before it has printed why, when
// another one ended with an error.
int runAsRanks(int argc, char** argv, const std::string& program,
               const std::function<int(Ranks&)>& body) {
  const unsigned started = processesStarted();
  if (started < 2) {
    Ranks alone;
    return body(alone);
  }
  const bool first = rankStarted() == 0;
  const int errors = first ? 2 : silence();
  const int code = runProgram(program, [&] {
    if (std::none_of(argv, argv + argc,
                     [](std::string_view word) { return word.starts_with("--gpus"); }))
      throw Error(exitUsage, fmt::format("mpirun has started {} processes, one for each GPU: that "
                                         "is for --gpus all",
                                         started));
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    Ranks ranks(openTransport(started), program, shellCommand(argc - 1, argv + 1), host, errors);
    return ranks.end(body(ranks));
  });
  if (!first) return exitRight;
  // Likewise, the others may need a moment to leave MPI.
  if (code != exitRight) std::this_thread::sleep_for(std::chrono::milliseconds(200));
  return code;
}
