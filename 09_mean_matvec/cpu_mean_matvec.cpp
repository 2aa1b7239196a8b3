#include "cpu_mean_matvec.h"

#include "base/random.h"

void fillFromOneToTwo(double* values, size_t n, uint64_t seed) {
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < n; ++i) values[i] = 1 + double(randomBits(seed, i) >> 12) * 0x1p-52;
}

static void oneEntry(const double* matrices, const double* matrix, double* means, double* result,
                     Sizes s, size_t entry) {
  double* const mean = means + entry * s.rows;
  for (size_t row = 0; row < s.rows; ++row) {
    const double* const elements = matrices + (entry * s.rows + row) * s.columns;
    double sum = 0;
    for (size_t i = 0; i < s.columns; ++i) sum += elements[i];
    mean[row] = sum / s.columns;
  }
  for (size_t row = 0; row < s.rows; ++row) {
    double sum = 0;
    for (size_t k = 0; k < s.rows; ++k) sum += matrix[row * s.rows + k] * mean[k];
    result[row * s.batch + entry] = sum;
  }
}

void meanMatvecSerial(const double* matrices, const double* matrix, double* means, double* result,
                      Sizes sizes) {
  for (size_t entry = 0; entry < sizes.batch; ++entry)
    oneEntry(matrices, matrix, means, result, sizes, entry);
}

void meanMatvecAllCores(const double* matrices, const double* matrix, double* means, double* result,
                        Sizes sizes) {
#pragma omp parallel for schedule(static)
  for (size_t entry = 0; entry < sizes.batch; ++entry)
    oneEntry(matrices, matrix, means, result, sizes, entry);
}
