// The executor by itself: what lies beside the cases of findings_test.cu.
#include <cooperative_groups.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <thread>

#include "simt/run/kernel_call.h"
#include "simt/tests/executor_testing.h"

// ---- Copies that the standard library makes

__global__ void copyByTheLibrary(const int* in, int* out, unsigned n, int how) {
  if (threadIdx.x > 0) return;
  if (how == 0) std::copy(in, in + n, out);
  if (how == 1) std::copy_n(in, n, out);
  if (how == 2) std::fill(out, out + n, 0);
  if (how == 3) std::memmove(out, in, n * sizeof(int));
  if (how == 4) std::copy_backward(in, in + n, out + n);
  if (how == 5) std::fill_n(reinterpret_cast<char*>(out), n * sizeof(int), char(1));
}

TEST(Executor, CountsAndBoundsWhatTheLibraryCopies) {
  const std::vector<int> values(64);
  DeviceArray<int> in(64, "in"), out(64, "out");
  in.copyFromHost(values.data());
  for (int how = 0; how < 6; ++how) {
    simt::takeCounters();
    launch(1, 32, copyByTheLibrary, in.data(), out.data(), 64u, how);
    const simt::Counters counted = simt::takeCounters();
    EXPECT_EQ(counted.store_requests, 64u) << how;
    EXPECT_EQ(counted.load_requests, how == 2 || how == 5 ? 0u : 64u) << how;
    const Fault fault =
        faultOf([&] { launch(1, 32, copyByTheLibrary, in.data(), out.data(), 65u, how); });
    EXPECT_EQ(fault.kind, Fault::Kind::outOfBounds) << how << fault.what();
  }
}

__global__ void overlap(int* values) {
  if (threadIdx.x == 0) std::memmove(values + 1, values, 31 * sizeof(int));
}

TEST(Executor, MovesWhatOverlaps) {
  std::vector<int> values(32);
  for (int i = 0; i < 32; ++i) values[size_t(i)] = i;
  DeviceArray<int> all(32, "all");
  all.copyFromHost(values.data());
  launch(1, 32, overlap, all.data());
  const std::vector<int> moved = fetched(all);
  EXPECT_EQ(moved[1], 0);
  EXPECT_EQ(moved[31], 30);
}

// ---- Constant memory, and arrays without names

__global__ void writeWords(int* words, int how) {
  if (how == 0) words[threadIdx.x] = 1;
  if (how == 1) atomicAdd(words + threadIdx.x, 1);
  if (how == 2) std::memset(words, 0, 12);
}

TEST(Executor, TellsWhoWritesConstantMemory) {
  static int table[32];
  simt::adoptVariable(table, sizeof table, sizeof(int), "table", true);
  for (const int how : {0, 1, 2}) {
    const Fault fault = faultOf([&] { launch(1, 1, writeWords, table, how); });
    EXPECT_EQ(fault.kind, Fault::Kind::constantMemory) << fault.what();
    EXPECT_EQ(fault.array, "table");
    EXPECT_EQ(fault.sources.size(), 1u);
  }
  simt::forgetVariable(table);
}

TEST(Executor, TellsArraysWithoutNamesApart) {
  DeviceArray<int> first(4, "array"), second(4, "array"), third(4, "array");
  const auto misses = [](int* words) {
    return faultOf([&] { launch(1, 1, writeWords, words + 4, 0); }).array;
  };
  EXPECT_EQ(misses(first.data()), "array");
  EXPECT_EQ(misses(second.data()), "array 2");
  EXPECT_EQ(misses(third.data()), "array 3");
}

// ---- Waiting

__global__ void waitForTheHost(volatile int* flag, int* flags, int how) {
  if (how == 0)
    while (*flag == 0) {
    }
  if (how == 1)
    while (atomicAdd(flags, 0) == 0) {
    }
}

__global__ void waitForNobody(int* out) {
  __shared__ volatile int flag;
  flag = 0;
  while (flag == 0) {
  }
  *out = 1;
}

TEST(Executor, SaysThatTheHostWaitsToo) {
  const int zero = 0;
  DeviceArray<int> flag(1, "flag");
  flag.copyFromHost(&zero);
  for (int how = 0; how < 2; ++how) {
    const Fault fault =
        faultOf([&] { launch(1, 1, waitForTheHost, flag.data(), flag.data(), how); });
    EXPECT_EQ(fault.kind, Fault::Kind::endlessLoop);
    EXPECT_NE(std::string(fault.what()).find("host"), std::string::npos) << fault.what();
  }
  const Fault fault = faultOf([&] { launch(1, 1, waitForNobody, flag.data()); });
  EXPECT_EQ(std::string(fault.what()).find("host"), std::string::npos) << fault.what();
}

__global__ void lockAndBarrier(int* mutex, int* sum, int turns, unsigned each) {
  for (int turn = 0; turn < turns; ++turn) {
    if (threadIdx.x % each == 0) {
      while (atomicCAS(mutex, 0, 1) != 0) {
      }
      __threadfence();
      *sum += 1;
      __threadfence();
      atomicExch(mutex, 0);
    }
    __syncthreads();
  }
}

// Each of the locks is ordered after all that were before: to find that out takes no longer for
// being the thousandth.
TEST(Executor, FollowsALockAndABarrierForAThousandTurns) {
  const int zero = 0;
  DeviceArray<int> mutex(1, "mutex"), sum(1, "sum");
  mutex.copyFromHost(&zero);
  sum.copyFromHost(&zero);
  launch(2, 64, lockAndBarrier, mutex.data(), sum.data(), 1000, 32u);
  EXPECT_EQ(fetched(sum)[0], 4000);
  launch(2, 64, lockAndBarrier, mutex.data(), sum.data(), 1000, 1u);
  EXPECT_EQ(fetched(sum)[0], 132000);
}

