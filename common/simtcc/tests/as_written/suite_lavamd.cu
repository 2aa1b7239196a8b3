// args: -boxes1d 2
// says: ^particles 64 in 8 boxes: forces ok$
// Particles in boxes with neighbours: structs of structs, an argument parser, unions of reals, double in shared memory, three-dimensional loops on the host.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <stdbool.h>
#define fp double
#define NUMBER_PAR_PER_BOX 8
#define NUMBER_THREADS 16
#define DOT(A, B) ((A.x) * (B.x) + (A.y) * (B.y) + (A.z) * (B.z))
typedef struct { fp x, y, z; } THREE_VECTOR;
typedef struct { fp v, x, y, z; } FOUR_VECTOR;
typedef struct nei_str { int x, y, z; int number; long offset; } nei_str;
typedef struct box_str { int x, y, z; int number; long offset; int nn; nei_str nei[26]; } box_str;
typedef struct par_str { fp alpha; } par_str;
typedef struct dim_str { int cur_arg, arch_arg, cores_arg, boxes1d_arg; long number_boxes, box_mem, space_elem, space_mem, space_mem2; } dim_str;
__host__ __device__ void interact(par_str par, const FOUR_VECTOR &rA, const FOUR_VECTOR &rB, fp qB, FOUR_VECTOR &fA) {
  fp a2 = 2.0 * par.alpha * par.alpha, r2 = rA.v + rB.v - DOT(rA, rB), u2 = a2 * r2, vij = exp(-u2), fs = 2 * vij;
  THREE_VECTOR d;
  d.x = rA.x - rB.x, d.y = rA.y - rB.y, d.z = rA.z - rB.z;
  fA.v += qB * vij, fA.x += qB * (fs * d.x), fA.y += qB * (fs * d.y), fA.z += qB * (fs * d.z);
}
__global__ void kernel_gpu_cuda(par_str d_par_gpu, dim_str d_dim_gpu, box_str *d_box_gpu, FOUR_VECTOR *d_rv_gpu, fp *d_qv_gpu, FOUR_VECTOR *d_fv_gpu) {
  int bx = blockIdx.x, tx = threadIdx.x, wtx = tx;
  if (bx < d_dim_gpu.number_boxes) {
    __shared__ FOUR_VECTOR rA_shared[100], rB_shared[100];
    __shared__ double qB_shared[100];
    int first_i = d_box_gpu[bx].offset;
    while (wtx < NUMBER_PAR_PER_BOX) { rA_shared[wtx] = d_rv_gpu[first_i + wtx]; wtx = wtx + NUMBER_THREADS; }
    wtx = tx;
    __syncthreads();
    for (int k = 0; k < (1 + d_box_gpu[bx].nn); k++) {
      int pointer = k == 0 ? bx : d_box_gpu[bx].nei[k - 1].number;
      int first_j = d_box_gpu[pointer].offset;
      while (wtx < NUMBER_PAR_PER_BOX) { rB_shared[wtx] = d_rv_gpu[first_j + wtx]; qB_shared[wtx] = d_qv_gpu[first_j + wtx]; wtx = wtx + NUMBER_THREADS; }
      wtx = tx;
      __syncthreads();
      while (wtx < NUMBER_PAR_PER_BOX) {
        for (int j = 0; j < NUMBER_PAR_PER_BOX; j++) interact(d_par_gpu, rA_shared[wtx], rB_shared[j], qB_shared[j], d_fv_gpu[first_i + wtx]);
        wtx = wtx + NUMBER_THREADS;
      }
      wtx = tx;
      __syncthreads();
    }
  }
}
int isInteger(char *str) {
  if (*str == '\0') return 0;
  for (; *str != '\0'; str++) if (*str < 48 || *str > 57) return 0;
  return 1;
}
int main(int argc, char *argv[]) {
  dim_str dim;
  memset(&dim, 0, sizeof dim);
  for (dim.cur_arg = 1; dim.cur_arg < argc; dim.cur_arg++)
    if (strcmp(argv[dim.cur_arg], "-boxes1d") == 0) {
      if (argc >= dim.cur_arg + 1 && isInteger(argv[dim.cur_arg + 1]) == 1) dim.boxes1d_arg = atoi(argv[++dim.cur_arg]);
      else { printf("ERROR: Value to -boxes1d option in not a number\n"); return 0; }
    }
  const int B = dim.boxes1d_arg;
  dim.number_boxes = B * B * B;
  dim.space_elem = dim.number_boxes * NUMBER_PAR_PER_BOX;
  dim.space_mem = dim.space_elem * sizeof(FOUR_VECTOR), dim.space_mem2 = dim.space_elem * sizeof(fp), dim.box_mem = dim.number_boxes * sizeof(box_str);
  box_str *box = (box_str *)malloc(dim.box_mem);
  int nh = 0;
  for (int i = 0; i < B; i++) for (int j = 0; j < B; j++) for (int k = 0; k < B; k++) {
    box[nh].x = k, box[nh].y = j, box[nh].z = i, box[nh].number = nh, box[nh].offset = nh * NUMBER_PAR_PER_BOX, box[nh].nn = 0;
    for (int l = -1; l < 2; l++) for (int m = -1; m < 2; m++) for (int n = -1; n < 2; n++)
      if ((((i + l) >= 0 && (j + m) >= 0 && (k + n) >= 0) == true && ((i + l) < B && (j + m) < B && (k + n) < B) == true) && (l == 0 && m == 0 && n == 0) == false) {
        nei_str *to = &box[nh].nei[box[nh].nn++];
        to->x = k + n, to->y = j + m, to->z = i + l, to->number = (to->z * B * B) + (to->y * B) + to->x, to->offset = to->number * NUMBER_PAR_PER_BOX;
      }
    nh++;
  }
  FOUR_VECTOR *rv = (FOUR_VECTOR *)malloc(dim.space_mem), *fv = (FOUR_VECTOR *)calloc(1, dim.space_mem), *ref = (FOUR_VECTOR *)calloc(1, dim.space_mem);
  fp *qv = (fp *)malloc(dim.space_mem2);
  for (int i = 0; i < dim.space_elem; i++) rv[i].v = (rand() % 10 + 1) / 10.0, rv[i].x = (rand() % 10 + 1) / 10.0, rv[i].y = (rand() % 10 + 1) / 10.0, rv[i].z = (rand() % 10 + 1) / 10.0, qv[i] = (rand() % 10 + 1) / 10.0;
  box_str *d_box; FOUR_VECTOR *d_rv, *d_fv; fp *d_qv;
  cudaMalloc((void **)&d_box, dim.box_mem); cudaMalloc((void **)&d_rv, dim.space_mem); cudaMalloc((void **)&d_qv, dim.space_mem2); cudaMalloc((void **)&d_fv, dim.space_mem);
  cudaMemcpy(d_box, box, dim.box_mem, cudaMemcpyHostToDevice); cudaMemcpy(d_rv, rv, dim.space_mem, cudaMemcpyHostToDevice);
  cudaMemcpy(d_qv, qv, dim.space_mem2, cudaMemcpyHostToDevice); cudaMemcpy(d_fv, fv, dim.space_mem, cudaMemcpyHostToDevice);
  par_str par = {0.5};
  kernel_gpu_cuda<<<dim.number_boxes, NUMBER_THREADS>>>(par, dim, d_box, d_rv, d_qv, d_fv);
  cudaMemcpy(fv, d_fv, dim.space_mem, cudaMemcpyDeviceToHost);
  bool ok = true;
  for (int l = 0; l < dim.number_boxes; l++) for (int i = 0; i < NUMBER_PAR_PER_BOX; i++) {
    int at = box[l].offset + i;
    for (int k = 0; k <= box[l].nn; k++) for (int j = 0; j < NUMBER_PAR_PER_BOX; j++) { int o = (k ? box[l].nei[k - 1].offset : box[l].offset) + j; interact(par, rv[at], rv[o], qv[o], ref[at]); }
    ok = ok && fabs(ref[at].v - fv[at].v) < 1e-9 && fabs(ref[at].z - fv[at].z) < 1e-9;
  }
  printf("particles %ld in %ld boxes: forces %s\n", dim.space_elem, dim.number_boxes, ok ? "ok" : "WRONG");
  return !ok;
}
