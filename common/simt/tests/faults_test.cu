// How faults are told: several of a launch, mild ones, and what would have stopped the program.
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <stdexcept>

#include "simt/tests/executor_testing.h"

namespace {

// What the launch throws: its kind, or nothing.
template <typename... Arguments>
std::optional<Fault> thrownBy(dim3 block, Arguments... arguments) {
  simt::takeFaults();
  try {
    launch(dim3(1), block, arguments...);
  } catch (const Fault& fault) {
    return fault;
  }
  return std::nullopt;
}

class WithSettings {
 public:
  explicit WithSettings(void (*change)(simt::Settings&)) : scope_(changed(change)) {}

 private:
  static simt::Settings changed(void (*change)(simt::Settings&)) {
    simt::Settings settings = simt::settings();
    change(settings);
    return settings;
  }
  simt::WithSettings scope_;
};

}  // namespace

__global__ void threeFaults(int* out, int* unwritten) {
  __shared__ int tile[64];
  tile[threadIdx.x] = int(threadIdx.x);
  out[threadIdx.x] = tile[63 - threadIdx.x];
  out[threadIdx.x] += unwritten[threadIdx.x];
  out[threadIdx.x / 2] = int(threadIdx.x);
}

TEST(Faults, AreToldTogetherWhereTheKernelCanGoOn) {
  DeviceArray<int> out(64, "out"), unwritten(64, "unwritten");
  const auto thrown = thrownBy(64, threeFaults, out.data(), unwritten.data());
  ASSERT_TRUE(thrown);
  size_t uninitialised = 0, races = 0;
  const std::vector<Fault> faults = simt::takeFaults();
  for (const Fault& fault : faults) {
    uninitialised += fault.kind == Fault::Kind::uninitialised;
    races += fault.kind == Fault::Kind::race;
  }
  EXPECT_EQ(uninitialised, 1u);
  EXPECT_GE(races, 2u);
  EXPECT_LE(faults.size(), 16u);
  EXPECT_TRUE(simt::takeFaults().empty());
}

__global__ void setsFlag(int* found) { *found = 1; }

TEST(Faults, AMildRaceFailsOnlyWhenAsked) {
  DeviceArray<int> found(1, "found");
  EXPECT_FALSE(thrownBy(64, setsFlag, found.data()));
  const std::vector<Fault> faults = simt::takeFaults();
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].kind, Fault::Kind::benignRace);
  EXPECT_TRUE(faults[0].mild);
  const WithSettings strict([](simt::Settings& s) { s.benignRacesFail = true; });
  EXPECT_TRUE(thrownBy(64, setsFlag, found.data()));
}

__global__ void returnsEarly(int* out) {
  if (threadIdx.x >= 40) return;
  __syncthreads();
  out[threadIdx.x] = 1;
}

TEST(Faults, AMissedBarrierFailsOnlyWhenAsked) {
  DeviceArray<int> out(64, "out");
  EXPECT_FALSE(thrownBy(64, returnsEarly, out.data()));
  const WithSettings strict([](simt::Settings& s) { s.missedBarriersFail = true; });
  const auto thrown = thrownBy(64, returnsEarly, out.data());
  ASSERT_TRUE(thrown);
  EXPECT_EQ(thrown->kind, Fault::Kind::missedBarrier);
  EXPECT_EQ(thrown->threads.at(1).x, 40u);
}

// nvcc takes neither; a kernel on the executor may call host functions by mistake.
__global__ void throws(int* out) {
  if (threadIdx.x == 3) throw std::runtime_error("by mistake");
  out[threadIdx.x] = 1;
}
__global__ void throwsANumber(int*) {
  if (threadIdx.x == 3) throw 7;
}
struct Reason : std::exception {
  int numbers[3];
  explicit Reason(int number) : numbers{number, number, number} {}
  const char* what() const noexcept override { return numbers[2] == 7 ? "seven" : "another"; }
};
__global__ void throwsAnObject(int*) {
  if (threadIdx.x == 3) throw Reason(7);
}
__global__ void aborts(int*) {
  if (threadIdx.x == 3) std::abort();
}
__global__ void exits(int*) {
  if (threadIdx.x == 3) std::exit(0);
}
// Where it is let through, the new process ends at once.
__global__ void forks(int*) {
  if (threadIdx.x == 3 && fork() == 0) _exit(0);
}

