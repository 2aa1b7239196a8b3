// The driver interface is not there; programs that include its header for nothing are fine.
#pragma once

#include "cuda_runtime.h"
