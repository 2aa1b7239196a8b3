#include "simt/image/variable_types.h"

#include <algorithm>
#include <map>

#include "simt/image/program_image.h"

#ifdef SIMT_HAS_LIBDW
#include <dwarf.h>
#endif

namespace simt {
namespace {

using Alignments = std::map<uintptr_t, size_t>;  // by the variable's place
#ifdef SIMT_HAS_LIBDW

bool isNameOrArray(int tag) {
  return tag == DW_TAG_array_type || tag == DW_TAG_typedef || tag == DW_TAG_const_type ||
         tag == DW_TAG_volatile_type;
}

bool isClass(int tag) {
  return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

// The value of a number among the attributes, or 0.
size_t numberOf(Dwarf_Die& entry, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  dwarf_formudata(dwarf_attr_integrate(&entry, name, &attribute), &value);
  return value;
}

bool toType(Dwarf_Die& entry) {
  Dwarf_Attribute attribute;
  return dwarf_formref_die(dwarf_attr_integrate(&entry, DW_AT_type, &attribute), &entry);
}

// Of a class or a number; an array's is that of its elements.
size_t alignmentOf(Dwarf_Die type, int depth = 0) {
  if (depth > 20) return 0;
  size_t most = numberOf(type, DW_AT_alignment);
  if (isNameOrArray(dwarf_tag(&type)))
    return toType(type) ? std::max(most, alignmentOf(type, depth + 1)) : most;
  if (!isClass(dwarf_tag(&type))) return std::min<size_t>(numberOf(type, DW_AT_byte_size), 16);
  forEachChild(type, [&](Dwarf_Die& child) {
    const int tag = dwarf_tag(&child);
    if ((tag == DW_TAG_member || tag == DW_TAG_inheritance) && toType(child))
      most = std::max(most, alignmentOf(child, depth + 1));
  });
  return most;
}

// The compiler places the variable: its elements lie at multiples of their size.
size_t alignmentInVariable(Dwarf_Die type) {
  const size_t byType = alignmentOf(type);
  while (isNameOrArray(dwarf_tag(&type)) && toType(type)) {
  }
  if (!isClass(dwarf_tag(&type))) return byType;
  const size_t size = numberOf(type, DW_AT_byte_size);
  return std::max<size_t>(byType, std::min<size_t>(16, size & (~size + 1)));
}

// Takes the thread-local variables of an entry and its parts: their place is a constant, and that
// it is behind the beginning of all thread-local ones.
void addVariables(Alignments& found, const Dwarf_Die& parent) {
  forEachChild(parent, [&](Dwarf_Die& child) {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_namespace || tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block ||
        tag == DW_TAG_inlined_subroutine)
      addVariables(found, child);
    Dwarf_Attribute location;
    if (tag != DW_TAG_variable || !dwarf_attr(&child, DW_AT_location, &location)) return;
    Dwarf_Op* operations;
    size_t count;
    if (dwarf_getlocation(&location, &operations, &count) != 0 || count != 2) return;
    const unsigned last = operations[1].atom;
    if (last != DW_OP_GNU_push_tls_address && last != DW_OP_form_tls_address) return;
    if (toType(child)) found[operations[0].number] = alignmentInVariable(child);
  });
}

Alignments readAlignments() {
  Alignments found;
  forEachUnit([&](const Dwarf_Die& unit) { addVariables(found, unit); });
  return found;
}

#else
Alignments readAlignments() { return {}; }
#endif

}  // namespace

size_t alignmentOfThreadLocal(uintptr_t offset) {
  static const auto& known = *new Alignments(readAlignments());
  const auto it = known.find(offset);
  return it == known.end() ? 0 : it->second;
}

}  // namespace simt
