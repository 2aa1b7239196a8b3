// Lesson 09 on the CPU: the yardstick, and the reference for every other version.
#pragma once

#include <cstddef>
#include <cstdint>

// rows × columns doubles for each entry of the batch, and a matrix of rows × rows.
struct Sizes {
  unsigned rows, columns, batch;
};

// What a version on the GPU works on, in device memory; means and result are written in full.
struct Arrays {
  const double *matrices, *matrix;
  double *means, *result;
  Sizes sizes;
};

// Fills with values from 1 to 2, with all their digits, drawn from the seed; the same for any
// number of cores.
void fillFromOneToTwo(double* values, size_t n, uint64_t seed);

// means[entry][row], the mean of matrices[entry][row][…], and result[row][entry], the sum over k of
// matrix[row][k] * means[entry][k]. On one core, and on all of them, an entry at a time.
void meanMatvecSerial(const double* matrices, const double* matrix, double* means, double* result,
                      Sizes sizes);
void meanMatvecAllCores(const double* matrices, const double* matrix, double* means, double* result,
                        Sizes sizes);
