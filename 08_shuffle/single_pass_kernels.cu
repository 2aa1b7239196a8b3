// The kernel of single_pass.cuh for every operator and type that this lesson applies it to.
#include "single_pass.cuh"

#include "single_pass.h"

template <typename Operator, typename T, typename Value>
auto SinglePassKernel<Operator, T, Value>::pointer() -> Pointer {
  return singlePass<Operator, T>;
}

template struct SinglePassKernel<Sum<int>, int>;
template struct SinglePassKernel<Minimum<int>, int>;
template struct SinglePassKernel<Maximum<int>, int>;
template struct SinglePassKernel<Product<int>, int>;
template struct SinglePassKernel<Sum<long long>, long long>;
template struct SinglePassKernel<Minimum<long long>, long long>;
template struct SinglePassKernel<Maximum<long long>, long long>;
template struct SinglePassKernel<Product<long long>, long long>;
template struct SinglePassKernel<Sum<float>, float>;
template struct SinglePassKernel<Minimum<float>, float>;
template struct SinglePassKernel<Maximum<float>, float>;
template struct SinglePassKernel<Product<float>, float>;
template struct SinglePassKernel<Sum<double>, double>;
template struct SinglePassKernel<Minimum<double>, double>;
template struct SinglePassKernel<Maximum<double>, double>;
template struct SinglePassKernel<Product<double>, double>;
template struct SinglePassKernel<Sum<double>, float>;
