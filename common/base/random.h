// Random bits by position, so that any part of a sequence can be made on its own.
#pragma once

#include <cstdint>

// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): 64 random bits for this seed and position.
inline uint64_t randomBits(uint64_t seed, uint64_t position) {
  uint64_t z = seed * 0xd1342543de82ef95u + (position + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}
