// Runs the microbenchmarks of the whole card.
#include <algorithm>

#include "base/format.h"
#include "cuda/device.h"
#include "cuda/device_array.h"
#include "cuda/launch.h"
#include "cuda/mark.h"
#include "estimate/card_program/figures.h"
#include "estimate/card_program/whole_card.cuh"

namespace {

constexpr size_t gib = size_t(1) << 30;

// The median of several samples, in milliseconds. before is queued first, and is not timed.
template <typename Before, typename Run>
double medianMs(unsigned samples, Before before, Run run) {
  Mark start, end;
  std::vector<double> times;
  for (unsigned i = 0; i < samples + 2; ++i) {
    before();
    start.record();
    run();
    end.record();
    letGo();
    const double ms = end.millisecondsSince(start);
    if (i >= 2) times.push_back(ms);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

template <typename Run>
double medianMs(Run run) {
  return medianMs(7, hold, run);
}

void add(Figures& figures, const std::string& name, double value, const std::string& unit) {
  figures.push_back({name, value, unit});
}

void measureClock(Figures& figures) {
  const double few = medianMs([] { launch(1, 32, waitCycles, 2'000'000ll); });
  const double many = medianMs([] { launch(1, 32, waitCycles, 12'000'000ll); });
  add(figures, "clock", 10 / (many - few), "GHz");
}

void measureLaunches(Figures& figures) {
  add(figures, "empty kernel, 1 block of 32", 1000 * medianMs([] { launch(1, 32, empty); }), "µs");
  const unsigned blocks = 4 * multiprocessors();
  add(figures, "empty kernel, 4 blocks of 512 each",
      1000 * medianMs([&] { launch(blocks, 512, empty); }), "µs");
  DeviceArray<char> data(gib / 4, "the cache flush");
  data.poison();
  const auto flush = [&] { flushCache(data.data(), data.size()); };
  add(figures, "empty kernel after a flush, 1 block of 32",
      1000 * medianMs(15, flush, [] { launch(1, 32, empty); }), "µs");
  const double one = medianMs([] { launch(1, 32, empty); });
  const double hundred = medianMs([] {
    for (unsigned i = 0; i < 101; ++i) launch(1, 32, empty);
  });
  add(figures, "from empty kernel to empty kernel", 1000 * (hundred - one) / 100, "µs");
}

// How far apart the starts of blocks are on a multiprocessor, with nothing or little to do in them.
void measureBlockStarts(Figures& figures) {
  for (unsigned threads = 32; threads <= 1024; threads *= 2) {
    const auto perBlock = [&](auto... kernelAndArguments) {
      const auto ms = [&](unsigned blocks) {
        return medianMs(
            [&] { launch(blocks * multiprocessors(), threads, kernelAndArguments...); });
      };
      return 1e6 * (ms(6000) - ms(1000)) / 5000;
    };
    add(figures, fmt::format("block start, {} threads", threads), perBlock(empty), "ns");
    for (const long long cycles : {500, 2000})
      add(figures, fmt::format("block of {} threads that waits {} cycles", threads, cycles),
          perBlock(waitCycles, cycles), "ns");
  }
}

template <typename T, unsigned inFlight>
void measureReading(Figures& figures, const DeviceArray<int4>& data) {
  const auto* const from = reinterpret_cast<const T*>(data.data());
  const size_t n = data.size() * sizeof(int4) / sizeof(T);
  for (const unsigned warps : {4u, 8u, 16u, 32u, 64u}) {
    const unsigned threads = std::min(32 * warps, 256u), perSm = 32 * warps / threads;
    const unsigned shared = warps == 64 ? 0 : 220 * 1024 / perSm;
    const auto kernel = readMemory<T, inFlight>;
    CUDA_CHECK(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, int(shared)));
    int resident = 0;
    CUDA_CHECK(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, int(threads), shared));
    if (unsigned(resident) < perSm) continue;
    const double ms = medianMs(
        5, hold, [&] { kernel<<<perSm * multiprocessors(), threads, shared>>>(from, n, nullptr); });
    CUDA_CHECK(cudaGetLastError());
    add(figures,
        fmt::format("read, {} loads of {} bytes in flight, {} warps", inFlight, sizeof(T), warps),
        1e-6 * double(data.size() * sizeof(int4)) / ms, "GB/s");
  }
}

template <unsigned inFlight>
void measureCopying(Figures& figures, DeviceArray<int4>& data) {
  auto* const from = reinterpret_cast<int*>(data.data());
  const size_t n = data.size() * 2;  // ints in a half of it
  const auto kernel = copyMemory<inFlight>;
  for (const unsigned warps : {4u, 8u, 16u, 32u}) {
    const unsigned threads = std::min(32 * warps, 256u), perSm = 32 * warps / threads;
    const unsigned shared = 220 * 1024 / perSm;
    CUDA_CHECK(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, int(shared)));
    for (const bool inPlace : {false, true}) {
      const double ms = medianMs(5, hold, [&] {
        kernel<<<perSm * multiprocessors(), threads, shared>>>(from, inPlace ? from : from + n, n);
      });
      CUDA_CHECK(cudaGetLastError());
      add(figures,
          fmt::format("{}, {} loads of 4 bytes in flight, {} warps",
                      inPlace ? "read and write in place" : "copy", inFlight, warps),
          2e-6 * double(n * sizeof(int)) / ms, "GB/s");
    }
  }
}

