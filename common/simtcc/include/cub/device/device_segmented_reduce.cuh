#pragma once
#include "reduce_and_scan.h"
