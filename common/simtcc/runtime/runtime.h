// What the parts of the runtime interface share.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "simt/hardware/counters.h"
#include "simtcc/include/cuda_runtime_api.h"
#include "simtcc/runtime/host_access.h"

namespace simt {

// Held by a launch, and by calls that change what launches look at: host threads take turns.
// Recursive, as calls use one another. While it is held the device's memory may be reached.
class RuntimeLock {
 public:
  RuntimeLock() { runtimeEnters(); }
  ~RuntimeLock() { runtimeLeaves(); }
  RuntimeLock(const RuntimeLock&) = delete;
  RuntimeLock& operator=(const RuntimeLock&) = delete;
  static std::recursive_mutex& mutex();

 private:
  const std::lock_guard<std::recursive_mutex> lock_{mutex()};
};

// Remembers the error of a failed call and hands it on; what is for the report at the end.
cudaError_t failed(cudaError_t error, const std::string& what);
// The error that a launch leaves, and none of an earlier call, which stays for cudaGetLastError().
cudaError_t errorOf(const std::function<void()>& launch);
inline cudaError_t invalid(const std::string& what) { return failed(cudaErrorInvalidValue, what); }

// A launch that ended with a fault breaks the device, as with CUDA: from then on calls return that
// error and do nothing, until cudaDeviceReset().
void breakDevice(cudaError_t error);
void mendDevice();
cudaError_t brokenDevice();

// The array that runtime calls made or the device variable at an address, or null.
struct DeviceMemory {
  uintptr_t begin, end;
  std::string name;
  cudaMemoryType type;
  enum class Origin { allocated, registered, variable } origin;
};
const DeviceMemory* deviceMemoryAt(const void* address);
cudaError_t checkPool(cudaMemPool_t pool, const char* call);

// Runs a launch. call(arguments) is the kernel for one thread; the address may be null.
void launchKernel(const char* name, const void* address, const Configuration& configuration,
                  void (*call)(void*), void* arguments, size_t argumentBytes);
void runLaunchesByKernel();  // what the kernel that has ended has launched

// A launch as a graph's node has it; copies of the node share the arguments.
struct BoundLaunch {
  std::shared_ptr<StoredLaunch> stored;
  Configuration configuration;
};
// cudaErrorInvalidDeviceFunction where the address is no kernel's, cudaErrorInvalidValue where an
// argument lacks.
void captureLaunch(const BoundLaunch& launch);
cudaError_t bindByAddress(BoundLaunch& launch, const void* address, void** arguments,
                          const Configuration& configuration, const std::string& call);

// What an asynchronous call does: now, or, while the stream is captured, as a node of the graph.
cudaError_t inStream(cudaStream_t stream, cudaGraphNodeType type,
                     std::function<cudaError_t()> work);
// What asynchronous calls do in the end.
cudaError_t copyNow(void* to, const void* from, size_t bytes, cudaMemcpyKind kind);
cudaError_t copyNow3D(const cudaMemcpy3DParms* copy);
cudaError_t resolveArrays(cudaMemcpy3DParms& copy);  // CUDA arrays become pointers
cudaError_t fillNow(void* array, unsigned value, size_t elementSize, size_t count);
cudaError_t allocateNow(void** array, size_t bytes, const ArrayName& name);

// Ends the program with these lines and exit code 1; nothing is destroyed. What it has printed
// before is not lost.
[[noreturn]] void endProgram(const std::string& text);

// The report at the end of the program: printed once, whoever asks for it first.
void printReport();
void watchTerminate();  // also at the end by an exception that nobody catches
// So many of its blocks ran plain, and what was counted is scaled; or why none did that was to.
void reportLaunch(const std::string& kernel, const Configuration& configuration,
                  const Counters& counted, uint64_t plainBlocks, const char* whyNonePlain);
// Now, and once for what it is: later launches have the same fault at the same place of the source,
// in other threads. The report says that there were some.
// A mild one leaves the exit code alone; with another it is 1.
void reportFault(const std::string& which, const std::string& text, bool isMild);
std::string shortName(const std::string& kernel);  // of 40 letters at most, for tables
// "and 3 more: a, b, c": kernels that have no row of their own, as many as a line or two take.
std::string andMore(const std::vector<std::string>& kernels);
void reportEventTimes(bool areEstimated);      // the program looked at the time between two events
void reportOtherUse(const std::string& note);  // a line of its own, once

int multiprocessorCount();

}  // namespace simt
