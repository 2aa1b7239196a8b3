// args: 400 -v
// says: ^found 400 of 400, ranges 0 wrong$
// A B+ tree of structs with pointers in device memory, built on the host: point and range queries by a block each, knodes rebased by cudaMemcpy.
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define ORDER 16
#define CHECK(call) do { const cudaError_t e = (call); if (e != cudaSuccess) { fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, __LINE__, cudaGetErrorName(e), cudaGetErrorString(e)); exit(EXIT_FAILURE); } } while (0)
typedef struct record { int value; } record;
typedef struct __align__(8) knode { int location; int indices[ORDER + 1]; int keys[ORDER + 1]; bool is_leaf; int num_keys; } knode;
struct tree { knode *nodes; record *records; long height, count; };
extern "C" {
__global__ void findK(long height, const knode *knodesD, long knodes_elem, record *recordsD, long *currKnodeD, long *offsetD, const int *keysD, record *ansD) {
  int thid = threadIdx.x, bid = blockIdx.x;
  for (int i = 0; i < height; i++) {
    if (knodesD[currKnodeD[bid]].keys[thid] <= keysD[bid] && knodesD[currKnodeD[bid]].keys[thid + 1] > keysD[bid])
      if (knodesD[offsetD[bid]].indices[thid] < knodes_elem) offsetD[bid] = knodesD[offsetD[bid]].indices[thid];
    __syncthreads();
    if (thid == 0) currKnodeD[bid] = offsetD[bid];
    __syncthreads();
  }
  if (knodesD[currKnodeD[bid]].keys[thid] == keysD[bid]) ansD[bid].value = recordsD[knodesD[currKnodeD[bid]].indices[thid]].value;
}
}
__global__ void rangeK(const tree *t, const int *from, const int *to, int *length) {
  __shared__ long place[2];
  __shared__ const knode *at;
  for (int end = 0; end < 2; end++) {
    const int key = end ? to[blockIdx.x] : from[blockIdx.x];
    if (threadIdx.x == 0) at = t->nodes;
    __syncthreads();
    while (!at->is_leaf) {
      const knode *const own = at;
      __syncthreads();
      if (own->keys[threadIdx.x] <= key && own->keys[threadIdx.x + 1] > key) at = &t->nodes[own->indices[threadIdx.x]];
      __syncthreads();
    }
    if (at->keys[threadIdx.x] == key) place[end] = at->indices[threadIdx.x];
    __syncthreads();
  }
  if (threadIdx.x == 0) length[blockIdx.x] = (int)(place[1] - place[0] + 1);
}
int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 6000, verbose = argc > 2 && strcmp(argv[2], "-v") == 0;
  const int leaves = (ORDER * ORDER), records = leaves * ORDER;  // height 2 above the leaves
  knode *knodes = (knode *)calloc(1 + ORDER + leaves, sizeof(knode));
  record *recs = (record *)malloc(records * sizeof *recs);
  for (int i = 0; i < records; i++) recs[i].value = 7 * i + 1;
  for (int level = 0, first = 0, width = 1; level < 3; level++, first += width, width *= ORDER)
    for (int w = 0; w < width; w++) {
      knode *k = knodes + first + w;
      const int span = records / width / ORDER;
      k->location = first + w; k->is_leaf = level == 2; k->num_keys = ORDER;
      for (int i = 0; i <= ORDER; i++) {
        k->keys[i] = 3 * (w * ORDER + i) * span;
        k->indices[i] = level == 2 ? w * ORDER + i : first + width + w * ORDER + i;
      }
      if (w == width - 1) k->keys[ORDER] = 2147483647;
    }
  const long elems = 1 + ORDER + leaves;
  int *keys = (int *)malloc(count * sizeof(int)), *ends = (int *)malloc(count * sizeof(int));
  srand(5);
  for (int i = 0; i < count; i++) { keys[i] = 3 * (rand() % records); ends[i] = keys[i] + 3 * (rand() % 100); if (ends[i] >= 3 * records) ends[i] = 3 * (records - 1); }
  knode *knodesD; record *recordsD, *ansD; long *currD, *offsetD; int *keysD, *endsD, *lengthD; tree host, *treeD;
  CHECK(cudaMalloc((void **)&knodesD, elems * sizeof(knode)));
  CHECK(cudaMalloc((void **)&recordsD, records * sizeof(record)));
  CHECK(cudaMalloc((void **)&ansD, count * sizeof(record)));
  CHECK(cudaMalloc((void **)&currD, count * sizeof(long)));
  CHECK(cudaMalloc((void **)&offsetD, count * sizeof(long)));
  CHECK(cudaMalloc((void **)&keysD, 2 * count * sizeof(int)));
  endsD = keysD + count;
  CHECK(cudaMalloc((void **)&lengthD, count * sizeof(int)));
  CHECK(cudaMalloc((void **)&treeD, sizeof(tree)));
  CHECK(cudaMemcpy(knodesD, knodes, elems * sizeof(knode), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(recordsD, recs, records * sizeof(record), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(keysD, keys, count * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(endsD, ends, count * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(currD, 0, count * sizeof(long)));
  CHECK(cudaMemset(offsetD, 0, count * sizeof(long)));
  CHECK(cudaMemset(ansD, 0xff, count * sizeof(record)));
  host.nodes = knodesD; host.records = recordsD; host.height = 2; host.count = elems;
  CHECK(cudaMemcpy(treeD, &host, sizeof host, cudaMemcpyHostToDevice));
  findK<<<count, ORDER>>>(2, knodesD, elems, recordsD, currD, offsetD, keysD, ansD);
  CHECK(cudaGetLastError());
  rangeK<<<count, ORDER>>>(treeD, keysD, endsD, lengthD);
  CHECK(cudaDeviceSynchronize());
  record *ans = (record *)malloc(count * sizeof *ans); int *length = (int *)malloc(count * sizeof(int)), found = 0, wrong = 0;
  CHECK(cudaMemcpy(ans, ansD, count * sizeof *ans, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(length, lengthD, count * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < count; i++) found += ans[i].value == 7 * (keys[i] / 3) + 1, wrong += length[i] != (ends[i] - keys[i]) / 3 + 1;
  if (verbose) printf("found %d of %d, ranges %d wrong\n", found, count, wrong);
  CHECK(cudaFree(knodesD)); CHECK(cudaFree(recordsD)); CHECK(cudaFree(ansD)); CHECK(cudaFree(currD)); CHECK(cudaFree(offsetD));
  CHECK(cudaFree(keysD)); CHECK(cudaFree(lengthD)); CHECK(cudaFree(treeD));
  free(knodes); free(recs); free(keys); free(ends); free(ans); free(length);
  return found == count && wrong == 0 ? 0 : 1;
}
