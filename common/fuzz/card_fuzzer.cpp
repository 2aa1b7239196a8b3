// libFuzzer: the reader of cards, whose files anybody may send.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/errors.h"
#include "estimate/card.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const estimate::Card card =
        estimate::parseCard(std::string(reinterpret_cast<const char*>(data), size), "file");
    // What is written of a card is read as the same.
    const std::string text = estimate::cardText(card);
    if (estimate::cardText(estimate::parseCard(text, "file")) != text) std::abort();
  } catch (const Error& error) {
    const std::string line = error.what();
    if (error.code != exitUsage || !line.starts_with("file") ||
        line.find('\n') != std::string::npos)
      std::abort();  // refused, but not in one line that names the file
  }
  return 0;
}
