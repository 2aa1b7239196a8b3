// What is kept of exercises that were solved, and where.
#include "program/solved.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>

#include "test_support/host_testing.h"

namespace {

// The variable's value for as long as this lives.
class WithVariable {
 public:
  WithVariable(const char* name, const std::string& value) : name_(name) {
    if (const char* const before = getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~WithVariable() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }

 private:
  const char* const name_;
  std::optional<std::string> before_;
};

struct Solved : testing::Test {
  const TemporaryFolder folder;
  const WithVariable state{"XDG_STATE_HOME", folder.path("state")};
  const std::string path = folder.path("state") + "/cuda_reduction_step_by_step/solved";

  static std::string kept(const std::string& program, unsigned number) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    keepSolved(program, number);
    return testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr();
  }
  static std::string progress() {
    testing::internal::CaptureStdout();
    EXPECT_EQ(progressMode().run({}), 0);
    return testing::internal::GetCapturedStdout();
  }
};

}  // namespace

TEST_F(Solved, IsKeptOnceAndShown) {
  EXPECT_TRUE(contains(progress(), "Next: build/cpu/01_cpu_baseline --exercise 1\n"));
  for (const unsigned number : {1u, 2u}) kept("01_cpu_baseline", number);
  EXPECT_EQ(kept("01_cpu_baseline", 3), "Of this lesson 3 of 3 are solved; --progress shows all\n");
  EXPECT_TRUE(contains(progress(), "Next: build/cpu/02_neighbored --exercise 1\n"));
  EXPECT_EQ(kept("02_neighbored", 1), "Of this lesson 1 of 4 are solved; --progress shows all\n");
  EXPECT_TRUE(contains(progress(), "Next: build/cpu/02_neighbored --exercise 2\n"));
  for (const unsigned number : {2u, 1u, 0u}) kept("02_neighbored", number);
  EXPECT_TRUE(contentsOf(path).ends_with(
      "\n01_cpu_baseline 3\n02_neighbored 1\n02_neighbored 2\n02_neighbored exercise\n"));
  EXPECT_TRUE(contains(progress(), "Next: build/cpu/02_neighbored --exercise 3\n"));
  EXPECT_TRUE(contains(progress(), "Kept in " + path));
}

TEST_F(Solved, StaysWhereTheFileHasOtherThings) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path) << "\x1b[31m\n02_neighbored 77\n03_neighbored_less exercise";  // cut short
  EXPECT_FALSE(contains(progress(), "\x1b[31m"));
  EXPECT_TRUE(contains(kept("02_neighbored", 2), "Of this lesson 1 of 4"));
  EXPECT_TRUE(contentsOf(path).ends_with("exercise\n02_neighbored 2\n"));
}

TEST_F(Solved, IsOfLessonsOnly) {
  EXPECT_EQ(kept("test", 1), "");
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(Solved, SaysInOneLineWhereNothingCanBeKept) {
  std::ofstream(folder.path("state")) << "a file";
  EXPECT_EQ(kept("02_neighbored", 1),
            "02_neighbored: your progress is not kept: " + path + ": Not a directory\n");
  std::filesystem::remove(folder.path("state"));
  std::filesystem::create_directories(path);
  EXPECT_EQ(kept("02_neighbored", 1),
            "02_neighbored: your progress is not kept: " + path + ": that is no file\n");
  EXPECT_TRUE(contains(progress(), "Nothing is kept: that is no file"));
}

TEST_F(Solved, IsKeptAtHomeWhereNoOtherFolderIsNamed) {
  const WithVariable relative("XDG_STATE_HOME", "state"), home("HOME", folder.path("home"));
  kept("02_neighbored", 3);
  EXPECT_EQ(contentsOf(folder.path("home") + "/.local/state/cuda_reduction_step_by_step/solved"),
            "02_neighbored 3\n");
  const WithVariable nowhere("HOME", "");
  EXPECT_EQ(
      kept("02_neighbored", 3),
      "02_neighbored: your progress is not kept: neither XDG_STATE_HOME nor HOME names a folder\n");
}
