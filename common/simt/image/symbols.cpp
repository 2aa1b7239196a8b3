// Names for addresses: source lines by addr2line, functions and shared variables from the program's
// own symbol table. Asked for only when a fault is reported, but for the variables.
#include "simt/image/symbols.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <string_view>
#include <thread>
#include <utility>

#ifdef __linux__
#include <elf.h>
#include <link.h>
#endif

namespace simt {
namespace {

struct Place {
  std::string function, source;
  std::string path;  // sources of the inlined calls as well
  std::string file;  // the source with its folders
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

void trim(std::string& text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.pop_back();
  if (text.starts_with("??")) text.clear();
}

std::map<const void*, Place>& knownPlaces() {
  // Never destroyed: asked for at the end of the program, too.
  static auto& known = *new std::map<const void*, Place>;
  return known;
}

// Takes what addr2line says of one address: innermost first, where functions were inlined. The
// first that is not the executor's own is what the kernel's author wrote. Ends with the next
// address.
Place readPlace(FILE* out) {
  Place place;
  bool found = false;
  char function[2048], source[2048];
  while (std::fgets(function, sizeof function, out) && !std::string(function).starts_with("0x") &&
         std::fgets(source, sizeof source, out)) {
    if (!found) place.function = function, place.source = source;
    if (char* const note = std::strstr(source, " (discriminator")) std::strcpy(note, "\n");
    place.path += source;
    found = found || (!isOfTheExecutor(source) && !isOfTheStandardLibrary(source));
  }
  trim(place.function);
  if (const size_t note = place.source.find(" (discriminator"); note != std::string::npos)
    place.source.resize(note);
  trim(place.source);
  if (isOfTheStandardLibrary(place.source)) place.source.clear();
  place.file = std::exchange(place.source, baseName(place.source));
  return place;
}

// One run of addr2line for all that are not yet known.
void lookUpAll(const std::vector<const void*>& addresses) {
#ifdef __linux__
  std::string command = "addr2line -a -f -i -C -e /proc/" + std::to_string(getpid()) + "/exe";
#else
  std::string command = "true";
#endif
  std::vector<const void*> asked;
  for (const void* address : addresses) {
    Dl_info info{};
    if (!knownPlaces().try_emplace(address).second || !dladdr(address, &info) || !info.dli_fbase)
      continue;
    char offset[32];
    std::snprintf(offset, sizeof offset, " 0x%zx",
                  size_t(static_cast<const char*>(address) - static_cast<char*>(info.dli_fbase)));
    command += offset;
    asked.push_back(address);
  }
  if (asked.empty()) return;
  FILE* const out = popen((command + " 2>/dev/null").c_str(), "r");
  if (!out) return;
  char first[64];
  if (std::fgets(first, sizeof first, out))
    for (const void* address : asked) knownPlaces()[address] = readPlace(out);
  pclose(out);
}

const Place& lookUp(const void* address) {
  const auto known = knownPlaces().find(address);
  if (known != knownPlaces().end()) return known->second;
  lookUpAll({address});
  return knownPlaces()[address];
}

std::string demangled(const char* symbol) {
  int status = 0;
  char* text = abi::__cxa_demangle(symbol, nullptr, nullptr, &status);
  const std::string name = status == 0 ? text : symbol;
  std::free(text);
  return name;
}

#ifdef __linux__
// Thread-local variables that are no shared memory of a kernel's.
bool isOfTheExecutorItself(const std::string& name) {
  return name.find("simt_gap_") != std::string::npos || name == "simt_dynamic_shared" ||
         name.starts_with("simt::") || name.find("guard variable for ") != std::string::npos ||
         name.starts_with("TLS ");
}

// What the program's own symbol table lists.
void forEachSymbol(const std::function<void(const Elf64_Sym&, const char* name)>& take) {
  std::ifstream file("/proc/self/exe", std::ios::binary | std::ios::ate);
  std::string image(size_t(std::max<std::streamoff>(file.tellg(), 0)), '\0');
  file.seekg(0).read(image.data(), std::streamsize(image.size()));
  Elf64_Ehdr header;
  if (image.size() < sizeof header) return;
  std::memcpy(&header, image.data(), sizeof header);
  const auto section = [&](size_t i) {
    Elf64_Shdr s;
    std::memcpy(&s, image.data() + header.e_shoff + i * sizeof s, sizeof s);
    return s;
  };
  for (size_t i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr symbols = section(i);
    if (symbols.sh_type != SHT_SYMTAB) continue;
    const Elf64_Shdr strings = section(symbols.sh_link);
    for (size_t at = 0; at + sizeof(Elf64_Sym) <= symbols.sh_size; at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      std::memcpy(&symbol, image.data() + symbols.sh_offset + at, sizeof symbol);
      if (symbol.st_size != 0) take(symbol, image.data() + strings.sh_offset + symbol.st_name);
    }
  }
}

// The functions that begin at these places of the program, by their mangled names.
std::map<uint64_t, std::string> readFunctions() {
  std::map<uint64_t, std::string> found;
  forEachSymbol([&](const Elf64_Sym& symbol, const char* mangled) {
    if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC) found.try_emplace(symbol.st_value, mangled);
  });
  return found;
}

uintptr_t programBegin() {
  uintptr_t begin = 0;  // the program is the first module
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* out) {
        *static_cast<uintptr_t*>(out) = info->dlpi_addr;
        return 1;
      },
      &begin);
  return begin;
}

