// memcpy, memmove and memset in kernels, and what becomes one of these (std::copy, std::fill): g++
// announces none of them. Here they go to the hooks, but for a number's few bytes, which the
// compiler makes a load and a store. To be included before the headers of the standard library.
#pragma once

#if !defined(__clang__) && (defined(__SANITIZE_THREAD__) || defined(SIMT_TRANSLATED))
#undef _FORTIFY_SOURCE  // which has inline functions of its own for them
#include <stddef.h>

extern "C" {
void* __tsan_memcpy(void* to, const void* from, size_t bytes) noexcept;
void* __tsan_memmove(void* to, const void* from, size_t bytes) noexcept;
void* __tsan_memset(void* to, int value, size_t bytes) noexcept;
}

#define SIMT_MEMORY_CALL(name, Source)                                                          \
  [[gnu::always_inline]] inline void* simt_##name(void* to, Source source, size_t bytes) {      \
    const bool isNumber = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16;  \
    if (__builtin_constant_p(bytes) && isNumber) return __builtin_##name(to, source, bytes);    \
    return __tsan_##name(to, source, bytes);                                                    \
  }                                                                                             \
  extern "C" [[gnu::gnu_inline, gnu::always_inline]] inline void* name(void* to, Source source, \
                                                                       size_t bytes) noexcept { \
    return simt_##name(to, source, bytes);                                                      \
  }
SIMT_MEMORY_CALL(memcpy, const void*)
SIMT_MEMORY_CALL(memmove, const void*)
SIMT_MEMORY_CALL(memset, int)
#undef SIMT_MEMORY_CALL
#define __builtin_memcpy simt_memcpy
#define __builtin_memmove simt_memmove
#define __builtin_memset simt_memset
#endif
