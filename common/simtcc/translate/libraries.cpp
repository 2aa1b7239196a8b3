// Headers of CUDA's own C++ libraries, thrust and CUB, which are there as they are installed: their
// qualifiers, shared variables and PTX become C++ like the program's own.
#include "simtcc/translate/edits.h"

namespace simt::cc {
namespace {

bool endsWith(const Job& job, size_t token, std::string_view file) {
  return job.source.files[size_t(job.source.tokens[token].file)].ends_with(file);
}

// Steps of warps' sums and scans that are written in PTX with predicates, for some types: none is
// chosen, so that the step for any type is.
void leaveOutSpecialSteps(const Job& job) {
  const Source& source = job.source;
  for (size_t i = 1; i + 3 < source.tokens.size(); ++i)
    if (source.is(i, "cub") && source.is(i + 1, "::") && source.is(i + 2, "Sum") &&
        source.is(i + 3, ",") && !source.is(i - 1, "<") &&
        (endsWith(job, i, "warp_reduce_shfl.cuh") || endsWith(job, i, "warp_scan_shfl.cuh")))
      job.edits.replace(source.tokens[i + 2], "Sum, struct simt_no_operator&");
}

}  // namespace

void translateLibraries(std::string_view preprocessed, Edits& edits) {
  const Source source = readLibraryTokens(preprocessed);
  const Declarations declarations = findDeclarations(source);
  std::vector<Complaint>
      ignored;  // of PTX that is translated nowhere: what uses it does not compile
  const Job job{source, declarations, edits, ignored, ignored, true};
  translateVariables(job, true);
  translatePtx(job);
  leaveOutSpecialSteps(job);
  for (const size_t end : source.unmarked) edits.insert(end, " 3");
}

}  // namespace simt::cc