std::string withoutScope(std::string name) {
  const size_t scope = name.rfind("::", name.find('<'));
  if (scope != std::string::npos) name.erase(0, scope + 2);
  return name;
}

// The thread-local variables.
std::vector<Variable> readVariables() {
  std::vector<Variable> found;
  forEachSymbol([&](const Elf64_Sym& symbol, const char* mangled) {
    if (ELF64_ST_TYPE(symbol.st_info) != STT_TLS) return;
    std::string name = demangled(mangled);
    if (isOfTheExecutorItself(name)) return;
    if (const size_t scope = name.rfind("::"); scope != std::string::npos) name.erase(0, scope + 2);
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

std::vector<Variable> variablesOfTemplate(const std::string& name) {
  std::vector<Variable> found;
#ifdef __linux__
  const uintptr_t loadedAt = programBegin();
  forEachSymbol([&](const Elf64_Sym& symbol, const char* mangled) {
    if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT || !std::strstr(mangled, name.c_str())) return;
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

std::string functionAt(const void* address) {
#ifdef __linux__
  // Where a function of C++ begins, the symbol table tells sooner.
  static const auto& functions = *new std::map<uint64_t, std::string>(readFunctions());
  const auto known = functions.find(reinterpret_cast<uintptr_t>(address) - programBegin());
  if (known != functions.end() && known->second.starts_with("_Z"))
    return demangled(known->second.c_str());
#endif
  return lookUp(address).function;
}

std::string kernelNameOf(std::string function) {
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

static Range& rangeNow() {
  static Range range = readSharedRange();
  return range;
}
static std::vector<Variable>& variablesNow() {
  static auto& variables = *new std::vector<Variable>(readVariables());
  return variables;
}
const Range& sharedRange() { return rangeNow(); }
const std::vector<Variable>& sharedVariables() { return variablesNow(); }

void useSharedMemoryOfThisOsThread() {
  static std::thread::id last;  // that launched before
  if (std::exchange(last, std::this_thread::get_id()) == std::this_thread::get_id()) return;
  const Range range = readSharedRange();
  const uintptr_t further = range.begin - rangeNow().begin;
  if (further == 0) return;
  for (Variable& variable : variablesNow()) variable.begin += further, variable.end += further;
  rangeNow() = range;
}

}  // namespace simt
