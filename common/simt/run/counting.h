// Settings of the executor for who only wants to count.
#pragma once

#include "simt/find/settings.h"

namespace simt {

// Those of the next launch without the search for faults, which takes longer than to count.
inline Settings settingsToCount() {
  Settings counting = settings();
  counting.findFaults = false;
  return counting;
}

}  // namespace simt
