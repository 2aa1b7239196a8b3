#include "estimate/gpu_code/program_symbols.h"

#include <cxxabi.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>

namespace estimate::gpu_code {
namespace {

struct Symbols {
  std::map<std::string, Symbol, std::less<>> variables;
  std::map<uint64_t, ProgramFunction> functions;
  std::map<std::pair<unsigned, std::string>, Symbol> ofFiles;  // variables, by their readable names
  std::map<uint64_t, unsigned> texts;
};

uint64_t programBegin() {
  uint64_t begin = 0;  // the program is the first module
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* out) {
        *static_cast<uint64_t*>(out) = info->dlpi_addr;
        return 1;
      },
      &begin);
  return begin;
}

Symbols readSymbols() {
  Symbols found;
  std::ifstream stream("/proc/self/exe", std::ios::binary | std::ios::ate);
  std::string image(size_t(std::max<std::streamoff>(stream.tellg(), 0)), '\0');
  stream.seekg(0).read(image.data(), std::streamsize(image.size()));
  Elf64_Ehdr header;
  if (image.size() < sizeof header) return found;
  std::memcpy(&header, image.data(), sizeof header);
  const auto section = [&](size_t i) {
    Elf64_Shdr s;
    std::memcpy(&s, image.data() + header.e_shoff + i * sizeof s, sizeof s);
    return s;
  };
  const uint64_t begin = programBegin();
  for (size_t i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr symbols = section(i);
    if (symbols.sh_type != SHT_SYMTAB) continue;
    const Elf64_Shdr strings = section(symbols.sh_link);
    unsigned file = 0;  // an object's local symbols stand behind the name of its source
    for (size_t at = 0; at + sizeof(Elf64_Sym) <= symbols.sh_size; at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      std::memcpy(&symbol, image.data() + symbols.sh_offset + at, sizeof symbol);
      const char* const name = image.data() + strings.sh_offset + symbol.st_name;
      const int type = ELF64_ST_TYPE(symbol.st_info);
      const bool isLocal = ELF64_ST_BIND(symbol.st_info) == STB_LOCAL;
      if (type == STT_FILE) ++file;
      if (type == STT_FILE || symbol.st_shndx == SHN_UNDEF) continue;
      const uint64_t address = begin + symbol.st_value;
      if (type == STT_FUNC && symbol.st_size > 0)
        found.functions.try_emplace(address, ProgramFunction{name, isLocal ? file : 0});
      if (type == STT_NOTYPE && isLocal) found.texts.try_emplace(address, file);
      if (type != STT_OBJECT || symbol.st_size == 0) continue;
      found.variables.try_emplace(name, Symbol{address, symbol.st_size});
      if (isLocal)
        found.ofFiles.try_emplace({file, readable(name)}, Symbol{address, symbol.st_size});
    }
  }
  return found;
}

const Symbols& symbols() {
  static const Symbols& all = *new Symbols(readSymbols());  // programs ask until their very end
  return all;
}

// UlPfiE3_ as UlPfiE_
std::string withoutLambdaNumbers(const std::string& name) {
  std::string text;
  for (size_t i = 0; i < name.size(); ++i) {
    text += name[i];
    if (name[i] != 'E') continue;
    const size_t end = std::min(name.find_first_not_of("0123456789", i + 1), name.size());
    if (name[std::min(end, name.size() - 1)] == '_') i = end - 1;
  }
  return text;
}

}  // namespace

ProgramFunction functionAt(const void* address) {
  const auto known = symbols().functions.find(reinterpret_cast<uint64_t>(address));
  return known == symbols().functions.end() ? ProgramFunction() : known->second;
}

std::vector<std::string> likeButForLambdas(const std::string& name,
                                           const std::vector<std::string>& names) {
  if (name.find("Ul") == std::string::npos) return {};
  const std::string text = withoutLambdaNumbers(name);
  std::vector<std::string> like;
  for (const std::string& other : names)
    if (withoutLambdaNumbers(other) == text) like.push_back(other);
  std::ranges::sort(like, [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  like.erase(std::unique(like.begin(), like.end()), like.end());
  return like;
}

std::vector<std::string> likeButForLambdas(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& [address, function] : symbols().functions) names.push_back(function.name);
  return likeButForLambdas(name, names);
}

unsigned fileOf(const void* text) {
  const auto known = symbols().texts.find(reinterpret_cast<uint64_t>(text));
  return known == symbols().texts.end() ? 0 : known->second;
}

Symbol variableNamed(std::string_view name, unsigned file) {
  const std::string text = readable(std::string(name));
  const auto own = symbols().ofFiles.find({file, text});
  if (own != symbols().ofFiles.end()) return own->second;
  const auto known = symbols().variables.find(name);
  return known == symbols().variables.end() ? Symbol{} : known->second;
}

std::string readable(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 ? text.get() : symbol;
}

}  // namespace estimate::gpu_code
