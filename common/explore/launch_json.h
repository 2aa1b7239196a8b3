// What a page says of the launch as a whole: its name, blocks and counters.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "explore/explore.h"

// "4", "4 × 2", with what is between.
std::string placeText(dim3 size, const char* between);
// Whether all blocks of each launch were traced.
bool showsAllBlocks(const simt::Trace& trace);
// Kernel, grid and block, and which blocks are shown.
std::string aboutText(const Recording& recording);

nlohmann::json blocksAsJson(const simt::Trace& trace);
nlohmann::json countersAsJson(const simt::Counters& total);
nlohmann::json columnsAsJson();  // beside the source, and which counters each adds up
