#include "draw/timeline.h"

#ifndef GPU_BACKEND
#include <fmt/core.h>

#include <algorithm>
#include <iostream>

#include "base/counts.h"
#include "base/errors.h"
#include "base/output_file.h"
#include "base/table.h"
#include "estimate/launch_time.h"
#include "estimate/sampled.h"
#include "program/estimates.h"
#include "program/explore_page.h"
#include "simt/run/executor.h"

namespace {

using estimate::Estimate;

void printShares(const TimedLaunch& timed) {
  const auto percent = [](double share) { return fmt::format("{:.1f} %", 100 * share); };
  const std::vector<TimelineShare> picture = timelineShares(timed.timeline);
  const std::vector<TimelineShare> all = timelineShares(timed.shares);
  Table table;
  table.add({"what the warps' time goes into, estimated", "in the picture", "in the launch"});
  for (size_t i = 0; i < all.size(); ++i)
    table.add({all[i].name, percent(picture[i].share), percent(all[i].share)});
  table.print();
}

int drawStep(const Options& options, const std::vector<Step>& steps) {
  std::vector<Step> here = steps;
  std::erase_if(here, [](const Step& step) { return !step.runsHere(); });
  const Step step = options.named.empty() ? here.back() : chosenByName(options.named.front(), here);
  const uint64_t n = options.n.value_or(uint64_t(1) << 28);
  const std::string about =
      fmt::format("{} elements, blocks of {} threads", countName(n), options.block);
  return drawTimeline(options, step.name, about, estimatedTaskOf(step, n, options.block).launch);
}

}  // namespace

TimedLaunch timelineOf(const std::string& kernel, const std::string& about,
                       const estimate::Card& card, const std::function<void()>& launch) {
  estimate::Sampler sampler{unsigned(card.multiprocessors)};
  sampler.run(launch);
  TimedLaunch longest;
  double ms = 0;
  for (const estimate::Launch& one : sampler.take()) {
    Estimate estimated = estimateLaunch(one, card, {}, true);
    if (estimated.ms <= ms || estimated.timeline.empty()) continue;
    ms = estimated.ms;
    longest.shares = estimated.shares;
    longest.timeline = estimate::timelineOf(one, std::move(estimated), card);
  }
  if (ms == 0) throw Error(exitUsage, "--timeline: nothing was launched");
  longest.timeline.kernel = kernel;
  longest.timeline.about = about;
  return longest;
}

int drawTimeline(const Options& options, const std::string& kernel, const std::string& about,
                 const std::function<void()>& launch) {
  const estimate::Card card = estimate::findCard(options.card);
  OutputFile file("--timeline", options.modeFile, isTimelinePicture,
                  "a picture drawn by --timeline");
  const TimedLaunch timed = timelineOf(kernel, about, card, launch);
  file.write(timelinePicture(timed.timeline), kernel + ", " + about);
  printShares(timed);
  return exitRight;
}
#endif

Mode timelineMode([[maybe_unused]] const std::vector<Step>& steps) {
  Mode mode{.flag = "--timeline",
            .help = "draw the warps of one multiprocessor over cycles, as they are estimated",
            .run = {},
            .takesFile = true,
            .only = Backend::cpu};
#ifndef GPU_BACKEND
  mode.run = [=](const Options& options) { return drawStep(options, steps); };
#endif
  mode.step = true;
  for (const std::string option :
       {"--samples", "--seed", "--json", "--counters", "--where", "--no-estimate", "--schedule"})
    mode.leaveOut.emplace_back(option, "draws an estimate");
  return mode;
}
