// The rows that both reductions and the softmax are tested with.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "reference.h"
#include "rows.h"

// Rows on the device; what is behind the last must not be read.
struct TestRows {
  TestRows(std::vector<uint16_t> bits_, size_t rows, size_t length)
      : bits(std::move(bits_)), data(rows * length, "rows"), rows{data.data(), rows, length} {
    data.copyFromHost(reinterpret_cast<const __nv_bfloat16*>(bits.data()));
  }
  TestRows(size_t rows, size_t length) : TestRows(random(rows * length), rows, length) {}
  static std::vector<uint16_t> random(size_t n) {
    std::vector<uint16_t> bits(n);
    fillAroundThree(bits.data(), n, 7);
    return bits;
  }
  std::vector<uint16_t> bits;
  DeviceArray<__nv_bfloat16> data;
  Rows rows;
};

inline const std::vector<size_t> rowTestLengths = {1,    2,    3,    7,    8,    9,    10,  15,
                                                   16,   17,   31,   33,   63,   100,  255, 257,
                                                   1000, 1023, 1025, 2049, 4099, 8191, 8200};

inline uint16_t bitsOf(float value) { return uint16_t(std::bit_cast<uint32_t>(value) >> 16); }
