// thrust in the ways that programs use it: vectors, pointers of the runtime, policies, iterators, lambdas.
// needs: /usr/include/thrust/version.h
// prints: sorted 1 largest 996
// prints: dot 332833500 saxpy 2995
// prints: keys 10 first 0 sum 99 last 9 sum 99
// prints: below 10: 11 unique 3
// prints: scan 499500 499500 found 17
// prints: by pointer 499500 max at 999
// prints: pairs 5:b 7:a
// prints: strided 0 2 4
// prints: exception caught
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/find.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/system_error.h>
#include <thrust/system/cuda/error.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>

#include <cstdio>

struct saxpy {
  float a;
  __host__ __device__ float operator()(const float& x, const float& y) const { return a * x + y; }
};
struct below {
  int bound;
  __device__ bool operator()(int x) const { return x < bound; }
};
struct noise {
  __host__ __device__ int operator()(int i) const {
    thrust::default_random_engine engine(1);
    engine.discard(i);
    thrust::uniform_int_distribution<int> values(0, 999);
    return values(engine);
  }
};
__global__ void addOne(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) ++x[i];
}

int main() {
  const int n = 1000;
  thrust::device_vector<int> numbers(n);
  thrust::transform(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(n), numbers.begin(),
                    [] __device__(int i) { return i * 7 % 996; });
  addOne<<<4, 256>>>(thrust::raw_pointer_cast(numbers.data()), n);
  thrust::sort(numbers.begin(), numbers.end());
  std::printf("sorted %d largest %d\n", int(thrust::is_sorted(numbers.begin(), numbers.end())), int(numbers.back()));

  thrust::device_vector<float> x(n), y(n, 1.0f);
  thrust::sequence(x.begin(), x.end());
  const double dot = thrust::inner_product(x.begin(), x.end(), x.begin(), 0.0);
  thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), saxpy{3.0f});
  y[0] = y[0] - 3;
  std::printf("dot %.0f saxpy %.0f\n", dot, float(y[998]));

  thrust::device_vector<int> keys(n), ones(n, 1), outKeys(n), outSums(n);
  thrust::transform(thrust::make_counting_iterator(0), thrust::make_counting_iterator(n), keys.begin(),
                    [] __host__ __device__(int i) { return i / 100; });
  thrust::fill(ones.begin() + 99, ones.end(), 1);
  ones[0] = 0, ones[999] = 0;
  const auto ends = thrust::reduce_by_key(keys.begin(), keys.end(), ones.begin(), outKeys.begin(), outSums.begin());
  const int runs = int(ends.first - outKeys.begin());
  std::printf("keys %d first %d sum %d last %d sum %d\n", runs, int(outKeys[0]), int(outSums[0]), int(outKeys[9]),
              int(outSums[runs - 1]));

  thrust::host_vector<int> random(n);
  thrust::transform(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(n), random.begin(), noise());
  const thrust::device_vector<int> onDevice = random;
  const long few = thrust::count_if(onDevice.begin(), onDevice.end(), below{10});
  thrust::device_vector<int> repeated(30);
  thrust::fill_n(repeated.begin() + 10, 10, 2);
  thrust::fill_n(repeated.begin() + 20, 10, 4);
  std::printf("below 10: %ld unique %ld\n", few, long(thrust::unique(repeated.begin(), repeated.end()) - repeated.begin()));

  thrust::device_vector<int> sums(n);
  thrust::sequence(sums.begin(), sums.end());
  thrust::device_vector<int> inclusive(n);
  thrust::inclusive_scan(sums.begin(), sums.end(), inclusive.begin());
  const int total = thrust::transform_reduce(sums.begin(), sums.end(), thrust::identity<int>(), 0, thrust::plus<int>());
  const auto found = thrust::lower_bound(sums.begin(), sums.end(), 17);
  std::printf("scan %d %d found %d\n", int(inclusive.back()), total, int(found - sums.begin()));

  int* raw;
  cudaMalloc(&raw, n * sizeof(int));
  thrust::device_ptr<int> pointer(raw);
  thrust::sequence(thrust::device, pointer, pointer + n);
  addOne<<<4, 256>>>(raw, n);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  const int sum = thrust::reduce(thrust::cuda::par.on(stream), raw, raw + n, -n);
  const long largest = thrust::max_element(thrust::device, raw, raw + n) - raw;
  std::printf("by pointer %d max at %ld\n", sum, largest);
  cudaFree(raw);

  thrust::host_vector<int> order(2);
  order[0] = 7, order[1] = 5;
  thrust::device_vector<int> first = order;
  thrust::device_vector<char> second(2);
  second[0] = 'a', second[1] = 'b';
  thrust::stable_sort_by_key(first.begin(), first.end(), second.begin());
  const auto zipped = thrust::make_zip_iterator(thrust::make_tuple(first.begin(), second.begin()));
  for (int i = 0; i < 2; ++i) {
    const thrust::tuple<int, char> pair = zipped[i];
    std::printf("%s%d:%c%s", i ? " " : "pairs ", thrust::get<0>(pair), thrust::get<1>(pair), i ? "\n" : "");
  }
  thrust::device_vector<int> picked(3);
  const auto twice = thrust::make_transform_iterator(thrust::counting_iterator<int>(0), [] __host__ __device__(int i) { return 2 * i; });
  thrust::copy(thrust::make_permutation_iterator(sums.begin(), twice),
               thrust::make_permutation_iterator(sums.begin(), twice + 3), picked.begin());
  std::printf("strided %d %d %d\n", int(picked[0]), int(picked[1]), int(picked[2]));
  try {
    throw thrust::system_error(cudaErrorInvalidValue, thrust::cuda_category(), "said so");
  } catch (const thrust::system_error& error) {
    std::printf("exception caught\n");
  }
}
