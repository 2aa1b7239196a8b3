// What all lists of launches use.
#pragma once

#include "../../frozen/list.h"

namespace development {

using frozen::Arrays, frozen::Check, frozen::Expected, frozen::List, frozen::Shape;
using frozen::integerAt, frozen::resultsAre, frozen::sideOf, frozen::valueX, frozen::valueY;

struct Lists {
  Arrays& a;
  List list{a, "development"};

  const float* x() const { return a.x.data(); }
  const float* y() const { return a.y.data(); }
  const unsigned* integers() const { return a.integers.data(); }
  unsigned* out() const { return reinterpret_cast<unsigned*>(a.out.data()); }
  Check are(Expected expected, size_t count) const {
    return resultsAre<unsigned>(out(), count, std::move(expected));
  }
  Check floatsAre(Expected expected, size_t count, double within = 1e-5) const {
    return resultsAre<float>(a.out.data(), count, std::move(expected), within);
  }
  // As many blocks, but where the arrays are small.
  unsigned few(unsigned blocks) const { return a.n < (1 << 22) ? 2 : blocks; }
  // Zeros, where something is counted.
  std::function<void()> zeros(size_t count) const {
    return [to = out(), none = std::vector<unsigned>(count)] {
      copyFromHost(to, none.data(), none.size());
    };
  }
};

}  // namespace development
