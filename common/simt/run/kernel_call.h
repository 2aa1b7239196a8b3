// How a launch hands its kernel and the arguments to run().
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "simt/memory/arguments.h"

namespace simt {

// An object that has a destructor comes to a kernel as a copy of its bytes: constructors and
// destructors of arguments are the host's. The caller owns such an argument, and passes its
// address.
template <typename T>
constexpr bool isPassedAsBytes = !std::is_reference_v<T> && !std::is_trivially_destructible_v<T>;
template <typename T>
struct Bytes {
  alignas(T) unsigned char bytes[sizeof(T)];
  explicit Bytes(const T& object) {
    __builtin_memcpy(bytes, reinterpret_cast<const unsigned char*>(&object), sizeof(T));
  }
  operator T&() { return *reinterpret_cast<T*>(bytes); }
};
template <typename T>
using Passed = std::conditional_t<isPassedAsBytes<T>, T&, T>;
template <typename T>
using Held = std::conditional_t<isPassedAsBytes<T>, Bytes<std::remove_reference_t<T>>, T>;
template <typename T>
using AsPassed =
    std::conditional_t<isPassedAsBytes<T>, Bytes<std::remove_reference_t<T>>, const T&>;

// What the executor calls for each thread: the kernel with its arguments, converted once, as a GPU
// launch does.
template <typename... Parameters>
struct BoundKernel {
  void (*kernel)(Parameters...);
  Arguments<Held<Parameters>...> parameters;
  static void call(void* pointer) {
    const BoundKernel& c = *static_cast<BoundKernel*>(pointer);
    if constexpr ((... || isPassedAsBytes<Parameters>)) {
      const auto kernel = reinterpret_cast<void (*)(Passed<Parameters>...)>(c.kernel);
      c.parameters.passTo([&](auto&&... each) {
        kernel(static_cast<Passed<Parameters>>(AsPassed<Parameters>(each))...);
      });
    } else {
      c.parameters.passTo(c.kernel);
    }
  }
};

// Arguments that registers hold: here the executor itself calls the kernel, which costs less than
// code that is instrumented, and not optimised in a program without kernels.
struct KernelOfWords {
  void (*kernel)();
  uint64_t words[6];
};
void callWithWords(void* kernelOfWords);

template <typename T>
constexpr bool isWord = (std::is_pointer_v<T> || std::is_integral_v<T>)&&sizeof(T) <= 8;
#if defined(__x86_64__) && !defined(__ILP32__) && !defined(_WIN32)
template <typename... Parameters>
constexpr bool areWords = sizeof...(Parameters) <= 6 && (... && isWord<Parameters>);
#else
template <typename...>
constexpr bool areWords = false;
#endif

// Calls run(call, arguments, bytes of them), as simt::run() takes these.
template <typename Run, typename... Parameters>
void runBound(void (*kernel)(Parameters...), const Arguments<Parameters...>& parameters,
              const Run& run) {
  if constexpr (areWords<Parameters...>) {
    KernelOfWords call{reinterpret_cast<void (*)()>(kernel), {}};
    parameters.passTo([&]([[maybe_unused]] Parameters... each) {
      [[maybe_unused]] uint64_t* word = call.words;
      ((*word++ = (uint64_t)each), ...);  // a pointer's bits, or the number with its sign
    });
    run(callWithWords, &call, sizeof call);
  } else {
    parameters.passTo([&](auto&&... each) {
      BoundKernel<Parameters...> call{kernel,
                                      {FromArguments(), static_cast<decltype(each)>(each)...}};
      run(call.call, &call, sizeof call);
    });
  }
}

}  // namespace simt