TEST(Faults, AnExceptionExitAndAbortInAKernelAreFaults) {
  DeviceArray<int> out(32, "out");
  for (int i = 0; i < 2; ++i) {
    const auto exception = thrownBy(32, throws, out.data());
    ASSERT_TRUE(exception);
    EXPECT_EQ(exception->kind, Fault::Kind::exception) << exception->what();
    EXPECT_NE(std::string(exception->what()).find("by mistake"), std::string::npos);
    EXPECT_EQ(exception->threads.at(0).x, 3u);
    for (const auto kernel : {throwsANumber, throwsAnObject}) {
      const auto other = thrownBy(32, kernel, out.data());
      ASSERT_TRUE(other);
      EXPECT_EQ(other->kind, Fault::Kind::exception) << other->what();
    }
    for (const auto kernel : {aborts, exits, forks}) {
      const auto end = thrownBy(32, kernel, out.data());
      ASSERT_TRUE(end);
      EXPECT_EQ(end->kind, Fault::Kind::programEnd) << end->what();
    }
  }
}

__global__ void fills(int* out, unsigned perThread) {
  for (unsigned k = 0; k < perThread; ++k)
    out[(blockIdx.x * perThread + k) * blockDim.x + threadIdx.x] = 1;
}

// The records of what was done to memory take no more room than they are given.
TEST(Faults, WhatIsForgottenForWantOfRoomIsSaid) {
  DeviceArray<int> out(8 * 64 * 64, "out");
  simt::someForgotten();
  launch(dim3(8), dim3(64), fills, out.data(), 64u);
  EXPECT_FALSE(simt::someForgotten());
  const WithSettings little([](simt::Settings& s) { s.roomForRecords = 96 << 10; });
  launch(dim3(8), dim3(64), fills, out.data(), 64u);
  EXPECT_TRUE(simt::someForgotten());
  launch(dim3(1), dim3(64), fills, out.data(), 512u);
  EXPECT_TRUE(simt::someForgotten());
  EXPECT_FALSE(simt::someForgotten());
  EXPECT_TRUE(thrownBy(64, threeFaults, out.data(), out.data()));
}

// ---- Words side by side that whole warps read, in both directions

__global__ void readByRows(int* data, int* out, unsigned writer, bool ordered) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (warp < 3) out[threadIdx.x] = data[warp == 1 ? 31 - lane : lane];
  __syncwarp();  // of a warp's reads comes no race with itself
  if (ordered) __syncthreads();
  if (threadIdx.x == writer) data[7] = 1;
}

TEST(Faults, ARaceWithRowsThatWarpsReadNamesAThreadThatReadTheWord) {
  DeviceArray<int> data(32, "data"), out(96, "out");
  const std::vector<int> values(32, 1);
  data.copyFromHost(values.data());
  for (const auto order : {simt::Schedule::Order::forward, simt::Schedule::Order::reverse})
    for (unsigned writer = 0; writer < 128; ++writer) {
      const WithSchedule schedule(order, 1);
      EXPECT_FALSE(thrownBy(128, readByRows, data.data(), out.data(), writer, true)) << writer;
      const auto race = thrownBy(128, readByRows, data.data(), out.data(), writer, false);
      ASSERT_TRUE(race) << writer;
      for (const Fault& fault : simt::takeFaults()) {
        ASSERT_EQ(fault.threads.size(), 2u);
        const unsigned one = fault.threads[0].x, two = fault.threads[1].x;
        EXPECT_TRUE(one == writer || two == writer) << fault.what();
        const unsigned reader = one == writer ? two : one;
        EXPECT_TRUE(reader == 7 || reader == 32 + 24 || reader == 64 + 7) << fault.what();
      }
    }
}
