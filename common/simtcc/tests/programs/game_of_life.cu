#include <cstdio>
#include <cstring>
#include <utility>

#define W 32
#define H 16
#define CELL(x, y) cells[(((y) + H) % H) * W + (((x) + W) % W)]

typedef unsigned char cell_t;

__global__ void life(const cell_t *__restrict__ cells, cell_t *__restrict__ next) {
  const int x = threadIdx.x, y = blockIdx.x;
  int neighbours = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx || dy) neighbours += CELL(x + dx, y + dy);
  next[y * W + x] = neighbours == 3 || (neighbours == 2 && CELL(x, y));
}

int main() {
  cell_t grid[H * W];
  memset(grid, 0, sizeof grid);
  grid[0 * W + 1] = grid[1 * W + 2] = grid[2 * W + 0] = grid[2 * W + 1] = grid[2 * W + 2] = 1;
  cell_t *a, *b;
  cudaMalloc(&a, sizeof grid);
  cudaMalloc(&b, sizeof grid);
  cudaMemcpy(a, grid, sizeof grid, cudaMemcpyHostToDevice);
  for (int i = 0; i < 8; ++i, std::swap(a, b)) life<<<H, W>>>(a, b);
  cudaMemcpy(grid, a, sizeof grid, cudaMemcpyDeviceToHost);
  for (int y = 2; y < 5; ++y) {
    for (int x = 2; x < 5; ++x) putchar(grid[y * W + x] ? '#' : '.');
    putchar('\n');
  }
}
// prints: .#.
// prints: ..#
// prints: ###
