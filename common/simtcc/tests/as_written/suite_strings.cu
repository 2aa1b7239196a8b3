// args: -l 5 -q
// prints: 400 queries, 0 wrong, longest 40, words 0 wrong, asserts held
// Matching strings: a suffix array searched through texture objects of bytes, a struct of pointers as an argument, words counted with atomics on bytes by casts, shared dynamic memory of several types, video instructions on bytes.
#include <algorithm>
#include <cassert>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>
#include <vector>
#include <cuda_runtime.h>
typedef struct { char *text; int *suffixes; int length; } Reference;
typedef struct { cudaTextureObject_t text; const int *__restrict__ suffixes; int length; } Searched;
struct Match { int begin; short length; unsigned char first; };
__device__ __forceinline__ int common(Searched ref, int suffix, const char *query, int n) {
  int i = 0;
  while (i < n && suffix + i < ref.length && tex1Dfetch<unsigned char>(ref.text, suffix + i) == (unsigned char)query[i]) ++i;
  return i;
}
extern "C" __global__ void search(Searched ref, const char *queries, const int *offsets, Match *matches, int count) {
  const int q = blockIdx.x * blockDim.x + threadIdx.x;
  if (q >= count) return;
  const char *query = queries + offsets[q]; const int n = offsets[q + 1] - offsets[q];
  int lo = 0, hi = ref.length;
  while (lo < hi) {
    const int mid = lo + (hi - lo) / 2, suffix = __ldg(ref.suffixes + mid), same = common(ref, suffix, query, n);
    if (same < n && (suffix + same == ref.length || tex1Dfetch<unsigned char>(ref.text, suffix + same) < (unsigned char)query[same])) lo = mid + 1; else hi = mid;
  }
  Match best = {-1, 0, 0};
  for (int k = max(lo - 1, 0); k <= min(lo, ref.length - 1); ++k) { const int same = common(ref, ref.suffixes[k], query, n); if (same > best.length) best.begin = ref.suffixes[k], best.length = same, best.first = query[0]; }
  assert(best.length <= n);
  matches[q] = best;
}
__global__ void letters(const char *text, int n, unsigned *words, unsigned *histogram, unsigned *cases) {
  extern __shared__ __align__(16) unsigned char memory[];
  unsigned *own = (unsigned *)memory; char *tile = (char *)(own + 32); unsigned short *flags = (unsigned short *)(tile + blockDim.x + 4);
  for (int i = threadIdx.x; i < 32; i += blockDim.x) own[i] = 0;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x + 1] = i < n ? text[i] : ' ';
  if (threadIdx.x == 0) tile[0] = i > 0 ? text[i - 1] : ' ';
  __syncthreads();
  const char c = tile[threadIdx.x + 1], before = tile[threadIdx.x];
  flags[threadIdx.x] = c != ' ' && before == ' ';
  if (i < n && c >= 'a' && c <= 'z') atomicAdd(own + (c - 'a'), 1u);
  const int starts = __syncthreads_count(flags[threadIdx.x]);
  if (threadIdx.x == 0) atomicAdd(words, unsigned(starts));
  for (int k = threadIdx.x; k < 26; k += blockDim.x) if (own[k]) atomicAdd(histogram + k, own[k]);
  if (i * 4 + 3 < n) { const unsigned four = reinterpret_cast<const unsigned *>(text)[i]; const unsigned small = __vcmpgeu4(four, 0x61616161u) & __vcmpleu4(four, 0x7a7a7a7au); cases[i] = __vsub4(four, small & 0x20202020u); if (__vsadu4(cases[i], four) % 32 != 0) __trap(); }
}
int main(int argc, char **argv) {
  int least = 1, opt, quiet = 0;
  while ((opt = getopt(argc, argv, "l:q")) != -1) switch (opt) { case 'l': least = atoi(optarg); break; case 'q': quiet = 1; break; default: return 2; }
  const int n = 4096, count = 400; std::string text(n, ' '); srand(3);
  for (auto &c : text) c = rand() % 6 ? "acgt"[rand() % 4] : ' ';
  std::vector<int> suffixes(n), offsets(1, 0); std::string queries;
  for (int i = 0; i < n; ++i) suffixes[i] = i;
  std::sort(suffixes.begin(), suffixes.end(), [&](int a, int b) { return text.compare(a, std::string::npos, text, b, std::string::npos) < 0; });
  for (int q = 0; q < count; ++q) { const int begin = rand() % (n - 50), length = least + rand() % 36; std::string s = text.substr(begin, length); if (q % 3 == 0) s[length / 2] = 'x'; queries += s; offsets.push_back(queries.size()); }
  Reference ref; ref.length = n; Searched searched; char *dq; int *doff; Match *dm; std::vector<Match> m(count);
  cudaMalloc((void **)&ref.text, n); cudaMalloc((void **)&ref.suffixes, n * 4); cudaMalloc((void **)&dq, queries.size()); cudaMalloc((void **)&doff, (count + 1) * 4); cudaMalloc((void **)&dm, count * sizeof(Match));
  cudaMemcpy(ref.text, text.data(), n, cudaMemcpyHostToDevice); cudaMemcpy(ref.suffixes, suffixes.data(), n * 4, cudaMemcpyHostToDevice); cudaMemcpy(dq, queries.data(), queries.size(), cudaMemcpyHostToDevice); cudaMemcpy(doff, offsets.data(), (count + 1) * 4, cudaMemcpyHostToDevice);
  cudaResourceDesc res = {}; res.resType = cudaResourceTypeLinear; res.res.linear.devPtr = ref.text; res.res.linear.desc = cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindUnsigned); res.res.linear.sizeInBytes = n;
  cudaTextureDesc td = {}; td.readMode = cudaReadModeElementType;
  cudaCreateTextureObject(&searched.text, &res, &td, nullptr); searched.suffixes = ref.suffixes; searched.length = n;
  search<<<(count + 63) / 64, 64>>>(searched, dq, doff, dm, count);
  cudaMemcpy(m.data(), dm, count * sizeof(Match), cudaMemcpyDeviceToHost);
  int wrong = 0, longest = 0, words = 0, differ = 0; unsigned got[27];
  for (int q = 0; q < count; ++q) {
    const std::string s = queries.substr(offsets[q], offsets[q + 1] - offsets[q]); int best = s.size();
    while (best > 0 && text.find(s.substr(0, best)) == std::string::npos) --best;
    wrong += m[q].length != best || (best && text.compare(m[q].begin, best, s, 0, best) != 0); longest = std::max(longest, best);
  }
  unsigned *out, *cases; cudaMalloc((void **)&out, 27 * 4); cudaMemset(out, 0, 27 * 4); cudaMalloc((void **)&cases, n); std::string upper(n, 0);
  letters<<<n / 128, 128, 32 * 4 + 128 + 4 + 128 * 2>>>(ref.text, n, out, out + 1, cases);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost); cudaMemcpy(&upper[0], cases, n, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) words += text[i] != ' ' && (i == 0 || text[i - 1] == ' '), differ += upper[i] != toupper(text[i]);
  for (int c = 0; c < 26; ++c) differ += got[1 + c] != unsigned(std::count(text.begin(), text.end(), 'a' + c));
  differ += words != int(got[0]);
  if (quiet) printf("%d queries, %d wrong, longest %d, words %d wrong, asserts %s\n", count, wrong, longest, differ, cudaGetLastError() == cudaSuccess ? "held" : "failed");
  return wrong + differ != 0;
}
