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
  uint64_t arguments = 0;    // a hash of their bytes
  dim3 cluster = {1, 1, 1};  // that the launch asks for
};
// The clusters that a kernel asks for (__cluster_dims__); true.
bool rememberClusters(const void* kernel, dim3 cluster);

uint64_t hashOfBytes(uint64_t before, const void* bytes, size_t count);

// A kernel with a copy of its arguments, for launches that come later: a node of a graph.
struct StoredLaunch {
  virtual ~StoredLaunch() = default;
  virtual void launch(const Configuration& configuration) = 0;
  const char* name = "";
  const void* kernel = nullptr;  // its address, if known
  void** arguments = nullptr;    // where the copies are, if known
};
// Whether what comes into the stream now is captured into a graph (runtime_graphs.cpp).
bool isCaptured(CUstream_st* stream);
void captureLaunch(StoredLaunch* launch, const Configuration& configuration);  // owns the launch

// A parameter, as far as a launch asks for it.
struct ParameterType {
  uint32_t bytes;             // 0: of an empty class
  uint32_t elementAlignment;  // of the class that it points at; 0: of none
  bool isReference, isPointer, isSigned;
};
template <typename T>
constexpr ParameterType parameterType() {
  ParameterType type{sizeof(T), 0, std::is_reference_v<T>, std::is_pointer_v<T>,
                     std::is_signed_v<T>};
  if (std::is_empty_v<T>) type.bytes = 0;
  if constexpr (std::is_pointer_v<T>) {
    using Element = std::remove_pointer_t<T>;
    if constexpr (std::is_class_v<Element> && requires { sizeof(Element); })
      type.elementAlignment = alignof(Element);
  }
  return type;
}

// What launches of kernels with the same parameters share. So little of a launch depends on them:
// every line of code here is compiled, and instrumented, for each of a program's kernels.
struct Signature {
  const ParameterType* parameters;
  size_t count;
  size_t bytes;                         // of a BoundKernel
  void (*call)(void*);                  // of a BoundKernel; null: a KernelOfWords does
  StoredLaunch* (*store)(void* bound);  // null: a copy of its bytes does
};
// A kernel with its arguments, which the caller has.
struct KernelLaunch {
  const char* name;
  const void* address;  // may be null
  const Signature& signature;
  void* bound;                // a BoundKernel, or what signature.call takes
  const void* const* places;  // of the arguments in it
};
// Runs it, or sets the error that cudaGetLastError() returns, or captures it where its stream is
// captured.
void launchBound(const KernelLaunch& launch, const Configuration& configuration);
StoredLaunch* stored(const KernelLaunch& launch);  // a copy, which the caller owns

// A BoundKernel, or what is like one, and where its arguments are.
template <typename Bound, typename... Parameters>
struct WithPlaces {
  Bound bound;
  const void* places[sizeof...(Parameters) + 1] = {};
  explicit WithPlaces(Bound&& from) : bound(std::move(from)) {
    bound.parameters.passTo([this](const auto&... each) {
      [[maybe_unused]] const void** place = places;
      ((*place++ = (const void*)&each), ...);
    });
  }
};
template <typename Bound, typename... Parameters>
struct StoredObjects : StoredLaunch {
  WithPlaces<Bound, Parameters...> all;
  explicit StoredObjects(Bound&& from) : all(std::move(from)) {
    this->arguments = const_cast<void**>(all.places);
  }
  void launch(const Configuration& configuration) override;
};

template <typename... Parameters>
inline constexpr ParameterType parameterTypes[sizeof...(Parameters) + 1] = {
    parameterType<Parameters>()..., {}};
template <typename Bound, typename... Parameters>
constexpr Signature signatureOf() {
  Signature s{parameterTypes<Parameters...>, sizeof...(Parameters), sizeof(Bound), nullptr,
              nullptr};
  if constexpr (!std::is_same_v<Bound, BoundKernel<Parameters...>> || !areWords<Parameters...>)
    s.call = Bound::call;
  if constexpr (!(... &&
                  (std::is_reference_v<Parameters> || std::is_trivially_copyable_v<Parameters>)))
    s.store = [](void* bound) -> StoredLaunch* {
      return new StoredObjects<Bound, Parameters...>(std::move(*static_cast<Bound*>(bound)));
    };
  return s;
}
template <typename Bound, typename... Parameters>
inline constexpr Signature signature = signatureOf<Bound, Parameters...>();

template <typename Bound, typename... Parameters>
KernelLaunch kernelLaunch(const char* name, const void* address,
                          WithPlaces<Bound, Parameters...>& all) {
  return {name, address, signature<Bound, Parameters...>, &all.bound, all.places};
}
template <typename Bound, typename... Parameters>
void StoredObjects<Bound, Parameters...>::launch(const Configuration& configuration) {
  launchBound(kernelLaunch(name, kernel, all), configuration);
}

// A kernel with its configuration: called with the kernel's arguments, converted as it asks for.
template <typename... Parameters>
struct ConfiguredKernel {
  const char* name;
  void (*function)(Parameters...);
  Configuration configuration;

  __attribute__((noinline)) void operator()(Parameters... arguments) const {
    WithPlaces<BoundKernel<Parameters...>, Parameters...> all(
        {function, {FromArguments(), std::forward<Parameters>(arguments)...}});
    launchBound(kernelLaunch(name, reinterpret_cast<const void*>(function), all), configuration);
  }
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
    WithPlaces<Call<Given...>, Given...> all({function, {FromArguments(), std::move(given)...}});
    launchBound(kernelLaunch(name, nullptr, all), configuration);
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
    static void call(void* pointer) {
      Call& c = *static_cast<Call*>(pointer);
      c.parameters.passTo(c.function);
    }
  };
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
      WithPlaces<BoundKernel<Parameters...>, Parameters...> all(
          {f, {FromArguments(), *static_cast<std::remove_cvref_t<Parameters>*>(arguments[i])...}});
      return stored(kernelLaunch("", kernel, all));
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
