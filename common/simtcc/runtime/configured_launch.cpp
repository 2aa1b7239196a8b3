// Launches of programs of their own: checked as CUDA checks them, run, counted, and judged.
#include "simtcc/runtime/configured_launch.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <vector>

#include "simt/image/symbols.h"
#include "simt/run/executor.h"
#include "simtcc/runtime/environment.h"
#include "simtcc/runtime/program_observer.h"
#include "simtcc/runtime/runtime_streams.h"
#include "simtcc/runtime/sizes.h"

namespace simt {
namespace {

constexpr size_t sharedWithoutAsking = 48 * 1024;

struct KernelFacts {
  BindByAddress bind = nullptr;
  size_t parameters = 0;
  size_t maxDynamicShared = sharedWithoutAsking;
};
std::map<const void*, KernelFacts>& kernels() {
  static auto& all = *new std::map<const void*, KernelFacts>;  // never destroyed
  return all;
}

std::map<const void*, dim3>& clusters() {
  static auto& all = *new std::map<const void*, dim3>;
  return all;
}
dim3 clusterOf(const void* kernel, const Configuration& c) {
  const auto entry = clusters().find(kernel);
  return entry != clusters().end() && product(c.cluster) == 1 ? entry->second : c.cluster;
}

std::string dimensions(dim3 d) {
  return "(" + std::to_string(d.x) + ", " + std::to_string(d.y) + ", " + std::to_string(d.z) + ")";
}

// What CUDA refuses before anything runs.
cudaError_t check(const std::string& kernel, const void* address, const Configuration& c) {
  if (const cudaError_t e = checkStream(c.stream, "the launch of " + kernel)) return e;
  const Size threads = product(c.block);
  const auto bad = [&](const std::string& what) {
    return failed(cudaErrorInvalidConfiguration, "the launch of " + kernel + " " + what);
  };
  if (threads == 0 || threads > 1024 || c.block.z > 64)
    return bad("with blocks of " + dimensions(c.block) +
               ": a block has 1 to 1024 threads, 64 at most in z");
  if (c.grid.x == 0 || c.grid.y == 0 || c.grid.z == 0 || c.grid.x > 0x7fffffffu ||
      c.grid.y > 65535 || c.grid.z > 65535)
    return bad("with a grid of " + dimensions(c.grid));
  const dim3 cluster = clusterOf(address, c);
  if (product(cluster) == 0 || product(cluster) > 16)
    return failed(cudaErrorInvalidClusterSize,
                  "the launch of " + kernel + " in clusters of " + dimensions(cluster));
  if (c.grid.x % cluster.x != 0 || c.grid.y % cluster.y != 0 || c.grid.z % cluster.z != 0)
    return bad("with a grid of " + dimensions(c.grid) + ", which clusters of " +
               dimensions(cluster) + " do not divide");
  if (c.cooperative && product(cluster) > 1)
    return failed(cudaErrorNotSupported, "a cooperative launch in clusters of blocks");
  const auto entry = kernels().find(address);
  const size_t limit = !address                   ? maxDynamicShared
                       : entry == kernels().end() ? sharedWithoutAsking
                                                  : entry->second.maxDynamicShared;
  if (c.shared > limit)
    return failed(cudaErrorInvalidValue,
                  "the launch of " + kernel + " with " + std::to_string(c.shared) +
                      " bytes of dynamic shared memory; without cudaFuncSetAttribute 48 KB");
  return cudaSuccess;
}

// What CUDA's calls return after a launch that such a fault has ended; none where it went on.
cudaError_t errorAfter(const Fault& fault) {
  switch (fault.kind) {
    case Fault::Kind::race:
    case Fault::Kind::uninitialised:
    case Fault::Kind::benignRace:
    case Fault::Kind::missedBarrier:
    case Fault::Kind::missingFence: return cudaSuccess;
    case Fault::Kind::assertion: return cudaErrorAssert;
    case Fault::Kind::misaligned: return cudaErrorMisalignedAddress;
    case Fault::Kind::endlessLoop: return cudaErrorLaunchTimeout;
    case Fault::Kind::outOfBounds:
    case Fault::Kind::hostMemory:
    case Fault::Kind::constantMemory:
    case Fault::Kind::nullPointer: return cudaErrorIllegalAddress;
    default: return cudaErrorLaunchFailure;
  }
}

// Those first that are not mild. The program goes on, with a broken device where the launch ended.
void tellFaults(const std::vector<Fault>& faults) {
  std::string text;
  for (const bool isMild : {false, true})
    for (const Fault& fault : faults) {
      if (fault.mild != isMild) continue;
      const std::string kind = kindName(fault.kind);
      std::string which = kind + fault.kernel + fault.array;
      for (const std::string& source : fault.sources) which += " " + source;
      if (isMild) {
        reportFault(which, kind + ": " + fault.what(), true);
      } else if (isStrict()) {
        text += (text.empty() ? "" : "\n") + std::string(fault.what());
      } else {
        reportFault(which, fault.what(), false);
        if (const cudaError_t error = errorAfter(fault)) breakDevice(error);
      }
    }
  if (!text.empty()) endProgram(text);
}

// Counts of some of a launch's blocks, as if of all.
Counters scaled(Counters counted, uint64_t blocks, uint64_t plain) {
  if (plain == 0) return counted;
  const double factor = double(blocks) / double(blocks - plain);
  const auto scale = [factor](uint64_t& count) { count = uint64_t(double(count) * factor + 0.5); };
  for (const CounterInfo& counter : counterList) scale(counted.*counter.member);
  scale(counted.memory_lanes);
  return counted;
}

std::string readableName(const char* name, const void* address) {
  const std::string text = address ? kernelNameOf(functionAt(address)) : "";
  return text.empty() ? name : text;
}

}  // namespace

void endProgram(const std::string& text) {
  std::cout.flush();
  std::fflush(nullptr);
  std::fprintf(stderr, "%s\n", text.c_str());
  std::_Exit(1);  // a kernel may be in the middle of its work
}

void launchKernel(const char* name, const void* address, const Configuration& c,
                  void (*call)(void*), void* arguments, size_t argumentBytes) {
  const RuntimeLock locked;
  const std::string kernel = readableName(name, address);
  if (check(kernel, address, c) != cudaSuccess) return;
  const WithSettings withSettings(settingsOfEnvironment());
  setDynamicShared(c.shared);
  setKernelName(kernel);
  ProgramObserver* const observer = programObserver();
  if (observer)
    observer->launchBegins({kernel,
                            c.grid,
                            c.block,
                            c.cooperative,
                            c.shared,
                            c.arguments,
                            {address, call, arguments, c.grid, c.block, c.cooperative},
                            managedWithHost(arguments, argumentBytes)});
  takeCounters();
  takePlainBlocks();
  takeWhyNonePlain();
  try {
    const dim3 cluster = clusterOf(address, c);
    if (product(cluster) > 1)
      runInClusters(cluster, c.grid, c.block, address, call, arguments, argumentBytes);
    else
      (c.cooperative ? runCooperatively : run)(c.grid, c.block, address, call, arguments,
                                               argumentBytes);
  } catch (const Fault&) {  // told below
  } catch (const std::exception& error) {
    endProgram(kernel + ": " + error.what());
  }
  const uint64_t plain = takePlainBlocks();
  const char* const whyNonePlain = takeWhyNonePlain();
  const Counters counted = scaled(takeCounters(), product(c.grid), plain);
  const std::vector<Fault> faults = takeFaults();
  if (observer) {
    managedWasTouched(arguments, argumentBytes);
    observer->launchEnds(counted, faults);
  }
  tellFaults(faults);
  if (someForgotten())
    reportOtherUse(
        "Some launch touched more memory than the search for races keeps records of: "
        "races between its blocks may be missed.");
  setDynamicShared(0);
  setKernelName("");
  if (!settings().instead) reportLaunch(kernel, c, counted, plain, whyNonePlain);
  launchLeavesOpen();
  runLaunchesByKernel();
}

bool rememberClusters(const void* kernel, dim3 cluster) {
  const RuntimeLock locked;
  clusters()[kernel] = cluster;
  return true;
}
void rememberKernel(const void* address, size_t parameters, BindByAddress bind) {
  const RuntimeLock locked;
  KernelFacts& facts = kernels()[address];
  facts.bind = bind;
  facts.parameters = parameters;
}
cudaError_t bindByAddress(BoundLaunch& launch, const void* address, void** arguments,
                          const Configuration& configuration, const std::string& call) {
  const RuntimeLock locked;
  const auto entry = kernels().find(address);
  if (entry == kernels().end())
    return failed(cudaErrorInvalidDeviceFunction, call + " of what is no kernel");
  const size_t count = entry->second.parameters;
  if (count > 0 && (!arguments || std::count(arguments, arguments + count, nullptr) > 0))
    return invalid(call + " without an argument for each parameter");
  launch = {std::shared_ptr<StoredLaunch>(entry->second.bind(address, arguments)), configuration};
  return cudaSuccess;
}

}  // namespace simt

