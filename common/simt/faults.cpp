#include "simt/faults.h"

#include <utility>

#include "simt/block.h"
#include "simt/fibers.h"
#include "simt/symbols.h"

namespace simt {
namespace {

std::string indexName(uint3 index, dim3 extent) {
  if (extent.y == 1 && extent.z == 1) return std::to_string(index.x);
  return "(" + std::to_string(index.x) + ", " + std::to_string(index.y) + ", " +
         std::to_string(index.z) + ")";
}

std::string givenName;

}  // namespace

void setKernelName(const std::string& name) { givenName = name; }

// Without return type, parameters and unnamed namespaces.
std::string kernelName() {
  if (!givenName.empty()) return givenName;
  std::string kernel = functionAt(runningBlock().kernelCall.kernel);  // "void name<32u>(int*)", say
  if (const size_t hidden = kernel.find("(anonymous namespace)::"); hidden != std::string::npos)
    kernel.erase(hidden, 23);
  kernel = kernel.substr(0, kernel.find('('));
  if (kernel.starts_with("void ")) kernel.erase(0, 5);
  return kernel.empty() ? "kernel" : kernel;
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
  if (!block.fault) block.fault.emplace(std::move(fault));
  if (block.current) suspend(true);  // for good: the launch is over
}

}  // namespace simt
