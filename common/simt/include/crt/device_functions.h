// Part of what simt/cc includes anyway.
#pragma once

#include "../cuda_runtime.h"
