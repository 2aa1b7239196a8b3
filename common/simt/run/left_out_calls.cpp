#include "simt/run/left_out_calls.h"

#include "simt/memory/worker_process.h"

#if defined(__linux__) && defined(__x86_64__) && !defined(__ILP32__)
#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <vector>

#include "simt/threads/thread_block.h"

namespace simt {
namespace {

constexpr uintptr_t pageBytes = 4096;
constexpr unsigned char call = 0xe8, nothing[5] = {0x0f, 0x1f, 0x44, 0x00, 0x00};

struct LeftOut {
  unsigned char* code;
  unsigned char before[sizeof nothing];
};
std::vector<LeftOut>* leftOutHere = nullptr;   // of the kernel that runs plain
uintptr_t writableBegin = 0, writableEnd = 0;  // the pages that were asked for last

// Whether what is there may be changed.
bool canWrite(const unsigned char* code) {
  const auto begin = reinterpret_cast<uintptr_t>(code), end = begin + sizeof nothing;
  if (begin >= writableBegin && end <= writableEnd) return true;
  writableBegin = begin / pageBytes * pageBytes;
  writableEnd = (end + pageBytes - 1) / pageBytes * pageBytes;
  if (mprotect(reinterpret_cast<void*>(writableBegin), writableEnd - writableBegin,
               PROT_READ | PROT_WRITE | PROT_EXEC) == 0)
    return true;
  writableBegin = writableEnd = 0;
  return false;
}

void leaveOut(const LeftOut& it) { std::memcpy(it.code, nothing, sizeof nothing); }

}  // namespace

void leaveOutCall(const void* hook, const void* pc) {
  static bool isRefused = false;
  if ((!isInWorker() && !leftOutHere) || isRefused) return;
  const auto end = reinterpret_cast<uintptr_t>(pc);
  LeftOut it{reinterpret_cast<unsigned char*>(end - sizeof nothing), {}};
  std::memcpy(it.before, it.code, sizeof it.before);
  int32_t distance = 0;
  std::memcpy(&distance, it.before + 1, sizeof distance);
  const bool isCall = it.before[0] == call &&
                      end + uintptr_t(intptr_t(distance)) == reinterpret_cast<uintptr_t>(hook);
  if (!isCall) return;  // by way of a table, say
  isRefused = !canWrite(it.code);
  if (isRefused) return;
  leaveOut(it);
  const Quiet quiet;
  if (leftOutHere) leftOutHere->push_back(it);
}

CallsLeftOut::CallsLeftOut(const void* kernel) {
  static auto& known = *new std::map<const void*, std::vector<LeftOut>>;
  std::vector<LeftOut>& all = known[kernel];
  writableBegin = writableEnd = 0;  // a library may have come anew
  std::erase_if(all, [](const LeftOut& it) {
    return !canWrite(it.code) || std::memcmp(it.code, it.before, sizeof it.before) != 0;
  });
  for (const LeftOut& it : all) leaveOut(it);
  leftOutHere = &all;
}

CallsLeftOut::~CallsLeftOut() {
  for (const LeftOut& it : *leftOutHere) std::memcpy(it.code, it.before, sizeof it.before);
  leftOutHere = nullptr;
}

}  // namespace simt
#else
namespace simt {
void leaveOutCall(const void*, const void*) {}
CallsLeftOut::CallsLeftOut(const void*) {}
CallsLeftOut::~CallsLeftOut() {}
}  // namespace simt
#endif
