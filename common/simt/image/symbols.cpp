// Names for addresses: source lines, functions and shared variables. Asked for only when a fault is
// reported, but for the variables.
#include "simt/image/symbols.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>

#include "simt/image/program_image.h"
#include "simt/image/source_lines.h"

#ifdef __linux__
#include <link.h>
#endif

namespace simt {
namespace {

struct SourceLine {
  std::string source, file;  // of the line that the author wrote; with its folders
  std::string path;          // sources of the inlined calls as well
};

std::string baseName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

bool isOfTheStandardLibrary(const std::string& source) {
  return source.find("/include/c++/") != std::string::npos;
}

// A line of the headers that kernels include under CUDA's names.
bool isOfTheExecutor(const std::string& source) {
  for (const char* header : {"/simt/device/", "/simtcc/runtime/", "/simtcc/include/"})
    if (source.find(header) != std::string::npos) return true;
  return false;
}

// Of an address's lines the first that is not the executor's own is what the kernel's author wrote.
SourceLine sourceLineOf(const std::vector<std::string>& lines) {
  SourceLine place;
  const auto written = std::ranges::find_if(lines, [](const std::string& line) {
    return !isOfTheExecutor(line) && !isOfTheStandardLibrary(line);
  });
  if (written != lines.end())
    place.file = *written;
  else if (!lines.empty() && !isOfTheStandardLibrary(lines.back()))
    place.file = lines.back();
  place.source = baseName(place.file);
  for (const std::string& line : lines) place.path += line + "\n";
  return place;
}

struct KnownPlaces {
  std::recursive_mutex mutex;
  std::map<const void*, SourceLine> lines;
};
KnownPlaces& known() {
  static auto& all = *new KnownPlaces;  // never destroyed: asked for at the end of the program, too
  return all;
}

// All that are not yet known, at once.
void lookUpAll(const std::vector<const void*>& addresses) {
  const std::scoped_lock lock(known().mutex);
  std::vector<const void*> asked;
  std::vector<uintptr_t> unknown;
  for (const void* address : addresses) {
    if (!known().lines.try_emplace(address).second) continue;
    asked.push_back(address);
    unknown.push_back(reinterpret_cast<uintptr_t>(address));
  }
  if (asked.empty()) return;
  const auto lines = sourceLinesOf(unknown);
  for (size_t i = 0; i < asked.size(); ++i) known().lines[asked[i]] = sourceLineOf(lines[i]);
}

// References stay good.
const SourceLine& lookUp(const void* address) {
  lookUpAll({address});
  const std::scoped_lock lock(known().mutex);
  return known().lines[address];
}

std::string demangled(const char* symbol) {
  int status = 0;
  char* text = abi::__cxa_demangle(symbol, nullptr, nullptr, &status);
  const std::string name = status == 0 ? text : symbol;
  std::free(text);
  return name;
}

#ifdef SIMT_HAS_LIBDW
// Thread-local variables that are no shared memory of a kernel's.
bool isOfTheExecutorItself(const std::string& name) {
  constexpr const char* own[] = {
      "simt_dynamic_shared", "simtBarrierStackTop", "threadIdx", "blockIdx", "blockDim", "gridDim"};
  return std::ranges::find(own, name) != std::end(own) ||
         name.find("simt_gap_") != std::string::npos || name.starts_with("simt::") ||
         name.find("guard variable for ") != std::string::npos || name.starts_with("TLS ");
}

// The functions of the program, by their places, with their mangled names.
std::map<uint64_t, std::string> readFunctions() {
  std::map<uint64_t, std::string> found;
  forEachSymbol([&](const GElf_Sym& symbol, const char* mangled) {
    if (GELF_ST_TYPE(symbol.st_info) == STT_FUNC) found.try_emplace(symbol.st_value, mangled);
  });
  return found;
}

std::string withoutScope(std::string name) {
  const size_t scope = name.rfind("::", name.find('<'));
  if (scope != std::string::npos) name.erase(0, scope + 2);
  return name;
}

// The thread-local variables.
std::vector<Variable> readVariables() {
  std::vector<Variable> found;
  forEachSymbol([&](const GElf_Sym& symbol, const char* mangled) {
    if (GELF_ST_TYPE(symbol.st_info) != STT_TLS) return;
    std::string name = demangled(mangled);
    if (isOfTheExecutorItself(name)) return;
    if (const size_t scope = name.rfind("::"); scope != std::string::npos) name.erase(0, scope + 2);
    constexpr std::string_view ofBytes = "simt_bytes_";  // simtcc's, of a class with a constructor
    if (name.starts_with(ofBytes)) name.erase(0, ofBytes.size());
    const uintptr_t begin = sharedRange().begin + symbol.st_value;
    found.push_back({begin, begin + symbol.st_size, name});
  });
  std::ranges::sort(found, {}, &Variable::begin);
  return found;
}
#else
std::vector<Variable> readVariables() {
  return {{sharedRange().begin, sharedRange().end, "shared"}};
}
#endif

Range readSharedRange() {
  Range range;
#ifdef __linux__
  // The first module is the program itself.
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* out) {
        for (int i = 0; i < info->dlpi_phnum; ++i)
          if (info->dlpi_phdr[i].p_type == PT_TLS && info->dlpi_tls_data) {
            const auto begin = reinterpret_cast<uintptr_t>(info->dlpi_tls_data);
            *static_cast<Range*>(out) = {begin, begin + info->dlpi_phdr[i].p_memsz};
          }
        return 1;
      },
      &range);
#endif
  return range;
}

