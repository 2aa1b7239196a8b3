#include "shuffle.cuh"

#include "testing.h"
