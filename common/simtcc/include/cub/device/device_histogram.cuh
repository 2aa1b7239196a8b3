#pragma once
#include "select.h"
