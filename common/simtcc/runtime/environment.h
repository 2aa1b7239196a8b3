// What programs of their own are told by the environment: SIMT_SCHEDULE and its kin.
#pragma once

#include "simt/run/executor.h"

namespace simt {

// Those of settings(), with what the environment asks for. (SIMT_WORKERS, SIMT_PATIENCE: Settings.)
Settings settingsOfEnvironment();
bool isQuiet();
bool isStrict();  // the first fault ends the program  // SIMT_QUIET: no counts at the end

// Ends the program with exit code 2 where a variable whose name begins with SIMT_ is not known, or
// has a value that it cannot have.
void checkEnvironment();

}  // namespace simt