// ---- One cause, one report

__global__ void foldInLockStep(volatile int* values, int* out, bool waits) {
  const unsigned t = threadIdx.x;
  if (t < 16) values[t] = values[t] + values[t + 16];
  if (t < 8) values[t] = values[t] + values[t + 8];
  if (t < 4) values[t] = values[t] + values[t + 4];
  if (waits && t == 5)
    while (values[40] == 0) {
    }
  out[t] = values[0];
}

TEST(Executor, TellsOnceThatLanesAreTakenToRunInLockStep) {
  const std::vector<int> ones(64, 0);
  DeviceArray<int> values(64, "values"), out(64, "out");
  for (const bool waits : {false, true}) {
    values.copyFromHost(ones.data());
    simt::takeFaults();
    const Fault thrown =
        faultOf([&] { launch(1, 32, foldInLockStep, values.data(), out.data(), waits); });
    EXPECT_EQ(thrown.kind, Fault::Kind::race);
    const std::vector<Fault> faults = simt::takeFaults();
    EXPECT_EQ(std::ranges::count_if(faults, [](const Fault& f) { return !f.mild; }), 1);
    const std::string text = thrown.what();
    EXPECT_NE(text.find("lanes of a warp run in lock-step"), std::string::npos) << text;
    EXPECT_EQ(text.find("lock-step"), text.rfind("lock-step")) << text;
    const std::set<std::string> lines(thrown.sources.begin(), thrown.sources.end());
    EXPECT_GE(lines.size(), 3u) << text;
    for (const std::string& line : lines) EXPECT_NE(text.find(line), std::string::npos) << line;
    EXPECT_EQ(text.find("loops for ever") != std::string::npos, waits) << text;
  }
}

// ---- Launches from other threads of the host

__global__ void passOn(int* values) {
  __shared__ int tile[32];
  tile[threadIdx.x] = values[threadIdx.x];
  cooperative_groups::this_grid().sync();
  values[threadIdx.x + blockIdx.x * 32] = tile[31 - threadIdx.x] + 1;
}

TEST(Executor, RunsCooperativeLaunchesFromAnyThread) {
  const std::vector<int> zeros(64);
  DeviceArray<int> values(64, "values");
  values.copyFromHost(zeros.data());
  const auto cooperate = [&] {
    simt::KernelOfWords call{reinterpret_cast<void (*)()>(passOn),
                             {reinterpret_cast<uint64_t>(values.data())}};
    EXPECT_NO_THROW(simt::runCooperatively(2, 32, reinterpret_cast<const void*>(passOn),
                                           simt::callWithWords, &call, sizeof call));
  };
  cooperate();
  std::thread(cooperate).join();
  std::thread(cooperate).join();
  launch(1, 32, lockAndBarrier, values.data(), values.data() + 32, 0, 1u);
  EXPECT_EQ(fetched(values)[0], 3);
}

TEST(Executor, RefusesTheSameSizesForEveryKindOfLaunch) {
  simt::KernelOfWords call{reinterpret_cast<void (*)()>(passOn), {0}};
  const auto launchOf = [&](dim3 grid, dim3 block) {
    simt::run(grid, block, nullptr, simt::callWithWords, &call, sizeof call);
  };
  const auto cooperativeOf = [&](dim3 grid, dim3 block) {
    simt::runCooperatively(grid, block, nullptr, simt::callWithWords, &call, sizeof call);
  };
  for (const dim3 block : {dim3(0), dim3(1025), dim3(1, 1, 65)}) {
    EXPECT_THROW(launchOf(1, block), std::invalid_argument);
    EXPECT_THROW(cooperativeOf(1, block), std::invalid_argument);
  }
  EXPECT_THROW(launchOf(0, 32), std::invalid_argument);
  EXPECT_THROW(cooperativeOf(0, 32), std::invalid_argument);
}

__global__ void sumsOfBlocks(const int* data, int* sums) {
  __shared__ int partial[128];
  partial[threadIdx.x] = data[blockIdx.x * blockDim.x + threadIdx.x];
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (threadIdx.x < stride) partial[threadIdx.x] += partial[threadIdx.x + stride];
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = partial[0];
}

__global__ void sumsWithoutBarriers(const int* data, int* sums) {
  __shared__ int partial[128];
  partial[threadIdx.x] = data[blockIdx.x * blockDim.x + threadIdx.x];
  if (threadIdx.x == 0) sums[blockIdx.x] = partial[127];
}

TEST(Executor, RunsLaunchesOfTwoOsThreadsAtOnce) {
  constexpr int turns = 60, blocks = 4;
  const auto runOften = [&](bool isRight) {
    std::vector<int> host(blocks * 128);
    DeviceArray<int> data(host.size(), "data"), sums(blocks, "sums");
    int wrong = 0, told = 0;
    for (int turn = 0; turn < turns; ++turn) {
      std::ranges::fill(host, turn);
      data.copyFromHost(host.data());
      try {
        launch(blocks, 128, isRight ? sumsOfBlocks : sumsWithoutBarriers, data.data(), sums.data());
      } catch (const Fault& fault) {
        told += fault.kind == Fault::Kind::race && fault.kernel == "sumsWithoutBarriers";
      }
      for (const int sum : fetched(sums)) wrong += isRight && sum != 128 * turn;
    }
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(told, isRight ? 0 : turns);
  };
  simt::takeCounters();
  runOften(true);
  const simt::Counters alone = simt::takeCounters();
  std::thread beside([&] { runOften(false); });
  runOften(true);
  beside.join();
  simt::takeFaults();
  EXPECT_EQ(simt::takeCounters().barriers, alone.barriers);
}
