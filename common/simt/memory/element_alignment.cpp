#include "simt/memory/element_alignment.h"

#include "simt/image/variable_types.h"
#include "simt/memory/arrays.h"
#include "simt/memory/dynamic_shared.h"

namespace simt {

void setElementAlignment(const void* pointer, size_t alignment) {
  Array* const array = findArray(reinterpret_cast<uintptr_t>(pointer));
  if (!array) return;
  array->elementAlignment = alignment == 0 ? 0 : std::max(array->elementAlignment, alignment);
}

size_t elementAlignment(uintptr_t address) {
  if (const size_t alignment = dynamicSharedAlignment(address)) return alignment;
  if (!sharedRange().contains(address)) {
    const Array* const array = findArray(address);
    return array ? array->elementAlignment : 0;
  }
  const Range variable = findShared(address);
  return variable ? alignmentOfThreadLocal(variable.begin - sharedRange().begin) : 0;
}

}  // namespace simt
