// What translated programs call (simtcc): launches in CUDA's form, and names for the reports.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "simt/device/vectors.h"
#include "simt/memory/arguments.h"
#include "simt/memory/dynamic_shared.h"
#include "simt/memory/element_alignment.h"
#include "simt/run/kernel_call.h"

struct CUstream_st;

namespace simt {

struct Configuration {
  dim3 grid, block;
  size_t shared = 0;
  bool cooperative = false;  // all blocks at the same time
  CUstream_st* stream = nullptr;
  uint64_t arguments = 0;  // a hash of their bytes
};

uint64_t hashOfBytes(uint64_t before, const void* bytes, size_t count);
// The configuration of a launch with these arguments.
template <typename... Parameters>
Configuration withArguments(Configuration configuration, const Arguments<Parameters...>& values) {
  const auto hash = [&](const void* bytes, size_t count) {
    configuration.arguments = hashOfBytes(configuration.arguments, bytes, count);
  };
  values.passTo([&](const auto&... each) {
    [[maybe_unused]] const auto hashOne = [&](const void* argument, size_t count,
                                              bool isReference) {
      if (isReference)  // to what may be memory of the device
        hash(&argument, sizeof argument);
      else if (count > 0)
        hash(argument, count);
    };
    (hashOne((const void*)&each, std::is_empty_v<Parameters> ? 0 : sizeof each,
             std::is_reference_v<Parameters>),
     ...);
  });
  return configuration;
}

// A kernel with a copy of its arguments, for launches that come later: a node of a graph.
struct StoredLaunch {
  virtual ~StoredLaunch() = default;
  virtual void launch(const Configuration& configuration) = 0;
  const void* kernel = nullptr;  // its address, if known
  void** arguments = nullptr;    // where the copies are, if known
};
// Whether what comes into the stream now is captured into a graph (runtime_graphs.cpp).
bool isCaptured(CUstream_st* stream);
void captureLaunch(StoredLaunch* launch, const Configuration& configuration);  // owns the launch

// While one lives in a kernel that launches a kernel, nothing is taken for the kernel's own doing.
class LaunchByKernel {
 public:
  LaunchByKernel();
  ~LaunchByKernel();
  LaunchByKernel(const LaunchByKernel&) = delete;
  LaunchByKernel& operator=(const LaunchByKernel&) = delete;
  // The launch runs when the one that it is launched by has ended; owns it.
  static void later(StoredLaunch* launch, const Configuration& configuration);

 private:
  void *running_, *runningPlain_;
};
bool isInLaunch();  // whether a kernel's thread calls

// Runs a launch, or sets the error that cudaGetLastError() returns. A fault in the kernel ends the
// program with exit code 1. call(arguments) is the kernel for one thread; the address may be null.
void launchKernel(const char* name, const void* address, const Configuration& configuration,
                  void (*call)(void*), void* arguments, size_t argumentBytes);

// A kernel with its configuration: called with the kernel's arguments, converted as it asks for.
template <typename... Parameters>
struct ConfiguredKernel {
  const char* name;
  void (*function)(Parameters...);
  Configuration configuration;

  using Values = Arguments<Parameters...>;

  void operator()(Parameters... arguments) const {
    if (isInLaunch()) {
      const LaunchByKernel byKernel;
      LaunchByKernel::later(stored(std::forward<Parameters>(arguments)...), configuration);
    } else if (isCaptured(configuration.stream))
      captureLaunch(stored(std::forward<Parameters>(arguments)...), configuration);
    else
      launch(Values(FromArguments(), std::forward<Parameters>(arguments)...));
  }
  template <typename... From>
  StoredLaunch* stored(From&&... from) const {
    return new Stored(*this, std::forward<From>(from)...);
  }
  void launch(const Values& parameters) const {
    setElementAlignments(parameters);
    runBound(function, parameters, [&](void (*call)(void*), void* bound, size_t bytes) {
      launchKernel(name, reinterpret_cast<const void*>(function),
                   withArguments(configuration, parameters), call, bound, bytes);
    });
  }

 private:
  struct Stored : StoredLaunch {
    ConfiguredKernel configured;
    Values values;
    void* places[sizeof...(Parameters) + 1] = {};

    template <typename... From>
    explicit Stored(const ConfiguredKernel& of, From&&... from)
        : configured(of), values(FromArguments(), std::forward<From>(from)...) {
      values.passTo([this](auto&... each) {
        [[maybe_unused]] void** place = places;
        ((*place++ = (void*)&each), ...);
      });
      this->kernel = reinterpret_cast<const void*>(configured.function);
      this->arguments = places;
    }
    void launch(const Configuration& configuration) override {
      configured.configuration = configuration;
      configured.launch(values);
    }
  };
};

template <typename... Parameters>
struct Kernel {
  const char* name;
  void (*function)(Parameters...);
  ConfiguredKernel<Parameters...> on(dim3 grid, dim3 block, size_t shared = 0,
                                     CUstream_st* stream = nullptr) const {
    return {name, function, {grid, block, shared, false, stream}};
  }
};
template <typename... Parameters>
Kernel<Parameters...> kernel(const char* name, void (*function)(Parameters...)) {
  return {name, function};
}

// A function of the program, as a type.
template <auto function>
struct Found {
  static constexpr auto kernel = function;
};
template <typename... Parameters>
constexpr size_t parameterCount(void (*)(Parameters...)) {
  return sizeof...(Parameters);
}

struct NoFinder {};

// The same where the call decides which kernel it is: a template or an overload. The finder, called
// with the arguments, says so, where anything can.
template <typename Function, typename Finder = NoFinder>
struct DeducedKernel {
  const char* name;
  Function function;
  [[no_unique_address]] Finder finder{};
  Configuration configuration{};

