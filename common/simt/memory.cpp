// What the threads of a block do to memory: which array an access belongs to, what it counts as,
// and whether it is a fault.
#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>

#include "simt/internal.h"

extern uint3 threadIdx, blockIdx, blockDim, gridDim;

namespace simt {
namespace {

constexpr uintptr_t wordBytes = 4, sectorBytes = 32, banks = 32;

// threadIdx and friends: a kernel may read them, and that is not a memory access.
bool isBuiltIn(const void* address) {
  for (const uint3* variable : {&::threadIdx, &::blockIdx, &::blockDim, &::gridDim})
    if (address >= variable && address < variable + 1) return true;
  return false;
}

// A hash table that forgets everything at once. A value found for the first time is Value().
template <typename Value>
class Table {
 public:
  Value& operator[](uintptr_t key) {
    for (size_t i = key * 0x9e3779b97f4a7c15u >> 32;; ++i) {
      Entry& entry = entries_[i & (entries_.size() - 1)];
      if (entry.period == period_ && entry.key == key) return entry.value;
      if (entry.period == period_) continue;
      if (++used_ * 2 <= entries_.size()) {
        entry = {key, period_, Value()};
        return entry.value;
      }
      std::vector<Entry> old(entries_.size() * 2);
      old.swap(entries_);
      used_ = 0;
      for (const Entry& e : old)
        if (e.period == period_) (*this)[e.key] = e.value;
      return (*this)[key];
    }
  }
  void forget() {
    ++period_;
    used_ = 0;
  }

 private:
  struct Entry {
    uintptr_t key = 0;
    uint64_t period = 0;
    Value value{};
  };
  std::vector<Entry> entries_ = std::vector<Entry>(1024);
  size_t used_ = 0;
  uint64_t period_ = 1;
};

// ---- Arrays and shared variables

struct Array {
  uintptr_t begin, end;
  size_t elementSize;
  std::string name;
  void* reservation;
  size_t reservedBytes;
  std::vector<uint8_t> written;  // a bit for each byte, a word to an entry
};

std::vector<std::unique_ptr<Array>> arrays;
Array* lastArray = nullptr;

Array* findArray(uintptr_t address) {
  if (lastArray && address >= lastArray->begin && address < lastArray->end) return lastArray;
  for (const auto& array : arrays)
    if (address >= array->begin && address < array->end) return lastArray = array.get();
  return nullptr;
}

// Which bytes of shared memory the running block has written, a word to an entry.
struct SharedWord {
  uint64_t block = 0;
  uint8_t written = 0;
};
std::vector<SharedWord> sharedWords;

const Variable* findShared(uintptr_t address) {
  static const Variable* last = nullptr;
  if (last && address >= last->begin && address < last->end) return last;
  for (const Variable& variable : sharedVariables())
    if (address >= variable.begin && address < variable.end) return last = &variable;
  return nullptr;
}

// The bytes of the word at wordBegin that [begin, end) covers, as four bits.
uint8_t bytesOf(uintptr_t wordBegin, uintptr_t begin, uintptr_t end) {
  const uintptr_t from = std::max(begin, wordBegin) - wordBegin;
  const uintptr_t to = std::min(end, wordBegin + wordBytes) - wordBegin;
  return uint8_t((1u << to) - (1u << from));
}

// ---- Races

// The accesses of the running block since its last block barrier, one slot for each 4-byte word:
// the last write and two reads and atomics, chosen by keep().
struct Record {
  uint16_t thread = 0;
  uint8_t bytes = 0;  // 0: none
  bool atomic = false;
  uint32_t clock = 0;
  const void* pc = nullptr;
};
struct Slot {
  Record write, atomics[2], reads[2];
};
Table<Slot> slots;  // by word

// Whether the recorded access comes before what self does now, or needs no order.
bool ordered(const Record& record, const Thread& self, uint8_t bytes) {
  if (!(record.bytes & bytes) || record.thread == self.rank) return true;
  const Thread& other = threads[record.thread];
  return other.warp() == self.warp() && record.clock < self.known[other.lane()];
}

// The array or shared variable at an address, or the one that an address just misses.
struct Place {
  std::string array;
  uintptr_t begin = 0, end = 0;
  size_t elementSize = 1;
  long long index = 0;  // of the element

