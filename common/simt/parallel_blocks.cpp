#include "simt/parallel_blocks.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include "simt/arrays.h"
#include "simt/block.h"
#include "simt/executor.h"
#include "simt/parallel_trace.h"
#include "simt/tracer.h"

// What the executor does not see must not be lost: it needs its instrumentation, in which clang++
// leaves out copies of whole objects.
#if defined(__linux__) && defined(SIMT_INSTRUMENTED) && !defined(__clang__)
#define SIMT_COPIES 1
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
namespace {
bool isCopy = false;
}

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

constexpr size_t mostShared = size_t(512) << 20;  // bytes of arrays, and of what is noted of them

// Memory that this process and its copies share, zeros at first.
class SharedMemory {
 public:
  explicit SharedMemory(size_t bytes) : bytes_(std::max<size_t>(bytes, 1)) {
    memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
  }
  SharedMemory(SharedMemory&& other) noexcept
      : memory_(std::exchange(other.memory_, MAP_FAILED)), bytes_(other.bytes_) {}
  SharedMemory& operator=(SharedMemory&&) = delete;
  ~SharedMemory() {
    if (memory_ != MAP_FAILED) munmap(memory_, bytes_);
  }
  template <typename T>
  T* as() const {
    return static_cast<T*>(memory_);
  }
  // Takes the place of other memory of this process.
  void moveTo(uintptr_t address) {
    void* const place = reinterpret_cast<void*>(address);
    if (mremap(memory_, bytes_, bytes_, MREMAP_MAYMOVE | MREMAP_FIXED, place) == MAP_FAILED)
      throw std::bad_alloc();
    memory_ = MAP_FAILED;
  }

 private:
  void* memory_;
  size_t bytes_;
};

// A file without a place, whose number is none of those of the program's input and output: these
// may be closed.
int memoryFile(const char* name) {
  const int file = memfd_create(name, 0);
  if (file < 0 || file > STDERR_FILENO) return file;
  const int other = fcntl(file, F_DUPFD, STDERR_FILENO + 1);
  close(file);
  return other;
}

struct SharedArray {
  Array* array;
  size_t words;
  SharedMemory contents;
  std::vector<SharedMemory> touched;  // by each copy
};

// Memory of the host that kernels use: it stays each copy's own, so none may change it.
struct HostVariable {
  const Array* array;
  std::vector<char> before;
};

struct Progress {
  std::atomic<size_t> taken = 0, ended = 0;
  std::atomic<bool> failed = false;
  Counters counters[64];
};

struct Launch {
  std::vector<SharedArray> arrays;
  std::vector<HostVariable> hostVariables;
  SharedMemory progressMemory{sizeof(Progress)};
  Progress& progress = *new (progressMemory.as<void>()) Progress;
  std::vector<int> traces;  // files, one of each copy

  Launch() = default;
  Launch(const Launch&) = delete;
  Launch& operator=(const Launch&) = delete;
  ~Launch() {
    for (const int file : traces) close(file);
  }
};

// Memory that allocate() made, in pages of its own.
bool ownsMemory(const Array& array) {
  return array.reservation != reinterpret_cast<void*>(array.begin);
}

// Nothing, where there is too much of it.
std::unique_ptr<Launch> shareArrays(unsigned workers) {
  size_t bytes = 0;
  for (const Array* array : allArrays()) bytes += array->end - array->begin;
  if (bytes > mostShared || bytes / wordBytes * workers > mostShared) return {};
  auto launch = std::make_unique<Launch>();
  for (const Array* known : allArrays()) {
    Array* const array = findArray(known->begin);
    const size_t size = known->end - known->begin;
    const auto* const data = reinterpret_cast<const char*>(known->begin);
    if (size == 0 || !array) continue;
    if (!ownsMemory(*array)) {
      launch->hostVariables.push_back({array, {data, data + size}});
      continue;
    }
    SharedArray shared{array, size / wordBytes + 1, SharedMemory(size), {}};
    std::memcpy(shared.contents.as<char>(), data, size);
    for (unsigned i = 0; i < workers; ++i) shared.touched.emplace_back(shared.words);
    launch->arrays.push_back(std::move(shared));
  }
  return launch;
}

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

