// What translated programs call (simtcc): launches in CUDA's form, and names for the reports.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "simt/device/vectors.h"
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
Configuration withArguments(Configuration configuration, const std::tuple<Parameters...>& values) {
  std::apply(
      [&](const auto&... each) {
        ((configuration.arguments =
              std::is_empty_v<Parameters>
                  ? configuration.arguments
                  : hashOfBytes(configuration.arguments, (const void*)&each, sizeof each)),
         ...);
      },
      values);
  return configuration;
}

// A kernel with a copy of its arguments, for launches that come later: a node of a graph.
struct BoundLaunch {
  const void* kernel = nullptr;  // its address, if known
  Configuration configuration;
  std::function<void(const Configuration&)> launch;
  std::vector<void*> arguments;  // where the copies are
};
// Whether what comes into the stream now is captured into a graph (runtime_graphs.cpp).
bool isCaptured(CUstream_st* stream);
void captureLaunch(const BoundLaunch& launch);

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

  using Values = std::tuple<Parameters...>;

  void operator()(Parameters... arguments) const {
    if (isCaptured(configuration.stream))
      return captureLaunch(bound(Values(std::forward<Parameters>(arguments)...)));
    launch(Values(std::forward<Parameters>(arguments)...));
  }
  BoundLaunch bound(Values&& values) const {
    const auto copy = std::make_shared<Values>(std::move(values));
    BoundLaunch result{reinterpret_cast<const void*>(function), configuration, {}, {}};
    result.launch = [kernel = *this, copy](const Configuration& c) mutable {
      kernel.configuration = c;
      kernel.launch(*copy);
    };
    std::apply([&](auto&... each) { result.arguments = {(void*)&each...}; }, *copy);
    return result;
  }
  void launch(const Values& parameters) const {
    setElementAlignments(parameters);
    runBound(function, parameters, [&](void (*call)(void*), void* bound, size_t bytes) {
      launchKernel(name, reinterpret_cast<const void*>(function),
                   withArguments(configuration, parameters), call, bound, bytes);
    });
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

// The same where the call decides which kernel it is: a template or an overload.
template <typename Function>
struct DeducedKernel {
  const char* name;
  Function function;
  Configuration configuration{};

  DeducedKernel on(dim3 grid, dim3 block, size_t shared = 0, CUstream_st* stream = nullptr) const {
    return {name, function, {grid, block, shared, false, stream}};
  }
  template <typename... Arguments>
  void operator()(Arguments... arguments) const {
    Call<Arguments...> call{function, {std::move(arguments)...}};
    if (isCaptured(configuration.stream)) {
      const auto copy = std::make_shared<Call<Arguments...>>(std::move(call));
      return captureLaunch({nullptr,
                            configuration,
                            [name = name, copy](const Configuration& c) { launch(name, c, *copy); },
                            {}});
    }
    launch(name, configuration, call);
  }

 private:
  template <typename... Arguments>
  struct Call {
    Function function;
    std::tuple<Arguments...> parameters;
  };
  template <typename... Arguments>
  static void launch(const char* name, const Configuration& configuration,
                     Call<Arguments...>& call) {
    setElementAlignments(call.parameters);
    launchKernel(
        name, nullptr, withArguments(configuration, call.parameters),
        [](void* pointer) {
          auto& c = *static_cast<Call<Arguments...>*>(pointer);
          std::apply(c.function, c.parameters);
        },
        &call, sizeof call);
  }
};
template <typename Function>
DeducedKernel<Function> deducedKernel(const char* name, Function function) {
  return {name, function};
}

// Kernels by address, for cudaLaunchKernel and its kin: each with copies of what the arguments
// point at.
using BindByAddress = BoundLaunch (*)(const void* address, void** arguments,
                                      const Configuration& configuration);
void rememberKernel(const void* address, size_t parameters, BindByAddress bind);

template <typename... Parameters>
const void* kernelAddress(void (*function)(Parameters...)) {
  const auto address = reinterpret_cast<const void*>(function);
  rememberKernel(
      address, sizeof...(Parameters),
      [](const void* kernel, void** arguments, const Configuration& c) {
        const auto f = reinterpret_cast<void (*)(Parameters...)>(const_cast<void*>(kernel));
        return [&]<size_t... i>(std::index_sequence<i...>) {
          return ConfiguredKernel<Parameters...>{"", f, c}.bound(std::tuple<Parameters...>(
              *static_cast<std::remove_cvref_t<Parameters>*>(arguments[i])...));
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
