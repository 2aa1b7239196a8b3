// The rules of the hardware, on requests that are made up.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>

#include "simt/hardware/requests.h"

namespace {

using Addresses = std::function<uintptr_t(unsigned lane)>;

std::array<uint64_t, simt::warpWidth> accessesOf(size_t bytes, const Addresses& addressOf) {
  std::array<uint64_t, simt::warpWidth> accesses;
  for (unsigned lane = 0; lane < simt::warpWidth; ++lane)
    accesses[lane] = simt::packAccess(addressOf(lane), bytes);
  return accesses;
}

unsigned sectors(size_t bytes, const Addresses& addressOf, uint32_t lanes = ~0u) {
  return simt::sectorsOf(lanes, accessesOf(bytes, addressOf).data());
}

unsigned conflicts(size_t bytes, const Addresses& addressOf, uint32_t lanes = ~0u) {
  const auto accesses = accessesOf(bytes, addressOf);
  unsigned passes[simt::warpWidth] = {};
  const unsigned counted = simt::bankConflictsOf(lanes, accesses.data());
  EXPECT_EQ(simt::bankConflictsOf(lanes, accesses.data(), passes), counted);
  return counted;
}

std::array<unsigned, simt::warpWidth> passes(size_t bytes, const Addresses& addressOf) {
  std::array<unsigned, simt::warpWidth> passes{};
  simt::bankConflictsOf(~0u, accessesOf(bytes, addressOf).data(), passes.data());
  return passes;
}

}  // namespace

TEST(Sectors, HoldEightNeighboursOfFourBytes) {
  EXPECT_EQ(sectors(4, [](unsigned lane) { return 256 + 4 * lane; }), 4u);
  EXPECT_EQ(sectors(
                4, [](unsigned lane) { return 256 + 4 * lane; }, 0xff),
            1u);
  EXPECT_EQ(sectors(4, [](unsigned lane) { return 256 + 8 * lane; }), 8u);
  EXPECT_EQ(sectors(4, [](unsigned lane) { return 256 + 4 * (31 - lane); }), 4u);
  EXPECT_EQ(sectors(16, [](unsigned lane) { return 256 + 16 * lane; }), 16u);
}

TEST(Sectors, AreOneMoreWhereTheFirstLaneBeginsInsideOne) {
  EXPECT_EQ(sectors(4, [](unsigned lane) { return 260 + 4 * lane; }), 5u);
}

TEST(Sectors, AreCountedOnceHoweverManyLanesTouchThem) {
  EXPECT_EQ(sectors(4, [](unsigned) { return 256; }), 1u);
  EXPECT_EQ(sectors(4, [](unsigned lane) { return 256 + 128 * (lane % 2); }), 2u);
}

TEST(Sectors, AreTwoForAnAccessAcrossTheirEnd) {
  EXPECT_EQ(sectors(
                4, [](unsigned) { return 286; }, 1),
            2u);
}

TEST(Banks, ServeNeighboursAndOneWordInOnePass) {
  EXPECT_EQ(conflicts(4, [](unsigned lane) { return 4 * lane; }), 0u);
  EXPECT_EQ(conflicts(4, [](unsigned) { return 8; }), 0u);
  EXPECT_EQ(conflicts(1, [](unsigned lane) { return lane; }), 0u);
}

TEST(Banks, ServeWordsOfOneBankOneAfterTheOther) {
  EXPECT_EQ(conflicts(4, [](unsigned lane) { return 128 * lane; }), 31u);
  EXPECT_EQ(conflicts(4, [](unsigned lane) { return 132 * lane; }), 0u);
  EXPECT_EQ(conflicts(4, [](unsigned lane) { return 8 * lane; }), 1u);
  EXPECT_EQ(conflicts(
                4, [](unsigned lane) { return 8 * lane; }, 0xffff),
            0u);
}

// Eight bytes by half warps, sixteen by quarters: what these need is no conflict.
TEST(Banks, ServeWideAccessesInParts) {
  EXPECT_EQ(conflicts(8, [](unsigned lane) { return 8 * lane; }), 0u);
  EXPECT_EQ(conflicts(16, [](unsigned lane) { return 16 * lane; }), 0u);
  EXPECT_EQ(conflicts(8, [](unsigned lane) { return 16 * lane; }), 2u);
  const auto together = [](size_t bytes) {
    const auto accesses = accessesOf(bytes, [&](unsigned lane) { return bytes * lane; });
    return simt::lanesServedTogether(~0u, accesses.data(), bytes);
  };
  EXPECT_EQ(together(4) + together(8) + together(16), 32u + 16u + 8u);
}

// The profiler's count of wavefronts for a warp's load from rows so many bytes apart, on an H200.
TEST(Banks, ServeTwiceAsManyLanesWhereEachTwoOfThemWantTheSame) {
  const std::array<Addresses, 8> rows = {
      [](unsigned lane) { return lane & 3; },  [](unsigned lane) { return lane >> 2 & 3; },
      [](unsigned lane) { return lane >> 4; }, [](unsigned lane) { return lane & 1; },
      [](unsigned lane) { return lane >> 3; }, [](unsigned lane) { return lane & 7; },
      [](unsigned lane) { return lane; },      [](unsigned) { return 0; }};
  struct Counted {
    size_t bytes, apart;
    std::array<unsigned, 8> wavefronts;
  };
  for (const Counted& counted : {Counted{4, 512, {4, 4, 2, 2, 4, 8, 32, 1}},
                                 {8, 512, {8, 4, 2, 2, 4, 16, 32, 1}},
                                 {16, 512, {16, 8, 2, 4, 4, 32, 32, 2}},
                                 {4, 528, {1, 1, 1, 1, 1, 1, 4, 1}},
                                 {8, 528, {2, 1, 1, 1, 1, 2, 4, 1}},
                                 {16, 528, {4, 2, 2, 2, 2, 4, 4, 2}}})
    for (size_t r = 0; r < rows.size(); ++r) {
      const auto all = passes(counted.bytes,
                              [&](unsigned lane) { return 4096 + rows[r](lane) * counted.apart; });
      EXPECT_EQ(std::ranges::max(all), counted.wavefronts[r])
          << counted.bytes << " bytes, rows " << counted.apart << " apart, pattern " << r;
    }
  // Lanes that do not take part want nothing else.
  const auto accesses = accessesOf(8, [](unsigned lane) { return 8 * (lane & 3); });
  EXPECT_EQ(simt::lanesServedTogether(~0u, accesses.data(), 8), 16u);
  EXPECT_EQ(simt::lanesServedTogether(0x55555555, accesses.data(), 8), 32u);
}

TEST(Banks, TellThePassOfEachLane) {
  const auto column = passes(4, [](unsigned lane) { return 128 * lane; });
  for (unsigned lane = 0; lane < simt::warpWidth; ++lane) EXPECT_EQ(column[lane], lane + 1);
  const auto quarters = passes(16, [](unsigned lane) { return 16 * lane; });
  for (unsigned lane = 0; lane < simt::warpWidth; ++lane) EXPECT_EQ(quarters[lane], 1 + lane / 8);
}

TEST(Atomics, OfOneAddressTakeTurns) {
  const auto turns = [](const Addresses& addressOf) {
    return simt::atomicConflictsOf(~0u, accessesOf(4, addressOf).data());
  };
  EXPECT_EQ(turns([](unsigned) { return 64; }), 31u);
  EXPECT_EQ(turns([](unsigned lane) { return 64 + 4 * lane; }), 0u);
  EXPECT_EQ(turns([](unsigned lane) { return 64 + 4 * (lane / 8); }), 7u);
}
