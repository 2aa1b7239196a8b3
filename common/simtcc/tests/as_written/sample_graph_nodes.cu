// says: ^PASSED
// graphs: by nodes, by capture, cloned, updated, with memory nodes, conditional edges between captured streams, user objects, dot print
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#define CHECK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); exit(EXIT_FAILURE); } } while (0)
#include <vector>
namespace cg = cooperative_groups;
#define THREADS_PER_BLOCK 256
typedef struct callBackData { const char *fn_name; double *data; int calls; } callBackData_t;
__global__ void reduce(float *inputVec, double *outputVec, size_t inputSize, size_t outputSize) {
  __shared__ double tmp[THREADS_PER_BLOCK]; cg::thread_block cta = cg::this_thread_block(); size_t g = blockIdx.x * blockDim.x + threadIdx.x; double temp_sum = 0.0;
  for (int i = g; i < inputSize; i += gridDim.x * blockDim.x) temp_sum += (double)inputVec[i];
  tmp[cta.thread_rank()] = temp_sum; cg::sync(cta); cg::thread_block_tile<32> tile32 = cg::tiled_partition<32>(cta); double beta = temp_sum, temp;
  for (int i = tile32.size() / 2; i > 0; i >>= 1) { if (tile32.thread_rank() < i) { temp = tmp[cta.thread_rank() + i]; beta += temp; tmp[cta.thread_rank()] = beta; } cg::sync(tile32); }
  cg::sync(cta); if (cta.thread_rank() == 0 && blockIdx.x < outputSize) { beta = 0.0; for (int i = 0; i < cta.size(); i += tile32.size()) beta += tmp[i]; outputVec[blockIdx.x] = beta; }
}
__global__ void reduceFinal(double *inputVec, double *result, size_t inputSize) {
  __shared__ double tmp[THREADS_PER_BLOCK]; cg::thread_block cta = cg::this_thread_block(); double t = 0; for (int i = threadIdx.x; i < inputSize; i += blockDim.x) t += inputVec[i]; tmp[threadIdx.x] = t; cg::sync(cta);
  if (blockDim.x >= 256 && threadIdx.x < 128) tmp[threadIdx.x] = t = t + tmp[threadIdx.x + 128]; cg::sync(cta);
  if (threadIdx.x < 64) tmp[threadIdx.x] = t = t + tmp[threadIdx.x + 64]; cg::sync(cta);
  cg::thread_block_tile<32> tile32 = cg::tiled_partition<32>(cta); if (cta.thread_rank() < 32) { t += tmp[threadIdx.x + 32]; for (int o = tile32.size() / 2; o > 0; o /= 2) t += tile32.shfl_down(t, o); }
  if (cta.thread_rank() == 0) result[0] = t;
}
__global__ void scale(float *p, float f, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] *= f; }
void CUDART_CB hostNode(void *data) { callBackData_t *t = (callBackData_t *)data; t->calls++; }
int bad = 0;
void manual(float *in_h, float *in_d, double *out_d, double *res_d, size_t n, size_t nb, double want) {
  cudaStream_t s; cudaGraph_t graph; std::vector<cudaGraphNode_t> dep; cudaGraphNode_t memcpyNode, kernelNode, memsetNode; double result_h = 0.0; CHECK(cudaStreamCreate(&s));
  cudaKernelNodeParams kp = {0}; cudaMemcpy3DParms mp = {0}; cudaMemsetParams ms = {0}; CHECK(cudaGraphCreate(&graph, 0));
  mp.srcArray = NULL; mp.srcPos = make_cudaPos(0, 0, 0); mp.srcPtr = make_cudaPitchedPtr(in_h, sizeof(float) * n, n, 1); mp.dstArray = NULL; mp.dstPos = make_cudaPos(0, 0, 0); mp.dstPtr = make_cudaPitchedPtr(in_d, sizeof(float) * n, n, 1); mp.extent = make_cudaExtent(sizeof(float) * n, 1, 1); mp.kind = cudaMemcpyHostToDevice;
  CHECK(cudaGraphAddMemcpyNode(&memcpyNode, graph, NULL, 0, &mp)); ms.dst = (void *)out_d; ms.value = 0; ms.pitch = 0; ms.elementSize = sizeof(float); ms.width = nb * 2; ms.height = 1; CHECK(cudaGraphAddMemsetNode(&memsetNode, graph, NULL, 0, &ms)); dep.push_back(memsetNode); dep.push_back(memcpyNode);
  void *ka[4] = {(void *)&in_d, (void *)&out_d, &n, &nb}; kp.func = (void *)reduce; kp.gridDim = dim3(nb, 1, 1); kp.blockDim = dim3(THREADS_PER_BLOCK, 1, 1); kp.sharedMemBytes = 0; kp.kernelParams = (void **)ka; kp.extra = NULL; CHECK(cudaGraphAddKernelNode(&kernelNode, graph, dep.data(), dep.size(), &kp)); dep.clear(); dep.push_back(kernelNode);
  memset(&ms, 0, sizeof(ms)); ms.dst = res_d; ms.value = 0; ms.elementSize = sizeof(float); ms.width = 2; ms.height = 1; CHECK(cudaGraphAddMemsetNode(&memsetNode, graph, NULL, 0, &ms)); dep.push_back(memsetNode);
  memset(&kp, 0, sizeof(kp)); kp.func = (void *)reduceFinal; kp.gridDim = dim3(1, 1, 1); kp.blockDim = dim3(THREADS_PER_BLOCK, 1, 1); void *ka2[3] = {(void *)&out_d, (void *)&res_d, &nb}; kp.kernelParams = ka2; CHECK(cudaGraphAddKernelNode(&kernelNode, graph, dep.data(), dep.size(), &kp)); dep.clear(); dep.push_back(kernelNode);
  CHECK(cudaGraphAddMemcpyNode1D(&memcpyNode, graph, dep.data(), dep.size(), &result_h, res_d, sizeof(double), cudaMemcpyDeviceToHost)); dep.clear(); dep.push_back(memcpyNode);
  cudaGraphNode_t hn; cudaHostNodeParams hp = {0}; hp.fn = hostNode; callBackData_t hd; hd.data = &result_h; hd.fn_name = "manual"; hd.calls = 0; hp.userData = &hd; CHECK(cudaGraphAddHostNode(&hn, graph, dep.data(), dep.size(), &hp));
  cudaGraphNode_t *nodes = NULL; size_t numNodes = 0, numEdges = 0; CHECK(cudaGraphGetNodes(graph, nodes, &numNodes)); bad += numNodes != 7; numEdges = 3; cudaGraphNode_t from[3], to[3], child, found;
#if CUDART_VERSION >= 13000
  CHECK(cudaGraphGetEdges(graph, NULL, NULL, NULL, &numEdges)); bad += numEdges != 6; numEdges = 3; CHECK(cudaGraphGetEdges(graph, from, to, NULL, &numEdges)); numNodes = 1; CHECK(cudaGraphNodeGetDependentNodes(from[0], &child, NULL, &numNodes));
#else
  CHECK(cudaGraphGetEdges(graph, NULL, NULL, &numEdges)); bad += numEdges != 6; numEdges = 3; CHECK(cudaGraphGetEdges(graph, from, to, &numEdges)); numNodes = 1; CHECK(cudaGraphNodeGetDependentNodes(from[0], &child, &numNodes));
#endif
  bad += numEdges != 3 || child != to[0];
  cudaGraphExec_t ge; CHECK(cudaGraphInstantiate(&ge, graph, NULL, NULL, 0)); cudaGraph_t cloned; cudaGraphExec_t cge; CHECK(cudaGraphClone(&cloned, graph)); CHECK(cudaGraphNodeFindInClone(&found, hn, cloned)); bad += found == hn; CHECK(cudaGraphInstantiate(&cge, cloned, NULL, NULL, 0)); unsigned on; CHECK(cudaGraphNodeGetEnabled(cge, found, &on)); bad += !on;
  for (int i = 0; i < 3; i++) CHECK(cudaGraphLaunch(ge, s)); CHECK(cudaStreamSynchronize(s)); bad += fabs(result_h - want) > 1e-6 * want; result_h = 0; for (int i = 0; i < 3; i++) CHECK(cudaGraphLaunch(cge, s)); CHECK(cudaStreamSynchronize(s)); bad += fabs(result_h - want) > 1e-6 * want; bad += hd.calls != 6;
  cudaGraphNodeType ty; CHECK(cudaGraphNodeGetType(hn, &ty)); bad += ty != cudaGraphNodeTypeHost; CHECK(cudaGraphDebugDotPrint(graph, "graph.dot", 0));
  CHECK(cudaGraphExecDestroy(ge)); CHECK(cudaGraphExecDestroy(cge)); CHECK(cudaGraphDestroy(graph)); CHECK(cudaGraphDestroy(cloned)); CHECK(cudaStreamDestroy(s));
}
void capture(float *in_h, float *in_d, double *out_d, double *res_d, size_t n, size_t nb, double want) {
  cudaStream_t s1, s2, s3, sg; cudaEvent_t fork, e1, e2; cudaGraph_t graph; double result_h = 0.0; CHECK(cudaStreamCreate(&s1)); CHECK(cudaStreamCreate(&s2)); CHECK(cudaStreamCreate(&s3)); CHECK(cudaStreamCreate(&sg)); CHECK(cudaEventCreate(&fork)); CHECK(cudaEventCreate(&e1)); CHECK(cudaEventCreate(&e2));
  CHECK(cudaStreamBeginCapture(s1, cudaStreamCaptureModeGlobal)); CHECK(cudaEventRecord(fork, s1)); CHECK(cudaStreamWaitEvent(s2, fork, 0)); CHECK(cudaStreamWaitEvent(s3, fork, 0)); CHECK(cudaMemcpyAsync(in_d, in_h, sizeof(float) * n, cudaMemcpyDefault, s1)); CHECK(cudaMemsetAsync(out_d, 0, sizeof(double) * nb, s2)); CHECK(cudaEventRecord(e1, s2)); CHECK(cudaMemsetAsync(res_d, 0, sizeof(double), s3)); CHECK(cudaEventRecord(e2, s3)); CHECK(cudaStreamWaitEvent(s1, e1, 0));
  reduce<<<nb, THREADS_PER_BLOCK, 0, s1>>>(in_d, out_d, n, nb); CHECK(cudaStreamWaitEvent(s1, e2, 0)); reduceFinal<<<1, THREADS_PER_BLOCK, 0, s1>>>(out_d, res_d, nb); CHECK(cudaMemcpyAsync(&result_h, res_d, sizeof(double), cudaMemcpyDefault, s1)); callBackData_t hd = {0}; hd.data = &result_h; CHECK(cudaLaunchHostFunc(s1, hostNode, &hd));
  cudaStreamCaptureStatus stt; unsigned long long id; CHECK(cudaStreamGetCaptureInfo(s1, &stt, &id)); bad += stt != cudaStreamCaptureStatusActive; CHECK(cudaStreamEndCapture(s1, &graph));
  cudaGraphExec_t ge; CHECK(cudaGraphInstantiateWithFlags(&ge, graph, 0)); CHECK(cudaGraphUpload(ge, sg)); for (int i = 0; i < 3; i++) CHECK(cudaGraphLaunch(ge, sg)); CHECK(cudaStreamSynchronize(sg)); bad += fabs(result_h - want) > 1e-6 * want; bad += hd.calls != 3;
  // update with other arguments
  cudaGraph_t g2; CHECK(cudaStreamBeginCapture(sg, cudaStreamCaptureModeThreadLocal)); scale<<<4, 128, 0, sg>>>(in_d, 2.f, 512); CHECK(cudaStreamEndCapture(sg, &g2)); cudaGraphExec_t g2e; CHECK(cudaGraphInstantiate(&g2e, g2, 0)); CHECK(cudaGraphLaunch(g2e, sg)); cudaGraph_t g3; CHECK(cudaStreamBeginCapture(sg, cudaStreamCaptureModeRelaxed)); scale<<<4, 128, 0, sg>>>(in_d, .5f, 512); CHECK(cudaStreamEndCapture(sg, &g3)); cudaGraphExecUpdateResultInfo info; CHECK(cudaGraphExecUpdate(g2e, g3, &info)); bad += info.result != cudaGraphExecUpdateSuccess; CHECK(cudaGraphLaunch(g2e, sg)); CHECK(cudaStreamSynchronize(sg)); float v; CHECK(cudaMemcpy(&v, in_d + 5, 4, cudaMemcpyDeviceToHost)); bad += v != in_h[5];
}
void memoryNodes() {
  cudaGraph_t g; CHECK(cudaGraphCreate(&g, 0)); cudaGraphNode_t a, k, f, c; cudaMemAllocNodeParams p; memset(&p, 0, sizeof p); p.bytesize = 4096; p.poolProps.allocType = cudaMemAllocationTypePinned; p.poolProps.location.id = 0; p.poolProps.location.type = cudaMemLocationTypeDevice; CHECK(cudaGraphAddMemAllocNode(&a, g, NULL, 0, &p)); float *d = (float *)p.dptr; cudaGraphNode_t m; cudaMemsetParams ms = {0}; ms.dst = d; ms.value = 0x3f; ms.elementSize = 1; ms.width = 4096; ms.height = 1; CHECK(cudaGraphAddMemsetNode(&m, g, &a, 1, &ms));
  float fac = 3; int n = 1024; void *ka[] = {&d, &fac, &n}; cudaKernelNodeParams kp = {0}; kp.func = (void *)scale; kp.gridDim = 8; kp.blockDim = 128; kp.kernelParams = ka; CHECK(cudaGraphAddKernelNode(&k, g, &m, 1, &kp)); static float h[1024]; CHECK(cudaGraphAddMemcpyNode1D(&c, g, &k, 1, h, d, 4096, cudaMemcpyDeviceToHost)); CHECK(cudaGraphAddMemFreeNode(&f, g, &c, 1, d)); cudaGraphExec_t e; CHECK(cudaGraphInstantiate(&e, g, cudaGraphInstantiateFlagAutoFreeOnLaunch)); CHECK(cudaGraphLaunch(e, 0)); CHECK(cudaDeviceSynchronize()); unsigned u = 0x3f3f3f3f; float one; memcpy(&one, &u, 4); for (int i = 0; i < n; i++) bad += h[i] != one * 3; fac = 5; CHECK(cudaGraphExecKernelNodeSetParams(e, k, &kp)); CHECK(cudaGraphLaunch(e, 0)); CHECK(cudaDeviceSynchronize()); bad += h[7] != one * 5; size_t used = 0; CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used)); CHECK(cudaDeviceGraphMemTrim(0)); CHECK(cudaGraphExecDestroy(e)); CHECK(cudaGraphDestroy(g));
}
void pools() {
  cudaMemPoolProps p = {}; p.allocType = cudaMemAllocationTypePinned; p.location.type = cudaMemLocationTypeDevice; cudaMemPool_t pool, q; CHECK(cudaMemPoolCreate(&pool, &p)); CHECK(cudaDeviceSetMemPool(0, pool)); CHECK(cudaDeviceGetMemPool(&q, 0)); bad += q != pool; CHECK(cudaMemPoolDestroy(pool)); CHECK(cudaDeviceGetMemPool(&pool, 0)); CHECK(cudaDeviceGetDefaultMemPool(&q, 0)); bad += q != pool;
}
int main() {
  size_t size = 1 << 14, maxBlocks = 64;  float *inputVec_d = NULL, *inputVec_h = NULL; double *outputVec_d = NULL, *result_d; CHECK(cudaMallocHost(&inputVec_h, sizeof(float) * size)); CHECK(cudaMalloc(&inputVec_d, sizeof(float) * size)); CHECK(cudaMalloc(&outputVec_d, sizeof(double) * maxBlocks)); CHECK(cudaMalloc(&result_d, sizeof(double))); double want = 0; for (size_t i = 0; i < size; i++) { inputVec_h[i] = (rand() & 0xFF) / (float)RAND_MAX; want += inputVec_h[i]; }
  manual(inputVec_h, inputVec_d, outputVec_d, result_d, size, maxBlocks, want); capture(inputVec_h, inputVec_d, outputVec_d, result_d, size, maxBlocks, want); memoryNodes(); pools(); printf(bad ? "FAILED %d\n" : "PASSED\n", bad); return bad != 0;
}
