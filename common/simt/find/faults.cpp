#include "simt/find/faults.h"

#include <utility>

#include "simt/find/deferred_loads.h"
#include "simt/image/symbols.h"
#include "simt/run/block.h"
#include "simt/threads/fibers.h"

namespace simt {
namespace {

std::string givenName;

// The same fault under another kind, with a remark at its end.
Fault retold(const Fault& fault, Fault::Kind kind, const std::string& remark) {
  Fault other(kind, fault.what() + remark);
  other.kernel = fault.kernel;
  other.block = fault.block;
  other.threads = fault.threads;
  other.array = fault.array;
  other.index = fault.index;
  other.sources = fault.sources;
  return other;
}

// Unreadable beyond; what is broken so often shows it in the first few.
constexpr size_t mostFaults = 16;

}  // namespace

void setKernelName(const std::string& name) { givenName = name; }

std::string kernelName() {
  if (!givenName.empty()) return givenName;
  const std::string kernel = kernelNameOf(functionAt(runningBlock().kernelCall.kernel));
  return kernel.empty() ? "kernel" : kernel;
}

std::string indexName(uint3 index, dim3 extent) {
  if (extent.y == 1 && extent.z == 1) return std::to_string(index.x);
  return "(" + std::to_string(index.x) + ", " + std::to_string(index.y) + ", " +
         std::to_string(index.z) + ")";
}

const char* kindName(Fault::Kind kind) {
  const char* const names[] = {
      "out of bounds", "host memory",      "uninitialised",  "misaligned",
      "race",          "barrier",          "warp operation", "assertion",
      "benign race",   "missed barrier",   "endless loop",   "stack overflow",
      "null pointer",  "division by zero", "exception",      "end of the program"};
  return names[int(kind)];
}

bool FaultLog::has(Fault::Kind kind, const void* first, const void* second) const {
  if (entries_.size() >= mostFaults) return true;
  for (const Entry& e : entries_)
    if (e.fault.kind == kind &&
        ((e.first == first && e.second == second) || (e.first == second && e.second == first)))
      return true;
  return false;
}

void FaultLog::add(Entry entry) { entries_.push_back(std::move(entry)); }

void FaultLog::supersedeUnwritten(uintptr_t address) {
  std::erase_if(entries_, [&](const Entry& e) {
    return e.fault.kind == Fault::Kind::uninitialised && e.address / 4 == address / 4;
  });
}

std::vector<Fault> FaultLog::settle() {
  std::vector<Fault> settled;
  for (Entry& e : entries_) {
    Fault fault = std::move(e.fault);
    if (e.guess && checkedReads_.count(e.guess)) {
      fault = retold(fault, Fault::Kind::benignRace,
                     ": a check before an atomic on the same address, which does no harm where the "
                     "atomic decides");
    }
    const bool isRace = fault.kind == Fault::Kind::benignRace;
    fault.mild = (isRace && !settings().benignRacesFail) ||
                 (fault.kind == Fault::Kind::missedBarrier && !settings().missedBarriersFail);
    settled.push_back(std::move(fault));
  }
  *this = FaultLog();
  return settled;
}
std::string threadName(const Thread& thread) {
  return "thread " + indexName(thread.index, runningBlock().kernelCall.block);
}

Fault makeFault(Fault::Kind kind, const std::string& what, std::vector<const Thread*> who,
                std::vector<const void*> where) {
  const std::string kernel = kernelName();
  const dim3 b = runningBlock().index;
  const std::string block = indexName({b.x, b.y, b.z}, runningBlock().kernelCall.grid);
  Fault fault(kind, kernel + ", block " + block + ": " + what);
  fault.kernel = kernel;
  fault.block = b;
  for (const Thread* thread : who)
    fault.threads.emplace_back(thread->index.x, thread->index.y, thread->index.z);
  for (const void* pc : where) fault.sources.push_back(sourceOf(pc));
  fault.instructions = std::move(where);
  return fault;
}

void raise(Fault fault) {
  Block& block = runningBlock();
  checkAllLoads();  // they were before
  block.faults.add({fault});
  if (!block.fault) block.fault.emplace(std::move(fault));
  if (block.current) suspend(true);  // for good: the launch is over
}

const void* lastPlace(const Thread& thread) {
  if (!thread.segment || thread.nextCode == thread.segment->codes) return nullptr;
  const uintptr_t low = thread.nextCode[-1] >> 2, span = uintptr_t(1) << 30;
  const auto near = reinterpret_cast<uintptr_t>(runningBlock().kernelCall.kernel);
  uintptr_t pc = (near & ~(span - 1)) | low;
  if (pc > near + span / 2) pc -= span;
  if (pc + span / 2 < near) pc += span;
  return reinterpret_cast<const void*>(pc);
}

}  // namespace simt
