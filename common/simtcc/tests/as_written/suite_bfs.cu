// says: ^Result ok: 300 nodes reached
// Breadth-first search by masks: structs with default members, bool arrays, a flag that many threads set.
#include <cstdlib>
#include <cstring>
#include <cstdio>
#include <queue>
#include <vector>
#define MAX_THREADS_PER_BLOCK 128
struct Node {
  int starting;
  int no_of_edges;
};
__global__ void Kernel(Node *g_graph_nodes, int *g_graph_edges, bool *g_graph_mask, bool *g_updating_graph_mask, bool *g_graph_visited, int *g_cost, int no_of_nodes) {
  int tid = blockIdx.x * MAX_THREADS_PER_BLOCK + threadIdx.x;
  if (tid < no_of_nodes && g_graph_mask[tid]) {
    g_graph_mask[tid] = false;
    for (int i = g_graph_nodes[tid].starting; i < (g_graph_nodes[tid].no_of_edges + g_graph_nodes[tid].starting); i++) {
      int id = g_graph_edges[i];
      if (!g_graph_visited[id]) {
        g_cost[id] = g_cost[tid] + 1;
        g_updating_graph_mask[id] = true;
      }
    }
  }
}
__global__ void Kernel2(bool *g_graph_mask, bool *g_updating_graph_mask, bool *g_graph_visited, bool *g_over, int no_of_nodes) {
  int tid = blockIdx.x * MAX_THREADS_PER_BLOCK + threadIdx.x;
  if (tid < no_of_nodes && g_updating_graph_mask[tid]) {
    g_graph_mask[tid] = true;
    g_graph_visited[tid] = true;
    *g_over = true;
    g_updating_graph_mask[tid] = false;
  }
}
template <class T> T *toDevice(const T *h, size_t n) {
  T *d;
  cudaMalloc((void **)&d, n * sizeof(T));
  cudaMemcpy(d, h, n * sizeof(T), cudaMemcpyHostToDevice);
  return d;
}
int main(int argc, char **argv) {
  const int n = 300;
  std::vector<Node> nodes(n);
  std::vector<int> edges;
  srand(7);
  for (int i = 0; i < n; i++) {
    nodes[i] = {(int)edges.size(), 2 + rand() % 4};
    edges.push_back((i + 1) % n);
    for (int k = 1; k < nodes[i].no_of_edges; k++) edges.push_back(rand() % n);
  }
  bool *mask = (bool *)calloc(n, 1), *updating = (bool *)calloc(n, 1), *visited = (bool *)calloc(n, 1), stop, *d_over;
  int *cost = (int *)malloc(n * sizeof(int)), k = 0, source = 0;
  for (int i = 0; i < n; i++) cost[i] = -1;
  mask[source] = visited[source] = true;
  cost[source] = 0;
  Node *d_nodes = toDevice(&nodes[0], n);
  int *d_edges = toDevice(edges.data(), edges.size()), *d_cost = toDevice(cost, n);
  bool *d_mask = toDevice(mask, n), *d_updating = toDevice(updating, n), *d_visited = toDevice(visited, n);
  cudaMalloc((void **)&d_over, sizeof(bool));
  int num_of_blocks = (int)ceil(n / (double)MAX_THREADS_PER_BLOCK);
  dim3 grid(num_of_blocks, 1, 1), threads(MAX_THREADS_PER_BLOCK, 1, 1);
  do {
    stop = false;
    cudaMemcpy(d_over, &stop, sizeof(bool), cudaMemcpyHostToDevice);
    Kernel<<<grid, threads, 0>>>(d_nodes, d_edges, d_mask, d_updating, d_visited, d_cost, n);
    Kernel2<<<grid, threads, 0>>>(d_mask, d_updating, d_visited, d_over, n);
    cudaMemcpy(&stop, d_over, sizeof(bool), cudaMemcpyDeviceToHost);
    k++;
  } while (stop);
  cudaMemcpy(cost, d_cost, sizeof(int) * n, cudaMemcpyDeviceToHost);
  std::vector<int> want(n, -1);
  std::queue<int> q;
  q.push(source), want[source] = 0;
  for (; !q.empty(); q.pop())
    for (int e = 0, u = q.front(); e < nodes[u].no_of_edges; e++)
      if (int v = edges[nodes[u].starting + e]; want[v] < 0) want[v] = want[u] + 1, q.push(v);
  int reached = 0, wrong = 0;
  for (int i = 0; i < n; i++) reached += cost[i] >= 0, wrong += cost[i] != want[i];
  printf("Result %s: %d nodes reached in %d turns\n", wrong ? "WRONG" : "ok", reached, k);
  free(mask), free(updating), free(visited), free(cost);
  return wrong;
}