using simt::failed;
using simt::invalid;

static cudaError_t launchByAddress(const void* kernel, const simt::Configuration& configuration,
                                   void** arguments) {
  simt::BoundLaunch bound;
  if (const cudaError_t e =
          simt::bindByAddress(bound, kernel, arguments, configuration, "cudaLaunchKernel"))
    return e;
  return simt::errorOf([&] {
    if (simt::isCaptured(configuration.stream))
      simt::captureLaunch(bound);
    else
      bound.stored->launch(configuration);
  });
}
cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                             size_t shared, cudaStream_t stream) {
  return launchByAddress(kernel, {grid, block, shared, false, stream}, arguments);
}
cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                        size_t shared, cudaStream_t stream) {
  int perMultiprocessor = 0;
  if (const cudaError_t e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
          &perMultiprocessor, kernel, int(std::min<size_t>(simt::product(block), 1025)), shared))
    return e;
  const uint64_t room = uint64_t(perMultiprocessor) * uint64_t(simt::multiprocessorCount());
  if (simt::product(grid) > room)
    return failed(cudaErrorCooperativeLaunchTooLarge,
                  "a cooperative launch of more blocks than the " + std::to_string(room) +
                      " that run at the same time");
  return launchByAddress(kernel, {grid, block, shared, true, stream}, arguments);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* c, const void* kernel, void** arguments) {
  if (!c || (c->numAttrs > 0 && !c->attrs)) return invalid("cudaLaunchKernelEx without attributes");
  bool cooperative = false;
  dim3 cluster = {1, 1, 1};
  for (unsigned i = 0; i < c->numAttrs; ++i) {
    const cudaLaunchAttribute& a = c->attrs[i];
    const auto& [x, y, z] = a.val.clusterDim;
    if (a.id == cudaLaunchAttributeCooperative) cooperative = a.val.cooperative != 0;
    if (a.id == cudaLaunchAttributeClusterDimension) cluster = {x, y, z};
  }
  if (simt::product(cluster) > 1 && !cooperative)
    return launchByAddress(
        kernel, {c->gridDim, c->blockDim, c->dynamicSmemBytes, false, c->stream, 0, cluster},
        arguments);
  return cooperative ? cudaLaunchCooperativeKernel(kernel, c->gridDim, c->blockDim, arguments,
                                                   c->dynamicSmemBytes, c->stream)
                     : cudaLaunchKernel(kernel, c->gridDim, c->blockDim, arguments,
                                        c->dynamicSmemBytes, c->stream);
}
static cudaError_t checkKernel(const void* kernel, const char* call) {
  if (simt::kernels().contains(kernel)) return cudaSuccess;
  return failed(cudaErrorInvalidDeviceFunction, std::string(call) + " of what is no kernel");
}
cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value) {
  if (const cudaError_t e = checkKernel(kernel, __func__)) return e;
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
  if (value < 0 || size_t(value) > simt::maxDynamicShared)
    return failed(cudaErrorInvalidValue,
                  "cudaFuncSetAttribute: " + std::to_string(value) + " bytes of shared memory");
  simt::kernels()[kernel].maxDynamicShared = size_t(value);
  return cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel) {
  if (!attributes) return invalid(__func__);
  if (const cudaError_t e = checkKernel(kernel, __func__)) return e;
  *attributes = {};
  attributes->maxThreadsPerBlock = 1024;
  attributes->ptxVersion = attributes->binaryVersion = 90;
  attributes->maxDynamicSharedSizeBytes = int(simt::kernels()[kernel].maxDynamicShared);
  return cudaSuccess;
}
cudaError_t cudaFuncSetCacheConfig(const void* kernel, cudaFuncCache) {
  return checkKernel(kernel, __func__);
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel,
                                                          int blockSize, size_t shared) {
  if (!blocks) return invalid(__func__);
  *blocks = 0;
  if (const cudaError_t e = checkKernel(kernel, "an occupancy query")) return e;
  if (blockSize <= 0 || blockSize > 1024)
    return failed(cudaErrorInvalidValue,
                  "an occupancy query with blocks of " + std::to_string(blockSize) + " threads");
  const int threads = (blockSize + 31) / 32 * 32;
  const size_t bySharedMemory = 228 * 1024 / (simt::Size(shared) + simt::Size(1024u));
  *blocks = std::min({2048 / threads, 32, int(bySharedMemory)});
  return cudaSuccess;
}
