// How programs end that do what a GPU's host must not, or that stop in the middle: each in a process
// of its own. What was printed before is never lost, and a report follows where the end is the host's.
// prints: before the end 0
// prints: 0: exit code 1
// prints: before the end 1
// prints: 1: exit code 1
// prints: before the end 2
// prints: 2: exit code 1
// prints: before the end 3
// prints: 3: exit code 1
// prints: before the end 4
// prints: 4: aborted
// prints: before the end 5
// prints: 5: aborted
// prints: before the end 6
// prints: 6: aborted
// prints: before the end 7
// prints: 7: exit code 0
// prints: before the end 8
// prints: 8: exit code 0
// prints: before the end 9
// prints: 9: aborted
// tells: ends.cu:53: the host writes x\[3\], memory of the device: copy it by cudaMemcpy\(\)
// tells: ends.cu:54: the host reads x\[3\], memory of the device
// tells: ends.cu:55: the host reads x\[0\], memory of the device
// tells: ends.cu:56: the host writes x\[99\], memory of the device
// tells: ends.cu:57: assertion failed: x == nullptr
// tells: ^set  +1
#include <sys/wait.h>
#include <unistd.h>

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

__global__ void set(int *x) { x[threadIdx.x] = 1; }

// The last of its destructors runs long after main().
struct Owner {
  int *values = nullptr;
  cudaStream_t stream = nullptr;
  ~Owner() {
    if (!values) return;
    cudaFree(values);
    cudaStreamDestroy(stream);
  }
} owner;

void end(int how, int *x, int n) {
  char copy[16];
  if (how == 0) x[3] = 1;
  if (how == 1) printf("%d\n", x[3]);
  if (how == 2) memcpy(copy, x, sizeof copy), printf("%d\n", copy[0]);
  if (how == 3) x[n - 1] = 1;
  if (how == 4) assert(x == nullptr);
  if (how == 5) abort();
  if (how == 6) throw std::runtime_error("nobody catches it");
  if (how == 7) cudaMalloc(&owner.values, 64), cudaStreamCreate(&owner.stream);
  if (how == 8) {  // what the host may use
    int *managed, *pinned;
    cudaMallocManaged(&managed, 64);
    cudaMallocHost(&pinned, 64);
    set<<<1, 16>>>(managed);
    set<<<1, 16>>>(pinned);
    cudaDeviceSynchronize();
    cudaMemcpy(copy, x, sizeof copy, cudaMemcpyDeviceToHost);
    if (managed[15] + pinned[15] + copy[0] != 3) exit(3);
  }
  exit(0);
}

int main() {
  setenv("SIMT_QUIET", "0", 1);
  fflush(stdout);
  for (int how = 0; how < 10; how++) {
    const pid_t child = fork();
    if (child == 0) {
      printf("before the end %d\n", how);
      if (how == 9) assert(how == 0);  // before anything was launched
      int *x;
      cudaMalloc(&x, 100 * sizeof(int));
      set<<<1, 100>>>(x);
      cudaDeviceSynchronize();
      end(how, x, 100);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status)) printf("%d: exit code %d\n", how, WEXITSTATUS(status));
    if (WIFSIGNALED(status)) printf("%d: %s\n", how, WTERMSIG(status) == SIGABRT ? "aborted" : "?");
    fflush(stdout);
  }
}
