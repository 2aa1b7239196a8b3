#include "simt/image/program_image.h"

#ifdef SIMT_HAS_LIBDW
#include <fcntl.h>
#include <link.h>

namespace simt {

static Elf* programFile() {
  static Elf* const file = [] {
    elf_version(EV_CURRENT);
    const int descriptor = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    return descriptor < 0 ? nullptr : elf_begin(descriptor, ELF_C_READ_MMAP, nullptr);
  }();
  return file;
}

Dwarf* debuggingInformation() {
  static Dwarf* const information =
      programFile() ? dwarf_begin_elf(programFile(), DWARF_C_READ, nullptr) : nullptr;
  return information;
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

void forEachSymbol(const std::function<void(const GElf_Sym&, const char*)>& take) {
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(programFile(), section));) {
    GElf_Shdr header;
    if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB) continue;
    Elf_Data* const data = elf_getdata(section, nullptr);
    GElf_Sym symbol;
    for (int i = 0; gelf_getsym(data, i, &symbol); ++i) {
      const char* const name = elf_strptr(programFile(), header.sh_link, symbol.st_name);
      if (symbol.st_size != 0 && name) take(symbol, name);
    }
  }
}

}  // namespace simt
#endif
