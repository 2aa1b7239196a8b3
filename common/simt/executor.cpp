#include "simt/executor.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <numeric>
#include <random>
#include <span>

#include "simt/internal.h"

#ifdef SIMT_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

// The kernels see these as const (simt/cuda.h).
uint3 threadIdx, blockIdx, blockDim, gridDim;

namespace simt {

Launch launch;
Thread* threads = nullptr;
Thread* current = nullptr;
constinit thread_local Thread* running = nullptr;
Counters counters;
Recorder recorder;

#ifdef SIMT_ASAN
size_t stackBytes = 256 * 1024;
#else
size_t stackBytes = 64 * 1024;
#endif

static Settings currentSettings;

const Settings& settings() { return currentSettings; }

WithSettings::WithSettings(const Settings& settings)
    : before_(std::exchange(currentSettings, settings)) {}
WithSettings::~WithSettings() { currentSettings = before_; }

Counters takeCounters() { return std::exchange(counters, Counters()); }

void recordEvents(std::vector<Event>* events) { recorder.events = events; }

namespace {

// Fibers keep their stack for the life of the program: making one per thread and block is what
// would cost. Nothing is unwound after a fault; the next launch starts new fibers on the stacks.
struct KeptStack {
  char* base;
  boost::context::stack_context allocate() const {
    boost::context::stack_context context;
    context.size = stackBytes;
    context.sp = base + stackBytes;
    return context;
  }
  void deallocate(boost::context::stack_context&) const {}
};

[[maybe_unused]] const void* schedulerStack = nullptr;
[[maybe_unused]] size_t schedulerStackBytes = 0;

void suspend() {
  Thread& self = *current;
#ifdef SIMT_ASAN
  __sanitizer_start_switch_fiber(&self.fakeStack, schedulerStack, schedulerStackBytes);
#endif
  self.scheduler = std::move(self.scheduler).resume();
#ifdef SIMT_ASAN
  __sanitizer_finish_switch_fiber(self.fakeStack, &schedulerStack, &schedulerStackBytes);
#endif
}

void resume(Thread& thread) {
  current = running = &thread;
  ::threadIdx = thread.index;
#ifdef SIMT_ASAN
  void* fakeStack = nullptr;
  __sanitizer_start_switch_fiber(&fakeStack, thread.stack, stackBytes);
#endif
  thread.fiber = std::move(thread.fiber).resume();
#ifdef SIMT_ASAN
  __sanitizer_finish_switch_fiber(fakeStack, nullptr, nullptr);
#endif
  current = running = nullptr;
}

void startFiber(Thread& thread) {
#ifdef SIMT_ASAN
  __asan_unpoison_memory_region(thread.stack, stackBytes);
#endif
  // Written over the old handle, which is not destroyed: that would unwind the abandoned stack.
  new (&thread.fiber) boost::context::fiber(
      std::allocator_arg, KeptStack{thread.stack}, [&thread](boost::context::fiber&& scheduler) {
        new (&thread.scheduler) boost::context::fiber(std::move(scheduler));
#ifdef SIMT_ASAN
        __sanitizer_finish_switch_fiber(nullptr, &schedulerStack, &schedulerStackBytes);
#endif
        for (;;) {
          launch.call(launch.arguments);
          thread.state = State::finished;
          suspend();
        }
        return boost::context::fiber();
      });
}

unsigned fibersStarted = 0;

void startFibers(unsigned count) {
  if (!threads) {
    threads = new Thread[maxThreads];
    const size_t page = 4096;  // a page below each stack that faults when it overflows
    const size_t spacing = stackBytes + page;
    auto* memory = static_cast<char*>(mmap(nullptr, maxThreads * spacing, PROT_READ | PROT_WRITE,
                                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    if (memory == MAP_FAILED) throw std::bad_alloc();
    for (unsigned i = 0; i < maxThreads; ++i) {
      mprotect(memory + i * spacing, page, PROT_NONE);
      threads[i].rank = i;
      threads[i].stack = memory + i * spacing + page;
    }
  }
  for (; fibersStarted < count; ++fibersStarted) startFiber(threads[fibersStarted]);
}

// The threads that can run, in the order in which they will.
class ReadyList {
 public:
  void reset(uint64_t seed) { random_.seed(seed); }
  void clear() {
    list_.clear();
    next_ = 0;
  }
  // Threads first, first + 1, … of which mask names those to add.
  void add(Thread* const* begin, size_t count) {
    list_.insert(list_.end(), begin, begin + count);
    if (settings().schedule.order == Schedule::Order::reverse)
      std::reverse(list_.end() - std::ptrdiff_t(count), list_.end());
  }
  Thread* take() {
    if (next_ == list_.size()) {
      clear();
      return nullptr;
    }
    if (settings().schedule.order == Schedule::Order::random) {
      const size_t pick = next_ + below(list_.size() - next_);
      std::swap(list_[next_], list_[pick]);
    }
    return list_[next_++];
  }
  // A random number from 0 to limit - 1, limit at most 2^32.
  size_t below(size_t limit) { return (random_() >> 32) * limit >> 32; }

 private:
  std::vector<Thread*> list_;
  size_t next_ = 0;
  std::mt19937_64 random_;
};

ReadyList ready;

void makeReady(const std::vector<Thread*>& group) {
  for (Thread* thread : group) thread->state = State::ready;
  ready.add(group.data(), group.size());
}

std::span<Thread> blockThreads() { return {threads, launch.threads}; }

std::span<Thread> warpThreads(unsigned warp) {
  const unsigned first = warp * warpWidth;
  return {threads + first, std::min(warpWidth, launch.threads - first)};
}

// Lets every thread of the block go on from __syncthreads.
void releaseBlock(std::vector<Thread*>& waiting) {
  int count = 0;
  for (const Thread* thread : waiting) count += thread->operand != 0;
  const int all = count == int(waiting.size());
  const int results[] = {0, count, all, count > 0};
  for (Thread* thread : waiting) thread->result = uint64_t(results[thread->parameter]);
  ++counters.barriers;
  blockMet();
  makeReady(waiting);
}

uint64_t reduceLanes(const std::vector<Thread*>& lanes, WarpOp op, bool isSigned) {
  uint32_t total = uint32_t(lanes[0]->operand);
  for (size_t i = 1; i < lanes.size(); ++i) {
    const uint32_t v = uint32_t(lanes[i]->operand);
    const bool less = isSigned ? int32_t(v) < int32_t(total) : v < total;
    switch (op) {
      case WarpOp::reduceAdd: total += v; break;
      case WarpOp::reduceMin: total = less ? v : total; break;
      case WarpOp::reduceMax: total = less ? total : v; break;
      case WarpOp::reduceAnd: total &= v; break;
      case WarpOp::reduceOr: total |= v; break;
      default: total ^= v; break;
    }
  }
  return total;
}

// When every lane that the last arrival's mask names has come, computes the results and lets the
// lanes go on.
void tryWarpOperation(const Thread& arrival) {
  static std::vector<Thread*> lanes;
  lanes.clear();
  unsigned unfinished = 0;  // lanes of the warp that have not returned
  const std::span<Thread> warp = warpThreads(arrival.warp());
  for (Thread& thread : warp) {
    if (thread.state != State::finished) unfinished |= 1u << thread.lane();
    if (!(arrival.mask >> thread.lane() & 1)) continue;
    if (thread.state != State::atWarpOperation || thread.op != arrival.op ||
        thread.mask != arrival.mask)
      return;
    lanes.push_back(&thread);
  }

  switch (arrival.op) {
    case WarpOp::barrier: laneOrder(arrival.warp(), arrival.mask); break;
    case WarpOp::shuffle:
      ++counters.shuffles;
      for (Thread* lane : lanes) {
        const unsigned source = unsigned(lane->parameter);
        if (source >= warp.size() || !(lane->mask >> source & 1)) {
          raise(makeFault(Fault::Kind::warpOperation,
                          "a shuffle reads lane " + std::to_string(source) +
                              ", which its mask does not name or the block does not have",
                          {lane}, {lane->pc}));
          return;
        }
        lane->result = warp[source].operand;
        if (!recorder.events) continue;
        Event& event = recorder.add(Event::Kind::shuffle, *lane);
        event.from = warp[source].rank;
        event.value = lane->result;
      }
      break;
    case WarpOp::vote: {
      uint64_t ballot = 0;
      for (const Thread* lane : lanes) ballot |= uint64_t(lane->operand != 0) << lane->lane();
      for (Thread* lane : lanes) lane->result = ballot;
      break;
    }
    default: {
      const uint64_t total = reduceLanes(lanes, arrival.op, arrival.parameter != 0);
      for (Thread* lane : lanes) lane->result = total;
    }
  }
  if ((arrival.mask & unfinished) == unfinished) warpMet(arrival.warp());
  makeReady(lanes);
}

// The lanes that reached the same __activemask() call while their warp could do nothing else.
bool releaseActiveMasks() {
  bool any = false;
  for (Thread& first : blockThreads()) {
    if (first.state != State::atActiveMask) continue;
    std::vector<Thread*> lanes;
    uint64_t mask = 0;
    for (Thread& other : warpThreads(first.warp()))
      if (other.state == State::atActiveMask && other.pc == first.pc) {
        lanes.push_back(&other);
        mask |= uint64_t(1) << other.lane();
      }
    for (Thread* lane : lanes) lane->result = mask;
    makeReady(lanes);
    any = true;
  }
  return any;
}

// A few words on why a thread does not come.
std::string whereabouts(const Thread& thread) {
  if (thread.state == State::finished) return "has returned";
  if (thread.state == State::atBlockBarrier) return "waits for __syncthreads" + at(thread.pc);
  if (thread.op == WarpOp::barrier) return "waits for __syncwarp" + at(thread.pc);
  return "waits for a warp operation" + at(thread.pc);
}

std::string maskName(unsigned mask) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", mask);
  return text;
}

// Nobody can run, and somebody waits: says for whom.
Fault stuck() {
  for (const Thread& thread : blockThreads()) {
    if (thread.state != State::atWarpOperation) continue;
    for (const Thread& other : warpThreads(thread.warp())) {
      if (!(thread.mask >> other.lane() & 1)) continue;
      if (other.state == State::atWarpOperation && other.op == thread.op &&
          other.mask == thread.mask)
        continue;
      const char* name = thread.op == WarpOp::barrier   ? "__syncwarp"
                         : thread.op == WarpOp::shuffle ? "a shuffle"
                         : thread.op == WarpOp::vote    ? "a vote"
                                                        : "a warp reduction";
      std::string why = whereabouts(other);
      if (other.state == State::atWarpOperation && other.mask != thread.mask)
        why += " with mask " + maskName(other.mask);
      return makeFault(Fault::Kind::warpOperation,
                       std::string(name) + at(thread.pc) + " with mask " + maskName(thread.mask) +
                           " waits for lane " + std::to_string(other.lane()) +
                           ", which never comes: " + threadName(other) + " " + why,
                       {&thread, &other}, {thread.pc, other.pc});
    }
  }
  // All that wait, wait at block barriers: at different ones.
  const Thread* first = nullptr;
  for (const Thread& thread : blockThreads()) {
    if (thread.state != State::atBlockBarrier) continue;
    if (!first) first = &thread;
    if (thread.line != first->line)
      return makeFault(
          Fault::Kind::barrier,
          "the threads of the block wait for different barriers: " + threadName(*first) + " " +
              whereabouts(*first) + ", " + threadName(thread) + " " + whereabouts(thread),
          {first, &thread}, {first->pc, thread.pc});
  }
  return makeFault(Fault::Kind::barrier, "a barrier that never completes", {first}, {first->pc});
}

// True when all the threads that still run wait at one and the same block barrier.
bool atOneBarrier(std::vector<Thread*>& waiting) {
  waiting.clear();
  for (Thread& thread : blockThreads()) {
    if (thread.state == State::finished) continue;
    if (thread.state != State::atBlockBarrier) return false;
    if (!waiting.empty() && thread.line != waiting[0]->line) return false;
    waiting.push_back(&thread);
  }
  return !waiting.empty();
}

void runBlock() {
  static std::vector<Thread*> group;
  group.clear();
  for (Thread& thread : blockThreads()) group.push_back(&thread);
  beginBlock();
  ready.clear();
  makeReady(group);
  for (;;) {
    while (Thread* thread = ready.take()) {
      resume(*thread);
      if (!launch.fault && thread->state == State::atWarpOperation) tryWarpOperation(*thread);
      if (launch.fault) return;
    }
    if (releaseActiveMasks()) continue;
    if (atOneBarrier(group)) {
      releaseBlock(group);
      continue;
    }
    const auto unfinished = [](const Thread& t) { return t.state != State::finished; };
    if (std::ranges::any_of(blockThreads(), unfinished)) raise(stuck());
    blockMet();
    return;
  }
}

// A thread of the kernel waits here until the executor has its result.
uint64_t wait(State state, const void* pc) {
  Thread& self = *current;
  self.state = state;
  self.pc = pc;
  suspend();
  return self.result;
}

uint64_t warpOperation(WarpOp op, unsigned mask, uint64_t operand, int parameter, const void* pc) {
  Thread& self = *current;
  if (!(mask >> self.lane() & 1))
    raise(makeFault(Fault::Kind::warpOperation,
                    "a warp operation with mask " + maskName(mask) + " is called by lane " +
                        std::to_string(self.lane()) + ", which the mask does not name",
                    {&self}, {pc}));
  self.op = op;
  self.mask = mask;
  self.operand = operand;
  self.parameter = parameter;
  return wait(State::atWarpOperation, pc);
}

}  // namespace

void raise(Fault fault) {
  launch.fault.emplace(std::move(fault));
  if (current) suspend();  // for good: the launch is over
}

// Each of these is called by a kernel, so the return address is the place in the kernel.

int blockBarrier(int predicate, int mode, int line) {
  Quiet quiet;
  current->line = line;
  current->operand = predicate != 0;
  current->parameter = mode;
  return int(wait(State::atBlockBarrier, __builtin_return_address(0)));
}

void warpBarrier(unsigned mask) {
  Quiet quiet;
  warpOperation(WarpOp::barrier, mask, 0, 0, __builtin_return_address(0));
}

unsigned vote(Vote kind, unsigned mask, bool predicate) {
  Quiet quiet;
  const void* pc = __builtin_return_address(0);
  if (kind == Vote::active) return unsigned(wait(State::atActiveMask, pc));
  const unsigned ballot = unsigned(warpOperation(WarpOp::vote, mask, predicate, 0, pc));
  if (kind == Vote::ballot) return ballot;
  const unsigned present =
      mask & unsigned((uint64_t(1) << warpThreads(current->warp()).size()) - 1);
  return kind == Vote::any ? ballot != 0 : ballot == present;
}

// The source lane, as the hardware computes it; a lane without a source keeps its own value.
uint64_t shuffle(Shuffle kind, unsigned mask, uint64_t bits, int argument, int width) {
  Quiet quiet;
  const void* pc = __builtin_return_address(0);
  if (width < 1 || width > int(warpWidth) || !std::has_single_bit(unsigned(width)))
    raise(makeFault(
        Fault::Kind::warpOperation,
        "a shuffle of width " + std::to_string(width) + ": the width must be 1, 2, 4, 8, 16 or 32",
        {current}, {pc}));
  const int lane = int(current->lane());
  const int first = lane & ~(width - 1), last = first + width - 1;
  const int amount = argument & 31;
  int source = lane;
  switch (kind) {
    case Shuffle::index: source = first | (argument & (width - 1)); break;
    case Shuffle::up: source = lane - amount < first ? lane : lane - amount; break;
    case Shuffle::down: source = lane + amount > last ? lane : lane + amount; break;
    case Shuffle::exclusiveOr: source = (lane ^ amount) > last ? lane : lane ^ amount; break;
  }
  return warpOperation(WarpOp::shuffle, mask, bits, source, pc);
}

uint32_t reduce(Reduce kind, bool isSigned, unsigned mask, uint32_t value) {
  Quiet quiet;
  const auto op = WarpOp(int(WarpOp::reduceAdd) + int(kind));
  return uint32_t(warpOperation(op, mask, value, isSigned, __builtin_return_address(0)));
}

void assertFailed(const char* condition, const char* file, int line) {
  Quiet quiet;
  if (current)
    raise(makeFault(Fault::Kind::assertion, std::string("assertion failed: ") + condition,
                    {current}, {__builtin_return_address(0)}));
  std::fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, condition);
  std::abort();
}

template <typename T>
T atomic(Atomic kind, T* address, T value, T compare) {
  if (running) access(address, sizeof(T), Access::atomic, __builtin_return_address(0));
  const T old = *address;
  T result = value;  // exch
  if constexpr (std::is_integral_v<T>) {
    switch (kind) {
      case Atomic::sub: result = T(old - value); break;
      case Atomic::min: result = std::min(old, value); break;
      case Atomic::max: result = std::max(old, value); break;
      case Atomic::cas: result = old == compare ? value : old; break;
      case Atomic::inc: result = old >= value ? T(0) : T(old + 1); break;
      case Atomic::dec: result = old == 0 || old > value ? value : T(old - 1); break;
      case Atomic::bitAnd: result = old & value; break;
      case Atomic::bitOr: result = old | value; break;
      case Atomic::bitXor: result = old ^ value; break;
      default: break;
    }
  }
  if (kind == Atomic::add) {
    if constexpr (std::is_integral_v<T>)
      result =
          T(std::make_unsigned_t<T>(old) + std::make_unsigned_t<T>(value));  // wraps, as on a GPU
    else
      result = old + value;
  }
  *address = result;
  return old;
}
template int atomic(Atomic, int*, int, int);
template unsigned atomic(Atomic, unsigned*, unsigned, unsigned);
template long long atomic(Atomic, long long*, long long, long long);
template unsigned long long atomic(Atomic, unsigned long long*, unsigned long long,
                                   unsigned long long);
template float atomic(Atomic, float*, float, float);
template double atomic(Atomic, double*, double, double);

static std::atomic<uint64_t> blocksEnded, blocksOfLaunch;

Position position() { return {blocksEnded, blocksOfLaunch}; }

void run(dim3 grid, dim3 block, const void* kernel, void (*call)(void*), void* arguments,
         size_t argumentBytes) {
  const uint64_t threadCount = uint64_t(block.x) * block.y * block.z;
  if (threadCount == 0 || threadCount > maxThreads || block.z > 64)
    throw std::invalid_argument("a block has 1 to 1024 threads, 64 at most in z");
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.x > 0x7fffffffu || grid.y > 65535 ||
      grid.z > 65535)
    throw std::invalid_argument("a grid has 1 to 2^31 - 1 blocks in x, 1 to 65535 in y and z");
  if (current) throw std::invalid_argument("a kernel cannot launch a kernel");

