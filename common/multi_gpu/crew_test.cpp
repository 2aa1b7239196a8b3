// Threads for GPUs: at the same time, and an end to waiting; and libraries that are not there.
#include "multi_gpu/crew.h"

#include <gtest/gtest.h>

#include "multi_gpu/shared_library.h"
#include "test_support/host_testing.h"

using namespace std::chrono_literals;

namespace {

// Does not come back before the test has ended.
void neverReturn() {
  while (true) std::this_thread::sleep_for(1h);
}

std::string errorOf(const std::function<void()>& function, ExitCode code) {
  try {
    function();
  } catch (const Error& error) {
    EXPECT_EQ(error.code, code);
    return error.what();
  }
  return "";
}

}  // namespace

// Each waits for all others: one after the other, none would come back.
TEST(Crew, WorksAtTheSameTime) {
  Crew crew(3, "test");
  for (unsigned round = 1; round <= 3; ++round) {
    std::atomic<unsigned> here{0};
    crew.run(
        3,
        [&](unsigned) {
          for (++here; here < 3;) std::this_thread::yield();
        },
        "meeting");
    EXPECT_EQ(here, 3u);
  }
}

TEST(Crew, LetsThoseRestThatAreNotCalled) {
  Crew crew(4, "test");
  for (unsigned members : {1, 4, 2, 3}) {
    std::atomic<unsigned> calls[4] = {};
    crew.run(
        members, [&](unsigned member) { ++calls[member]; }, "counting");
    for (unsigned member = 0; member < 4; ++member) EXPECT_EQ(calls[member], member < members);
  }
}

TEST(Crew, ThrowsWhatAMemberThrewAndGoesOn) {
  Crew crew(3, "test");
  const auto fail = [](unsigned member) {
    if (member == 1) throw Error(exitNoDevice, "GPU 1 is gone");
  };
  EXPECT_EQ(errorOf([&] { crew.run(3, fail, "failing"); }, exitNoDevice), "GPU 1 is gone");
  EXPECT_EQ(errorOf(
                [&] {
                  crew.run(
                      3, [](unsigned) {}, "working");
                },
                exitNoDevice),
            "");
}

TEST(CrewDeathTest, EndsTheProgramWhenOneDoesNotComeBack) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        Crew crew(2, "08_shuffle");
        crew.run(
            2,
            [](unsigned member) {
              if (member == 1) neverReturn();
            },
            "setting up NCCL", 50ms);
      },
      testing::ExitedWithCode(exitWrong),
      "^08_shuffle: setting up NCCL took longer than 0.05 s: GPU 1 of 2 did not come back\n$");
}

// The others wait for it in the all-reduce; the line says why it is missing.
TEST(CrewDeathTest, EndsTheProgramWithTheErrorThatOthersWaitFor) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        Crew crew(3, "08_shuffle");
        crew.run(
            3,
            [](unsigned member) {
              if (member == 2) throw Error(exitNoDevice, "GPU 2 is\x1b[2J gone");
              neverReturn();
            },
            "the sum", 100ms);
      },
      testing::ExitedWithCode(exitNoDevice), "^08_shuffle: GPU 2 is[^\x1b]* gone\n$");
}

TEST(SharedLibrary, SaysWhatToInstall) {
  EXPECT_EQ(errorOf([] { SharedLibrary("libnone.so.7", "install libnone"); }, exitNoDevice),
            "libnone.so.7 cannot be loaded: install libnone");
}

TEST(SharedLibrary, FindsFunctionsAndSaysWhichIsMissing) {
  const SharedLibrary library("libc.so.6", "install libc");
  int (*absolute)(int) = nullptr;
  library.find("abs", absolute);
  EXPECT_EQ(absolute(-3), 3);
  EXPECT_EQ(errorOf([&] { library.find("no_such_function", absolute); }, exitNoDevice),
            "libc.so.6 has no no_such_function: a newer version is needed");
}
