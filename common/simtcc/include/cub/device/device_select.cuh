#pragma once
#include "sort_and_select.h"