  std::string element() const {
    return array.empty() ? "memory" : array + "[" + std::to_string(index) + "]";
  }
};

Place placeOf(uintptr_t address, size_t size) {
  Place place;
  for (const auto& array : arrays) {
    const auto reserved = reinterpret_cast<uintptr_t>(array->reservation);
    if (address >= reserved && address < reserved + array->reservedBytes)
      place = {array->name, array->begin, array->end, array->elementSize};
  }
  uintptr_t nearest = UINTPTR_MAX;
  if (sharedRange().contains(address))
    for (const Variable& v : sharedVariables()) {
      const uintptr_t distance = address < v.begin ? v.begin - address
                                 : address < v.end ? 0
                                                   : address - v.end + 1;
      if (distance >= nearest) continue;
      nearest = distance;
      place = {v.name, v.begin, v.end, size};
    }
  const auto offset = static_cast<long long>(address - place.begin);
  const auto element = static_cast<long long>(place.elementSize);
  place.index = offset >= 0 ? offset / element : -((-offset + element - 1) / element);
  return place;
}

void report(Fault::Kind kind, const std::string& what, const Place& place,
            std::vector<const Thread*> who, std::vector<const void*> where) {
  Fault fault = makeFault(kind, what, std::move(who), std::move(where));
  fault.array = place.array;
  fault.index = place.index;
  raise(std::move(fault));
}

const char* verb(Access kind) {
  return kind == Access::load ? "reads" : kind == Access::store ? "writes" : "atomically updates";
}

void reportRace(const Record& earlier, bool earlierWrites, const Thread& self, uintptr_t address,
                size_t size, Access kind, const void* pc) {
  const Thread& other = threads[earlier.thread];
  const bool sameWarp = other.warp() == self.warp();
  const bool shared = sharedRange().contains(address);
  const Access earlierKind = earlier.atomic  ? Access::atomic
                             : earlierWrites ? Access::store
                                             : Access::load;
  const Place place = placeOf(address, size);
  report(Fault::Kind::race,
         std::string("race in ") + (shared ? "shared" : "global") + " memory on " +
             place.element() + ": " + threadName(other) + " " + verb(earlierKind) + " it" +
             at(earlier.pc) + ", " + threadName(self) + " " + verb(kind) + " it" + at(pc) +
             (sameWarp ? ", same warp, with no __syncwarp or __syncthreads between"
                       : ", with no __syncthreads between"),
         place, {&other, &self}, {earlier.pc, pc});
}

// Keeps two of the reads (or atomics) of a word, chosen so that what conflicts with any of them
// conflicts with one that is kept: of two warps where there are two, for no access is ordered after
// both; else of two lanes.
void keep(Record (&kept)[2], const Record& record, const Thread& self) {
  const auto warpOf = [](const Record& r) { return r.thread / warpWidth; };
  for (Record& r : kept)
    if (r.bytes == 0 || r.thread == record.thread) {
      r = record;
      return;
    }
  if (warpOf(kept[0]) != warpOf(kept[1])) return;
  const bool replaceFirst = warpOf(record) == warpOf(kept[0]) && ordered(kept[0], self, 0xf);
  kept[replaceFirst ? 0 : 1] = record;
}

// Looks the access up against what other threads did to these words, then records it.
void checkRaces(const Thread& self, uintptr_t address, size_t size, Access kind, const void* pc) {
  const uintptr_t end = address + size;
  for (uintptr_t word = address & ~(wordBytes - 1); word < end; word += wordBytes) {
    const uint8_t bytes = bytesOf(word, address, end);
    Slot& slot = slots[word];
    const uintptr_t place = std::max(word, address);
    if (!ordered(slot.write, self, bytes))
      return reportRace(slot.write, true, self, place, size, kind, pc);
    if (kind != Access::atomic)
      for (const Record& atomic : slot.atomics)
        if (!ordered(atomic, self, bytes))
          return reportRace(atomic, true, self, place, size, kind, pc);
    if (kind != Access::load)
      for (const Record& read : slot.reads)
        if (!ordered(read, self, bytes))
          return reportRace(read, false, self, place, size, kind, pc);

    const Record record{uint16_t(self.rank), bytes, kind == Access::atomic, self.clock, pc};
    if (kind == Access::store)
      slot.write = record;
    else
      keep(kind == Access::load ? slot.reads : slot.atomics, record, self);
  }
}

// ---- Requests: the lanes of a warp that execute an instruction together

// A site is an instruction and what it does: the same instruction may touch two kinds of memory.
enum SiteKind : uintptr_t { globalLoad, globalStore, sharedLoad, sharedStore, atomicUpdate };

// Numbers the sites from 1 in the order in which they are met.
uint32_t siteOf(const void* pc, SiteKind kind) {
  static Table<uint32_t> numbers;
  static uint32_t count = 0;
  uint32_t& number = numbers[reinterpret_cast<uintptr_t>(pc) * 8 + kind];
  if (number == 0) number = ++count;
  return number;
}

struct Request {
  uint32_t lanes = 0;
  uint32_t size = 0;
  uintptr_t address[warpWidth];
};
// What one warp did at one site since its lanes last met: an entry for each turn, which is how
// often a lane had been there before.
struct SiteLog {
  SiteKind kind{};
  bool open = false;
  uint32_t turns[warpWidth] = {};  // of each lane
  std::vector<Request> requests;
  size_t used = 0;
};
struct Warp {
  std::vector<SiteLog> logs;  // by site
  std::vector<uint32_t> open;
};
Warp warps[maxThreads / warpWidth];

SiteLog& logOf(Warp& warp, uint32_t site, SiteKind kind) {
  if (site >= warp.logs.size()) warp.logs.resize(site + 16);
  SiteLog& log = warp.logs[site];
  if (!log.open) {
    warp.open.push_back(site);
    log.open = true;
    log.kind = kind;
    log.used = 0;
    std::fill_n(log.turns, warpWidth, 0u);
  }
  return log;
}

Request& requestAt(SiteLog& log, uint32_t turn) {
  if (turn >= log.requests.size()) log.requests.resize(turn + 1 + turn / 2);
  while (log.used <= turn) log.requests[log.used++].lanes = 0;
  return log.requests[turn];
}

uint64_t sectorsOf(const Request& request) {
  uintptr_t seen[warpWidth * 2];
  unsigned count = 0;
  for (unsigned lane = 0; lane < warpWidth; ++lane) {
    if (!(request.lanes >> lane & 1)) continue;
    const uintptr_t last = (request.address[lane] + request.size - 1) / sectorBytes;
    for (uintptr_t s = request.address[lane] / sectorBytes; s <= last; ++s) {
      const bool known =
          count > 0 && (seen[count - 1] == s || std::find(seen, seen + count, s) != seen + count);
      if (!known) seen[count++] = s;
    }
  }
  return count;
}

// Passes beyond the fewest needed. 8-byte accesses are served by half warps, 16-byte ones by
// quarters; lanes that read the same word share it.
uint64_t conflictsOf(const Request& request) {
  const unsigned group = request.size >= 16 ? 8 : request.size == 8 ? 16 : 32;
  uint64_t conflicts = 0;
  for (unsigned first = 0; first < warpWidth; first += group) {
    uintptr_t words[warpWidth * 4];
    unsigned wordCount = 0, passes = 0;
    unsigned inBank[banks] = {};
    for (unsigned lane = first; lane < first + group; ++lane) {
      if (!(request.lanes >> lane & 1)) continue;
      const uintptr_t begin = request.address[lane] / wordBytes;
      const uintptr_t end = (request.address[lane] + request.size + wordBytes - 1) / wordBytes;
      for (uintptr_t word = begin; word < end && wordCount < std::size(words); ++word) {
        if (std::find(words, words + wordCount, word) != words + wordCount) continue;
        words[wordCount++] = word;
        passes = std::max(passes, ++inBank[word % banks]);
      }
    }
    if (passes > 1) conflicts += passes - 1;
  }
  return conflicts;
}

void count(const Request& request, SiteKind kind) {
  counters.memory_lanes += unsigned(std::popcount(request.lanes));
  switch (kind) {
    case globalLoad:
      ++counters.load_requests;
      counters.load_sectors += sectorsOf(request);
      break;
    case globalStore:
      ++counters.store_requests;
      counters.store_sectors += sectorsOf(request);
      break;
    case sharedLoad:
      ++counters.shared_load_requests;
      counters.shared_load_conflicts += conflictsOf(request);
      break;
    case sharedStore:
      ++counters.shared_store_requests;
      counters.shared_store_conflicts += conflictsOf(request);
      break;
    default: ++counters.atomics; break;
  }
}

// Counts what the warp did since its lanes last met, or forgets what a fault has cut short.
void closeLogs(unsigned number, bool counted) {
  Warp& warp = warps[number];
  for (const uint32_t site : warp.open) {
    SiteLog& log = warp.logs[site];
    for (size_t i = 0; counted && i < log.used; ++i)
      if (log.requests[i].lanes != 0) count(log.requests[i], log.kind);
    log.open = false;
  }
  warp.open.clear();
}

void record(const Thread& self, uintptr_t address, size_t size, SiteKind kind, const void* pc) {
  SiteLog& log = logOf(warps[self.warp()], siteOf(pc, kind), kind);
  Request& request = requestAt(log, log.turns[self.lane()]++);
  request.lanes |= 1u << self.lane();
  request.size = uint32_t(size);
  request.address[self.lane()] = address;
}

// ---- Branches

// Counts the branches at which the lanes parted: lanes that were in the same basic block for the
// same time went on to different ones.
void countDivergence(Thread* lanes, unsigned present) {
  struct Exits {
    uint32_t block, turn;       // turn: of the lane being looked at
    std::vector<int64_t> next;  // by turn; -1 unknown, -2 diverged
  };
  static std::vector<Exits> blocks;
  blocks.clear();
  const auto exitsOf = [](uint32_t block) -> Exits& {
    for (Exits& exits : blocks)
      if (exits.block == block) return exits;
    return blocks.emplace_back(Exits{block, 0, {}});
  };
  for (unsigned lane = 0; lane < present; ++lane) {
    for (Exits& exits : blocks) exits.turn = 0;
    for (size_t i = 0; i + 1 < lanes[lane].traced; ++i) {
      Exits& exits = exitsOf(lanes[lane].trace[i]);
      const uint32_t turn = exits.turn++;
      if (turn >= exits.next.size()) exits.next.resize(turn + 1, -1);
      const int64_t next = lanes[lane].trace[i + 1];
      if (exits.next[turn] == -1) {
        exits.next[turn] = next;
      } else if (exits.next[turn] != next && exits.next[turn] != -2) {
        exits.next[turn] = -2;
        ++counters.divergent_branches;
      }
    }
  }
}

void closeTraces(unsigned warp) {
  Thread* const lanes = threads + warp * warpWidth;
  const unsigned present = std::min(warpWidth, launch.threads - warp * warpWidth);
  for (unsigned i = 1; i < present; ++i)
    if (lanes[i].traced != lanes[0].traced ||
        !std::equal(lanes[i].trace.begin(), lanes[i].trace.begin() + ptrdiff_t(lanes[i].traced),
                    lanes[0].trace.begin())) {
      countDivergence(lanes, present);
      break;
    }
  // The basic block in which the lanes met goes on: its branch is still to come.
  for (unsigned i = 0; i < present; ++i)
    if (lanes[i].traced > 0) {
      lanes[i].trace[0] = lanes[i].trace[lanes[i].traced - 1];
      lanes[i].traced = 1;
    }
}

void reportOutside(const Thread& self, uintptr_t address, size_t size, Access kind,
                   const void* pc) {
  const Place place = placeOf(address, size);
  const std::string who = threadName(self) + " " + verb(kind) + " ";
  if (place.array.empty())
    report(Fault::Kind::hostMemory,
           who + "memory that is neither a device array nor shared" + at(pc), place, {&self}, {pc});
  else
    report(Fault::Kind::outOfBounds,
           who + place.element() + at(pc) + ", but " + place.array + " has " +
               std::to_string((place.end - place.begin) / place.elementSize) + " elements",
           place, {&self}, {pc});
}

}  // namespace

void access(const void* pointer, size_t size, Access kind, const void* pc) {
  if (!instrumented()) return;  // atomics and vectors alone would give half a picture
  Quiet quiet;
  Thread& self = *current;
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  const uintptr_t end = address + size;
  const auto stack = reinterpret_cast<uintptr_t>(self.stack);
  if (address >= stack && address < stack + stackBytes) return;  // the thread's own variables
  const auto parameters = reinterpret_cast<uintptr_t>(launch.arguments);
  if (address >= parameters && address < parameters + launch.argumentBytes) return;

  Array* array = findArray(address);
  const Range& shared = sharedRange();
  const bool isShared = !array && shared.contains(address);
  const Variable* variable = isShared ? findShared(address) : nullptr;
  if (!array && !isShared && isBuiltIn(pointer)) return;
  if (array ? end > array->end : !variable || end > variable->end)
    reportOutside(self, array ? array->end : variable ? variable->end : address, size, kind, pc);

  if (settings().findFaults) {
    if (size > 1 && size <= 16 && address % size != 0) {
      const Place place = placeOf(address, size);
      report(Fault::Kind::misaligned,
             threadName(self) + " " + verb(kind) + " " + std::to_string(size) + " bytes at " +
                 place.element() + at(pc) + ", an address that is not a multiple of " +
                 std::to_string(size),
             place, {&self}, {pc});
    }
    const uintptr_t base = isShared ? shared.begin & ~(wordBytes - 1) : array->begin;
    for (uintptr_t word = address & ~(wordBytes - 1); word < end; word += wordBytes) {
      const uint8_t bytes = bytesOf(word, address, end);
      const size_t i = (word - base) / wordBytes;
      uint8_t* written;
      if (isShared) {
        SharedWord& s = sharedWords[i];
        if (s.block != launch.blockSerial) s = {launch.blockSerial, 0};
        written = &s.written;
      } else {
        written = &array->written[i];
      }
      if (kind != Access::store && (*written & bytes) != bytes) {
        const Place place = placeOf(std::max(word, address), size);
        report(Fault::Kind::uninitialised,
               threadName(self) + " " + verb(kind) + " " + place.element() + at(pc) +
                   ", which nobody has written",
               place, {&self}, {pc});
      }
      if (kind != Access::load) *written |= bytes;
    }
    checkRaces(self, address, size, kind, pc);
  }

  const SiteKind site = kind == Access::atomic ? atomicUpdate
                        : isShared             ? (kind == Access::load ? sharedLoad : sharedStore)
                                               : (kind == Access::load ? globalLoad : globalStore);
  record(self, address, size, site, pc);
  if (recorder.events) {
    const Place place = placeOf(address, size);
    Event& event = recorder.add(Event::Kind(kind), self);
    event.array = place.array;
    event.index = place.index;
    event.shared = isShared;
  }
}

void warpMet(unsigned warp) {
  closeLogs(warp, true);
  closeTraces(warp);
  if (!recorder.events) return;
  recorder.add(Event::Kind::met, threads[warp * warpWidth]).counted = Counters(counters) -=
      recorder.seen;
  recorder.seen = counters;
  ++recorder.steps[warp];
}

void blockMet() {
  slots.forget();
  for (unsigned warp = 0; warp * warpWidth < launch.threads; ++warp) warpMet(warp);
  ++recorder.phase;
  std::fill(std::begin(recorder.steps), std::end(recorder.steps), 0u);
}

void beginBlock() {
  const Range& shared = sharedRange();
  if (sharedWords.empty()) sharedWords.resize((shared.end - shared.begin) / wordBytes + 2);
  static uint64_t serial = 0;
  launch.blockSerial = ++serial;
  slots.forget();
  for (unsigned warp = 0; warp * warpWidth < launch.threads; ++warp) closeLogs(warp, false);
  for (unsigned i = 0; i < launch.threads; ++i) threads[i].traced = 0;
  recorder = {.events = recorder.events, .seen = counters};
}

void laneOrder(unsigned warp, unsigned mask) {
  Thread* const lanes = threads + warp * warpWidth;
  const unsigned present = std::min(warpWidth, launch.threads - warp * warpWidth);
  uint32_t joined[warpWidth] = {};
  for (unsigned i = 0; i < present; ++i) {
    if (!(mask >> i & 1)) continue;
    for (unsigned j = 0; j < warpWidth; ++j) joined[j] = std::max(joined[j], lanes[i].known[j]);
  }
  for (unsigned i = 0; i < present; ++i)
    if (mask >> i & 1) joined[i] = ++lanes[i].clock;
  for (unsigned i = 0; i < present; ++i)
    if (mask >> i & 1) std::copy_n(joined, warpWidth, lanes[i].known);
}

Fault makeFault(Fault::Kind kind, const std::string& what, std::vector<const Thread*> who,
                std::vector<const void*> where) {
  std::string kernel = functionAt(launch.kernel);  // "void name<32u>(int*, int*)", say
  if (const size_t hidden = kernel.find("(anonymous namespace)::"); hidden != std::string::npos)
    kernel.erase(hidden, 23);
  kernel = kernel.substr(0, kernel.find('('));
  if (kernel.starts_with("void ")) kernel.erase(0, 5);
  if (kernel.empty()) kernel = "kernel";
  const dim3 b = launch.blockIndex;
  Fault fault(kind, kernel + ", block " + indexName({b.x, b.y, b.z}, launch.grid) + ": " + what);
  fault.kernel = kernel;
  fault.block = b;
  for (const Thread* thread : who)
    fault.threads.emplace_back(thread->index.x, thread->index.y, thread->index.z);
  for (const void* pc : where) fault.sources.push_back(sourceOf(pc));
  return fault;
}

// ---- Device arrays

void* allocate(size_t bytes, size_t elementSize, const std::string& name) {
  // Unreachable address space on both sides, as large as the array and a megabyte at least: an
  // index that misses the array does not land in another one.
  const size_t page = 1 << 16;
  const size_t body = (bytes + page - 1) / page * page;
  const size_t gap = std::max<size_t>(body, 1 << 20);
  auto* reservation = static_cast<char*>(
      mmap(nullptr, body + 2 * gap, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  if (reservation == MAP_FAILED) throw std::bad_alloc();
  if (body > 0 && mprotect(reservation + gap, body, PROT_READ | PROT_WRITE) != 0) {
    munmap(reservation, body + 2 * gap);
    throw std::bad_alloc();
  }
  const auto begin = reinterpret_cast<uintptr_t>(reservation) + gap;
  arrays.push_back(
      std::make_unique<Array>(Array{begin, begin + bytes, elementSize, name, reservation,
                                    body + 2 * gap, std::vector<uint8_t>(body / wordBytes)}));
  return reinterpret_cast<void*>(begin);
}

void release(void* pointer) {
  const auto begin = reinterpret_cast<uintptr_t>(pointer);
  std::erase_if(arrays, [&](const std::unique_ptr<Array>& array) {
    if (array->begin != begin) return false;
    munmap(array->reservation, array->reservedBytes);
    return true;
  });
  lastArray = nullptr;
}

void markWritten(const void* pointer, size_t bytes) {
  const auto begin = reinterpret_cast<uintptr_t>(pointer);
  if (Array* array = findArray(begin))
    for (uintptr_t word = begin & ~(wordBytes - 1); word < begin + bytes; word += wordBytes)
      array->written[(word - array->begin) / wordBytes] |= bytesOf(word, begin, begin + bytes);
}

void markUnwritten(const void* pointer, size_t bytes) {
  const auto begin = reinterpret_cast<uintptr_t>(pointer);
  if (Array* array = findArray(begin))
    for (uintptr_t word = begin & ~(wordBytes - 1); word < begin + bytes; word += wordBytes)
      array->written[(word - array->begin) / wordBytes] &=
          uint8_t(~bytesOf(word, begin, begin + bytes));
}

void copyVector(void* to, const void* from, size_t size) {
  if (running) {
    const void* pc = __builtin_return_address(0);
    access(from, size, Access::load, pc);
    access(to, size, Access::store, pc);
  }
  std::memcpy(to, from, size);
}

}  // namespace simt
