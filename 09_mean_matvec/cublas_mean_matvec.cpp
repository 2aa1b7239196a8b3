#include "cublas_mean_matvec.h"

#include <cublas_v2.h>

#include <memory>
#include <vector>

#include "cuda/device_array.h"

static void check(cublasStatus_t status, const char* call) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw Error(exitWrong, std::string(call) + ": " + cublasGetStatusString(status));
}

// cuBLAS counts columns where C++ counts rows: what is rows × columns here is its transpose there.
void cublasMeanMatvec(const Arrays& a) {
  static cublasHandle_t handle = [] {
    cublasHandle_t created;
    check(cublasCreate(&created), "cublasCreate");
    return created;
  }();
  const auto [rows, columns, batch] = a.sizes;
  static std::unique_ptr<DeviceArray<double>> weights;  // the vector of 1 / columns
  if (!weights || weights->size() != columns) {
    weights = std::make_unique<DeviceArray<double>>(columns, "the vector for cublasDgemv");
    weights->copyFromHost(std::vector<double>(columns, 1.0 / columns).data());
  }
  const double one = 1, zero = 0;
  check(cublasDgemv_64(handle, CUBLAS_OP_T, columns, int64_t(rows) * batch, &one, a.matrices,
                       columns, weights->data(), 1, &zero, a.means, 1),
        "cublasDgemv");
  check(cublasDgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, int(batch), int(rows), int(rows), &one,
                    a.means, int(rows), a.matrix, int(rows), &zero, a.result, int(batch)),
        "cublasDgemm");
}
