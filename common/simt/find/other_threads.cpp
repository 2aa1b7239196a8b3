#include "simt/find/other_threads.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <thread>

#include "simt/find/clocks.h"
#include "simt/find/searched_block.h"
#include "simt/memory/arrays.h"

namespace simt {
namespace {

constexpr auto moment = std::chrono::milliseconds(1);
constexpr double mostSeconds = 20, mostIdleSeconds = 2;

bool areThere() {
  std::error_code noSuchFolder;  // an empty range
  const std::filesystem::directory_iterator threads("/proc/self/task", noSuchFolder);
  return std::distance(begin(threads), end(threads)) > 1;
}

}  // namespace

bool letOtherThreadsGoOn() {
  if (std::ranges::none_of(allArrays(), &Array::isOfHost) || !areThere()) return false;
  PatienceWithHost& patience = launchNow().patienceWithHost;
  const double now = secondsOf(CLOCK_MONOTONIC), process = secondsOf(CLOCK_PROCESS_CPUTIME_ID),
               others = process - secondsOf(CLOCK_THREAD_CPUTIME_ID);
  if (patience.begin == 0) patience.begin = patience.idleSince = now;
  if (others > patience.othersSeconds + 1e-4) {  // never too much: the process's is read first
    patience.othersSeconds = others;
    patience.idleSince = now;
  }
  std::this_thread::sleep_for(moment);
  return now - patience.begin < mostSeconds && now - patience.idleSince < mostIdleSeconds;
}

}  // namespace simt
