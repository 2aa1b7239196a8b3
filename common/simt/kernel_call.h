// How a launch hands its kernel and the arguments to run().
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace simt {

// What the executor calls for each thread: the kernel with its arguments, converted once, as a GPU
// launch does.
template <typename... Parameters>
struct BoundKernel {
  void (*kernel)(Parameters...);
  std::tuple<Parameters...> parameters;
  static void call(void* pointer) {
    const BoundKernel& c = *static_cast<BoundKernel*>(pointer);
    std::apply(c.kernel, c.parameters);
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
void runBound(void (*kernel)(Parameters...), const std::tuple<Parameters...>& parameters,
              const Run& run) {
  if constexpr (areWords<Parameters...>) {
    KernelOfWords call{reinterpret_cast<void (*)()>(kernel), {}};
    std::apply(
        [&]([[maybe_unused]] Parameters... each) {
          [[maybe_unused]] uint64_t* word = call.words;
          ((*word++ = (uint64_t)each), ...);  // a pointer's bits, or the number with its sign
        },
        parameters);
    run(callWithWords, &call, sizeof call);
  } else {
    BoundKernel<Parameters...> call{kernel, parameters};
    run(call.call, &call, sizeof call);
  }
}

}  // namespace simt
