#include "simtcc/translate/translate.h"

#include <algorithm>

#include "simtcc/translate/edits.h"

namespace simt::cc {

std::string Edits::apply(std::string_view text, size_t begin, size_t end) const {
  std::string result;
  result.reserve(end - begin + changes_.size() * 64);
  size_t at = begin;
  for (auto i = changes_.lower_bound(begin); i != changes_.end() && i->first <= end; ++i) {
    const auto& [offset, change] = *i;
    result += text.substr(at, offset - at);
    result += change.before;
    at = offset + change.removed;
  }
  result += text.substr(at, std::max(at, end) - at);
  return result;
}

Translation translate(std::string_view preprocessed, const TranslationOptions& options) {
  Source source = readTokens(preprocessed);
  for (size_t at = 0, end;
       (end = options.precompiledNames.find('\n', at)) != std::string_view::npos; at = end + 1)
    source.systemNames.insert(options.precompiledNames.substr(at, end - at));
  const Declarations declarations = findDeclarations(source);
  Edits edits;
  Translation result;
  const Job job{source, declarations, edits, result.complaints, result.warnings};
  translateClusters(job);
  translateLaunches(job);
  translateVariables(job, options.relocatable);
  translateNames(job);
  translatePtx(job);
  if (!options.preprocessedForHost.empty())
    translateTwoSides(job, options.preprocessedForHost, options.relocatable);
  refuseWhatCudaRefuses(job, options.constexprEverywhere);
  refuseWhatIsMissing(job);
  if (source.usesLibrary && result.complaints.empty()) translateLibraries(preprocessed, edits);
  result.text = edits.apply(preprocessed);
  result.files = source.files;
  result.usesLibrary = source.usesLibrary;
  for (size_t i = 0; i < source.tokens.size(); ++i)
    result.isVolatile |= declarations.onDevice[i] && source.is(i, "volatile");
  for (const auto& [name, functions] : declarations.kernels) result.kernels.push_back(name);
  return result;
}

}  // namespace simt::cc
