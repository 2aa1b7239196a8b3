// Memory that is neither an array on the device nor shared: what a kernel may touch of it.
#include "sample.h"

__global__ void readsHostMemory(const int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x];  // FAULT
}
SAMPLE(readsHostMemory, 1, 32, hostMemory, "a pointer to the host's memory", .first = First::host)

__global__ void writesHostMemory(int* out) {
  out[threadIdx.x] = 1;  // FAULT
}
SAMPLE(writesHostMemory, 1, 32, hostMemory, "a result goes to the host's memory",
       .first = First::host)

__global__ void addsInHostMemory(int* count) {
  atomicAdd(count, 1);  // FAULT
}
SAMPLE(addsInHostMemory, 1, 32, hostMemory, "an atomic on the host's memory", .first = First::host)

__global__ void readsTableOfItsOwn(int* out) {
  const int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
  out[threadIdx.x] = table[threadIdx.x % 8];
}
SAMPLE(readsTableOfItsOwn, 1, 32, correct, "constants in the kernel itself")

__global__ void readsStringConstant(char* out) {
  const char* const text = "a string constant";
  out[threadIdx.x] = text[threadIdx.x % 18];
}
SAMPLE(readsStringConstant, 1, 32, correct, "a string constant in the kernel")

__global__ void readsNullPointer(const int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x] + 1;  // FAULT
}
SAMPLE(readsNullPointer, 1, 32, nullPointer, "the pointer was never set", .first = First::null)

__global__ void writesNullPointer(int* out) {
  if (threadIdx.x == 3) *out = 1;  // FAULT
}
SAMPLE(writesNullPointer, 1, 32, nullPointer, "one thread writes to nowhere", .first = First::null)

struct Node {
  int key[100];
  Node* next;
};
__global__ void followsNullPointer(Node* list, int* out) {
  out[threadIdx.x] = list[threadIdx.x].next->key[90];  // FAULT
}
SAMPLE(followsNullPointer, 1, 32, nullPointer, "the list ends before its last element")

__global__ void asksBeforeFollowing(Node* list, int* out) {
  const Node* const next = list[threadIdx.x].next;
  out[threadIdx.x] = next ? next->key[90] : 0;
}
SAMPLE(asksBeforeFollowing, 1, 32, correct, "the end of the list is asked for")

__global__ void mallocInKernel(int* out) {
  int* const mine = static_cast<int*>(malloc(4 * sizeof(int)));
  if (!mine) return;
  for (int k = 0; k < 4; ++k) mine[k] = k;
  out[threadIdx.x] = mine[threadIdx.x % 4];
  free(mine);
}
SAMPLE(mallocInKernel, 1, 32, correct, "memory from the device's heap")

__global__ void newInKernel(int* out) {
  int* const mine = new int[4];
  for (int k = 0; k < 4; ++k) mine[k] = k;
  out[threadIdx.x] = mine[threadIdx.x % 4];
  delete[] mine;
}
SAMPLE(newInKernel, 1, 32, correct, "the same by new and delete")

__global__ void mallocOverrun(int* out) {
  int* const mine = static_cast<int*>(malloc(4 * sizeof(int)));
  if (!mine) return;
  for (int k = 0; k <= int(threadIdx.x); ++k) mine[k] = k;  // FAULT
  out[threadIdx.x] = mine[0];
  free(mine);
}
SAMPLE(mallocOverrun, 1, 8, outOfBounds, "four elements from the heap, and a fifth is written")
