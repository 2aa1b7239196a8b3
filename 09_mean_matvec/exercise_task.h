// The task of the exercise, its reference and its goals: what --exercise asks of the kernel in
// exercise.cuh.
#pragma once

#include <algorithm>
#include <numeric>

#include "exercise/exercise.h"
#include "version_calls.h"

using ColumnMeansKernel = void (*)(const double* matrix, double* means, unsigned rows,
                                   unsigned columns);

inline Exercise<double> exerciseTask(ColumnMeansKernel kernel) {
  const auto run = [kernel](double* matrix, double* means, Extent s) {
    launch(dim3(blocksOf(s.columns, 32)), dim3(512), kernel, static_cast<const double*>(matrix),
           means, unsigned(s.n), unsigned(s.columns));
  };
  const auto means = [](const std::vector<double>& matrix, Extent s) {
    std::vector<double> means(s.columns);
    for (size_t i = 0; i < matrix.size(); ++i) means[i % s.columns] += matrix[i];
    for (double& mean : means) mean /= double(s.n);
    return means;
  };
  const auto sectors = [](const Counters& c) { return double(c.load_sectors); };
  return {
      .program = "09_mean_matvec",
      .task = "the mean of every column",
      .call = run,
      .reference = means,
      .goals = {perThousand("load sectors", sectors, atMost(256), "lanes load what lies far apart"),
                perBlock("load requests", &Counters::load_requests,
                         atMost([](Extent s) { return double(s.n); })),
                perBlock("store requests", &Counters::store_requests, atMost(1)),
                perBlock("barriers", &Counters::barriers, atMost(1)), lanesWork(24),
                eachWarpWorks()},
      .extents = {{1, 512, 1},
                  {1, 512, 33},
                  {31, 512, 1},
                  {32, 512, 32},
                  {33, 512, 31},
                  {511, 512, 65},
                  {513, 512, 97},
                  {997, 512, 20},
                  {67, 512, 1009}},
      .counted = {{512, 512, 256}, {160, 512, 1024}},
      .chanceBlocks = {512},
      .large = Extent{5, 512, (size_t(1) << 30) + 7},
      .timed = {1 << 13, 512, 1 << 13}};
}

// The means of all rows of the same matrix, to compare with.
inline void rowMeansOf(double* matrix, double* means, Extent s) {
  runRowMeans({matrix, nullptr, means, nullptr, {unsigned(s.n), unsigned(s.columns), 1}}, 0, 1);
}