template <unsigned reads, unsigned writes>
void measureStreams(Figures& figures, DeviceArray<int4>& data) {
  const size_t n = data.size() / (reads + writes) / 256 * 256;
  const int4* const from = data.data();
  int4* const to = data.data() + reads * n;
  const double ms =
      medianMs([&] { launch(unsigned(n / 256), 256, streams<reads, writes>, from, to, n); });
  add(figures, fmt::format("streams, {} read, {} written", reads, writes),
      1e-6 * double((reads + writes) * n * sizeof(int4)) / ms, "GB/s");
}

void measureMemory(Figures& figures) {
  DeviceArray<int4> data(2 * gib / sizeof(int4), "a large array");
  data.poison();
  measureReading<int, 1>(figures, data);
  measureReading<int, 2>(figures, data);
  measureReading<int, 4>(figures, data);
  measureReading<int, 8>(figures, data);
  measureReading<int, 16>(figures, data);
  measureReading<int4, 1>(figures, data);
  measureReading<int4, 4>(figures, data);
  measureReading<int4, 8>(figures, data);
  measureCopying<1>(figures, data);
  measureCopying<4>(figures, data);
  measureStreams<1, 0>(figures, data);
  measureStreams<0, 1>(figures, data);
  measureStreams<1, 1>(figures, data);
  measureStreams<2, 1>(figures, data);
  measureStreams<4, 1>(figures, data);
  measureStreams<1, 2>(figures, data);
  const size_t n = data.size();
  const double ms = medianMs([&] { launch(unsigned(n / 256), 256, inPlace, data.data(), n); });
  add(figures, "in place, read and written", 2e-6 * double(n * sizeof(int4)) / ms, "GB/s");
  auto* const words = reinterpret_cast<int*>(data.data());
  for (const unsigned piece : {8u, 16u, 32u}) {
    const unsigned blocks = 1024 * multiprocessors();
    const double randomMs = medianMs([&] {
      launch(blocks, 256, readRandom, (const int*)words, 2 * gib / 4 / piece, piece, (int*)nullptr);
    });
    add(figures, fmt::format("random reads of {} bytes", 4 * piece),
        1e-6 * 8 * 256 * 4 * double(blocks) / randomMs, "GB/s");
  }
  for (const size_t stride : {8u, 16u, 32u, 64u, 256u, 1024u}) {
    const unsigned blocks = unsigned(2 * gib / 4 / stride / 256);
    const double ms =
        medianMs([&] { launch(blocks, 256, readApart, (const int*)words, stride, (int*)nullptr); });
    add(figures, fmt::format("sectors read {} bytes apart", 4 * stride),
        1e-6 * 32 * 256.0 * blocks / ms, "GB/s");
  }
  for (const unsigned lanes : {1u, 2u, 4u, 8u, 32u}) {
    const unsigned blocks = unsigned(gib / 4 / 256);
    add(figures, fmt::format("writes of {} lanes beside each other", lanes),
        1e-6 * double(gib) / medianMs([&] { launch(blocks, 256, writeParts, words, lanes); }),
        "GB/s");
  }
  for (const unsigned columns : {1024u, 16384u}) {
    const unsigned rows = unsigned(gib / sizeof(int) / columns);
    const unsigned blocks = unsigned(gib / sizeof(int) / 256);
    add(figures, fmt::format("scattered writes, rows of {} bytes", 4 * columns),
        1e-6 * double(gib) /
            medianMs([&] { launch(blocks, 256, writeScattered, words, rows, columns); }),
        "GB/s");
    add(figures, fmt::format("scattered reads, rows of {} bytes", 4 * columns),
        1e-6 * double(gib) / medianMs([&] {
          launch(blocks, 256, readScattered, words, rows, columns, (int*)nullptr);
        }),
        "GB/s");
  }
}

// Reads what fits into L2, over and over.
void measureL2(Figures& figures) {
  for (const size_t mebibytes : {1, 4, 12, 24, 36, 48}) {
    DeviceArray<int4> data((mebibytes << 20) / sizeof(int4), "an array that fits into L2");
    data.poison();
    const auto read = [&](unsigned times) {
      return medianMs([&] {
        launch(8 * multiprocessors(), 256, readAgain, (const int4*)data.data(), data.size(), times,
               (int*)nullptr);
      });
    };
    const unsigned more = unsigned(960 / mebibytes);
    add(figures, fmt::format("L2, {} MiB read again", mebibytes),
        1e-6 * double(data.size() * sizeof(int4)) * more / (read(10 + more) - read(10)), "GB/s");
  }
}

void measureAtomics(Figures& figures) {
  DeviceArray<unsigned> data(1 << 22, "counters");
  data.poison();
  const unsigned blocks = 64 * multiprocessors();
  const double warps = blocks * 8.0;
  const auto perWarp = [&](unsigned addresses, unsigned stride, unsigned lanes) {
    return 1e6 / warps *
           medianMs([&] { launch(blocks, 256, atomics, data.data(), addresses, stride, lanes); });
  };
  for (const unsigned addresses : {1u, 8u, 32u, 128u, 256u, 512u, 1u << 10, 1u << 20})
    for (const unsigned lanes : {1u, 32u})
      add(figures, fmt::format("atomics, {} addresses, {} lanes", addresses, lanes),
          perWarp(addresses, 1, lanes), "ns per warp");
  for (const unsigned sectors : {8u, 32u, 128u, 512u, 1u << 11, 1u << 16})
    add(figures, fmt::format("atomics, {} sectors, 32 lanes", sectors), perWarp(sectors, 8, 32),
        "ns per warp");
}

}  // namespace

Figures measureWholeCard() {
  Figures figures;
  measureClock(figures);
  measureLaunches(figures);
  measureBlockStarts(figures);
  measureMemory(figures);
  measureL2(figures);
  measureAtomics(figures);
  return figures;
}
