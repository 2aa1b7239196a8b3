// For tests of programs that estimate times: from the code that clang++ made when they were built.
#pragma once

#ifdef PROGRAMS_ESTIMATE
#define NEEDS_ESTIMATES()
#else
#define NEEDS_ESTIMATES() \
  GTEST_SKIP() << "the programs estimate nothing: built without clang++, or with sanitizers"
#endif
