// The program's own file, read by libdw and libelf (elfutils): its symbols and what the compiler
// says of its source. Where they are missing there is nothing to be had of either.
#pragma once

#ifdef SIMT_HAS_LIBDW
#include <elfutils/libdw.h>
#include <gelf.h>

#include <cstdint>
#include <functional>

namespace simt {

// What -g has left; nullptr when that is nothing. It is never closed: it is asked for at the end of
// the program, too. One OS thread at a time may read it.
Dwarf* debuggingInformation();

// Where the program lies in memory: its addresses less this are those of its file.
uintptr_t programBegin();

// Every symbol that has a size, with its mangled name.
void forEachSymbol(const std::function<void(const GElf_Sym&, const char* mangled)>& take);

// Every part of an entry, in the order of the source; take may change what it is given.
template <typename Take>
void forEachChild(Dwarf_Die parent, const Take& take) {
  Dwarf_Die child;
  for (int more = dwarf_child(&parent, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
    Dwarf_Die part = child;
    take(part);
  }
}

// Every source file that was compiled.
template <typename Take>
void forEachUnit(const Take& take) {
  Dwarf* const information = debuggingInformation();
  if (!information) return;
  size_t headerBytes;
  for (Dwarf_Off unit = 0, next;
       dwarf_nextcu(information, unit, &next, &headerBytes, nullptr, nullptr, nullptr) == 0;
       unit = next)
    if (Dwarf_Die entry; dwarf_offdie(information, unit + headerBytes, &entry)) take(entry);
}

}  // namespace simt
#endif
