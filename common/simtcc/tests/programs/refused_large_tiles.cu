// nvcc: takes it
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void sum(int *x) {
  __shared__ cg::block_tile_memory<128> memory;
  auto tile = cg::tiled_partition<64>(cg::this_thread_block(memory));
  x[tile.thread_rank()] = 1;
}
int main() {}
// refused: refused_large_tiles.cu:5: error: tiles of more than 32 threads are not supported