  launch.kernel = kernel;
  launch.call = call;
  launch.arguments = arguments;
  launch.argumentBytes = argumentBytes;
  launch.grid = grid;
  ::gridDim = {grid.x, grid.y, grid.z};
  launch.block = block;
  ::blockDim = {block.x, block.y, block.z};
  launch.threads = unsigned(threadCount);
  launch.fault.reset();
  startFibers(launch.threads);
  for (Thread& t : blockThreads())
    t.index = {t.rank % block.x, t.rank / block.x % block.y, t.rank / block.x / block.y};

  const Schedule schedule = settings().schedule;
  ready.reset(schedule.seed);
  const uint64_t blocks = uint64_t(grid.x) * grid.y * grid.z;
  std::vector<uint64_t> order(blocks);
  std::iota(order.begin(), order.end(), uint64_t(0));
  if (schedule.order == Schedule::Order::reverse) std::ranges::reverse(order);
  if (schedule.order == Schedule::Order::random)
    for (uint64_t i = blocks; i > 1; --i) std::swap(order[i - 1], order[ready.below(i)]);

  blocksEnded = 0;
  blocksOfLaunch = blocks;
  for (const uint64_t i : order) {
    launch.blockIndex =
        dim3(unsigned(i % grid.x), unsigned(i / grid.x % grid.y), unsigned(i / grid.x / grid.y));
    ::blockIdx = {launch.blockIndex.x, launch.blockIndex.y, launch.blockIndex.z};
    runBlock();
    if (launch.fault) {
      fibersStarted = 0;  // the abandoned fibers are in the middle of the kernel
      throw *launch.fault;
    }
    blocksEnded.fetch_add(1, std::memory_order_relaxed);
  }
}

}  // namespace simt
