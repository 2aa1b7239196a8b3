// What the tests of the executor share.
#pragma once

#include <random>
#include <vector>

#include "test_support/kernel_testing.h"

using simt::Fault;

template <typename T>
std::vector<T> fetched(const DeviceArray<T>& array) {
  std::vector<T> host(array.size());
  array.copyToHost(host.data(), host.size());
  return host;
}

// The fault that body ends with.
template <typename Body>
Fault faultOf(Body&& body) {
  try {
    body();
  } catch (const Fault& fault) {
    return fault;
  }
  ADD_FAILURE() << "no fault";
  return Fault(Fault::Kind::assertion, "none");
}

// Runs body under the forward, the reverse and ten random schedules; a fault fails the test.
template <typename Body>
void underSchedules(Body&& body) {
  using Order = simt::Schedule::Order;
  for (uint64_t seed = 0; seed < 12; ++seed) {
    const WithSchedule schedule(seed == 0   ? Order::forward
                                : seed == 1 ? Order::reverse
                                            : Order::random,
                                seed);
    try {
      body();
    } catch (const simt::Fault& fault) {
      ADD_FAILURE() << fault.what() << ", schedule " << seed;
    }
  }
}

template <typename T>
std::vector<T> randomValues(size_t n) {
  std::mt19937 random(1);
  std::vector<T> values(n);
  for (T& value : values) value = T(random() % 256) / T(1);
  return values;
}
