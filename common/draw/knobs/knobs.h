// Pages with something to turn: what a curve of the timing model or a count of the executor's rules
// becomes while a reader moves a slider. What was measured stands beside it, under its own name.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "estimate/card.h"

namespace knobs {

// What build/gpu/card measured on a card, by the figure's name: none where the file is missing.
using Figures = std::map<std::string, double>;
struct MeasuredCard {
  estimate::Card card;
  Figures measured;
};
// The cards of common/cards that were measured. Throws Error when a file cannot be read.
std::vector<MeasuredCard> measuredCards();

// By loads in flight, and by resident warps: the bandwidth that was estimated and measured; with
// rows, what the first warps do.
inline const std::vector<unsigned> residentWarps = {1, 2, 4, 8, 16, 32, 64};
nlohmann::json readingPoints(const MeasuredCard& of, const std::vector<unsigned>& loads, bool rows);

// Lesson 05: resident warps and loads in flight: bandwidth, and what the warps do meanwhile.
nlohmann::json inFlight(const std::vector<MeasuredCard>& cards);
// Lesson 03: the elements between two lanes, and a word of padding in each row of shared memory.
nlohmann::json strides(const std::vector<MeasuredCard>& cards);
// Lesson 06: threads, registers and shared memory of a block: how many warps are resident.
nlohmann::json occupancy(const std::vector<MeasuredCard>& cards);

// The page: one file, which needs no other. name: in-flight, strides or occupancy; throws Error
// (exitUsage) for another.
std::string knobsPage(const std::string& name);
bool isKnobsPage(const std::string& text);

}  // namespace knobs
