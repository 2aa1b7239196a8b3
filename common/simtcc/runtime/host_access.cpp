#include "simtcc/runtime/host_access.h"

#include <execinfo.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <utility>

#include "simt/find/signals.h"
#include "simt/image/symbols.h"
#include "simt/memory/arrays.h"
#include "simt/memory/worker_process.h"
#include "simtcc/runtime/runtime.h"

namespace simt {
namespace {

// What an access opens: large enough that a launch pays for few of them, small enough that it does
// not pay for an array of which it needs an element.
constexpr size_t pieceBytes = size_t(2) << 20;
constexpr unsigned launchesThatClose = 64;

struct Piece {
  uintptr_t begin, end;
};
std::map<uintptr_t, uintptr_t>& closed() {
  static auto& all = *new std::map<uintptr_t, uintptr_t>;  // begin and end, in pages
  return all;
}
// Of fixed size: it grows while a signal is handled. What does not fit stays open.
std::array<Piece, 4096> opened;
size_t openedCount = 0;
unsigned depth = 0, launches = 0;
bool leaveOpen = false, isOn = false;
struct sigaction before;

bool protect(const Piece& piece, int how) {
  return mprotect(reinterpret_cast<void*>(piece.begin), piece.end - piece.begin, how) == 0;
}

// The piece of closed memory at an address, or none.
Piece pieceAt(uintptr_t address) {
  auto it = closed().upper_bound(address);
  if (it == closed().begin()) return {};
  const auto [begin, end] = *--it;
  if (address >= end) return {};
  const uintptr_t from = begin + (address - begin) / pieceBytes * pieceBytes;
  return {from, std::min(from + pieceBytes, end)};
}

// ---- An access of host code: told outside of the signal handler, and the end of the program.

struct Access {
  uintptr_t address = 0;
  const char* verb = "touches";
  std::array<void*, 24> places{};  // the instruction's, and those that it was called from
  int count = 0;

  // The handler's own places are left out.
  void takePlaces(uintptr_t instruction) {
    count = backtrace(places.data(), int(places.size()));
    auto* const first =
        std::find(places.begin(), places.begin() + count, reinterpret_cast<void*>(instruction));
    if (first != places.begin() + count)
      count = int(std::move(first, places.begin() + count, places.begin()) - places.begin());
    if (count > 0 && places[0] == reinterpret_cast<void*>(instruction))
      places[0] = reinterpret_cast<void*>(instruction + 1);  // as if it had returned
  }
} access;

[[noreturn]] void tell() {
  std::string where;
  for (int i = 0; i < access.count && where.empty(); ++i)
    if (const std::string text = sourceOf(access.places[size_t(i)]); !text.ends_with('?'))
      where = text;
  if (brokenDevice())
    endProgram((where.empty() ? "" : where + ": ") + "the host " + access.verb +
               " memory that is not there: calls of the runtime have done nothing since the fault "
               "told above");
  endProgram((where.empty() ? "" : where + ": ") + "the host " + access.verb + " " +
             elementAt(access.address, 1).element() +
             ", memory of the device: copy it by cudaMemcpy(), or have it from "
             "cudaMallocManaged(); with a GPU, the program crashes here");
}

void leave(int signal, const siginfo_t* info, void* context) {
  access.address = reinterpret_cast<uintptr_t>(info->si_addr);
#if defined(__x86_64__) && defined(__linux__)
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  access.takePlaces(uintptr_t(registers[REG_RIP]));
  access.verb = registers[REG_ERR] & 2 ? "writes" : "reads";
  registers[REG_RSP] = (registers[REG_RSP] - 128) / 16 * 16 - 8;
  registers[REG_RIP] = reinterpret_cast<greg_t>(&tell);
#elif defined(__aarch64__) && defined(__linux__)
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext;
  access.takePlaces(uintptr_t(registers.pc));
  registers.sp = (registers.sp - 128) / 16 * 16;
  registers.pc = reinterpret_cast<uintptr_t>(&tell);
#else
  (void)context;
  tell();
#endif
  (void)signal;
}

void onFault(int signal, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<uintptr_t>(info->si_addr);
  // A worker process has the arrays' contents elsewhere, and of locks what others held.
  if (!isInWorker()) {
    const std::scoped_lock lock(RuntimeLock::mutex());
    if (const Piece piece = pieceAt(address); piece.end != 0) {
      if (depth == 0) return leave(signal, info, context);
      if (protect(piece, PROT_READ | PROT_WRITE)) {
        if (openedCount < opened.size()) opened[openedCount++] = piece;
        return;
      }
    }
  }
  if (depth == 0 && brokenDevice()) return leave(signal, info, context);
  if (before.sa_flags & SA_SIGINFO)
    before.sa_sigaction(signal, info, context);
  else
    sigaction(signal, &before, nullptr);
}

// A debugger stops at every signal.
bool isDebugged() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("TracerPid:")) return line.find_first_of("123456789") != std::string::npos;
  return false;
}

void begin() {
  static const bool once = [] {
    void* preloads[1];  // what backtrace() needs is loaded when it is called first
    backtrace(preloads, 1);
    catchSignals();  // theirs first: the one below hands on
    struct sigaction action {};
    action.sa_sigaction = onFault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    return isOn = !isDebugged() && sigaction(SIGSEGV, &action, &before) == 0;
  }();
  (void)once;
}

// For good, where the program handles the signal itself.
void openAll() {
  isOn = false;
  for (const auto& [from, to] : closed()) protect({from, to}, PROT_READ | PROT_WRITE);
  closed().clear();
  openedCount = 0;
}

}  // namespace

void closeToHost(void* memory, size_t bytes) {
  begin();
  if (!isOn) return;
  const auto from = reinterpret_cast<uintptr_t>(memory);
  const auto page = size_t(sysconf(_SC_PAGESIZE));
  const uintptr_t to = from + (bytes + page - 1) / page * page;
  if (protect({from, to}, PROT_NONE)) closed()[from] = to;
}

void forgetClosed(void* memory) {
  const auto it = closed().find(reinterpret_cast<uintptr_t>(memory));
  if (it == closed().end()) return;
  const uintptr_t from = it->first, to = it->second;
  const auto isInside = [=](const Piece& p) { return p.begin >= from && p.begin < to; };
  openedCount = size_t(std::remove_if(opened.begin(), opened.begin() + openedCount, isInside) -
                       opened.begin());
  closed().erase(it);
}

void runtimeEnters() {
  if (depth++ > 0 || !isOn) return;
  struct sigaction now {};
  if (sigaction(SIGSEGV, nullptr, &now) == 0 && now.sa_sigaction != onFault) openAll();
}

void runtimeLeaves() {
  if (--depth > 0 || std::exchange(leaveOpen, false)) return;
  for (size_t i = 0; i < openedCount; ++i) protect(opened[i], PROT_NONE);
  openedCount = 0;
}

void openInCopy() { openAll(); }

static bool isShared = false;
void openToHost() {
  openAll();
  isShared = true;
}
bool isOpenToHost() { return isShared; }

void launchLeavesOpen() { leaveOpen = ++launches > launchesThatClose; }

}  // namespace simt