  DeducedKernel on(dim3 grid, dim3 block, size_t shared = 0, CUstream_st* stream = nullptr) const {
    return {name, function, finder, {grid, block, shared, false, stream}};
  }
  template <typename... Given>
  void operator()(Given... given) const {
    if constexpr (requires(const Finder& find) { find(given...); }) {
      using Kernel = decltype(finder(given...));
      if constexpr (parameterCount(Kernel::kernel) == sizeof...(Given))  // none has its default
        return launchFound(Kernel::kernel, given...);
    }
    if (isInLaunch()) {
      const LaunchByKernel byKernel;
      return LaunchByKernel::later(new Stored<Given...>(*this, std::move(given)...), configuration);
    }
    if (isCaptured(configuration.stream))
      return captureLaunch(new Stored<Given...>(*this, std::move(given)...), configuration);
    Call<Given...> call{function, {FromArguments(), std::move(given)...}};
    launch(name, configuration, call);
  }

 private:
  template <typename... Parameters, typename... Given>
  void launchFound(void (*kernel)(Parameters...), Given&... given) const {
    ConfiguredKernel<Parameters...>{name, kernel, configuration}(given...);
  }
  template <typename... Given>
  struct Call {
    Function function;
    Arguments<Given...> parameters;
  };
  template <typename... Given>
  struct Stored : StoredLaunch {
    const char* name;
    Call<Given...> call;
    explicit Stored(const DeducedKernel& of, Given&&... given)
        : name(of.name), call{of.function, {FromArguments(), std::move(given)...}} {}
    void launch(const Configuration& configuration) override {
      DeducedKernel::launch(name, configuration, call);
    }
  };
  template <typename... Given>
  static void launch(const char* name, const Configuration& configuration, Call<Given...>& call) {
    setElementAlignments(call.parameters);
    launchKernel(
        name, nullptr, withArguments(configuration, call.parameters),
        [](void* pointer) {
          auto& c = *static_cast<Call<Given...>*>(pointer);
          c.parameters.passTo(c.function);
        },
        &call, sizeof call);
  }
};
template <typename Function, typename Finder = NoFinder>
DeducedKernel<Function, Finder> deducedKernel(const char* name, Function function,
                                              Finder finder = {}) {
  return {name, function, finder};
}

// Kernels by address, for cudaLaunchKernel and its kin: each with copies of what the arguments
// point at.
using BindByAddress = StoredLaunch* (*)(const void* address, void** arguments);
void rememberKernel(const void* address, size_t parameters, BindByAddress bind);

template <typename... Parameters>
const void* kernelAddress(void (*function)(Parameters...)) {
  const auto address = reinterpret_cast<const void*>(function);
  rememberKernel(address, sizeof...(Parameters), [](const void* kernel, void** arguments) {
    const auto f = reinterpret_cast<void (*)(Parameters...)>(const_cast<void*>(kernel));
    return [&]<size_t... i>(std::index_sequence<i...>) {
      return ConfiguredKernel<Parameters...>{"", f, {}}.stored(
          *static_cast<std::remove_cvref_t<Parameters>*>(arguments[i])...);
    }
    (std::index_sequence_for<Parameters...>());
  });
  return address;
}

// What an array that is being allocated is called, and the size of its elements.
struct ArrayName {
  const char* name = "array";
  size_t elementSize = 1;
};
template <typename T>
constexpr size_t sizeOrOne() {
  if constexpr (requires { sizeof(T); } && !std::is_void_v<T>)
    return sizeof(T);
  else
    return 1;
}
template <typename Pointer>
constexpr ArrayName named(const char* name) {
  return {name, sizeOrOne<std::remove_pointer_t<std::remove_cvref_t<Pointer>>>()};
}

// Makes a __device__, __managed__ or __constant__ variable known. Always true.
bool addDeviceVariable(const void* address, size_t bytes, size_t elementSize, const char* name,
                       bool isConstant);
template <typename T>
bool deviceVariable(const T& variable, const char* name, bool isConstant) {
  return addDeviceVariable(const_cast<const void*>(static_cast<const volatile void*>(&variable)),
                           sizeof variable, sizeof(std::remove_all_extents_t<T>), name, isConstant);
}
// The same for all that the program makes of a variable template; isArray: of numbers of 4 bytes,
// as far as anyone knows.
bool addDeviceVariableTemplate(const char* name, bool isConstant, bool isArray);

}  // namespace simt
