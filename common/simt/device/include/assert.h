// assert for kernels, too: a failed one is a fault of the launch, with block and thread. May be
// included again with another NDEBUG, which programs of their own decide by; lessons are always
// held to what they assert.
#include_next <assert.h>

#include "simt/device/primitives.h"

#undef assert
#if defined(NDEBUG) && defined(SIMT_TRANSLATED)
#define assert(condition) ((void)0)
#else
#define assert(condition) \
  ((condition) ? (void)0 : simt::assertFailed(#condition, __FILE__, __LINE__))
#endif
