// What the steps of a program would take on a card, by the timing model: for programs of the
// executor's backend.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "explore/estimated.h"
#include "measure/step.h"
#include "program/options.h"
#include "report/report.h"

// A step's launches as a GPU would have them, on arrays that it allocates itself.
struct EstimatedTask {
  std::string step;
  std::function<void()> launch;
};

// The task of a step of lessons 02 to 08.
EstimatedTask estimatedTaskOf(const Step& step, uint64_t n, unsigned block);

// Throws Error for a card that there is none of, before anything has run.
void checkCard(const Options& options);

// What the page of --explore shows of the launches, of which task says what they are, estimated on
// the card of the options; nothing where they cannot be estimated, or end with a fault. Throws
// Error for a card that there is none of.
std::optional<PageEstimate> exploredEstimate(const std::function<void()>& launch,
                                             const std::string& task, const Options& options,
                                             bool longBlocks = false);

// Sets the estimates of the report's steps of these names, as the options want them, for n elements
// each; a step with mistakes gets none. With --where, prints where the time goes. Throws Error for
// a card that there is none of. longBlocks: so much happens in a block that few of them are looked
// at.
void addEstimates(Report& report, const std::vector<EstimatedTask>& tasks, uint64_t n,
                  const Options& options, bool longBlocks = false);

// The file in common/results with the ladder as it was recorded on a card of this name in
// common/cards, for n elements in blocks of so many threads. It need not be there.
std::string ladderRecord(const std::string& card, uint64_t n, unsigned block);

// What was recorded of the ladder on the options' card; nothing where there is none, or the card is
// a file of the user's own. Throws Error for a card that there is none of, or a record that cannot
// be read.
std::optional<Report> recordedLadder(const Options& options, uint64_t n, unsigned block);

// Prints them, and what was recorded on the options' card of those steps that are as they were
// then; on a card of the user's own nothing was. speedup heads the column of how many times as fast
// a step is as the one that it is based on.
void printEstimates(const Report& report, const Options& options,
                    const std::function<bool(const std::string& step)>& isAsRecorded,
                    const std::string& speedup = "× step before");
