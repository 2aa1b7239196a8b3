#include "simt/run/parallel_blocks.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "simt/find/block_races.h"
#include "simt/find/settings.h"
#include "simt/find/traps.h"
#include "simt/memory/arrays.h"
#include "simt/memory/copies.h"
#include "simt/observe/parallel_trace.h"
#include "simt/observe/tracer.h"
#include "simt/run/access.h"
#include "simt/run/arrays_of_copies.h"
#include "simt/run/block.h"

#ifdef SIMT_COPIES
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace simt {
#ifdef SIMT_COPIES

unsigned workersFor(uint64_t blocks) {
  unsigned cores = settings().workers;
  if (const char* asked = std::getenv("SIMT_WORKERS"); asked && cores == 0)
    cores = unsigned(std::strtoul(asked, nullptr, 10));
  if (cores == 0) {
    cpu_set_t mine;
    CPU_ZERO(&mine);
    cores = sched_getaffinity(0, sizeof mine, &mine) == 0 ? unsigned(CPU_COUNT(&mine)) : 1;
  }
  return unsigned(std::min<uint64_t>({blocks, cores, 64}));
}

namespace {

// A file without a place, whose number is none of those of the program's input and output: these
// may be closed.
int memoryFile(const char* name) {
  const int file = memfd_create(name, 0);
  if (file < 0 || file > STDERR_FILENO) return file;
  const int other = fcntl(file, F_DUPFD, STDERR_FILENO + 1);
  close(file);
  return other;
}

struct Progress {
  std::atomic<size_t> taken = 0, ended = 0;
  std::atomic<bool> failed = false;
  Counters counters[64];
};

struct Launch {
  explicit Launch(ArraysOfCopies shared) : arrays(std::move(shared)) {}

  ArraysOfCopies arrays;
  SharedMemory progressMemory{sizeof(Progress)};
  Progress& progress = *new (progressMemory.as<void>()) Progress;
  std::vector<int> traces;  // files, one of each copy

  Launch(const Launch&) = delete;
  Launch& operator=(const Launch&) = delete;
  ~Launch() {
    for (const int file : traces) close(file);
  }
};

// ---- In a copy

// What the kernel prints would come in another order: then the blocks run one after the other.
int catchOutput() {
  const int sink = memoryFile("output of a kernel");
  if (sink < 0 || dup2(sink, STDOUT_FILENO) < 0 || dup2(sink, STDERR_FILENO) < 0) giveUpCopy();
  return sink;
}

bool hasOutput(int sink) {
  std::fflush(stdout);
  std::fflush(stderr);
  struct stat status {};
  return fstat(sink, &status) != 0 || status.st_size != 0;
}

[[noreturn]] void workInCopy(Launch& launch, unsigned worker, unsigned workers,
                             std::span<const uint64_t> blocks,
                             const std::function<void(uint64_t)>& runOne) {
  becomeCopy();
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // no copy outlives who waits for it
  startTicks();
  const int sink = catchOutput();
  launch.arrays.useIn(worker);
  forgetRecentRanges();
  leaveRecordsToOthers();
  Block& block = runningBlock();
  Progress& progress = launch.progress;
  block.counters = {};
  const Trace* const trace = Tracer::wanted() ? &Tracer::divert() : nullptr;
  std::vector<size_t> traced;  // positions of the blocks in it
  const size_t step = std::clamp<size_t>(blocks.size() / (workers * 16), 1, 256);
  // Each has a share of its own first, and then takes what is left.
  for (size_t first = worker * step; first < blocks.size();
       first = workers * step + progress.taken.fetch_add(step)) {
    for (size_t i = first; i < std::min(first + step, blocks.size()); ++i) {
      runOne(blocks[i]);
      if (block.fault || !block.faults.empty() || progress.failed) giveUpCopy();
      if (trace && trace->blocks.size() > traced.size()) traced.push_back(i);
      progress.ended.fetch_add(1, std::memory_order_relaxed);
    }
  }
  if (someForgotten() || hasOutput(sink)) giveUpCopy();
  if (launch.arrays.someHostVariableChanged()) giveUpCopy();
  if (trace && !sendTrace(launch.traces[worker], *trace, traced)) giveUpCopy();
  progress.counters[worker] = block.counters;
  _exit(0);
}

// ---- In the process that waits for them

bool waitForAll(std::vector<pid_t>& copies, Progress& progress,
                const std::function<void(uint64_t)>& ended) {
  bool good = true;
  while (!copies.empty()) {
    std::erase_if(copies, [&](pid_t copy) {
      int status = 0;
      const pid_t gone = waitpid(copy, &status, WNOHANG);
      if (gone == 0) return false;
      good = good && gone == copy && WIFEXITED(status) && WEXITSTATUS(status) == 0;
      return true;
    });
    if (!good) progress.failed = true;
    if (!copies.empty()) std::this_thread::sleep_for(std::chrono::microseconds(300));
    ended(progress.ended);
  }
  return good;
}

}  // namespace

bool runInCopies(std::span<const uint64_t> blocks, unsigned workers,
                 const std::function<void(uint64_t block)>& runOne,
                 const std::function<void(uint64_t blocks)>& ended) {
  if (isInCopy() || !runningBlock().faults.empty()) return false;
  std::optional<ArraysOfCopies> arrays = ArraysOfCopies::share(workers);
  if (!arrays) return false;
  const auto launch = std::make_unique<Launch>(std::move(*arrays));
  for (unsigned worker = 0; Tracer::wanted() && worker < workers; ++worker) {
    launch->traces.push_back(memoryFile("trace"));
    if (launch->traces.back() < 0) return false;
  }
  std::fflush(stdout);
  std::fflush(stderr);
  std::vector<pid_t> copies;
  for (unsigned worker = 0; worker < workers; ++worker) {
    const pid_t process = fork();
    if (process == 0) {
      try {
        workInCopy(*launch, worker, workers, blocks, runOne);
      } catch (...) {  // no memory, say: nobody else may go on from here
        _exit(1);
      }
    }
    if (process < 0) launch->progress.failed = true;
    if (process > 0) copies.push_back(process);
  }
  const bool all = copies.size() == workers;
  if (!waitForAll(copies, launch->progress, ended) || !all) return false;
  if (!launch->arrays.independent()) return false;
  launch->arrays.takeOver();
  takeOverTraces(launch->traces);
  for (unsigned worker = 0; worker < workers; ++worker)
    runningBlock().counters += launch->progress.counters[worker];
  return true;
}

#else

unsigned workersFor(uint64_t) { return 1; }
bool runInCopies(std::span<const uint64_t>, unsigned, const std::function<void(uint64_t)>&,
                 const std::function<void(uint64_t)>&) {
  return false;
}

#endif

}  // namespace simt
