#include "cublas_mean_matvec.h"

#include <cublas_v2.h>

#include <map>
#include <memory>
#include <vector>

#include "cuda/device_array.h"

static void check(cublasStatus_t status, const char* call) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw Error(exitWrong, std::string(call) + ": " + cublasGetStatusString(status));
}

// One for each stream, as calls in several streams at a time ask for.
static cublasHandle_t handleOf(Stream stream) {
  thread_local std::map<cudaStream_t, cublasHandle_t> handles;
  cublasHandle_t& handle = handles[stream.handle];
  if (!handle) {
    check(cublasCreate(&handle), "cublasCreate");
    check(cublasSetStream(handle, stream.handle), "cublasSetStream");
  }
  return handle;
}

constexpr double one = 1, zero = 0;

// cuBLAS counts columns where C++ counts rows: what is rows × columns here is its transpose there.
void cublasMeans(const Arrays& a, unsigned first, unsigned last, Stream stream) {
  const auto [rows, columns, batch] = a.sizes;
  thread_local std::unique_ptr<DeviceArray<double>> weights;  // the vector of 1 / columns
  if (!weights || weights->size() != columns) {
    weights = std::make_unique<DeviceArray<double>>(columns, "the vector for cublasDgemv");
    weights->copyFromHost(std::vector<double>(columns, 1.0 / columns).data());
  }
  check(cublasDgemv_64(handleOf(stream), CUBLAS_OP_T, columns, int64_t(rows) * (last - first), &one,
                       a.matrices + size_t(first) * rows * columns, columns, weights->data(), 1,
                       &zero, a.means + size_t(first) * rows, 1),
        "cublasDgemv");
}

void cublasProducts(const Arrays& a, unsigned first, unsigned last, Stream stream) {
  const auto [rows, columns, batch] = a.sizes;
  check(cublasDgemm(handleOf(stream), CUBLAS_OP_T, CUBLAS_OP_N, int(last - first), int(rows),
                    int(rows), &one, a.means + size_t(first) * rows, int(rows), a.matrix, int(rows),
                    &zero, a.result + first, int(batch)),
        "cublasDgemm");
}
