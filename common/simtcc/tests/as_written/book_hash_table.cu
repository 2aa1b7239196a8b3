// says: ^All 2000 elements found in hash table\.$
// A table with a lock for each bucket, taken by the lanes of a warp in turn; pointers of the device turned into the host's.
#include <stdio.h>
#include <stdlib.h>
#define HASH_ENTRIES 64
#define ELEMENTS 2000
#define HANDLE_ERROR(x) if ((x) != cudaSuccess) { printf("error, line %d\n", __LINE__); exit(1); }
struct Lock {
  int *mutex;
  Lock(void) {
    HANDLE_ERROR(cudaMalloc((void **)&mutex, sizeof(int)));
    HANDLE_ERROR(cudaMemset(mutex, 0, sizeof(int)));
  }
  ~Lock(void) { cudaFree(mutex); }
  __device__ void lock(void) {
    while (atomicCAS(mutex, 0, 1) != 0);
    __threadfence();
  }
  __device__ void unlock(void) {
    __threadfence();
    atomicExch(mutex, 0);
  }
};
struct Entry {
  unsigned int key;
  void *value;
  Entry *next;
};
struct Table {
  size_t count;
  Entry **entries;
  Entry *pool;
};
__device__ __host__ size_t hash(unsigned int key, size_t count) { return key % count; }
void initialize_table(Table &table, int entries, int elements) {
  table.count = entries;
  HANDLE_ERROR(cudaMalloc((void **)&table.entries, entries * sizeof(Entry *)));
  HANDLE_ERROR(cudaMemset(table.entries, 0, entries * sizeof(Entry *)));
  HANDLE_ERROR(cudaMalloc((void **)&table.pool, elements * sizeof(Entry)));
}
__global__ void add_to_table(unsigned int *keys, void **values, Table table, Lock *lock) {
  int tid = threadIdx.x + blockIdx.x * blockDim.x, stride = blockDim.x * gridDim.x;
  while (tid < ELEMENTS) {
    unsigned int key = keys[tid];
    size_t hashValue = hash(key, table.count);
    for (int i = 0; i < 32; i++) {
      if ((tid % 32) == i) {
        Entry *location = &(table.pool[tid]);
        location->key = key;
        location->value = values[tid];
        lock[hashValue].lock();
        location->next = table.entries[hashValue];
        table.entries[hashValue] = location;
        lock[hashValue].unlock();
      }
    }
    tid += stride;
  }
}
int main(void) {
  unsigned int *buffer = (unsigned int *)malloc(ELEMENTS * sizeof(unsigned int)), *dev_keys;
  for (int i = 0; i < ELEMENTS; i++) buffer[i] = rand();
  void **dev_values;
  HANDLE_ERROR(cudaMalloc((void **)&dev_keys, ELEMENTS * sizeof(unsigned int)));
  HANDLE_ERROR(cudaMalloc((void **)&dev_values, ELEMENTS * sizeof(void *)));
  HANDLE_ERROR(cudaMemset(dev_values, 0, ELEMENTS * sizeof(void *)));
  HANDLE_ERROR(cudaMemcpy(dev_keys, buffer, ELEMENTS * sizeof(unsigned int), cudaMemcpyHostToDevice));
  Table table, hostTable;
  initialize_table(table, HASH_ENTRIES, ELEMENTS);
  Lock lock[HASH_ENTRIES];
  Lock *dev_lock;
  HANDLE_ERROR(cudaMalloc((void **)&dev_lock, HASH_ENTRIES * sizeof(Lock)));
  HANDLE_ERROR(cudaMemcpy(dev_lock, lock, HASH_ENTRIES * sizeof(Lock), cudaMemcpyHostToDevice));
  add_to_table<<<4, 64>>>(dev_keys, dev_values, table, dev_lock);
  hostTable.count = table.count;
  hostTable.entries = (Entry **)calloc(table.count, sizeof(Entry *));
  hostTable.pool = (Entry *)malloc(ELEMENTS * sizeof(Entry));
  HANDLE_ERROR(cudaMemcpy(hostTable.entries, table.entries, table.count * sizeof(Entry *), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaMemcpy(hostTable.pool, table.pool, ELEMENTS * sizeof(Entry), cudaMemcpyDeviceToHost));
  for (int i = 0; i < table.count; i++)
    if (hostTable.entries[i] != NULL) hostTable.entries[i] = (Entry *)((size_t)hostTable.entries[i] - (size_t)table.pool + (size_t)hostTable.pool);
  for (int i = 0; i < ELEMENTS; i++)
    if (hostTable.pool[i].next != NULL) hostTable.pool[i].next = (Entry *)((size_t)hostTable.pool[i].next - (size_t)table.pool + (size_t)hostTable.pool);
  int count = 0;
  for (size_t i = 0; i < hostTable.count; i++) {
    Entry *current = hostTable.entries[i];
    while (current != NULL) {
      ++count;
      if (hash(current->key, hostTable.count) != i) printf("%d hashed to %ld, but was located at %ld\n", current->key, (long)hash(current->key, hostTable.count), (long)i);
      current = current->next;
    }
  }
  if (count != ELEMENTS) printf("%d elements found in hash table.  Should be %d\n", count, ELEMENTS);
  else printf("All %d elements found in hash table.\n", count);
  cudaFree(dev_keys);
  free(hostTable.pool);
  return 0;
}
