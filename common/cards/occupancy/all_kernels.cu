// Every kernel of lessons 02 to 09, to ask the compiler what each takes: occupancy.sh does.
#include "../../../02_neighbored/neighbored.cuh"
#include "../../../03_neighbored_less/neighbored_less.cuh"
#include "../../../04_interleaved/interleaved.cuh"
#include "../../../05_unroll2/unroll2.cuh"
#include "../../../06_unroll8_warp/unroll8_warp.cuh"
#include "../../../07_complete_unroll/complete_unroll.cuh"
#include "../../../08_shuffle/bulk_copy.cuh"
#include "../../../08_shuffle/floating_point/exact_sum.cuh"
#include "../../../08_shuffle/launches/cluster.cuh"
#include "../../../08_shuffle/launches/grid_sync.cuh"
#include "../../../08_shuffle/launches/two_launches.cuh"
#include "../../../08_shuffle/library.cuh"
#include "../../../08_shuffle/shuffle.cuh"
#include "../../../08_shuffle/single_pass.cuh"
#include "../../../09_mean_matvec/bf16_rows/row_reductions.cuh"
#include "../../../09_mean_matvec/mean_matvec.cuh"
#include "../../../09_mean_matvec/reductions/reductions.cuh"

template __global__ void completeUnroll<512>(int*, int*, size_t);
template __global__ void unroll8Cub<512>(int*, int*, size_t);
template __global__ void atomicPerBlock<1, 1>(const int*, size_t, unsigned long long*,
                                              unsigned long long*);
template __global__ void atomicPerBlock<1, 4>(const int*, size_t, unsigned long long*,
                                              unsigned long long*);
template __global__ void atomicPerBlock<2, 4>(const int*, size_t, unsigned long long*,
                                              unsigned long long*);
template __global__ void singlePass<Sum<long long>, int>(const int*, size_t, long long*, unsigned*,
                                                         long long*);
template __global__ void singlePass<Sum<float>, float>(const float*, size_t, float*, unsigned*,
                                                       float*);
template __global__ void singlePass<Sum<double>, double>(const double*, size_t, double*, unsigned*,
                                                         double*);
template __global__ void rowMeans<32, true>(const double*, double*, unsigned, unsigned, Sizes);
template __global__ void rowMeans<8, false>(const double*, double*, unsigned, unsigned, Sizes);
template __global__ void productTiles<4, 16>(const double*, const double*, double*, unsigned,
                                             unsigned, Sizes);
template __global__ void productTensor<2, 32>(const double*, const double*, double*, unsigned,
                                              unsigned, Sizes);
template __global__ void productTensor<1, 64>(const double*, const double*, double*, unsigned,
                                              unsigned, Sizes);
template __global__ void atomicPerCluster<1, 4>(const int*, size_t, unsigned long long*,
                                                unsigned long long*);
template __global__ void exactSum<float>(const float*, size_t, WideNumber<float>*, unsigned*,
                                         float*);
template __global__ void exactSum<double>(const double*, size_t, WideNumber<double>*, unsigned*,
                                          double*);
template __global__ void rowsByLanes<Moments, 32>(Rows, float2*);
template __global__ void rowsByBlocks<Moments>(Rows, float2*, unsigned, Moments*, unsigned*);
template __global__ void rowsByLanes<SoftmaxSum, 32>(Rows, float2*);
template __global__ void rowsByBlocks<SoftmaxSum>(Rows, float2*, unsigned, SoftmaxSum*, unsigned*);