std::vector<Range> readConstants() {
  std::vector<Range> ranges;
#ifdef __linux__
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* out) {
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& segment = info->dlpi_phdr[i];
          if ((segment.p_type == PT_LOAD && !(segment.p_flags & PF_W)) ||
              segment.p_type == PT_GNU_RELRO)
            static_cast<std::vector<Range>*>(out)->push_back(
                {info->dlpi_addr + segment.p_vaddr,
                 info->dlpi_addr + segment.p_vaddr + segment.p_memsz});
        }
        return 1;
      },
      &ranges);
#endif
  return ranges;
}

}  // namespace

std::vector<Variable> variablesOfTemplate([[maybe_unused]] const std::string& name) {
  std::vector<Variable> found;
#ifdef SIMT_HAS_LIBDW
  const uintptr_t loadedAt = programBegin();
  forEachSymbol([&](const GElf_Sym& symbol, const char* mangled) {
    if (GELF_ST_TYPE(symbol.st_info) != STT_OBJECT || !std::strstr(mangled, name.c_str())) return;
    const std::string variable = withoutScope(demangled(mangled));
    const uintptr_t begin = loadedAt + symbol.st_value;
    if (variable.starts_with(name + "<") && variable.ends_with('>'))
      found.push_back({begin, begin + symbol.st_size, variable});
  });
#endif
  return found;
}

bool isConstant(uintptr_t address) {
  static const auto& ranges = *new std::vector<Range>(readConstants());
  return std::ranges::any_of(ranges, [&](const Range& r) { return r.contains(address); });
}

// An instruction's address as hooks see it is the one after it: look up the byte before.
std::string sourceOf(const void* pc) {
  return pc ? lookUp(static_cast<const char*>(pc) - 1).source : "";
}

std::string sourcePathOf(const void* pc) {
  return pc ? lookUp(static_cast<const char*>(pc) - 1).file : "";
}

void lookUpSources(const std::vector<const void*>& pcs) {
  std::vector<const void*> addresses;
  for (const void* pc : pcs)
    if (pc) addresses.push_back(static_cast<const char*>(pc) - 1);
  lookUpAll(addresses);
}

std::string at(const void* pc) {
  const std::string source = sourceOf(pc);
  return source.empty() ? "" : " at " + source;
}

std::string pathOf(const void* pc) {
  return pc ? lookUp(static_cast<const char*>(pc) - 1).path : "";
}

std::string functionAt([[maybe_unused]] const void* address) {
#ifdef SIMT_HAS_LIBDW
  static const auto& functions = *new std::map<uint64_t, std::string>(readFunctions());
  const auto known = functions.find(reinterpret_cast<uintptr_t>(address) - programBegin());
  if (known != functions.end()) return demangled(known->second.c_str());
#endif
  return "";
}

// Types of the executor's as CUDA's headers call them.
static std::string asInCuda(std::string text) {
  constexpr std::pair<std::string_view, std::string_view> types[] = {
      {"simt::SmallFloat<5>", "__half"},
      {"simt::SmallFloat<8>", "__nv_bfloat16"},
      {"simt::Pair<__half>", "__half2"},
      {"simt::Pair<__nv_bfloat16>", "__nv_bfloat162"}};
  for (const auto& [ours, theirs] : types)
    for (size_t at = 0; (at = text.find(ours, at)) != std::string::npos; at += theirs.size()) {
      text.replace(at, ours.size(), theirs);
      if (text.compare(at + theirs.size(), 2, " >") == 0) text.erase(at + theirs.size(), 1);
    }
  return text;
}

std::string kernelNameOf(std::string function) {
  function = asInCuda(std::move(function));
  const std::string hidden = "(anonymous namespace)::";
  if (const size_t at = function.find(hidden); at != std::string::npos)
    function.erase(at, hidden.size());
  // The first "(" that is no template argument's, such as (Direction)1.
  int depth = 0;
  size_t end = 0;
  for (; end < function.size() && (function[end] != '(' || depth > 0); ++end)
    depth += (function[end] == '<') - (function[end] == '>');
  function.resize(end);
  if (function.starts_with("void ")) function.erase(0, 5);
  return function;
}

// Each OS thread has its own: what kernels find there is that of the one that runs them.
const Range& sharedRange() {
  thread_local const Range range = readSharedRange();
  return range;
}

const std::vector<Variable>& sharedVariables() {
  struct OfOsThreads {
    std::mutex mutex;
    std::map<uintptr_t, std::vector<Variable>> byBegin;  // of the range
  };
  static auto& known = *new OfOsThreads;
  thread_local const std::vector<Variable>* own = nullptr;
  if (own) return *own;
  const uintptr_t begin = sharedRange().begin;
  const std::scoped_lock lock(known.mutex);
  std::vector<Variable>& variables = known.byBegin[begin];
  own = &variables;
  if (!variables.empty()) return variables;
  const auto other =
      std::ranges::find_if(known.byBegin, [](const auto& o) { return !o.second.empty(); });
  if (other == known.byBegin.end()) return variables = readVariables();
  variables = other->second;
  for (Variable& variable : variables) {
    variable.begin += begin - other->first;
    variable.end += begin - other->first;
  }
  return variables;
}

}  // namespace simt
