// libFuzzer: the reader of counts such as 1000003 and 2^28.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/counts.h"
#include "base/errors.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const uint64_t count = parseCount("--n", text);
    if (count > uint64_t(INT64_MAX)) std::abort();
    // What countName says of a count in the notation of --n is read back as the same.
    const std::string name = countName(count);
    if (name.find(' ') == std::string::npos && parseCount("--n", name) != count) std::abort();
    if (parseCount("--n", std::to_string(count)) != count) std::abort();
  } catch (const Error& error) {
    if (error.code != exitUsage) std::abort();
  }
  return 0;
}
