// As in the header beside it.
#pragma once

#include_next <thrust/partition.h>

#include "thrust/sort.h"
