// cuSPARSE's generic interface: products of a sparse matrix with vectors and dense matrices.
// flags: -lcusparse
// prints: csr 19 8 51 52 transposed 16 40 20 60
// prints: coo 19 8 51 52 dense 1 columns 19 38 rows 19 38
// prints: bad 3
#include <cusparse.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                    \
  {                                                                    \
    cusparseStatus_t status = (call);                                  \
    if (status != CUSPARSE_STATUS_SUCCESS) {                           \
      printf("cuSPARSE: %s\n", cusparseGetErrorString(status));        \
      return EXIT_FAILURE;                                             \
    }                                                                  \
  }
template <typename T, int n>
T *onDevice(const T (&h)[n]) {
  T *d;
  cudaMalloc(&d, sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  return d;
}

int main() {
  // 1 0 2 3 / 0 4 0 0 / 5 0 6 7 / 0 8 0 9, times 1 2 3 4
  const int offsets[] = {0, 3, 4, 7, 9}, columns[] = {0, 2, 3, 1, 0, 2, 3, 1, 3}, rows[] = {0, 0, 0, 1, 2, 2, 2, 3, 3};
  const float values[] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, x[] = {1, 2, 3, 4}, y0[] = {0, 0, 0, 0};
  int *dOffsets = onDevice(offsets), *dColumns = onDevice(columns), *dRows = onDevice(rows);
  float *dValues = onDevice(values), *dX = onDevice(x), *dY = onDevice(y0), alpha = 1, beta = 0, y[8];
  cusparseHandle_t handle;
  cusparseSpMatDescr_t a, b;
  cusparseDnVecDescr_t vx, vy;
  CHECK(cusparseCreate(&handle));
  CHECK(cusparseCreateCsr(&a, 4, 4, 9, dOffsets, dColumns, dValues, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  CHECK(cusparseCreateDnVec(&vx, 4, dX, CUDA_R_32F));
  CHECK(cusparseCreateDnVec(&vy, 4, dY, CUDA_R_32F));
  size_t bytes = 0;
  void *buffer;
  CHECK(cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, a, vx, &beta, vy, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
  cudaMalloc(&buffer, bytes);
  CHECK(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, a, vx, &beta, vy, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, buffer));
  cudaMemcpy(y, dY, 16, cudaMemcpyDeviceToHost);
  printf("csr %g %g %g %g", y[0], y[1], y[2], y[3]);
  CHECK(cusparseSpMV(handle, CUSPARSE_OPERATION_TRANSPOSE, &alpha, a, vx, &beta, vy, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, buffer));
  cudaMemcpy(y, dY, 16, cudaMemcpyDeviceToHost);
  printf(" transposed %g %g %g %g\n", y[0], y[1], y[2], y[3]);
  CHECK(cusparseCreateCoo(&b, 4, 4, 9, dRows, dColumns, dValues, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  CHECK(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, b, vx, &beta, vy, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, buffer));
  cudaMemcpy(y, dY, 16, cudaMemcpyDeviceToHost);
  printf("coo %g %g %g %g", y[0], y[1], y[2], y[3]);
  float dense[16], two[8] = {1, 2, 3, 4, 2, 4, 6, 8}, byRows[8] = {1, 2, 2, 4, 3, 6, 4, 8}, eight[8] = {};
  float *dDense = onDevice<float, 16>({}), *dTwo = onDevice(two), *dByRows = onDevice(byRows), *dEight = onDevice(eight);
  cusparseDnMatDescr_t mDense, mTwo, mRows, mOut, mOutRows;
  CHECK(cusparseCreateDnMat(&mDense, 4, 4, 4, dDense, CUDA_R_32F, CUSPARSE_ORDER_ROW));
  CHECK(cusparseSparseToDense(handle, a, mDense, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, buffer));
  cudaMemcpy(dense, dDense, sizeof dense, cudaMemcpyDeviceToHost);
  CHECK(cusparseCreateDnMat(&mTwo, 4, 2, 4, dTwo, CUDA_R_32F, CUSPARSE_ORDER_COL));
  CHECK(cusparseCreateDnMat(&mOut, 4, 2, 4, dEight, CUDA_R_32F, CUSPARSE_ORDER_COL));
  CHECK(cusparseSpMM(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, a, mTwo, &beta, mOut, CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT, buffer));
  cudaMemcpy(y, dEight, sizeof y, cudaMemcpyDeviceToHost);
  printf(" dense %d columns %g %g", dense[0] == 1 && dense[1] == 0 && dense[10] == 6 && dense[15] == 9, y[0], y[4]);
  CHECK(cusparseCreateDnMat(&mRows, 4, 2, 2, dByRows, CUDA_R_32F, CUSPARSE_ORDER_ROW));
  CHECK(cusparseCreateDnMat(&mOutRows, 4, 2, 2, dEight, CUDA_R_32F, CUSPARSE_ORDER_ROW));
  CHECK(cusparseSpMM(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, a, mRows, &beta, mOutRows, CUDA_R_32F, CUSPARSE_SPMM_CSR_ALG2, buffer));
  cudaMemcpy(y, dEight, sizeof y, cudaMemcpyDeviceToHost);
  printf(" rows %g %g\n", y[0], y[1]);
  const int wrong[] = {0, 3, 4, 7, 10};
  cudaMemcpy(dOffsets, wrong, sizeof wrong, cudaMemcpyHostToDevice);
  printf("bad %d\n", cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, a, vx, &beta, vy, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, buffer));
  CHECK(cusparseDestroySpMat(a));
  CHECK(cusparseDestroyDnVec(vx));
  CHECK(cusparseDestroy(handle));
}
