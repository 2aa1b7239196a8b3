// What a kernel and its arguments become before they are launched, captured, or launched by a
// kernel.
#include <cstring>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "simt/memory/worker_process.h"
#include "simt/threads/thread_block.h"
#include "simtcc/runtime/configured_launch.h"
#include "simtcc/runtime/runtime.h"

namespace simt {
namespace {

// What kernels have launched, in the order of the launches; tails come last.
struct LaunchedByKernel {
  std::unique_ptr<StoredLaunch> stored;
  Configuration configuration;
};
struct LaunchesByKernels {
  std::vector<LaunchedByKernel> next, tails;
};
LaunchesByKernels& launchesByKernels() {
  static auto& all = *new LaunchesByKernels;
  return all;
}
// While one lives in a kernel that launches a kernel, nothing is taken for the kernel's own doing.
class LaunchByKernel {
 public:
  LaunchByKernel() : running_(running), runningPlain_(runningPlain) {
    giveUpWorker("launches kernels");
    letNoneRun();
  }
  ~LaunchByKernel() {
    running = running_;
    runningPlain = runningPlain_;
  }
  LaunchByKernel(const LaunchByKernel&) = delete;
  LaunchByKernel& operator=(const LaunchByKernel&) = delete;
  // The launch runs when the one that it is launched by has ended; owns it.
  void later(StoredLaunch* launch, const Configuration& c) const {
    LaunchesByKernels& all = launchesByKernels();
    Configuration configuration = c;
    const bool isTail = c.stream == cudaStreamTailLaunch;
    configuration.stream = nullptr;  // its kernel may have destroyed it by then
    (isTail ? all.tails : all.next)
        .push_back({std::unique_ptr<StoredLaunch>(launch), configuration});
  }

 private:
  Thread *const running_, *const runningPlain_;
};

void setElementAlignments(const KernelLaunch& launch) {
  for (const bool forget : {true, false})
    for (size_t i = 0; i < launch.signature.count; ++i) {
      const size_t alignment = launch.signature.parameters[i].elementAlignment;
      if (alignment > 0)
        setElementAlignment(*static_cast<void* const*>(launch.places[i]), forget ? 0 : alignment);
    }
}

uint64_t hashOfArguments(const KernelLaunch& launch) {
  uint64_t hash = 0;
  for (size_t i = 0; i < launch.signature.count; ++i) {
    const ParameterType& type = launch.signature.parameters[i];
    if (type.isReference)  // to what may be memory of the device
      hash = hashOfBytes(hash, &launch.places[i], sizeof launch.places[i]);
    else if (type.bytes > 0)
      hash = hashOfBytes(hash, launch.places[i], type.bytes);
  }
  return hash;
}

// A number's or a pointer's bits, with the number's sign.
uint64_t wordOf(const ParameterType& type, const void* place) {
  uint64_t word = 0;
  std::memcpy(&word, place, type.bytes);
  const unsigned unused = 64 - 8 * type.bytes;
  return type.isSigned ? uint64_t(int64_t(word << unused) >> unused) : word;
}

// The bytes of a BoundKernel.
struct StoredBytes : StoredLaunch {
  static constexpr std::align_val_t alignment{256};
  struct Free {
    void operator()(void* bytes) const { ::operator delete(bytes, alignment); }
  };
  const Signature& signature;
  std::unique_ptr<void, Free> bound;
  std::vector<void*> places;

  explicit StoredBytes(const KernelLaunch& of)
      : signature(of.signature), bound(::operator new(signature.bytes, alignment)) {
    std::memcpy(bound.get(), of.bound, signature.bytes);
    places.reserve(signature.count);
    const auto begin = static_cast<const char*>(of.bound);
    for (size_t i = 0; i < signature.count; ++i) {
      const auto place = static_cast<const char*>(of.places[i]);
      places.push_back(signature.parameters[i].isReference
                           ? const_cast<char*>(place)
                           : static_cast<char*>(bound.get()) + (place - begin));
    }
    arguments = places.data();
  }
  void launch(const Configuration& configuration) override {
    launchBound({name, kernel, signature, bound.get(), places.data()}, configuration);
  }
};

}  // namespace

uint64_t hashOfBytes(uint64_t before, const void* bytes, size_t count) {
  uint64_t hash = before ^ 0xcbf29ce484222325u;
  for (size_t i = 0; i < count; ++i)
    hash = (hash ^ static_cast<const unsigned char*>(bytes)[i]) * 0x100000001b3u;
  return hash;
}

// They have ended when the launch has that made them: a grid ends with all that it launched.
void runLaunchesByKernel() {
  LaunchesByKernels mine = std::exchange(launchesByKernels(), {});
  for (std::vector<LaunchedByKernel>* const all : {&mine.next, &mine.tails})
    for (LaunchedByKernel& each : *all) each.stored->launch(each.configuration);
}

StoredLaunch* stored(const KernelLaunch& launch) {
  StoredLaunch* const copy =
      launch.signature.store ? launch.signature.store(launch.bound) : new StoredBytes(launch);
  copy->name = launch.name;
  copy->kernel = launch.address;
  return copy;
}

void launchBound(const KernelLaunch& launch, const Configuration& configuration) {
  if (isInKernel()) {
    const LaunchByKernel byKernel;
    return byKernel.later(stored(launch), configuration);
  }
  if (isCaptured(configuration.stream)) return captureLaunch(stored(launch), configuration);
  const Signature& signature = launch.signature;
  setElementAlignments(launch);
  Configuration c = configuration;
  c.arguments = hashOfArguments(launch);
  if (signature.call)
    return launchKernel(launch.name, launch.address, c, signature.call, launch.bound,
                        signature.bytes);
  KernelOfWords words{reinterpret_cast<void (*)()>(const_cast<void*>(launch.address)), {}};
  for (size_t i = 0; i < signature.count; ++i)
    words.words[i] = wordOf(signature.parameters[i], launch.places[i]);
  launchKernel(launch.name, launch.address, c, callWithWords, &words, sizeof words);
}

}  // namespace simt
