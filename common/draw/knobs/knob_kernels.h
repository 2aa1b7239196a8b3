// The kernels whose estimates the pages with knobs show, launched on arrays that nobody fills.
#pragma once

#include <cstdint>
#include <vector>

namespace knobs {

// Loads of 4 bytes that each thread of launchReading() may have in flight.
inline const std::vector<unsigned> loadsInFlight = {1, 2, 4, 8, 16};

// Every multiprocessor has so many warps, each thread of which keeps so many loads in flight: one
// of loadsInFlight, or std::invalid_argument is thrown. bytesRead() is what such a launch reads.
void launchReading(unsigned multiprocessors, unsigned warps, unsigned loads);
uint64_t bytesRead(unsigned multiprocessors, unsigned warps, unsigned loads);

// So many integers are read, eight by each thread, stride elements apart from its neighbours'.
constexpr uint64_t stridedElements = uint64_t(1) << 26;
void launchStrided(unsigned stride);

}  // namespace knobs
