// What a function for both sides does on each, by __CUDA_ARCH__: where its body differs between a
// source preprocessed for the device and one for the host, it has both,
//   { if (__builtin_is_constant_evaluated() || !::simt::isOnDevice()) {...} else {...} }
#include <algorithm>
#include <tuple>

#include "simtcc/translate/edits.h"

namespace simt::cc {
namespace {

using Key = std::tuple<std::string_view, std::string, std::string_view>;

bool haveSameTokens(const Source& a, size_t i, const Source& b, size_t k) {
  const size_t length = a.partner[i] - i;
  if (b.partner[k] - k != length) return false;
  for (size_t at = 0; at <= length; ++at)
    if (a.tokens[i + at].text != b.tokens[k + at].text) return false;
  return true;
}

// A function of the host may have lambdas and classes of the device, which then differ themselves.
bool hasDeviceCode(const Source& source, const Function& f) {
  if (f.isDevice) return false;
  for (size_t i = f.body; i < source.partner[f.body]; ++i)
    if (source.is(i, "__device__")) return true;
  return false;
}

std::string marker(const Source& source, size_t token) {
  const Token& at = source.tokens[token];
  return "\n# " + std::to_string(at.line) + " \"" + source.files[size_t(at.file)] + "\"\n";
}

}  // namespace

void translateTwoSides(const Job& job, std::string_view preprocessedForHost, bool relocatable) {
  const Source& device = job.source;
  const Source host = readTokens(preprocessedForHost);
  const Declarations hostDeclarations = findDeclarations(host);
  Edits edits;
  std::vector<Complaint> ignored;  // those of the device's text are told
  const Job hostJob{host, hostDeclarations, edits, ignored};
  translateLaunches(hostJob);
  translateVariables(hostJob, relocatable);
  translateNames(hostJob);
  translatePtx(hostJob);

  std::map<Key, std::vector<const Function*>> ofHost;
  const auto keyOf = [](const Source& source, const Function& f) {
    return Key{source.tokens[f.parameters - 1].text,
               source.spelling(f.parameters, source.partner[f.parameters]) + source.place(f.head),
               source.tokens[f.head].text};
  };
  for (const Function& f : hostDeclarations.functions)
    if (f.body != Source::none && f.parameters > 0) ofHost[keyOf(host, f)].push_back(&f);
  std::map<Key, size_t> met;
  for (const Function& f : job.declarations.functions) {
    if (f.body == Source::none || f.parameters == 0) continue;
    const Key key = keyOf(device, f);
    const auto& candidates = ofHost[key];
    const size_t at = met[key]++;
    if (f.isGlobal || (f.isDevice && !f.isHost) || at >= candidates.size()) continue;
    const Function& other = *candidates[at];
    if (haveSameTokens(device, f.body, host, other.body) || hasDeviceCode(device, f) ||
        hasDeviceCode(host, other))
      continue;
    const size_t begin = host.tokens[other.body].offset + 1,
                 end = host.tokens[host.partner[other.body]].offset;
    job.edits.insert(device.tokens[f.body].offset + 1,
                     " if (__builtin_is_constant_evaluated() || !::simt::isOnDevice()) {" +
                         marker(host, other.body) + edits.apply(preprocessedForHost, begin, end) +
                         "\n} else {" + marker(device, f.body));
    job.edits.insert(device.tokens[device.partner[f.body]].offset, "}");
  }
}

}  // namespace simt::cc
