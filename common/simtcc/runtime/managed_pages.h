// Where the pages of managed memory are. A launch waits for those that the host has. Which these
// are is told by what a launch is given, by prefetches and copies, and by a look at some words of
// each piece: host code that only reads an array of more than a page is not seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace simt {

// Of an array that begins there: which shares the host has, written by it or by nobody so far.
struct PagesWithHost {
  uintptr_t array = 0;
  float written = 0, untouched = 0;
};

// All want the RuntimeLock.
void managedBegins(const void* array, size_t bytes);
void managedEnds(const void* array);
// A prefetch, or what a call of the runtime has written.
void managedGoes(const void* memory, size_t bytes, bool toDevice);
// The host has waited for the device: of arrays of no more than a page it reads what came out.
void managedIsWaitedFor();
// Of the arrays that the arguments of a launch point at, before it; and after it they are the
// device's.
std::vector<PagesWithHost> managedWithHost(const void* arguments, size_t bytes);
void managedWasTouched(const void* arguments, size_t bytes);

}  // namespace simt
