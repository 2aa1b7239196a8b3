// Names for the reports: cudaMalloc(&values, bytes) learns that the array is called values, and
// (void*)kernel, which CUDA's own functions take, learns how the kernel is called.
#include <algorithm>
#include <array>

#include "simtcc/translate/edits.h"

namespace simt::cc {
namespace {

bool isAllocation(std::string_view name) {
  static constexpr std::array names = {"cudaMalloc",    "cudaMallocManaged", "cudaMallocHost",
                                       "cudaHostAlloc", "cudaMallocAsync",   "cudaMallocPitch"};
  return std::ranges::find(names, name) != names.end();
}

// The variable in "&variable" or "(void**)&variable" between two tokens, or an empty range.
std::pair<size_t, size_t> variableOf(const Source& source, size_t from, size_t to) {
  for (size_t i = from; i < to; ++i) {
    if (source.is(i, "reinterpret_cast") && source.is(i + 1, "<")) {
      const size_t open = source.afterAngles(i + 1);
      if (source.is(open, "(") && source.partner[open] + 1 == to)
        return variableOf(source, open + 1, to - 1);
    }
    if (source.is(i, "(") && source.partner[i] != Source::none && source.is(i + 1, "void"))
      i = source.partner[i];
    else if (source.is(i, "(") && source.partner[i] + 1 == to)
      return variableOf(source, i + 1, to - 1);
    else if (source.is(i, "&") && i + 1 < to)
      return {i + 1, to};
    else
      break;
  }
  return {from, from};
}

void nameAllocation(const Job& job, size_t open) {
  const Source& source = job.source;
  const size_t close = source.partner[open];
  size_t comma = open + 1;
  for (; comma < close && !source.is(comma, ","); ++comma)
    if (source.partner[comma] != Source::none && source.partner[comma] > comma)
      comma = source.partner[comma];
  const auto [begin, end] = variableOf(source, open + 1, comma);
  if (begin == end || comma == close) return;
  const std::string name = source.spelling(begin, end);
  if (name.find('"') != std::string::npos || name.find('\\') != std::string::npos) return;
  job.edits.insert(source.tokens[close].offset,
                   ", ::simt::named<decltype(" + name + ")>(\"" + name + "\")");
}

// (void*)kernel, (const void*)kernel<int>
void nameKernel(const Job& job, size_t open) {
  const Source& source = job.source;
  const size_t close = source.partner[open];
  if (close == Source::none) return;
  const std::string cast = source.spelling(open + 1, close);
  if (cast != "void*" && cast != "const void*" && cast != "void const*") return;
  const size_t name = close + 1 + (source.is(close + 1, "&") ? 1 : 0);
  if (!source.isIdentifier(name) ||
      !job.declarations.kernels.contains(std::string(source.tokens[name].text)))
    return;
  const size_t end = source.is(name + 1, "<") ? source.afterAngles(name + 1) : name + 1;
  job.edits.insert(source.tokens[name].offset, "::simt::kernelAddress(");
  job.edits.insert(source.tokens[end - 1].offset + source.tokens[end - 1].text.size(), ")");
}

}  // namespace

void translateNames(const Job& job) {
  const Source& source = job.source;
  for (size_t i = 0; i + 1 < source.tokens.size(); ++i) {
    if (source.is(i, "(")) nameKernel(job, i);
    if (source.is(i + 1, "(") && isAllocation(source.tokens[i].text) &&
        source.partner[i + 1] != Source::none)
      nameAllocation(job, i + 1);
  }
}

}  // namespace simt::cc
