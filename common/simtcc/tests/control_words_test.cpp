// Instructions as ptxas 13.0 writes them for an H100.
#include "simtcc/translate/control_words.h"
#include "test_support/host_testing.h"

namespace simt::cc {
namespace {

constexpr uint32_t yields = 1 << 13, even = 1 << 14, odd = 1 << 16;

uint32_t readsOf(uint32_t word) { return word & ~(even - 1); }

TEST(ControlWords, SayWhichBanksRegistersComeFrom) {
  ControlWords words;
  EXPECT_EQ(readsOf(words.of(0xd2e0d7223, 0xfe20000000033)), even + 2 * odd);  // R46 R13 R51
  EXPECT_EQ(readsOf(words.of(0xe300e7223, 0xfe2000000002f)), 2 * even + odd);  // R48 R14 R47
  EXPECT_EQ(readsOf(words.of(0xf310f7223, 0xfe2000000002a)), even + 2 * odd);  // R49 R15 R42
  EXPECT_EQ(readsOf(words.of(0x50a237c20, 0xfe20008400000)), even) << "R10, and one of all lanes";
  EXPECT_EQ(readsOf(words.of(0x2020f7810, 0xfe40007ffe0ff)), even) << "R2, a number, and zero";
  EXPECT_EQ(readsOf(words.of(0x402047981, 0x00ea4000c1e1900)), 0u) << "memory";
}

TEST(ControlWords, WhatAnInstructionKeepsIsNotReadAgain) {
  ControlWords words;
  EXPECT_EQ(readsOf(words.of(0xa230a7223, 0x40fe20000000000)), 2 * even + odd);  // R35 R10 R0
  EXPECT_EQ(readsOf(words.of(0x2023207223, 0x40fe20000000025)), even + odd);     // … R32 R37
  EXPECT_EQ(readsOf(words.of(0x2123217223, 0x00fe20000000000)), even + odd);     // … R33 R0
  EXPECT_EQ(readsOf(words.of(0x50a237c20, 0xfe20008400000)), even) << "R10, to R35";
  EXPECT_EQ(readsOf(words.of(0x2123217223, 0xfe20000000000)), even + 2 * odd) << "another R35";
}

TEST(ControlWords, ARegisterThatAnInstructionReadsTwiceIsReadOnce) {
  ControlWords words;
  EXPECT_EQ(readsOf(words.of(0x3fc0000000007423, 0xfc80000000000)), even);  // R0 R0 1.5
  EXPECT_EQ(readsOf(words.of(0x3fc0000000007423, 0xfc80000000002)), 2 * even);
}

TEST(ControlWords, SayAfterHowManyCyclesTheNextGoesAndWhetherOfAnotherWarp) {
  ControlWords words;
  EXPECT_EQ(words.of(0x1020e7810, 0x41fe40007ffe0ff) & (even - 1), 7u | 1 << 3 | 2 << 9);
  EXPECT_EQ(words.of(0x402117810, 0xfc40007ffe0ff) & (even - 1), 7u | 2 << 9 | yields);
}

}  // namespace
}  // namespace simt::cc
