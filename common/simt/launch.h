// What translated programs call (simt/cc): launches in CUDA's form, and names for the reports.
#pragma once

#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "simt/dynamic_shared.h"
#include "simt/element_alignment.h"
#include "simt/kernel_call.h"
#include "simt/vectors.h"

struct CUstream_st;

namespace simt {

struct Configuration {
  dim3 grid, block;
  size_t shared = 0;
  bool cooperative = false;  // all blocks at the same time
};

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

  void operator()(Parameters... arguments) const {
    const std::tuple<Parameters...> parameters(std::forward<Parameters>(arguments)...);
    setElementAlignments(parameters);
    runBound(function, parameters, [&](void (*call)(void*), void* bound, size_t bytes) {
      launchKernel(name, reinterpret_cast<const void*>(function), configuration, call, bound,
                   bytes);
    });
  }
};

template <typename... Parameters>
struct Kernel {
  const char* name;
  void (*function)(Parameters...);
  ConfiguredKernel<Parameters...> on(dim3 grid, dim3 block, size_t shared = 0,
                                     CUstream_st* = nullptr) const {
    return {name, function, {grid, block, shared}};
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

  DeducedKernel on(dim3 grid, dim3 block, size_t shared = 0, CUstream_st* = nullptr) const {
    return {name, function, {grid, block, shared}};
  }
  template <typename... Arguments>
  void operator()(Arguments... arguments) const {
    struct Call {
      const Function& function;
      std::tuple<Arguments...> parameters;
    } call{function, {std::move(arguments)...}};
    setElementAlignments(call.parameters);
    launchKernel(
        name, nullptr, configuration,
        [](void* pointer) {
          Call& c = *static_cast<Call*>(pointer);
          std::apply(c.function, c.parameters);
        },
        &call, sizeof call);
  }
};
template <typename Function>
DeducedKernel<Function> deducedKernel(const char* name, Function function) {
  return {name, function};
}

// Kernels by address, for cudaLaunchKernel and its kin.
using LaunchByAddress = void (*)(const void* address, void** arguments, const Configuration&);
void rememberKernel(const void* address, LaunchByAddress launch);

template <typename... Parameters>
const void* kernelAddress(void (*function)(Parameters...)) {
  const auto address = reinterpret_cast<const void*>(function);
  rememberKernel(address, [](const void* kernel, void** arguments, const Configuration& c) {
    const auto f = reinterpret_cast<void (*)(Parameters...)>(const_cast<void*>(kernel));
    [&]<size_t... i>(std::index_sequence<i...>) {
      ConfiguredKernel<Parameters...>{
          "", f, c}(*static_cast<std::remove_cvref_t<Parameters>*>(arguments[i])...);
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
  return addDeviceVariable(&variable, sizeof variable, sizeof(std::remove_all_extents_t<T>), name,
                           isConstant);
}
// The same for all that the program makes of a variable template; isArray: of numbers of 4 bytes,
// as far as anyone knows.
bool addDeviceVariableTemplate(const char* name, bool isConstant, bool isArray);

}  // namespace simt
