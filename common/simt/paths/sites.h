// Instructions by small numbers that fit a record; 0 for those beyond some two millions.
#pragma once

#include <cstdint>

namespace simt {

uint32_t siteOf(const void* pc);
const void* pcOf(uint32_t site);

}  // namespace simt
