// The order in which threads and blocks that could run are run. A correct kernel gives the same
// result under every order.
#pragma once

#include <cstdint>

namespace simt {

struct Schedule {
  enum class Order { forward, reverse, random };
  Order order = Order::forward;
  uint64_t seed = 1;
};

}  // namespace simt