bool unchanged(const HostVariable& variable) {
  return std::memcmp(variable.before.data(), reinterpret_cast<const void*>(variable.array->begin),
                     variable.before.size()) == 0;
}

[[noreturn]] void workInCopy(Launch& launch, unsigned worker, unsigned workers,
                             std::span<const uint64_t> blocks,
                             const std::function<void(uint64_t)>& runOne) {
  isCopy = true;
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // no copy outlives who waits for it
  const int sink = catchOutput();
  for (SharedArray& shared : launch.arrays) {
    shared.contents.moveTo(shared.array->begin);
    shared.array->touched = shared.touched[worker].as<Touched>();
  }
  forgetRecentRanges();
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
  if (!std::ranges::all_of(launch.hostVariables, unchanged)) giveUpCopy();
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

// Whether no byte that one copy wrote was read or written by another: eight words at a time.
bool independent(const SharedArray& shared) {
  constexpr uint64_t writes = touchedByWrite * 0x0101010101010101u;
  for (size_t i = 0; i * sizeof(uint64_t) < shared.words; ++i) {
    uint64_t written = 0, read = 0;
    for (const SharedMemory& memory : shared.touched) {
      const uint64_t touched = memory.as<uint64_t>()[i];
      const uint64_t itsWrites = touched & writes, itsReads = touched >> 4 & writes;
      if (((itsWrites & (written | read)) | (itsReads & written)) != 0) return false;
      written |= itsWrites;
      read |= itsReads;
    }
  }
  return true;
}

void takeOver(const SharedArray& shared) {
  std::memcpy(reinterpret_cast<void*>(shared.array->begin), shared.contents.as<char>(),
              shared.array->end - shared.array->begin);
  std::vector<uint8_t>& known = shared.array->written;
  for (size_t word = 0; word < std::min(shared.words, known.size()); ++word)
    for (const SharedMemory& memory : shared.touched)
      known[word] |= memory.as<Touched>()[word] & touchedByWrite;
}

}  // namespace

void giveUpCopy() {
  if (isCopy) _exit(1);
}

bool runInCopies(std::span<const uint64_t> blocks, unsigned workers,
                 const std::function<void(uint64_t block)>& runOne,
                 const std::function<void(uint64_t blocks)>& ended) {
  if (isCopy || !runningBlock().faults.empty()) return false;
  const std::unique_ptr<Launch> launch = shareArrays(workers);
  if (!launch) return false;
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
  if (!std::ranges::all_of(launch->arrays, independent)) return false;
  std::ranges::for_each(launch->arrays, takeOver);
  takeOverTraces(launch->traces);
  for (unsigned worker = 0; worker < workers; ++worker)
    runningBlock().counters += launch->progress.counters[worker];
  return true;
}

void noteTouched(Touched* touched, uintptr_t offset, size_t size, Access kind) {
  if (kind == Access::atomic) giveUpCopy();
  const unsigned shift = kind == Access::load ? 4 : 0;
  for (uintptr_t word = offset / wordBytes; word * wordBytes < offset + size; ++word)
    touched[word] |= Touched(bytesOf(word * wordBytes, offset, offset + size) << shift);
}

void noteUnshared(Access kind) {
  if (kind != Access::load) giveUpCopy();
}

#else

unsigned workersFor(uint64_t) { return 1; }
bool runInCopies(std::span<const uint64_t>, unsigned, const std::function<void(uint64_t)>&,
                 const std::function<void(uint64_t)>&) {
  return false;
}
void giveUpCopy() {}
void noteTouched(Touched*, uintptr_t, size_t, Access) {}
void noteUnshared(Access) {}

#endif

}  // namespace simt
