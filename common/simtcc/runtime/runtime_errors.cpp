// The error that a thread's failed calls leave behind.
#include <algorithm>

#include "simtcc/runtime/runtime.h"

namespace simt {
namespace {

thread_local cudaError_t lastError = cudaSuccess;

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

}  // namespace simt

cudaError_t cudaGetLastError() {
  const cudaError_t error = simt::lastError;
  simt::lastError = cudaSuccess;
  return error;
}
cudaError_t cudaPeekAtLastError() { return simt::lastError; }
const char* cudaGetErrorString(cudaError_t error) {
  const auto* entry = simt::find(error);
  return entry ? entry->text : "unrecognized error code";
}
const char* cudaGetErrorName(cudaError_t error) {
  const auto* entry = simt::find(error);
  return entry ? entry->name : "unrecognized error code";
}
