// The shared memory whose size a launch gives: extern __shared__ T name[]. Every such name is the
// same memory, from its first byte.
#pragma once

#include <cstddef>
#include <cstdint>

namespace simt {

constexpr size_t maxDynamicShared = 227 * 1024;  // per block, as on a GPU of compute capability 9.0

// The memory of the running block. The name and the element size are for the reports.
void* dynamicShared(const char* name, size_t elementSize, size_t elementAlignment = 1);
bool nameDynamicShared(const char* name, size_t elementSize, size_t elementAlignment = 1);
// To what the elements are aligned, where the address is of dynamic shared memory; else 0.
size_t dynamicSharedAlignment(uintptr_t address);

// Addresses within a block's shared memory, of 32 bits: where they begin says nothing.
uint32_t sharedAddress(const void* pointer);
void* sharedPointer(uint64_t address);

// How many bytes the launches of this OS thread have from now on.
void setDynamicShared(size_t bytes);

// Where the calling OS thread's part lies, and how it is called. The end is that of the launch's
// size; the memory reserved goes on to reservedEnd.
struct DynamicShared {
  uintptr_t begin, end, reservedEnd;
  const char* name;  // for ever
  size_t elementSize;
};
DynamicShared dynamicSharedNow();

}  // namespace simt
