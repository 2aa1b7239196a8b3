// Runs a fuzzer's function over its corpus, without a fuzzer. CORPUS is the folder, REPLAY_NAME the
// test's.
#include <gtest/gtest.h>

#include <filesystem>

#include "test_support/host_testing.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

TEST(Fuzz, REPLAY_NAME) {
  size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(CORPUS)) {
    SCOPED_TRACE(entry.path());
    const std::string text = contentsOf(entry.path());
    EXPECT_EQ(LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(text.data()), text.size()),
              0);
    ++files;
  }
  EXPECT_GT(files, 5u);
}
