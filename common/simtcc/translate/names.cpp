// Names for the reports: cudaMalloc(&values, bytes) learns that the array is called values, and
// (void*)kernel, which CUDA's own functions take, learns how the kernel is called. What cublas_v2.h
// is called within, cublasCreate_v2, gets its other name.
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

bool isPointerToAnything(const std::string& type) {
  return type == "void*" || type == "const void*" || type == "void const*";
}

// (void*)kernel, (const void*)&kernel<int>, reinterpret_cast<void*>(kernel)
void nameKernel(const Job& job, size_t cast) {
  const Source& source = job.source;
  size_t name = Source::none;
  if (source.is(cast, "(") && source.partner[cast] != Source::none) {
    if (isPointerToAnything(source.spelling(cast + 1, source.partner[cast])))
      name = source.partner[cast] + 1;
  } else if (source.is(cast, "reinterpret_cast") && source.is(cast + 1, "<")) {
    const size_t after = source.afterAngles(cast + 1);
    if (isPointerToAnything(source.spelling(cast + 2, after - 1))) name = after;
  }
  if (name == Source::none) return;
  while (source.is(name, "(")) ++name;
  const bool isAddress = source.is(name, "&");
  if (isAddress) ++name;
  const size_t first = name;
  if (source.is(name, "::")) ++name;
  while (source.isIdentifier(name) && source.is(name + 1, "::")) name += 2;
  if (!source.isIdentifier(name) ||
      !job.declarations.kernels.contains(std::string(source.tokens[name].text)))
    return;
  const size_t end = source.is(name + 1, "<") ? source.afterAngles(name + 1) : name + 1;
  if (isAddress) job.edits.remove(source.tokens[first - 1]);
  job.edits.insert(source.tokens[first].offset, "const_cast<void*>(::simt::kernelAddress(");
  job.edits.insert(source.tokens[end - 1].offset + source.tokens[end - 1].text.size(), "))");
}

}  // namespace

void translateNames(const Job& job) {
  const Source& source = job.source;
  for (size_t i = 0; i + 1 < source.tokens.size(); ++i) {
    nameKernel(job, i);
    const std::string_view text = source.tokens[i].text;
    if (text.starts_with("cublas") && text.ends_with("_v2") && source.isIdentifier(i))
      job.edits.replace(source.tokens[i], std::string(text.substr(0, text.size() - 3)));
    if (source.is(i + 1, "(") && isAllocation(text) && source.partner[i + 1] != Source::none)
      nameAllocation(job, i + 1);
  }
}

}  // namespace simt::cc
