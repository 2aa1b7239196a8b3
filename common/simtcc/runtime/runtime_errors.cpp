// The error that a thread's failed calls leave behind.
#include <algorithm>
#include <atomic>
#include <utility>

#include "simtcc/runtime/runtime.h"

namespace simt {
namespace {

thread_local cudaError_t lastError = cudaSuccess;
std::atomic<cudaError_t> devicesError = cudaSuccess;  // what a launch has broken
std::atomic<unsigned> callsSince = 0;
// A program that looks at no error may ask for ever.
constexpr unsigned mostCallsSince = 100'000;

struct ErrorText {
  cudaError_t error;
  const char *name, *text;
};
#define SIMT_ENTRY(name, number, text) {name, #name, text},
constexpr ErrorText entries[] = {SIMT_CUDA_ERRORS(SIMT_ENTRY)};
#undef SIMT_ENTRY

const ErrorText* find(cudaError_t error) {
  const auto* entry = std::ranges::find(entries, error, &ErrorText::error);
  return entry == std::end(entries) ? nullptr : entry;
}

}  // namespace

std::recursive_mutex& RuntimeLock::mutex() {
  static auto& one = *new std::recursive_mutex;  // never destroyed
  return one;
}

cudaError_t failed(cudaError_t error, const std::string& what) {
  const RuntimeLock locked;
  lastError = error;
  reportOtherUse(what + ": " + cudaGetErrorName(error));
  return error;
}

cudaError_t errorOf(const std::function<void()>& launch) {
  const cudaError_t before = std::exchange(lastError, cudaSuccess);
  launch();
  const cudaError_t error = cudaPeekAtLastError();
  if (lastError == cudaSuccess) lastError = before;
  return error;
}

void breakDevice(cudaError_t error) { devicesError = error; }
void mendDevice() { devicesError = cudaSuccess; }
cudaError_t brokenDevice() {
  const cudaError_t error = devicesError;
  if (error == cudaSuccess) return error;
  if (++callsSince > mostCallsSince)
    endProgram(std::string("The program goes on though every call of the runtime returns ") +
               cudaGetErrorName(error) + ", the fault told above: it ends here.");
  return error;
}

}  // namespace simt

cudaError_t cudaGetLastError() {
  const cudaError_t error = cudaPeekAtLastError();
  simt::lastError = cudaSuccess;
  return error;
}
cudaError_t cudaPeekAtLastError() {
  const cudaError_t error = simt::brokenDevice();
  return error != cudaSuccess ? error : simt::lastError;
}
const char* cudaGetErrorString(cudaError_t error) {
  const auto* entry = simt::find(error);
  return entry ? entry->text : "unrecognized error code";
}
const char* cudaGetErrorName(cudaError_t error) {
  const auto* entry = simt::find(error);
  return entry ? entry->name : "unrecognized error code";
}
