// An argument is copied by its constructor on the host, once; threads get the bytes of that.
#include <cstdio>

int made = 0, gone = 0;

class Numbers {
 public:
  explicit Numbers(int n) : size_(n) {
    cudaMallocManaged(&numbers_, n * sizeof(int));
    for (int i = 0; i < n; ++i) numbers_[i] = i;
    ++made;
  }
  Numbers(const Numbers &other) : Numbers(other.size_) {}
  ~Numbers() {
    cudaFree(numbers_);
    ++gone;
  }
  __host__ __device__ int &operator[](int i) { return numbers_[i]; }
  __host__ __device__ int &size() { return size_; }

 private:
  int *numbers_;
  int size_;
};

__global__ void change(Numbers numbers, int *sum, Numbers &all) {
  atomicAdd(sum, numbers[threadIdx.x] + numbers.size());
  ++numbers.size();  // of the thread's own copy
  all[threadIdx.x] = 7;
}

// The copy frees the array when the kernel has run; the original fails to, afterwards.
struct Shallow {
  int *array;
  ~Shallow() { cudaFree(array); }
};
__global__ void read(Shallow from, int *to) { *to = *from.array + 1; }

int main() {
  void *place;
  cudaMallocManaged(&place, sizeof(Numbers));
  Numbers &all = *new (place) Numbers(64);
  int *sum;
  cudaMallocManaged(&sum, sizeof(int));
  *sum = 0;
  change<<<1, 64>>>(all, sum, all);
  cudaDeviceSynchronize();
  printf("%d, %d, %d\n", *sum, all[5], all.size());
  printf("%s\n", made == gone + 1 ? "as many destructors as constructors" : "wrong");
  Shallow shallow;
  cudaMallocManaged(&shallow.array, sizeof(int));
  *shallow.array = 5;
  read<<<1, 1>>>(shallow, sum);
  cudaDeviceSynchronize();
  printf("%d\n", *sum);
}
// prints: 6112, 7, 64
// prints: as many destructors as constructors
// prints: 6
