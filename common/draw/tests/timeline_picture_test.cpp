// Pictures of a multiprocessor's warps, drawn of timelines that are made up.
#include "draw/timeline_picture.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <regex>

#include "base/markup.h"
#include "test_support/host_testing.h"

namespace {

using estimate::Wait;

// Of two places for blocks of two warps: what a warp does goes round through all there is.
Timeline everything() {
  Timeline timeline{.kernel = "a kernel", .card = "a card", .about = "8 elements"};
  timeline.warpsPerBlock = timeline.residentBlocks = 2;
  timeline.cycles = 3000;
  for (uint32_t warp = 0; warp < 4; ++warp) {
    double at = 40 * warp;
    for (unsigned i = 0; at < 4000; ++i) {
      const double end = at + 1 + (i * 7919 + warp * 104729) % 23;
      const auto wait = Wait((i + warp) % (estimate::waitCount - 1));
      timeline.intervals.push_back({warp, warp / 2 + (at > 2000 ? 2 : 0), at, end, wait});
      at = end;
    }
  }
  return timeline;
}

// The areas of the picture's rows, by their class.
std::map<std::string, double> areasOf(const std::string& svg) {
  const std::string rows = svg.substr(svg.find("<g "), svg.find("</g>") - svg.find("<g "));
  std::map<std::string, double> areas;
  const std::regex path("<path class=\"([a-z0-9]+)\" d=\"([^\"]*)\"/>");
  const std::regex shape("M[0-9]+ [0-9]+h([0-9]+)v([0-9]+)h-([0-9]+)z");
  for (std::sregex_iterator p(rows.begin(), rows.end(), path), none; p != none; ++p) {
    const std::string shapes = (*p)[2];
    for (std::sregex_iterator s(shapes.begin(), shapes.end(), shape); s != none; ++s)
      areas[(*p)[1]] += std::stod((*s)[1]) * std::stod((*s)[2]);
  }
  return areas;
}

}  // namespace

TEST(TimelinePicture, IsOneElementThatIsKnownAgain) {
  const std::string svg = timelinePicture(everything());
  EXPECT_TRUE(isOneElement(svg, "svg"));
  EXPECT_TRUE(isTimelinePicture(svg));
  EXPECT_FALSE(isTimelinePicture(svg + "<svg></svg>"));
  EXPECT_FALSE(isTimelinePicture("<svg>mine</svg>"));
  EXPECT_EQ(svg, timelinePicture(everything()));
}

TEST(TimelinePicture, SharesAreThoseOfTheIntervals) {
  const Timeline timeline = everything();
  estimate::WaitTimes times = {};
  double all = 4 * timeline.cycles;
  for (const estimate::Interval& i : timeline.intervals)
    times[size_t(i.wait)] += std::max(0.0, std::min(i.end, timeline.cycles) - i.begin) / all;
  double sum = 0;
  for (const double time : times) sum += time;
  times[size_t(Wait::startAndTail)] = 1 - sum;
  const std::vector<TimelineShare> shares = timelineShares(timeline), same = timelineShares(times);
  ASSERT_EQ(shares.size(), same.size());
  for (size_t i = 0; i < shares.size(); ++i) {
    EXPECT_EQ(shares[i].name, same[i].name);
    EXPECT_NEAR(shares[i].share, same[i].share, 1e-9) << shares[i].name;
  }
}

TEST(TimelinePicture, HasAreasThatAreTheShares) {
  const Timeline timeline = everything();
  const std::map<std::string, double> areas = areasOf(timelinePicture(timeline));
  double all = 0;
  for (const auto& [kind, area] : areas) all += area;
  const std::vector<std::string> kinds = {"issuing", "own",       "memory",  "l2",   "l1",
                                          "shared",  "conflicts", "barrier", "empty"};
  const std::vector<TimelineShare> shares = timelineShares(timeline);
  for (size_t i = 0; i < kinds.size(); ++i)
    EXPECT_NEAR(areas.at(kinds[i]) / all, shares[i].share, 0.005) << kinds[i];
}

TEST(TimelinePicture, KeepsTheAreaOfWhatIsTooShortForACell) {
  Timeline timeline{.kernel = "a kernel", .card = "a card", .about = ""};
  timeline.cycles = 4300;  // cells of 10
  for (double at = 0; at < timeline.cycles; at += 10) {
    timeline.intervals.push_back({0, 0, at, at + 1, Wait::issuing});
    timeline.intervals.push_back({0, 0, at + 1, at + 10, Wait::memory});
  }
  std::map<std::string, double> areas = areasOf(timelinePicture(timeline));
  EXPECT_NEAR(areas["issuing"] / (areas["issuing"] + areas["memory"]), 0.1, 0.005);
}

TEST(TimelinePicture, EscapesNames) {
  Timeline timeline = everything();
  timeline.kernel = timeline.card = timeline.about = "</text><script>alert(1)</script>&\"'";
  const std::string svg = timelinePicture(timeline);
  EXPECT_TRUE(isOneElement(svg, "svg"));
  EXPECT_FALSE(contains(svg, "<script"));
}

TEST(TimelinePicture, StaysSmallForManyWarpsAndChanges) {
  Timeline timeline = everything();
  timeline.warpsPerBlock = 32;
  timeline.intervals.clear();
  for (uint32_t warp = 0; warp < 64; ++warp)
    for (unsigned i = 0; i < 3000; ++i)
      timeline.intervals.push_back({warp, warp / 32, double(i), i + 1.0, Wait(i % 12)});
  EXPECT_LT(timelinePicture(timeline).size(), size_t(700) << 10);
}

TEST(TimelinePicture, ShowsAMultiprocessorWithoutWork) {
  Timeline timeline{.kernel = "nothing", .card = "a card"};
  timeline.cycles = 10;
  EXPECT_TRUE(isOneElement(timelinePicture(timeline), "svg"));
  EXPECT_NEAR(timelineShares(timeline).back().share, 1, 1e-9);
}
