#include "estimate/gpu_code/program_symbols.h"

#include <elf.h>
#include <link.h>

#include <cstring>
#include <fstream>
#include <map>

namespace estimate::gpu_code {
namespace {

struct Symbols {
  std::map<std::string, Symbol, std::less<>> byName;
  std::map<uint64_t, std::string> functions;
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
  std::ifstream file("/proc/self/exe", std::ios::binary | std::ios::ate);
  std::string image(size_t(std::max<std::streamoff>(file.tellg(), 0)), '\0');
  file.seekg(0).read(image.data(), std::streamsize(image.size()));
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
    for (size_t at = 0; at + sizeof(Elf64_Sym) <= symbols.sh_size; at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      std::memcpy(&symbol, image.data() + symbols.sh_offset + at, sizeof symbol);
      if (symbol.st_size == 0 || symbol.st_shndx == SHN_UNDEF) continue;
      const char* const name = image.data() + strings.sh_offset + symbol.st_name;
      const int type = ELF64_ST_TYPE(symbol.st_info);
      if (type == STT_FUNC) found.functions.try_emplace(begin + symbol.st_value, name);
      if (type == STT_OBJECT)
        found.byName.try_emplace(name, Symbol{begin + symbol.st_value, symbol.st_size});
    }
  }
  return found;
}

const Symbols& symbols() {
  static const Symbols all = readSymbols();
  return all;
}

}  // namespace

Symbol symbolNamed(std::string_view name) {
  const auto known = symbols().byName.find(name);
  return known == symbols().byName.end() ? Symbol{} : known->second;
}

std::string functionNameAt(const void* address) {
  const auto known = symbols().functions.find(reinterpret_cast<uint64_t>(address));
  return known == symbols().functions.end() ? "" : known->second;
}

}  // namespace estimate::gpu_code
