#include "compare/roofline_picture.h"

#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "base/markup.h"
#include "test_support/host_testing.h"

static const Roofline roofline = {.title = "The roof of a card",
                                  .gbps = 1000,
                                  .gflops = 10000,
                                  .bandwidthName = "1000 GB/s",
                                  .gflopsName = "10 TFLOP/s",
                                  .points = {{"slow & low", 0.5, 5},
                                             {"at the roof", 0.5, 500},
                                             {"just below", 0.5, 480},
                                             {"under the ceiling", 100, 9000}}};

// Numbers of all places in the picture that look so: the groups of the pattern.
static std::vector<std::vector<double>> numbers(const std::string& svg, const std::string& text) {
  const std::regex pattern(text);
  std::vector<std::vector<double>> found;
  for (std::sregex_iterator at(svg.begin(), svg.end(), pattern), end; at != end; ++at) {
    found.emplace_back();
    for (size_t i = 1; i < at->size(); ++i) found.back().push_back(std::stod((*at)[i]));
  }
  return found;
}

static const std::string circle = "<circle class=\"point\" cx=\"([0-9.]+)\" cy=\"([0-9.]+)\"";

TEST(RooflinePicture, IsOneElementWithAllNames) {
  const std::string svg = rooflineSvg(roofline);
  EXPECT_TRUE(isOneElement(svg, "svg"));
  for (const char* name : {"The roof of a card", "slow &amp; low", "at the roof", "just below",
                           "under the ceiling", "1000 GB/s", "10 TFLOP/s"})
    EXPECT_TRUE(contains(svg, name));
  EXPECT_TRUE(contains(svg, "prefers-color-scheme: dark"));
}

// Ten times as much is as far on either axis, wherever it begins; and a point that computes what
// the bandwidth lets through lies on the slope.
TEST(RooflinePicture, PutsPointsWhereTheirNumbersAre) {
  Roofline r = roofline;
  r.points = {{"a", 0.1, 10}, {"b", 1, 100}, {"c", 10, 1000}, {"d", 1, 1000}};
  const std::string svg = rooflineSvg(r);
  const auto points = numbers(svg, circle);  // the fastest first
  ASSERT_EQ(points.size(), 4u);
  const auto &c = points[0], &d = points[1], &b = points[2], &a = points[3];
  EXPECT_NEAR(b[0] - a[0], c[0] - b[0], 0.2);
  EXPECT_NEAR(a[1] - b[1], b[1] - c[1], 0.2);
  EXPECT_NEAR(d[0], b[0], 0.05);
  EXPECT_NEAR(d[1], c[1], 0.05);
  const auto roof =
      numbers(svg, "class=\"roof\"[^>]*d=\"M([0-9.]+) ([0-9.]+)L([0-9.]+) ([0-9.]+)H");
  ASSERT_EQ(roof.size(), 1u);
  const double x1 = roof[0][0], y1 = roof[0][1], x2 = roof[0][2], y2 = roof[0][3];
  EXPECT_NEAR(y1 + (d[0] - x1) * (y2 - y1) / (x2 - x1), d[1], 0.3);  // 1 × 1000 GB/s
  EXPECT_NEAR(x2, c[0], 0.1);                                        // the ridge, 10000 / 1000
}

TEST(RooflinePicture, PutsNoNameOnAPoint) {
  Roofline r = roofline;
  r.points = {{"a name", 10, 1000}, {"", 12, 1000}, {"", 16, 1000}};
  const std::string svg = rooflineSvg(r);
  const auto name = numbers(svg, "<text x=\"([0-9.]+)\" y=\"([0-9.]+)\" class=\"ink\">a name");
  ASSERT_EQ(name.size(), 1u);
  for (const auto& point : numbers(svg, circle))
    EXPECT_TRUE(point[0] + 5 < name[0][0] || point[0] - 5 > name[0][0] + 48 ||
                point[1] + 5 < name[0][1] - 12)
        << point[0] << ", " << point[1];
}

TEST(RooflinePicture, PutsNoNameOnAnother) {
  Roofline r = roofline;
  for (int i = 0; i < 6; ++i) r.points.push_back({"one of many", 0.5, 490.0 + i});
  for (int i = 0; i < 4; ++i) r.points.push_back({"far to the right", 900, 9000.0 + 50 * i});
  const auto names =
      numbers(rooflineSvg(r), "<text x=\"([0-9.]+)\" y=\"([0-9.]+)\" class=\"ink\">");
  for (size_t i = 0; i < names.size(); ++i)
    for (size_t k = 0; k < i; ++k)
      EXPECT_TRUE(std::abs(names[i][1] - names[k][1]) >= 18.9 ||
                  std::abs(names[i][0] - names[k][0]) >= 70)
          << names[i][0] << ", " << names[i][1];
}
