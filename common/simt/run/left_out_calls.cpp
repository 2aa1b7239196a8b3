#include "simt/run/left_out_calls.h"

#include "simt/memory/worker_process.h"

#if defined(__linux__) && defined(__x86_64__) && !defined(__ILP32__)
#include <sys/mman.h>

#include <cstdint>
#include <cstring>

namespace simt {

constexpr uintptr_t pageBytes = 4096;
constexpr unsigned char call = 0xe8, nothing[5] = {0x0f, 0x1f, 0x44, 0x00, 0x00};

void leaveOutCall(const void* hook, const void* pc) {
  static bool isRefused = false;
  if (!isInWorker() || isRefused) return;
  const auto end = reinterpret_cast<uintptr_t>(pc), begin = end - sizeof nothing;
  auto* const code = reinterpret_cast<unsigned char*>(begin);
  int32_t distance = 0;
  std::memcpy(&distance, code + 1, sizeof distance);
  const bool isCall =
      code[0] == call && end + uintptr_t(intptr_t(distance)) == reinterpret_cast<uintptr_t>(hook);
  if (!isCall) return;                                  // by way of a table, say
  static uintptr_t writableBegin = 0, writableEnd = 0;  // the pages that were asked for last
  if (begin < writableBegin || end > writableEnd) {
    writableBegin = begin / pageBytes * pageBytes;
    writableEnd = (end + pageBytes - 1) / pageBytes * pageBytes;
    if (mprotect(reinterpret_cast<void*>(writableBegin), writableEnd - writableBegin,
                 PROT_READ | PROT_WRITE | PROT_EXEC) != 0) {
      isRefused = true;
      return;
    }
  }
  std::memcpy(code, nothing, sizeof nothing);
}

}  // namespace simt
#else
namespace simt {
void leaveOutCall(const void*, const void*) {}
}  // namespace simt
#endif
