#include "simtcc/translate/compiler_errors.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

namespace simt::cc {
namespace {

using std::filesystem::path;

// Headers of the CUDA toolkit and of what is used with it, by how their names begin, and what they
// belong to.
struct Library {
  const char *header, *what;
};
constexpr Library libraries[] = {
    {"thrust/", "install libthrust-dev (Debian, Ubuntu), whose headers it takes"},
    {"cub/", "install libcub-dev (Debian, Ubuntu), whose headers it takes"},
    {"cublas", "cuBLAS is there as cublas_v2.h, with what most programs use"},
    {"curand", "cuRAND is there as curand.h and curand_kernel.h"},
    {"cufft", "cuFFT is not there"},
    {"cusparse", "cuSPARSE is there as cusparse.h, with its products in the generic interface"},
    {"cusolver", "cuSOLVER is not there"},
    {"cudnn", "cuDNN is not there"},
    {"cutlass/", "CUTLASS is not there: it needs a GPU's own instructions"},
    {"cute/", "CUTLASS is not there: it needs a GPU's own instructions"},
    {"nvrtc", "compilation at run time (NVRTC) is not there"},
    {"npp", "NPP is not there"},
    {"nccl", "NCCL is not there: there is one device"},
    {"nvshmem", "NVSHMEM is not there: there is one device"},
    {"nvml", "the driver's library is not there"},
    {"cutensor", "cuTENSOR is not there"},
    {"cupti", "the profiler's interface is not there"},
    {"cuda_gl_interop", "graphics are not there"},
    {"GL/", "graphics are not there"},
    {"GLFW/", "graphics are not there"},
    {"cuda/",
     "of libcu++ it has atomic, barrier, functional, latch, pipeline, semaphore, and most of what "
     "std has by the same name"},
    {"cuda_fp",
     "numbers of 4 and 6 bits are not there; cuda_fp8.h, cuda_fp16.h and cuda_bf16.h are"},
    {"cooperative_groups/", "of these it has memcpy_async.h, reduce.h and scan.h"},
    {"mpi.h", "MPI is the program's: -I and -L name it"}};

// Whether a name is one that CUDA and its libraries have for themselves.
bool isOfCuda(const std::string& name) {
  static const char* const begins[] = {"cuda",  "cublas", "cusparse", "curand", "cusolver", "cufft",
                                       "__",    "CUBLAS", "CUSPARSE", "CURAND", "tex",      "surf",
                                       "make_", "atomic", "nvtx",     "CUDA"};
  return std::ranges::any_of(begins, [&](const char* begin) { return name.starts_with(begin); });
}

// An error about what a launch became, in words of CUDA.
void tellLaunch(const std::string& error) {
  const size_t at = error.find(": error: ");
  if (at == error.npos) return;
  const std::string place = error.substr(0, error.find(':', error.find(':') + 1));
  const std::string_view kernel = "simt::ConfiguredKernel<";
  if (const size_t from = error.find(kernel); from != error.npos) {
    const size_t begin = from + kernel.size(),
                 end = std::min(error.find(">)", begin), error.find(">'", begin));
    if (end != error.npos)
      std::fprintf(stderr, "%s: the kernel takes (%s), and this launch has other arguments\n",
                   place.c_str(), error.substr(begin, end - begin).c_str());
  } else if (error.find("simt::Kernel<") != error.npos) {
    std::fprintf(stderr,
                 "%s: a launch is kernel<<<grid, block, bytes of shared memory, stream>>>(...), of "
                 "which the last two may be left out\n",
                 place.c_str());
  }
}

}  // namespace

void tellPreprocessorErrors(const std::string& errors) {
  std::istringstream lines(errors);
  for (std::string line; std::getline(lines, line);) {
    constexpr std::string_view fatal = "fatal error: ";
    const size_t at = line.find(fatal);
    if (at == std::string::npos) continue;
    // g++: name: No such file or directory; clang++: 'name' file not found
    std::string name = line.substr(at + fatal.size());
    const size_t end =
        name.find(name.starts_with('\'') ? "' file not found" : ": No such file or directory");
    if (end == std::string::npos) continue;
    name = name.substr(0, end).substr(name.starts_with('\'') ? 1 : 0);
    const auto* const library = std::ranges::find_if(
        libraries, [&](const Library& each) { return name.starts_with(each.header); });
    const std::string place = line.substr(0, at);
    if (library != std::end(libraries))
      std::fprintf(stderr, "%ssimtcc does not have %s: %s\n", place.c_str(), name.c_str(),
                   library->what);
    else
      std::fprintf(stderr,
                   "%sthe header %s is missing: it belongs beside this file, as %s, or into a "
                   "folder that -I names\n",
                   place.c_str(), name.c_str(),
                   (path(place.substr(0, place.find(':'))).parent_path() / name).c_str());
    return;
  }
  std::fputs(errors.c_str(), stderr);
}

void tellCompilerErrors(const std::string& errors) {
  std::fputs(errors.c_str(), stderr);
  static const std::pair<const char*, const char*> marks[] = {
      {"error: ‘", "’ was not declared"},
      {"error: ‘", "’ does not name a type"},
      {"error: ‘", "’ has not been declared"},
      {"error: ‘", "’ is not a member of"},
      {"error: '", "' was not declared"},
      {"error: '", "' does not name a type"},
      {"error: '", "' has not been declared"},
      {"error: '", "' is not a member of"},
      {"use of undeclared identifier '", "'"},
      {"unknown type name '", "'"},
      {"no member named '", "'"}};
  std::set<std::string> told;
  std::istringstream lines(errors);
  for (std::string line; std::getline(lines, line);) {
    tellLaunch(line);
    for (const auto& [before, behind] : marks) {
      const size_t from = line.find(before);
      if (from == std::string::npos) continue;
      const size_t begin = from + std::string_view(before).size(), end = line.find(behind, begin);
      if (end == std::string::npos) continue;
      std::string name = line.substr(begin, end - begin);
      name = name.substr(name.rfind(':') + 1);
      const bool ofLibrary = line.find("thrust") != std::string::npos ||
                             line.find("cub::") != std::string::npos ||
                             line.find("cuda::") != std::string::npos ||
                             line.find("cooperative_groups") != std::string::npos;
      if ((isOfCuda(name) || ofLibrary) && told.insert(name).second)
        std::fprintf(
            stderr,
            "simtcc: %s is not supported: README.md of simtcc lists what is; leave the call "
            "out, or put an own function of that name in its place\n",
            name.c_str());
    }
  }
}

}  // namespace simt::cc
