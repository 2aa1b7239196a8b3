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
#include "simt/memory/arrays.h"
#include "simt/memory/worker_process.h"
#include "simt/observe/parallel_trace.h"
#include "simt/run/arrays_of_workers.h"
#include "simt/run/results.h"

#ifdef SIMT_WORKER_PROCESSES
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
#ifdef SIMT_WORKER_PROCESSES

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

struct SharedWork {
  explicit SharedWork(ArraysOfWorkers shared) : arrays(std::move(shared)) {}

  ArraysOfWorkers arrays;
  SharedMemory progressMemory{sizeof(Progress)};
  Progress& progress = *new (progressMemory.as<void>()) Progress;
  std::vector<int> traces;  // files, one of each worker

  SharedWork(const SharedWork&) = delete;
  SharedWork& operator=(const SharedWork&) = delete;
  ~SharedWork() {
    for (const int file : traces) close(file);
  }
};

// ---- In a worker

// What the kernel prints would come in another order: then the blocks run one after the other.
int catchOutput() {
  const int sink = memoryFile("output of a kernel");
  if (sink < 0 || dup2(sink, STDOUT_FILENO) < 0 || dup2(sink, STDERR_FILENO) < 0) giveUpWorker();
  return sink;
}

bool hasOutput(int sink) {
  std::fflush(stdout);
  std::fflush(stderr);
  struct stat status {};
  return fstat(sink, &status) != 0 || status.st_size != 0;
}

[[noreturn]] void runAsWorker(Launch& launch, SharedWork& work, unsigned worker, unsigned workers,
                              std::span<const uint64_t> blocks, void (*runOne)(uint64_t)) {
  becomeWorker();
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // none outlives who waits for it
  launch.loopTimer.start();
  const int sink = catchOutput();
  work.arrays.useIn(worker);
  leaveRecordsToOthers();
  Block& block = runningBlock();
  block.recentRanges.forget();
  Progress& progress = work.progress;
  block.counters = {};
  Trace ofThese;
  TraceRequest request;
  const Trace* const trace = launch.traced ? &ofThese : nullptr;
  if (trace) {
    request = {&ofThese, launch.traced->choice, launch.traced->launches};
    request.choice.blockEnded = nullptr;
    launch.traced = &request;
  }
  std::vector<size_t> traced;  // positions of the blocks in it
  const size_t step = std::clamp<size_t>(blocks.size() / (workers * 16), 1, 256);
  // Each has a share of its own first, and then takes what is left.
  for (size_t first = worker * step; first < blocks.size();
       first = workers * step + progress.taken.fetch_add(step)) {
    for (size_t i = first; i < std::min(first + step, blocks.size()); ++i) {
      runOne(blocks[i]);
      if (launch.isOver || !launch.faults.empty() || progress.failed) giveUpWorker();
      if (trace && trace->blocks.size() > traced.size()) traced.push_back(i);
      progress.ended.fetch_add(1, std::memory_order_relaxed);
    }
  }
  if (launch.forgotten || hasOutput(sink)) giveUpWorker();
  if (work.arrays.someHostVariableChanged()) giveUpWorker();
  if (trace && !sendTrace(work.traces[worker], *trace, traced)) giveUpWorker();
  progress.counters[worker] = block.counters;
  _exit(0);
}

// ---- In the process that waits for them

bool waitForAll(std::vector<pid_t>& processes, Progress& progress,
                const std::function<void(uint64_t)>& ended) {
  bool good = true;
  while (!processes.empty()) {
    std::erase_if(processes, [&](pid_t process) {
      int status = 0;
      const pid_t gone = waitpid(process, &status, WNOHANG);
      if (gone == 0) return false;
      good = good && gone == process && WIFEXITED(status) && WEXITSTATUS(status) == 0;
      return true;
    });
    if (!good) progress.failed = true;
    if (!processes.empty()) std::this_thread::sleep_for(std::chrono::microseconds(300));
    ended(progress.ended);
  }
  return good;
}

}  // namespace

bool runInWorkers(Launch& launch, std::span<const uint64_t> blocks, unsigned workers,
                  void (*runOne)(uint64_t number),
                  const std::function<void(uint64_t blocks)>& ended) {
  if (isInWorker() || !launch.faults.empty()) return false;
  std::optional<ArraysOfWorkers> arrays = ArraysOfWorkers::share(workers);
  if (!arrays) return false;
  const auto work = std::make_unique<SharedWork>(std::move(*arrays));
  for (unsigned worker = 0; launch.traced && worker < workers; ++worker) {
    work->traces.push_back(memoryFile("trace"));
    if (work->traces.back() < 0) return false;
  }
  std::fflush(stdout);
  std::fflush(stderr);
  std::vector<pid_t> processes;
  for (unsigned worker = 0; worker < workers; ++worker) {
    const ArraysStay stay;
    const pid_t process = fork();
    if (process == 0) {
      ArraysStay::endInFork();
      try {
        runAsWorker(launch, *work, worker, workers, blocks, runOne);
      } catch (...) {  // no memory, say: nobody else may go on from here
        giveUpWorker();
      }
    }
    if (process < 0) work->progress.failed = true;
    if (process > 0) processes.push_back(process);
  }
  const bool all = processes.size() == workers;
  if (!waitForAll(processes, work->progress, ended) || !all) return false;
  if (!work->arrays.independent()) return false;
  work->arrays.takeOver();
  takeOverTraces(work->traces);
  for (unsigned worker = 0; worker < workers; ++worker)
    addCounters(work->progress.counters[worker]);
  return true;
}

#else

unsigned workersFor(uint64_t) { return 1; }
bool runInWorkers(Launch&, std::span<const uint64_t>, unsigned, void (*)(uint64_t),
                  const std::function<void(uint64_t)>&) {
  return false;
}

#endif

}  // namespace simt
