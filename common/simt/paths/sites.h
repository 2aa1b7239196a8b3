// Instructions by small numbers that fit a record; 0 for those beyond some two millions.
#pragma once

#include <cstdint>

namespace simt {

uint32_t siteOf(const void* pc);
const void* pcOf(uint32_t site);
// Whether it accesses what is volatile, as its hook has said.
void noteVolatile(uint32_t site);
bool isVolatile(uint32_t site);

}  // namespace simt
