#include "simt/find/faults.h"

#include <utility>

#include "simt/find/searched_block.h"
#include "simt/image/symbols.h"
#include "simt/memory/arrays.h"
#include "simt/memory/worker_process.h"
#include "simt/threads/fibers.h"

namespace simt {

Fault makeFault(Fault::Kind kind, const std::string& what, std::vector<const Thread*> who,
                std::vector<const void*> where) {
  if (runningSearch().isPlain) giveUpWorker();  // told where the block runs again
  const std::string kernel = kernelName();
  const dim3 b = runningSearch().index;
  const std::string block = indexName({b.x, b.y, b.z}, runningSearch().kernelCall().grid);
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
  SearchedBlock& block = runningSearch();
  block.launch().isOver = true;
  block.raised.emplace(std::move(fault));
  if (block.current) leaveForGood();
}

const void* lastInstruction(const Thread& thread) {
  if (!thread.segment || thread.nextCode == thread.segment->codes) return nullptr;
  const uintptr_t low = thread.nextCode[-1] >> 2, span = uintptr_t(1) << 30;
  const auto near = reinterpret_cast<uintptr_t>(runningSearch().kernelCall().kernel);
  uintptr_t pc = (near & ~(span - 1)) | low;
  if (pc > near + span / 2) pc -= span;
  if (pc + span / 2 < near) pc += span;
  return reinterpret_cast<const void*>(pc);
}

const char* verb(Access kind) {
  return kind == Access::load ? "reads" : kind == Access::store ? "writes" : "atomically updates";
}

std::string remarkOnHost(const Thread& waiting, bool byAtomic) {
  const ThreadHistory& history = *waiting.history;
  const auto isGlobal = [](uintptr_t address) { return address != 0 && findArray(address); };
  bool asks = byAtomic && isGlobal(reinterpret_cast<uintptr_t>(history.spin.address));
  if (history.loadsOf == runningSearch().accesses.firstEpoch)
    for (const RecentLoad& load : history.recentLoads) asks = asks || isGlobal(load.address);
  return asks ? " (the host, too, goes on only when the kernel has ended)" : "";
}

}  // namespace simt
