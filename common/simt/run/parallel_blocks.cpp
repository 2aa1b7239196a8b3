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
#include "simt/find/repetition.h"
#include "simt/find/settings.h"
#include "simt/memory/arrays.h"
#include "simt/memory/worker_process.h"
#include "simt/observe/parallel_trace.h"
#include "simt/run/arrays_before.h"
#include "simt/run/arrays_of_workers.h"
#include "simt/run/output_aside.h"
#include "simt/run/results.h"

#ifdef SIMT_WORKER_PROCESSES
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
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

struct Progress {
  std::atomic<size_t> taken = 0, ended = 0;
  std::atomic<unsigned> finished = 0;  // workers
  std::atomic<bool> failed = false, notIndependent = false;
  std::atomic<const char*> why = nullptr;  // the first that gave up did so
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

// Which of the workers this one is, and how many there are.
struct Worker {
  unsigned number, all;
};

// Calls run(i) for those of so many blocks that are this worker's: each has a share of its own
// first, and then takes what is left.
template <typename Run>
void runShare(Progress& progress, Worker worker, size_t blocks, const Run& run) {
  const size_t step = std::clamp<size_t>(blocks / (worker.all * 16), 1, 256);
  for (size_t first = worker.number * step; first < blocks;
       first = worker.all * step + progress.taken.fetch_add(step)) {
    for (size_t i = first; i < std::min(first + step, blocks); ++i) {
      run(i);
      progress.ended.fetch_add(1, std::memory_order_relaxed);
    }
  }
}

[[noreturn]] void finishWorker(Progress& progress) {
  ++progress.finished;
  _exit(0);
}

// What the block does that runs is seen by nobody: one that goes on for too long may wait for
// another, or loop for ever.
std::atomic<uint64_t> plainBlocks = 0;
void onPlainTick(int) {
  static uint64_t before = UINT64_MAX;
  if (std::exchange(before, plainBlocks) == plainBlocks) giveUpWorker(goesOnForLong);
}
void watchPlainBlocks(double seconds) {
  struct sigaction action {};
  action.sa_handler = onPlainTick;
  action.sa_flags = SA_ONSTACK | SA_RESTART;
  sigaction(SIGVTALRM, &action, nullptr);
  const timeval each{time_t(seconds), 0};
  const itimerval ticks{each, each};
  setitimer(ITIMER_VIRTUAL, &ticks, nullptr);
}

[[noreturn]] void runPlainAsWorker(SharedWork& work, Worker worker, const PlainBlocks& plain) {
  becomeWorker(plain.inOrder ? nullptr : &work.progress.notIndependent, &work.progress.why);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const OutputAside output;
  if (!output.isAside()) giveUpWorker();
  closeWindows();
  runningBlock().isPlain = true;
  watchPlainBlocks(plain.mostSeconds);
  runShare(work.progress, worker, plain.blocks.size(), [&](size_t i) {
    plain.runOne(plain.blocks[i]);
    plainBlocks = plainBlocks + 1;
    constexpr uint64_t atATime = 64;
    if (plainBlocks % atATime == 0 && output.hasSome()) giveUpWorker(prints);
    if (work.progress.failed) giveUpWorker();
  });
  if (output.hasSome()) giveUpWorker(prints);
  if (plain.inOrder)
    work.arrays.sendHostVariables();
  else if (work.arrays.someHostVariableChanged())
    giveUpIndependence();
  finishWorker(work.progress);
}

[[noreturn]] void runAsWorker(Launch& launch, SharedWork& work, Worker worker,
                              std::span<const uint64_t> blocks, void (*runOne)(uint64_t)) {
  becomeWorker();
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // none outlives who waits for it
  launch.loopTimer.start();
  const OutputAside output;
  if (!output.isAside()) giveUpWorker();
  work.arrays.useIn(worker.number);
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
  runShare(progress, worker, blocks.size(), [&](size_t i) {
    runOne(blocks[i]);
    if (launch.isOver || !launch.faults.empty() || progress.failed) giveUpWorker();
    if (trace && trace->blocks.size() > traced.size()) traced.push_back(i);
  });
  if (launch.forgotten || output.hasSome()) giveUpWorker();
  if (work.arrays.someHostVariableChanged()) giveUpWorker();
  if (trace && !sendTrace(work.traces[worker.number], *trace, traced)) giveUpWorker();
  progress.counters[worker.number] = block.counters;
  finishWorker(progress);
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

// Forks so many, each of which calls work and does not return. Whether all have finished.
template <typename Run>
bool runProcesses(Progress& progress, unsigned workers, const std::function<void(uint64_t)>& ended,
                  const Run& work) {
  std::fflush(stdout);
  std::fflush(stderr);
  std::vector<pid_t> processes;
  for (unsigned worker = 0; worker < workers; ++worker) {
    const ArraysStay stay;
    const pid_t process = fork();
    if (process == 0) {
      ArraysStay::endInFork();
      try {
        work(Worker{worker, workers});
      } catch (...) {  // no memory, say: nobody else may go on from here
        giveUpWorker();
      }
    }
    if (process < 0) progress.failed = true;
    if (process > 0) processes.push_back(process);
  }
  return waitForAll(processes, progress, ended) && progress.finished == workers;
}

}  // namespace

double secondsOfWorkers() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  return double(used.ru_utime.tv_sec) + 1e-6 * double(used.ru_utime.tv_usec);
}

PlainRun runPlain(const PlainBlocks& plain, unsigned workers,
                  const std::function<void(uint64_t blocks)>& ended) {
  if (isInWorker()) return PlainRun::failed;
  ArraysBefore arrays;
  if (!arrays.take()) return PlainRun::failed;
  SharedWork work(ArraysOfWorkers::sharePlain());
  takeRecordsAlong(false);
  const bool ran = runProcesses(work.progress, plain.inOrder ? 1 : workers, ended,
                                [&](Worker worker) { runPlainAsWorker(work, worker, plain); });
  takeRecordsAlong(true);
  if (!ran) {
    arrays.putBack();
    plain.why = work.progress.why;
    return work.progress.notIndependent ? PlainRun::dependent : PlainRun::failed;
  }
  arrays.noteWritten();
  if (plain.inOrder) work.arrays.takeOverHostVariables();
  return PlainRun::done;
}

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
  const bool ran = runProcesses(work->progress, workers, ended, [&](Worker worker) {
    runAsWorker(launch, *work, worker, blocks, runOne);
  });
  if (!ran || !work->arrays.independent()) return false;
  work->arrays.takeOver();
  takeOverTraces(work->traces);
  for (unsigned worker = 0; worker < workers; ++worker)
    addCounters(work->progress.counters[worker]);
  return true;
}

#else

unsigned workersFor(uint64_t) { return 1; }
double secondsOfWorkers() { return 0; }
PlainRun runPlain(const PlainBlocks&, unsigned, const std::function<void(uint64_t)>&) {
  return PlainRun::failed;
}
bool runInWorkers(Launch&, std::span<const uint64_t>, unsigned, void (*)(uint64_t),
                  const std::function<void(uint64_t)>&) {
  return false;
}

#endif

}  // namespace simt
